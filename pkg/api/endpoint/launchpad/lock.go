package launchpad

import (
	"net/http"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/api/apigw/body"
	"tokenlaunch.example/service/pkg/api/apigw/contract"
	"tokenlaunch.example/service/pkg/market/lock"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/auth"
)

type lockBody struct {
	contract.UnsignedBody

	TokenMint           string `json:"tokenMint"`
	TokenAmount         string `json:"tokenAmount"`
	TokenAmountAfterTax string `json:"tokenAmountAfterTax"`
	EscrowAddress       string `json:"escrowAddress"`
	BaseAddress         string `json:"baseAddress"`
	Recipient           string `json:"recipient"`
	FirstReleaseAt      string `json:"firstReleaseAt"`
	FirstReleaseAmount  string `json:"firstReleaseAmount"`
	Releases            int    `json:"releases"`
	PeriodSeconds       *int   `json:"periodSeconds"`
	PeriodAmount        string `json:"periodAmount"`
	LastReleaseAt       string `json:"lastReleaseAt"`
}

func newLockBody(d lock.Draft, l lock.Lock) lockBody {
	out := lockBody{
		UnsignedBody: contract.Unsigned(l.Unsigned), TokenMint: l.Mint.String(),
		TokenAmount: contract.Amount(l.Sent), TokenAmountAfterTax: contract.Amount(l.Locked),
		EscrowAddress: l.Escrow.String(), BaseAddress: l.Base.String(), Recipient: l.Recipient.String(),
		FirstReleaseAt: apigw.Timestamp(l.FirstAt), FirstReleaseAmount: contract.Amount(l.Schedule.First),
		Releases: d.Releases, PeriodAmount: contract.Amount(l.Schedule.Each), LastReleaseAt: apigw.Timestamp(l.LastAt),
	}
	if d.Period > 0 {
		out.PeriodSeconds = &d.Period
	}
	return out
}

func (e Endpoint) lock(w http.ResponseWriter, r *http.Request) error {
	caller, err := apigw.CallerKey(r.Context())
	if err != nil {
		return err
	}
	fields, err := body.Read(r)
	if err != nil {
		return err
	}
	draft := readLock(fields)
	if err := fields.Err(); err != nil {
		return err
	}
	var ok bool
	if draft.Mint, ok = auth.ParseWallet(r.PathValue("mintAddress")); !ok {
		return lock.NotFound()
	}
	l, err := e.Locks.Create(r.Context(), caller, draft)
	if err != nil {
		return err
	}
	return apigw.WriteJSON(w, http.StatusOK, newLockBody(draft, l))
}

// readLock reads the body of a lock, and rejects invalid values in f.
func readLock(f *body.Fields) lock.Draft {
	d := lock.Draft{Tokens: f.Amount("tokenAmount"), Releases: f.Int("releases", 1, lock.MaxReleases)}
	d.Period, _ = f.OptionalInt("periodSeconds", 1, lock.LongestPeriod)
	text := f.String("firstReleaseAt")
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || at.Unix() <= 0 {
		f.Reject("firstReleaseAt", apperr.CodeInvalidFormat, "Must be a time in RFC 3339, such as \"2026-11-25T18:00:00Z\".")
	} else {
		d.FirstAt = at.UTC().Truncate(time.Second)
	}
	if text, given := f.OptionalString("recipient"); given {
		recipient, ok := auth.ParseWallet(text)
		if !ok || recipient == (solana.PublicKey{}) {
			f.Reject("recipient", apperr.CodeInvalidFormat, "Must be the address of a wallet: 32 bytes in base58.")
		}
		d.Recipient = recipient
	}
	f.RejectAll(d.Validate()...)
	return d
}
