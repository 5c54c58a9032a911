// Package featured serves the routes under /featured: the featured tokens, and the transaction by
// which a creator pays for a promotion.
package featured

import (
	"context"
	"net/http"
	"regexp"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/body"
	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/market/featured"
)

// Promotions offers promotions; see featured.Service.
type Promotions interface {
	Create(ctx context.Context, caller solana.PublicKey, mint string, days int) (featured.Offer, error)
}

// Records reads the featured tokens; see package promotions of the launch table.
type Records interface {
	Featured(ctx context.Context, now time.Time, after string, limit int) (page []featured.Listed, next string, err error)
}

// Endpoint handles the routes. Gateway is the address of an IPFS gateway, without a trailing slash.
type Endpoint struct {
	Promotions Promotions
	Records    Records
	Gateway    string
	Now        func() time.Time
}

// Handlers returns the handlers by operation.
func (e Endpoint) Handlers() map[string]apigw.HandlerFunc {
	return map[string]apigw.HandlerFunc{
		"listFeatured":            e.list,
		"createUnsignedPromotion": e.create,
	}
}

type listBody struct {
	Featured   []listedBody `json:"featured"`
	NextCursor *string      `json:"nextCursor"`
}

type listedBody struct {
	PromotionID string         `json:"promotionId"`
	Token       contract.Token `json:"token"`
	StartsAt    string         `json:"startsAt"`
	EndsAt      string         `json:"endsAt"`
}

// placeForm is the position at the end of a page: the end of the last placement in Unix
// milliseconds, and the mint.
var placeForm = regexp.MustCompile(`^[0-9]{15}#[1-9A-HJ-NP-Za-km-z]{32,44}$`)

func (e Endpoint) list(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	limit, after, err := contract.ReadPage(query, placeForm)
	if err != nil {
		return err
	}
	if query.Get("limit") == "" {
		limit = contract.MaxLimit
	}
	listed, next, err := e.Records.Featured(r.Context(), e.Now(), after, limit)
	if err != nil {
		return err
	}
	out := listBody{Featured: make([]listedBody, len(listed)), NextCursor: contract.Cursor(next)}
	for i, l := range listed {
		out.Featured[i] = listedBody{
			PromotionID: l.PromotionID, Token: contract.NewToken(l.Token.InForce(e.Now()), e.Gateway),
			StartsAt: apigw.Timestamp(l.StartsAt), EndsAt: apigw.Timestamp(l.EndsAt),
		}
	}
	return apigw.WriteJSON(w, http.StatusOK, out)
}

// offerBody is a promotion and the transaction that pays for the promotion. Amount is in lamports.
type offerBody struct {
	contract.UnsignedBody

	PromotionID  string `json:"promotionId"`
	Amount       string `json:"amount"`
	DurationDays int    `json:"durationDays"`
	Recipient    string `json:"recipient"`
	Reference    string `json:"reference"`
}

func (e Endpoint) create(w http.ResponseWriter, r *http.Request) error {
	caller, err := apigw.CallerKey(r.Context())
	if err != nil {
		return err
	}
	fields, err := body.Read(r)
	if err != nil {
		return err
	}
	mint, days := fields.String("tokenMint"), fields.Int("durationDays", 1, featured.MaxDays)
	if err := fields.Err(); err != nil {
		return err
	}
	offer, err := e.Promotions.Create(r.Context(), caller, mint, days)
	if err != nil {
		return err
	}
	p := offer.Promotion
	return apigw.WriteJSON(w, http.StatusOK, offerBody{
		UnsignedBody: contract.Unsigned(offer.Transaction),
		PromotionID:  p.ID, Amount: contract.Amount(p.Lamports), DurationDays: p.Days,
		Recipient: p.Treasury.String(), Reference: p.Reference.String(),
	})
}
