package client

import (
	"context"
	"errors"
	"iter"
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

// ClaimRewards orders the payment of the rewards that a wallet is owed. The wallet must be the
// session's wallet.
func (c *Client) ClaimRewards(ctx context.Context, wallet solana.PublicKey, r ClaimRequest) (Claims, error) {
	return fetch[Claims](ctx, c, post("/holders/"+wallet.String()+"/claims", r).signedIn())
}
