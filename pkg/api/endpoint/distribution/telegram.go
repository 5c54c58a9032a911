package distribution

import (
	"net/http"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/platform/apperr"
)

// telegramBody says where a message is on its way to.
type telegramBody struct {
	Queued bool   `json:"queued"`
	Group  string `json:"telegramGroupId"`
}

// testTelegram queues a message to the token's group. One that is lost or comes twice
// does no harm, and the creator may ask again.
func (e Endpoint) testTelegram(w http.ResponseWriter, r *http.Request) error {
	record, err := e.owned(r)
	if err != nil {
		return err
	}
	group := record.Settings.TelegramGroupID
	if group == "" {
		return apperr.New(apperr.CodeTelegramNotSet, "The settings of this token have no Telegram group; set telegramGroupId first.")
	}
	if err := e.Telegram.Try(r.Context(), record, e.NewID()); err != nil {
		return apperr.Upstream("The queue of messages", err)
	}
	return apigw.WriteJSON(w, http.StatusAccepted, telegramBody{Queued: true, Group: group})
}
