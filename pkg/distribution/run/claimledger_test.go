package run_test

import (
	"context"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"

	holders "tokenlaunch.example/service/pkg/distribution/holder"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// only has the records of one fixture's token, which was not launched by the service.
type only struct{ *runworld.Fixture }

func (o only) TokensOf(_ context.Context, mints []solana.PublicKey) ([]token.Record, error) {
	if slices.Contains(mints, o.Token.Mint) {
		return []token.Record{o.Token}, nil
	}
	return nil, nil
}

// A claim's proof has no snapshot, and rows of those alone who were ever owed or paid
// something: what a holder's ledger says after one.
func TestHolderLedgerAfterClaim(t *testing.T) {
	g := runworld.NewEnv(t)
	c := newClaimants(t, g, 2)
	ledger := holders.Ledger{Tokens: only{c.Fixture}, Heads: c.Runs, Proofs: c.Source(), Chain: c.Node}
	line := func(owner solana.PublicKey) holders.Line {
		t.Helper()
		page, err := ledger.Page(t.Context(), holders.Ask{Wallet: owner, Named: []solana.PublicKey{c.Token.Mint}, Limit: holders.MaxPage})
		must.Do(t, err)
		if len(page.Lines) != 1 || len(page.Lines[0].Arrears) > 0 || page.Lines[0].MoreAssets {
			t.Fatalf("%+v", page)
		}
		return page.Lines[0]
	}
	check := func(who string, owner solana.PublicKey, why string, received, owed uint64) {
		t.Helper()
		l, code := line(owner), ""
		if l.Why != nil {
			code = l.Why.Code
		}
		if head := c.Head(t); l.Last == nil || l.Last.Run != head.Last.Run {
			t.Errorf("%s: the last run is %+v", who, l.Last)
		}
		if row := l.Reward; row.Asset != terms.SOL || code != why || row.Total != received || row.Carried != owed || row.Reserved != 0 {
			t.Errorf("%s: %d received, %d owed, because of %q; want %d, %d, %q", who, row.Total, row.Carried, code, received, owed, why)
		}
	}
	stranger, late := solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey()
	owes := [2]uint64{line(c.poor[0]).Reward.Carried, line(c.poor[1]).Reward.Carried}
	rich := line(c.rich).Reward.Total
	if rich == 0 || owes[0] == 0 || owes[1] == 0 {
		t.Fatalf("%d received, %v owed", rich, owes)
	}
	check("before the claim, who was paid", c.rich, "", rich, 0)
	check("before the claim, who is owed", c.poor[0], "below_rent_floor", 0, owes[0])
	check("before the claim, a stranger", stranger, holders.WhyNotHolder, 0, 0)

	c.Give(t, late, much) // no run has seen it
	c.Claim(t, c.poor[0])
	c.Drive(t, nil)
	r := c.claimed(t)
	check("who was paid by the claim", c.poor[0], "", owes[0]-claimFee, 0)
	same(t, "what arrived at them", c.Lamports(t, c.poor[0])-rentExempt, owes[0]-claimFee)
	check("who is owed still", c.poor[1], "below_rent_floor", 0, owes[1])
	check("who was paid before", c.rich, holders.WhyNoShare, rich, 0)
	check("who has no row: the distribution wallet", c.Token.Wallet.Address, holders.WhyNoShare, 0, 0)
	check("who has no row: a stranger", stranger, holders.WhyNoShare, 0, 0)
	check("who has no row: a new holder", late, holders.WhyNoShare, 0, 0)
	for _, owner := range []solana.PublicKey{c.Token.Wallet.Address, stranger, late} {
		if row := c.Row(t, r, terms.SOL, owner); !row.Owner.IsZero() {
			t.Errorf("%s has a row: %+v", owner, row)
		}
	}

	// The next distribution continues from there.
	next := c.Settle(t)
	row := c.Row(t, next, terms.SOL, c.rich)
	check("who was paid before the claim and after", c.rich, "", rich+row.Received, 0)
	if row.Received == 0 {
		t.Error("the next distribution paid nothing")
	}
	same(t, "what arrived in all", c.Lamports(t, c.rich)-rentExempt, rich+row.Received)
}
