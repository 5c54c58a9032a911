package client

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"strings"

	"github.com/gagliardetto/solana-go"
)

// ErrIncomplete is returned if the service could not list all tokens of a wallet.
var ErrIncomplete = errors.New("the wallet has too many token accounts to look at all of them: name its tokens")

// LedgerQuery selects a page of a holder's ledger.
type LedgerQuery struct {
	Cursor
	// Mints are up to 100 tokens for the first page, whether the wallet holds the tokens or not.
	Mints []solana.PublicKey
}

// GetHolderLedger returns one page of the amounts that a wallet has received and is owed, across
// tokens. A page without tokens may have a next page.
func (c *Client) GetHolderLedger(ctx context.Context, wallet solana.PublicKey, r LedgerQuery) (HolderLedger, error) {
	q := r.query()
	if len(r.Mints) > 0 {
		names := make([]string, len(r.Mints))
		for i, mint := range r.Mints {
			names[i] = mint.String()
		}
		q.Set("mints", strings.Join(names, ","))
	}
	return fetch[HolderLedger](ctx, c, get("/holders/"+wallet.String(), q))
}

// AllHolderTokens returns a holder's whole ledger, the named tokens first. The iterator reads a
// page when the loop needs the page. The last error is ErrIncomplete if tokens that were not named
// may be missing.
func (c *Client) AllHolderTokens(ctx context.Context, wallet solana.PublicKey, named ...solana.PublicKey) iter.Seq2[HolderToken, error] {
	return func(yield func(HolderToken, error) bool) {
		complete := true
		for token, err := range follow(func(at Cursor) ([]HolderToken, *string, error) {
			page, err := c.GetHolderLedger(ctx, wallet, LedgerQuery{Cursor: at, Mints: named})
			complete = complete && page.Complete
			return page.Tokens, page.NextCursor, err
		}) {
			if !yield(token, err) || err != nil {
				return
			}
		}
		if !complete {
			yield(HolderToken{}, ErrIncomplete)
		}
	}
}

// PaymentsQuery selects a page of a holder's payments.
type PaymentsQuery struct {
	Cursor
	// Mint selects one token, even if the wallet has no account of the token; zero for all tokens
	// that the wallet has an account of.
	Mint solana.PublicKey
}

// ListHolderPayments returns one page of the payments to a wallet, newest first. A page without
// payments may have a next page.
func (c *Client) ListHolderPayments(ctx context.Context, wallet solana.PublicKey, r PaymentsQuery) (HolderPayments, error) {
	q := r.query()
	if !r.Mint.IsZero() {
		q.Set("mint", r.Mint.String())
	}
	return fetch[HolderPayments](ctx, c, get("/holders/"+wallet.String()+"/payments", q))
}

// AllHolderPayments returns all payments to a wallet, newest first: of one token, or with a zero mint
// of all tokens that the wallet has an account of. The iterator reads a page when the loop needs the
// page. The last error is ErrIncomplete if payments of other tokens may be missing.
func (c *Client) AllHolderPayments(ctx context.Context, wallet, mint solana.PublicKey) iter.Seq2[HolderPayment, error] {
	return func(yield func(HolderPayment, error) bool) {
		complete := true
		for payment, err := range follow(func(at Cursor) ([]HolderPayment, *string, error) {
			page, err := c.ListHolderPayments(ctx, wallet, PaymentsQuery{Cursor: at, Mint: mint})
			complete = complete && page.Complete
			return page.Payments, page.NextCursor, err
		}) {
			if !yield(payment, err) || err != nil {
				return
			}
		}
		if !complete {
			yield(HolderPayment{}, ErrIncomplete)
		}
	}
}

// ClaimRewards orders the payment of the rewards that a wallet is owed. The wallet must be the
// session's wallet.
func (c *Client) ClaimRewards(ctx context.Context, wallet solana.PublicKey, r ClaimRequest) (Claims, error) {
	return fetch[Claims](ctx, c, post("/holders/"+wallet.String()+"/claims", r).signedIn())
}

// LinkHolderTelegram returns a code that links a private chat with the service's bot to the session's
// wallet. The chat then gets at most one message a day. The code before becomes invalid.
func (c *Client) LinkHolderTelegram(ctx context.Context, wallet solana.PublicKey) (HolderTelegramLink, error) {
	return fetch[HolderTelegramLink](ctx, c, call{method: http.MethodPost, path: "/holders/" + wallet.String() + "/telegram/link"}.signedIn())
}

// UnlinkHolderTelegram ends the messages about the session's wallet. Other wallets of the chat keep
// their links. It is idempotent.
func (c *Client) UnlinkHolderTelegram(ctx context.Context, wallet solana.PublicKey) (UnlinkedHolderTelegram, error) {
	return fetch[UnlinkedHolderTelegram](ctx, c, call{method: http.MethodDelete, path: "/holders/" + wallet.String() + "/telegram/link"}.signedIn())
}
