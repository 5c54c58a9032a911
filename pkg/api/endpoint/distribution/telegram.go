package distribution

import (
	"context"
	"errors"
	"net/http"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/distribution/notice"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/token"
)

// telegramBody names the group of a queued message.
type telegramBody struct {
	Queued bool   `json:"queued"`
	Group  string `json:"telegramGroupId"`
}

// linkBody is a code for an administrator of a group.
type linkBody struct {
	Code      string  `json:"code"`
	Command   string  `json:"command"`
	ExpiresAt string  `json:"expiresAt"`
	Group     string  `json:"telegramGroupId"`
	Linked    bool    `json:"telegramLinked"`
	Bot       *string `json:"bot"`
}

// testTelegram queues a test message to the token's group. A lost or repeated message does no harm,
// and the creator may repeat the request.
func (e Endpoint) testTelegram(w http.ResponseWriter, r *http.Request) error {
	record, err := e.grouped(r)
	if err != nil {
		return err
	}
	switch err := e.Telegram.Try(r.Context(), record, e.NewID()); {
	case errors.Is(err, notice.ErrNotLinked):
		return apperr.New(apperr.CodeTelegramNotLinked, "The Telegram group of this token has not agreed to be told. "+
			"Get a code with POST /distribution/{tokenId}/telegram/link, and let an administrator of the group post it there.")
	case err != nil:
		return apperr.Upstream("The queue of messages", err)
	}
	return apigw.WriteJSON(w, http.StatusAccepted, telegramBody{Queued: true, Group: record.Settings.TelegramGroupID})
}

// linkTelegram issues a code for the token's group. The earlier code becomes invalid.
func (e Endpoint) linkTelegram(w http.ResponseWriter, r *http.Request) error {
	record, err := e.grouped(r)
	if err != nil {
		return err
	}
	linked, err := e.linked(r.Context(), record)
	if err != nil {
		return err
	}
	code, err := e.Groups.Issue(r.Context(), record.Mint, record.Settings.TelegramGroupID)
	if err != nil {
		return err
	}
	answer := linkBody{
		Code: code.Text, Command: code.Command, ExpiresAt: apigw.Timestamp(code.ExpiresAt),
		Group: record.Settings.TelegramGroupID, Linked: linked,
	}
	if code.Bot != "" {
		answer.Bot = &code.Bot
	}
	return apigw.WriteJSON(w, http.StatusOK, answer)
}

// holderLinkBody is a code for a holder's private chat.
type holderLinkBody struct {
	Code      string  `json:"code"`
	Command   string  `json:"command"`
	ExpiresAt string  `json:"expiresAt"`
	Linked    bool    `json:"linked"`
	Bot       *string `json:"bot"`
	URL       *string `json:"url"`
}

// linkHolderTelegram issues a code for the caller's wallet. The earlier code becomes invalid.
func (e Endpoint) linkHolderTelegram(w http.ResponseWriter, r *http.Request) error {
	caller, err := apigw.CallerKey(r.Context())
	if err != nil {
		return err
	}
	wallet, err := callersWallet(r, caller, "Only the wallet itself can link a Telegram chat to the wallet.")
	if err != nil {
		return err
	}
	_, err = e.Groups.Chat(r.Context(), wallet, "")
	linked := err == nil
	if err != nil && !errors.Is(err, notice.ErrNotLinked) {
		return err
	}
	code, err := e.Groups.Issue(r.Context(), wallet, "")
	if err != nil {
		return err
	}
	answer := holderLinkBody{Code: code.Text, Command: code.Command, ExpiresAt: apigw.Timestamp(code.ExpiresAt), Linked: linked}
	if code.Bot != "" {
		answer.Bot, answer.URL = &code.Bot, new("https://t.me/"+code.Bot+"?start="+code.Text)
	}
	return apigw.WriteJSON(w, http.StatusOK, answer)
}

// unlinkedBody is a wallet without a chat.
type unlinkedBody struct {
	Wallet   string `json:"wallet"`
	Unlinked bool   `json:"unlinked"`
}

// unlinkHolderTelegram ends the messages about the caller's wallet. Another request has the same effect.
func (e Endpoint) unlinkHolderTelegram(w http.ResponseWriter, r *http.Request) error {
	caller, err := apigw.CallerKey(r.Context())
	if err != nil {
		return err
	}
	wallet, err := callersWallet(r, caller, "Only the wallet itself can end the messages about the wallet.")
	if err != nil {
		return err
	}
	if err := e.Groups.Unlink(r.Context(), wallet); err != nil {
		return err
	}
	return apigw.WriteJSON(w, http.StatusOK, unlinkedBody{Wallet: wallet.String(), Unlinked: true})
}

// grouped returns the token in the path for the creator. It returns telegram_not_set if the token
// has no group.
func (e Endpoint) grouped(r *http.Request) (token.Record, error) {
	record, err := e.owned(r)
	if err == nil && record.Settings.TelegramGroupID == "" {
		err = apperr.New(apperr.CodeTelegramNotSet, "The settings of this token have no Telegram group; set telegramGroupId first.")
	}
	return record, err
}

// linked reports whether the group in the token's settings agreed to receive messages about the
// token.
func (e Endpoint) linked(ctx context.Context, t token.Record) (bool, error) {
	if t.Settings.TelegramGroupID == "" {
		return false, nil
	}
	_, err := e.Groups.Chat(ctx, t.Mint, t.Settings.TelegramGroupID)
	if errors.Is(err, notice.ErrNotLinked) {
		return false, nil
	}
	return err == nil, err
}
