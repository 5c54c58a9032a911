package distribution

import (
	"context"
	"net/http"
	"regexp"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/distribution/settings"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Changes reads the history of settings; see launchtable.Versions.
type Changes interface {
	// Changes returns up to limit changes after a place, newest first, or the newest changes if the
	// place is empty. The next page begins after next, which is empty after the last page.
	Changes(ctx context.Context, mint solana.PublicKey, after string, limit int) (page []terms.Change, next string, err error)
}

type changesBody struct {
	Changes    []changeBody `json:"changes"`
	NextCursor *string      `json:"nextCursor"`
}

type changeBody struct {
	Version     int64              `json:"version"`
	OrderedAt   string             `json:"orderedAt"`
	EffectiveAt string             `json:"effectiveAt"`
	Changed     []terms.Difference `json:"changed"`
	Order       *signedBody        `json:"order"`
}

// signedBody is the creator's signature of a version.
type signedBody struct {
	Wallet    string `json:"wallet"`
	Text      string `json:"text"`
	Signature string `json:"signature"`
}

// newChangeBody returns a change for everyone. The settings of the launch apply from the launch.
func newChangeBody(t token.Record, c terms.Change) changeBody {
	ordered, from := c.OrderedAt, c.From
	if ordered.IsZero() {
		ordered = t.CreatedAt
	}
	if from.IsZero() {
		from = t.CreatedAt
	}
	out := changeBody{
		Version: c.Number, OrderedAt: apigw.Timestamp(ordered), EffectiveAt: apigw.Timestamp(settings.EffectiveAt(c.Settings, from)),
		Changed: c.Differences(),
	}
	if c.Ordered() {
		out.Order = &signedBody{
			Wallet: t.Creator.String(), Text: terms.OrderText(t.Mint, c.Number, c.Settings), Signature: c.Signature.String(),
		}
	}
	return out
}

// versionForm is the position at the end of a page of changes: the number of a version.
var versionForm = regexp.MustCompile(`^[0-9]{19}$`)

func (e Endpoint) listChanges(w http.ResponseWriter, r *http.Request) error {
	limit, after, err := contract.ReadPage(r.URL.Query(), versionForm)
	if err != nil {
		return err
	}
	record, err := e.token(r)
	if err != nil {
		return err
	}
	page, next, err := e.Changes.Changes(r.Context(), record.Mint, after, limit)
	if err != nil {
		return err
	}
	out := changesBody{Changes: make([]changeBody, len(page)), NextCursor: contract.Cursor(next)}
	for i, one := range page {
		out.Changes[i] = newChangeBody(record, one)
	}
	return apigw.WriteJSON(w, http.StatusOK, out)
}
