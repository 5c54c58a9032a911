// Package figures counts what runs paid to holders, for people to see: in all and in the
// last day, by asset, with the newest proofs behind it. It moves no money, and nothing that
// does reads it: the proofs say what was paid, and the figures add them up.
//
// A run is counted when its event is told, once: its store keeps which runs it has counted.
package figures

import (
	"cmp"
	"context"
	"math/big"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/token/terms"
)

// hoursKept is how many hours are told apart: a day is the newest hour and the 23 before.
const hoursKept = 24

// KeptProofs is how many proofs a total names, the newest.
const KeptProofs = 5

// Settled is a run that is settled, as far as it is counted.
type Settled struct {
	Run      string
	Mint     solana.PublicKey
	At       time.Time
	Manifest string // the content id of its proof's manifest
	Anchor   string // the content id of its proof's anchor
	Paid     []Paid // by asset, each once; those that holders got nothing of are not there
}

// Paid is what the holders got of an asset.
type Paid struct {
	Asset    terms.Asset
	Decimals uint8
	Amount   uint64
}

// Of reads a settled run.
func Of(r run.Run) Settled {
	s := Settled{Run: r.ID, Mint: r.Mint, At: r.End.At.UTC(), Manifest: r.Closing.Manifest, Anchor: r.Closing.AnchorTx}
	for i, leg := range r.Closing.Legs {
		if leg.Paid > 0 {
			s.Paid = append(s.Paid, Paid{Asset: leg.Asset, Decimals: r.Payment.Legs[i].Coin.Decimals, Amount: leg.Paid})
		}
	}
	return s
}

// Store keeps figures.
type Store interface {
	// Count adds a run to them, unless it was counted before.
	Count(ctx context.Context, s Settled) error
}

// Counter counts the runs of which events are told; it implements event.Consumer.
type Counter struct{ Store Store }

// Tell counts the run of an event, if it was settled.
func (c Counter) Tell(ctx context.Context, e event.Event) error {
	if e.Kind != event.RunSettled && e.Kind != event.ClaimSettled || e.Run == nil || e.Run.Closing == nil || e.Run.Payment == nil {
		return nil
	}
	return c.Store.Count(ctx, Of(*e.Run))
}

// Token is what was counted of a token. The fields' names are a stored format.
type Token struct {
	Runs    uint64 // those that paid its holders something
	LastRun string // of these
	LastAt  time.Time
	// Lamports is what its holders got in SOL, by which tokens are ranked.
	Lamports *big.Int
}

// Add counts a run, unless its holders got nothing: where all is burned, or waits, no run pays
// them, however many there are.
func (t *Token) Add(s Settled) {
	if t.Lamports == nil {
		t.Lamports = new(big.Int)
	}
	if len(s.Paid) == 0 {
		return
	}
	t.Runs++
	if s.At.After(t.LastAt) {
		t.LastRun, t.LastAt = s.Run, s.At
	}
	for _, p := range s.Paid {
		if p.Asset.IsSOL() {
			t.Lamports = plus(t.Lamports, p.Amount)
		}
	}
}

// Total is what was paid of an asset, or a part of it. The fields' names are a stored
// format. Sums of years may be longer than 64 bits.
type Total struct {
	Asset    terms.Asset
	Decimals uint8
	Paid     *big.Int
	Runs     uint64
	Hours    []Hour  // of the last day, the newest first
	Proofs   []Proof // the newest first
}

// Hour is what was paid in the hour that begins At.
type Hour struct {
	At   time.Time
	Paid *big.Int
	Runs uint64
}

// Proof is a run that is part of a total, with what it paid.
type Proof struct {
	Run      string
	Mint     solana.PublicKey
	At       time.Time
	Manifest string
	Anchor   string // empty for a run that was counted before the service recorded it
	Paid     uint64
}

// Add counts what a run paid of the asset.
func (t *Total) Add(s Settled, p Paid) {
	one := Total{
		Asset: p.Asset, Decimals: p.Decimals, Paid: new(big.Int).SetUint64(p.Amount), Runs: 1,
		Hours:  []Hour{{s.At.Truncate(time.Hour), new(big.Int).SetUint64(p.Amount), 1}},
		Proofs: []Proof{{Run: s.Run, Mint: s.Mint, At: s.At, Manifest: s.Manifest, Anchor: s.Anchor, Paid: p.Amount}},
	}
	*t = t.Plus(one)
}

// Plus gives two parts of a total together. It leaves both as they are.
func (t Total) Plus(o Total) Total {
	sum := Total{Asset: o.Asset, Decimals: o.Decimals, Paid: add(t.Paid, o.Paid), Runs: t.Runs + o.Runs}
	hours := map[int64]Hour{}
	for _, h := range slices.Concat(t.Hours, o.Hours) {
		was := hours[h.At.Unix()]
		hours[h.At.Unix()] = Hour{h.At, add(was.Paid, h.Paid), was.Runs + h.Runs}
	}
	for _, h := range hours {
		sum.Hours = append(sum.Hours, h)
	}
	slices.SortFunc(sum.Hours, func(a, b Hour) int { return b.At.Compare(a.At) })
	sum.Hours = slices.DeleteFunc(sum.Hours, func(h Hour) bool { return h.At.Before(dayBefore(sum.Hours[0].At)) })
	sum.Proofs = slices.Concat(t.Proofs, o.Proofs)
	slices.SortFunc(sum.Proofs, func(a, b Proof) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Run, b.Run)) })
	sum.Proofs = sum.Proofs[:min(len(sum.Proofs), KeptProofs)]
	return sum
}

// dayBefore is the first hour of the day that ends with an hour.
func dayBefore(hour time.Time) time.Time { return hour.Add(-(hoursKept - 1) * time.Hour) }

// Day is what was paid in the last day: since the beginning of the hour 23 hours ago.
func (t Total) Day(now time.Time) (since time.Time, paid *big.Int, runs uint64) {
	since, paid = dayBefore(now.UTC().Truncate(time.Hour)), new(big.Int)
	for _, h := range t.Hours {
		if !h.At.Before(since) {
			paid, runs = add(paid, h.Paid), runs+h.Runs
		}
	}
	return since, paid, runs
}

// Stats are the figures of the service at a time.
type Stats struct {
	At     time.Time
	Tokens int64  // on the public list
	Runs   uint64 // settled, also those that paid nothing
	Totals []Total
}

// MostTotals is how many assets the figures of the service have, the most often paid.
const MostTotals = 20

// Ordered is the totals as they are shown: SOL first, then what was paid most often.
func Ordered(totals []Total) []Total {
	slices.SortFunc(totals, func(a, b Total) int {
		if a.Asset.IsSOL() != b.Asset.IsSOL() {
			if a.Asset.IsSOL() {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.Runs, a.Runs), cmp.Compare(a.Asset.String(), b.Asset.String()))
	})
	return totals[:min(len(totals), MostTotals)]
}

// plus and add leave what they are given as it is; nil is zero.
func plus(sum *big.Int, amount uint64) *big.Int { return add(sum, new(big.Int).SetUint64(amount)) }

func add(a, b *big.Int) *big.Int {
	sum := new(big.Int)
	for _, n := range []*big.Int{a, b} {
		if n != nil {
			sum.Add(sum, n)
		}
	}
	return sum
}

// Rank is what tokens are ranked by.
type Rank string

// Ranks. ByPaid is by what holders got in SOL: sums of different assets cannot be compared
// without a price, and a creator can make that of their own token.
const (
	ByVolume Rank = "volume" // lamports that went into and out of the curve
	ByPaid   Rank = "paid"
)

// Ranks lists them.
func Ranks() []Rank { return []Rank{ByVolume, ByPaid} }

// MostRanked is how many tokens a rank shows.
const MostRanked = 100
