package holder

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/proof/allocation"
)

// MaxClaims is the maximum number of tokens in a claim.
const MaxClaims = 20

// maxClaimPages is the maximum number of pages of a ledger that are read to find debts if the
// holder names no token.
const maxClaimPages = 3

// Orders stores the orders of holders; see ledgertable.Claims.
type Orders interface {
	Order(ctx context.Context, mint, owner solana.PublicKey, now time.Time) error
}

// Hints receives a hint that orders wait; see sqsqueue.Runs. A sweep replaces a lost hint.
type Hints interface {
	SendRuns(ctx context.Context, runs []dispatch.Delayed) error
}

// Claims accepts claims. It signs and pays nothing, but writes an order for the distributor. Every
// field is required, except that Check needs only Ledger and Costs.
type Claims struct {
	Ledger Ledger
	Orders Orders
	Hints  Hints
	// Costs are the costs of the runs that pay.
	Costs run.Costs
	Now   func() time.Time
}

// Claimed is the result of a claim of one token: an order, or a problem.
type Claimed struct {
	Mint solana.PublicKey
	// Rows are the debts according to the last proof, reward first.
	Rows    []allocation.Row
	Problem *apperr.Error
}

// Check returns the result that Claim would have, and orders no payment.
func (c Claims) Check(ctx context.Context, wallet solana.PublicKey, named []solana.PublicKey) ([]Claimed, error) {
	lines, err := c.lines(ctx, wallet, named)
	if err != nil {
		return nil, err
	}
	if len(named) == 0 {
		for _, line := range lines {
			named = append(named, line.Token.Mint)
		}
	}
	list := make([]Claimed, 0, len(named))
	for _, mint := range named {
		one := Claimed{Mint: mint}
		at := slices.IndexFunc(lines, func(l Line) bool { return l.Token.Mint == mint })
		if at < 0 {
			one.Problem = apperr.New(apperr.CodeTokenNotFound, "No token of this service has this mint.")
		} else {
			one.Rows = lines[at].owed()
			one.Problem = c.problem(lines[at].head, one.Rows)
		}
		list = append(list, one)
	}
	return list, nil
}

// Claim orders the payment of the debts to a wallet: of the named tokens, at most MaxClaims, or of
// all tokens with debts.
func (c Claims) Claim(ctx context.Context, wallet solana.PublicKey, named []solana.PublicKey) ([]Claimed, error) {
	list, err := c.Check(ctx, wallet, named)
	if err != nil {
		return nil, err
	}
	var hints []dispatch.Delayed
	for _, one := range list {
		if one.Problem != nil {
			continue
		}
		if err := c.Orders.Order(ctx, one.Mint, wallet, c.Now()); err != nil {
			return nil, err
		}
		hints = append(hints, dispatch.Delayed{Run: dispatch.Run{Mint: one.Mint, Claim: true}})
	}
	if len(hints) == 0 {
		return list, nil
	}
	if err := c.Hints.SendRuns(ctx, hints); err != nil {
		return nil, apperr.Upstream("The queue of runs", err)
	}
	return list, nil
}

// lines returns the lines of the named tokens, or of tokens with debts.
func (c Claims) lines(ctx context.Context, wallet solana.PublicKey, named []solana.PublicKey) ([]Line, error) {
	if len(named) > 0 {
		return c.Ledger.named(ctx, wallet, named)
	}
	var owed []Line
	ask := Ask{Wallet: wallet, Limit: MaxPage}
	for range maxClaimPages {
		page, err := c.Ledger.Page(ctx, ask)
		if err != nil {
			return nil, err
		}
		for _, line := range page.Lines {
			if len(line.owed()) > 0 && len(owed) < MaxClaims {
				owed = append(owed, line)
			}
		}
		if ask.After = page.Next; page.Next.IsZero() || len(owed) == MaxClaims {
			break
		}
	}
	return owed, nil
}

// owed returns the rows with debts.
func (l Line) owed() []allocation.Row {
	return slices.DeleteFunc(append([]allocation.Row{l.Reward}, l.Arrears...), func(r allocation.Row) bool { return r.Carried == 0 })
}

// problem returns the reason why a claim cannot be paid now; nil if the claim can be paid.
func (c Claims) problem(head run.Head, rows []allocation.Row) *apperr.Error {
	due, worth := uint64(0), false
	for _, r := range rows {
		left := r.Carried - r.Reserved
		due = max(due, left)
		// The worth of a token is known only at the payment.
		worth = worth || !r.Asset.IsSOL() && left > 0 || r.Asset.IsSOL() && left >= c.Costs.ClaimWorth()
	}
	switch {
	case due == 0 && len(rows) > 0:
		return apperr.New(apperr.CodeNothingToClaim, "A payment of all that is owed was sent, and it is not certain yet whether it arrived. It is not sent twice.")
	case due == 0:
		return apperr.New(apperr.CodeNothingToClaim, "Nothing is owed to this wallet.")
	case head.Frozen != "":
		return apperr.New(apperr.CodeTokenFrozen, "Payments of this token are stopped until the service has looked into them. What is owed is kept.")
	case !head.Active.IsZero():
		return apperr.New(apperr.CodeRunActive, "A run of this token is at work, and may pay what is owed. Claim again when it is over.")
	case !worth:
		return apperr.New(apperr.CodeBelowCost, fmt.Sprintf(
			"What is owed is worth less than sending it: at least %d lamports are, of which %d are kept for the transactions.", c.Costs.ClaimWorth(), c.Costs.ClaimFee()))
	}
	return nil
}
