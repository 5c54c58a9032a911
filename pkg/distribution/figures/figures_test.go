package figures_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/distribution/figures"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

var noon = time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)

func settled(n int, at time.Time, amount uint64) figures.Settled {
	return figures.Settled{
		Run: fmt.Sprintf("run %02d", n), Mint: solana.PublicKey{byte(n)}, At: at, Manifest: fmt.Sprintf("cid %d", n),
		Paid: []figures.Paid{{Asset: terms.SOL, Decimals: 9, Amount: amount}},
	}
}

// The last day is the newest hour and the 23 before; what came late is counted in its own hour.
func TestLastDayHas24Hours(t *testing.T) {
	var total figures.Total
	for i, at := range []time.Duration{0, time.Minute, -23 * time.Hour, -24 * time.Hour, -300 * time.Hour, 59 * time.Minute} {
		s := settled(i, noon.Add(at), 1<<i)
		total.Add(s, s.Paid[0])
	}
	if total.Paid.Uint64() != 63 || total.Runs != 6 {
		t.Errorf("%v paid by %d runs, want 63 by 6", total.Paid, total.Runs)
	}
	for now, want := range map[time.Time]struct {
		paid, runs uint64
		since      time.Time
	}{
		noon.Add(59 * time.Minute):           {1 + 2 + 4 + 32, 4, noon.Add(-23 * time.Hour)},
		noon.Add(time.Hour):                  {1 + 2 + 32, 3, noon.Add(-22 * time.Hour)},
		noon.Add(23*time.Hour + time.Minute): {1 + 2 + 32, 3, noon},
		noon.Add(24 * time.Hour):             {0, 0, noon.Add(time.Hour)},
	} {
		since, paid, runs := total.Day(now)
		if paid.Uint64() != want.paid || runs != want.runs || !since.Equal(want.since) {
			t.Errorf("at %s: %v by %d runs since %s, want %+v", now, paid, runs, since, want)
		}
	}
}

// The parts of a total together are the total, in whichever order; they are left as they were.
func TestPartsAreTheTotal(t *testing.T) {
	var whole figures.Total
	parts := make([]figures.Total, 3)
	for i := range 40 {
		s := settled(i, noon.Add(time.Duration(i*i)*time.Minute), math.MaxUint64)
		whole.Add(s, s.Paid[0])
		parts[i%3].Add(s, s.Paid[0])
	}
	want := new(big.Int).Mul(new(big.Int).SetUint64(math.MaxUint64), big.NewInt(40))
	before := fmt.Sprint(parts)
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}} {
		var sum figures.Total
		for _, i := range order {
			sum = sum.Plus(parts[i])
		}
		if fmt.Sprint(sum) != fmt.Sprint(whole) || sum.Paid.Cmp(want) != 0 {
			t.Errorf("in the order %v: %v, want %v", order, sum, whole)
		}
		if len(sum.Proofs) != figures.KeptProofs || sum.Proofs[0].Run != "run 39" || sum.Decimals != 9 {
			t.Errorf("proofs %+v", sum.Proofs)
		}
	}
	if after := fmt.Sprint(parts); after != before {
		t.Error("adding up changed the parts")
	}
}

// A run that paid holders nothing is none that pays them.
func TestTokenHasNewestPayingRun(t *testing.T) {
	var counted figures.Token
	other := settled(3, noon.Add(-time.Hour), 5)
	other.Paid[0].Asset = terms.Asset{1}
	nothing := settled(4, noon.Add(time.Hour), 0)
	nothing.Paid = nil
	for _, s := range []figures.Settled{settled(1, noon, 7), settled(2, noon.Add(-time.Minute), 1), other, nothing} {
		counted.Add(s)
	}
	if counted.Runs != 3 || counted.LastRun != "run 01" || !counted.LastAt.Equal(noon) || counted.Lamports.Uint64() != 8 {
		t.Errorf("%+v", counted)
	}
}

// The payments of a token are by asset, newest first and bounded; a run that comes late never
// replaces newer holders.
func TestTokenHasPaymentsAndHolders(t *testing.T) {
	var counted figures.Token
	for i := range figures.MaxAssets + 2 {
		s := settled(i, noon.Add(time.Duration(i)*time.Hour), 5)
		s.Paid[0].Asset, s.Holders = terms.Asset{byte(i + 1)}, &run.HolderFigures{Owners: uint32(i)}
		counted.Add(s)
	}
	late := settled(9, noon.Add(-time.Hour), 7)
	late.Paid[0].Asset, late.Holders = terms.Asset{figures.MaxAssets + 2}, &run.HolderFigures{Owners: 99}
	counted.Add(late)
	nothing := settled(10, noon.Add(20*time.Hour), 0)
	nothing.Paid, nothing.Holders = nil, &run.HolderFigures{Owners: 7}
	counted.Add(nothing)
	if len(counted.Paid) != figures.MaxAssets || counted.Paid[0].Paid.Uint64() != 12 || counted.Paid[0].Runs != 2 || counted.Paid[1].Asset[0] != figures.MaxAssets+1 {
		t.Errorf("paid %+v", counted.Paid)
	}
	if _, day, runs := counted.Paid[0].Day(noon.Add(9 * time.Hour)); day.Uint64() != 12 || runs != 2 {
		t.Errorf("%v by %d in the last day, want 12 by 2", day, runs)
	}
	if counted.Holders.Owners != 7 || !counted.HoldersAt.Equal(nothing.At) {
		t.Errorf("holders %+v of %s, want the newest", counted.Holders, counted.HoldersAt)
	}
}

func TestSOLIsFirst(t *testing.T) {
	var totals []figures.Total
	for i := range figures.MaxTotals + 3 {
		totals = append(totals, figures.Total{Asset: terms.Asset{byte(i + 1)}, Runs: uint64(100 + i)})
	}
	totals = append(totals, figures.Total{Runs: 1})
	ordered := figures.Ordered(totals)
	if len(ordered) != figures.MaxTotals || !ordered[0].Asset.IsSOL() || ordered[1].Runs != 122 || ordered[2].Runs != 121 {
		t.Errorf("%v", ordered)
	}
}

// counted is a store that remembers.
type counted struct {
	runs []figures.Settled
	err  error
}

func (c *counted) Count(_ context.Context, s figures.Settled) error {
	c.runs = append(c.runs, s)
	return c.err
}

// Settled runs are counted with what their holders were paid, and no others.
func TestSettledRunsAreCounted(t *testing.T) {
	usdc := terms.Asset{9}
	r := run.Run{
		ID: "r", Mint: solana.PublicKey{1}, End: &run.End{At: noon},
		Payment: &run.Payment{Legs: []run.Leg{{Currency: run.Currency{Decimals: 9}}, {Currency: run.Currency{Asset: usdc, Decimals: 6}}, {}}},
		Closing: &run.Closing{Manifest: "cid", AnchorTx: "anchor", Legs: []run.ClosedLeg{{Paid: 5}, {Asset: usdc, Paid: 7}, {Asset: terms.Asset{8}}}},
	}
	store := &counted{err: errors.New("down")}
	counter := figures.Counter{Store: store}
	if err := counter.Tell(t.Context(), event.Event{Kind: event.RunSettled, Run: &r}); !errors.Is(err, store.err) {
		t.Errorf("a store that is down: %v", err)
	}
	want := figures.Settled{
		Run: "r", Mint: r.Mint, At: noon, Manifest: "cid", Anchor: "anchor",
		Paid: []figures.Paid{{terms.SOL, 9, 5}, {usdc, 6, 7}},
	}
	if fmt.Sprint(store.runs) != fmt.Sprint([]figures.Settled{want}) {
		t.Errorf("counted %+v, want %+v", store.runs, want)
	}
	for _, e := range []event.Event{
		{Kind: event.RunFailed, Run: &r}, {Kind: event.TokenLaunched, Token: token.Record{}}, {Kind: event.RunSettled, Run: &run.Run{}},
	} {
		if err := counter.Tell(t.Context(), e); err != nil || len(store.runs) != 1 {
			t.Errorf("%s: %v, %d counted", e.Kind, err, len(store.runs))
		}
	}
}

// What a claim paid is counted, too.
func TestClaimsAreCounted(t *testing.T) {
	r := run.Run{
		ID: "r", Mint: solana.PublicKey{1}, OpenedAt: noon, Claim: &run.Claim{}, Opening: &run.Opening{}, End: &run.End{At: noon},
		Payment: &run.Payment{Legs: []run.Leg{{Currency: run.Currency{Decimals: 9}}}},
		Closing: &run.Closing{Manifest: "cid", Legs: []run.ClosedLeg{{Paid: 5}}},
	}
	e, ok := event.Ended(token.Record{Mint: r.Mint}, r)
	if !ok || e.Kind != event.ClaimSettled {
		t.Fatalf("the end of a claim is %q", e.Kind)
	}
	store := &counted{}
	if err := (figures.Counter{Store: store}).Tell(t.Context(), e); err != nil || len(store.runs) != 1 || store.runs[0].Paid[0].Amount != 5 {
		t.Errorf("counted %+v: %v", store.runs, err)
	}
}
