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

// HolderLedger is one page of what a wallet has received and is owed across tokens.
type HolderLedger struct {
	Wallet solana.PublicKey `json:"wallet"`
	// Those that were named first, then by mint.
	Tokens []HolderToken `json:"tokens"`
	// False when tokens may be missing that were not named.
	Complete bool `json:"complete"`
	// Leads to the next page; nil on the last one.
	NextCursor *string `json:"nextCursor"`
}

// HolderToken is what one token came to for a wallet, in base units of the asset.
type HolderToken struct {
	Mint   solana.PublicKey `json:"mint"`
	Name   string           `json:"name"`
	Symbol string           `json:"symbol"`
	// Of the token itself.
	Decimals int `json:"decimals"`
	// What the last distribution paid in; before the first one, what it will pay in.
	Asset string `json:"asset"`
	// What arrived in all, while the wallet was in each proof without a gap.
	Received Amount `json:"received"`
	// Kept for the next distribution.
	Owed Amount `json:"owed"`
	// What of it was sent, perhaps, and is not sent again before that is known.
	Reserved Amount `json:"reserved"`
	// Why something waits, or why there was nothing; nil when neither is so.
	Reason *Reason `json:"reason"`
	// The last settled distribution; nil when there was none.
	LastRun *HolderRun `json:"lastRun"`
	// Other assets, which earlier distributions paid in.
	Arrears []HolderArrears `json:"arrears"`
	// Whether GetHolder has more assets.
	MoreAssets bool `json:"moreAssets"`
}

// HolderArrears is what an earlier reward of a token came to for a wallet.
type HolderArrears struct {
	Asset    string `json:"asset"`
	Received Amount `json:"received"`
	Owed     Amount `json:"owed"`
	Reserved Amount `json:"reserved"`
	// Why something waits; nil when nothing does.
	Reason *Reason `json:"reason"`
}

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

// ClaimRequest says of which tokens a wallet claims what it is owed: 20 at most. Without any
// it claims of those of which something is owed.
type ClaimRequest struct {
	Mints []solana.PublicKey `json:"mints,omitzero"`
}

// Claims is what became of claims, a row for each token.
type Claims struct {
	Claims []ClaimedToken `json:"claims"`
	// What is kept of a payment for its transactions, in lamports.
	FeeLamports Amount `json:"feeLamports"`
}

// ClaimedToken is what became of the claim of a token.
type ClaimedToken struct {
	Mint   solana.PublicKey `json:"mint"`
	Status string           `json:"status"` // accepted or refused
	// What the last proof owes, asset by asset.
	Assets []HolderArrears `json:"assets"`
	// Why the claim is refused; nil when it is accepted.
	Problem *ClaimProblem `json:"problem"`
}

// ClaimProblem says why a claim is refused.
type ClaimProblem struct {
	Status int    `json:"status"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// ClaimRewards orders that the wallet, which is the session's, is paid what it is owed.
func (c *Client) ClaimRewards(ctx context.Context, wallet solana.PublicKey, r ClaimRequest) (Claims, error) {
	return fetch[Claims](ctx, c, post("/holders/"+wallet.String()+"/claims", r).signedIn())
}
