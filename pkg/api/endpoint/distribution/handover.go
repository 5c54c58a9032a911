package distribution

import (
	"context"
	"net/http"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/body"
	"tokenlaunch.example/service/pkg/distribution/handover"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/token"
	rules "tokenlaunch.example/service/pkg/token/handover"
)

// Handovers orders and cancels hand-overs; see handover.Service.
type Handovers interface {
	Of(ctx context.Context, mint solana.PublicKey) (handover.View, error)
	Order(ctx context.Context, t token.Record, o rules.Order) (handover.View, error)
	Cancel(ctx context.Context, t token.Record) (handover.View, error)
}

// handoverBody is the hand-over of a token's tax.
type handoverBody struct {
	Status       string  `json:"status"`
	Number       int64   `json:"number"`
	NewAuthority *string `json:"newAuthority"`
	OrderedBy    *string `json:"orderedBy"`
	OrderedAt    *string `json:"orderedAt"`
	EffectiveAt  *string `json:"effectiveAt"`
	CancelledAt  *string `json:"cancelledAt"`
	DoneAt       *string `json:"doneAt"`
	Transaction  *string `json:"transactionSignature"`
	DelaySeconds int64   `json:"delaySeconds"`
}

func newHandoverBody(v handover.View) handoverBody {
	out := handoverBody{Status: string(v.Status()), Number: v.Number, DelaySeconds: int64(v.Delay / time.Second)}
	if v.Status() == rules.None {
		out.Status = "none"
		return out
	}
	moment := func(at time.Time) *string {
		if at.IsZero() {
			return nil
		}
		return new(apigw.Timestamp(at))
	}
	out.NewAuthority, out.OrderedBy = new(v.To.String()), new(string(v.By()))
	out.OrderedAt, out.EffectiveAt = moment(v.OrderedAt), moment(v.EffectiveAt)
	if due, ok := v.Due(); ok {
		out.EffectiveAt = moment(due)
	}
	out.CancelledAt, out.DoneAt = moment(v.CancelledAt), moment(v.DoneAt)
	if !v.Transaction.IsZero() {
		out.Transaction = new(v.Transaction.String())
	}
	return out
}

func (e Endpoint) getHandover(w http.ResponseWriter, r *http.Request) error {
	record, err := token.Find(r.Context(), e.Tokens, r.PathValue("tokenId"))
	if err != nil {
		return err
	}
	view, err := e.Handovers.Of(r.Context(), record.Mint)
	if err != nil {
		return err
	}
	return apigw.WriteJSON(w, http.StatusOK, newHandoverBody(view))
}

func (e Endpoint) orderHandover(w http.ResponseWriter, r *http.Request) error {
	fields, err := body.Read(r)
	if err != nil {
		return err
	}
	order, invalid := readHandover(fields)
	record, err := e.owned(r)
	if invalid != nil {
		return invalid
	}
	if err != nil {
		return err
	}
	view, err := e.Handovers.Order(r.Context(), record, order)
	if err != nil {
		return err
	}
	return apigw.WriteJSON(w, http.StatusOK, newHandoverBody(view))
}

func (e Endpoint) cancelHandover(w http.ResponseWriter, r *http.Request) error {
	record, err := e.owned(r)
	if err != nil {
		return err
	}
	view, err := e.Handovers.Cancel(r.Context(), record)
	if err != nil {
		return err
	}
	return apigw.WriteJSON(w, http.StatusOK, newHandoverBody(view))
}

// readHandover reads a creator's order.
func readHandover(f *body.Fields) (rules.Order, error) {
	order := rules.Order{Number: int64(f.Int("number", 1, maxVersion))}
	if text := f.String("newAuthority"); text != "" {
		to, ok := auth.ParseWallet(text)
		if !ok {
			f.Reject("newAuthority", apperr.CodeInvalidWalletAddress, "Must be an address: base58 of 32 bytes.")
		}
		order.To = to
	}
	if text := f.String("effectiveAt"); text != "" {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			f.Reject("effectiveAt", apperr.CodeInvalidFormat, "Must be a time in RFC 3339.")
		}
		order.EffectiveAt = at.UTC()
	}
	order.Signature = readSignature(f)
	return order, f.Err()
}
