package client

import (
	"context"
	"errors"
	"iter"
	"strings"

	"github.com/gagliardetto/solana-go"
)

// ErrIncomplete says that not all of what a wallet holds could be listed.
var ErrIncomplete = errors.New("the wallet has too many token accounts to look at all of them: name its tokens")

// LedgerQuery says which page of a holder's ledger is asked for.
type LedgerQuery struct {
	Cursor
	// Mints are tokens, 100 at most, that are on the first page whether the wallet holds them
	// or not.
	Mints []solana.PublicKey
}

// GetHolderLedger gives one page of what a wallet has received and is owed across tokens.
// A page may have no tokens and be followed by others.
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

// AllHolderTokens reads a holder's whole ledger, the named tokens first, page by page as
// they are asked for. ErrIncomplete comes last when tokens may be missing that were not
// named.
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

// ClaimRewards orders that the wallet, which is the session's, is paid what it is owed.
func (c *Client) ClaimRewards(ctx context.Context, wallet solana.PublicKey, r ClaimRequest) (Claims, error) {
	return fetch[Claims](ctx, c, post("/holders/"+wallet.String()+"/claims", r).signedIn())
}
