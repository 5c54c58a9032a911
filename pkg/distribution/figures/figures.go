// Package figures counts the payments of runs to holders, for display: in total and in the last
// day, by asset, with the newest proofs. The figures are only for display: code that moves money
// never reads the figures. The figures add up the amounts of the proofs.
//
// A run is counted once, with the run's event. The store remembers the counted runs.
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

// hoursKept is the number of separate hours. A day is the newest hour and the 23 hours before.
const hoursKept = 24

// KeptProofs is the maximum number of proofs in a total, newest first.
const KeptProofs = 5

// Settled is the part of a settled run that is counted.
type Settled struct {
	Run      string
	Mint     solana.PublicKey
	At       time.Time
	Manifest string // the content ID of the proof's manifest
	Anchor   string // the content ID of the proof's anchor
	Paid     []Paid // by asset, without duplicates and zero amounts
	Holders  *run.HolderFigures
}

// Paid is the amount that holders received of an asset.
type Paid struct {
	Asset    terms.Asset
	Decimals uint8
	Amount   uint64
}

// Of returns the counted part of a settled run.
func Of(r run.Run) Settled {
	s := Settled{Run: r.ID, Mint: r.Mint, At: r.End.At.UTC(), Manifest: r.Closing.Manifest, Anchor: r.Closing.AnchorTx, Holders: r.Closing.Holders}
	for i, leg := range r.Closing.Legs {
		if leg.Paid > 0 {
			s.Paid = append(s.Paid, Paid{Asset: leg.Asset, Decimals: r.Payment.Legs[i].Currency.Decimals, Amount: leg.Paid})
		}
	}
	return s
}

// Store stores figures.
type Store interface {
	// Count adds a run to the figures. It is idempotent.
	Count(ctx context.Context, s Settled) error
}

// Counter counts the runs of events. Counter implements event.Consumer.
type Counter struct{ Store Store }

// Tell counts the run of an event if the run settled.
func (c Counter) Tell(ctx context.Context, e event.Event) error {
	if e.Kind != event.RunSettled && e.Kind != event.ClaimSettled || e.Run == nil || e.Run.Closing == nil || e.Run.Payment == nil {
		return nil
	}
	return c.Store.Count(ctx, Of(*e.Run))
}

// Token are the figures of a token. The fields' names are a stored format.
type Token struct {
	Runs    uint64 // that paid holders an amount
	LastRun string // of Runs
	LastAt  time.Time
	// Lamports is the sum that holders received in SOL, for the rank of tokens.
	Lamports *big.Int
	// Paid are the payments by asset, newest first, without Proofs and at most MaxAssets.
	Paid []Total `json:",omitempty"`
	// Holders are the figures of the newest snapshot, taken for the run that settled at HoldersAt;
	// nil before the first.
	Holders   *run.HolderFigures `json:",omitempty"`
	HoldersAt time.Time          `json:",omitzero"`
}

// MaxAssets is the maximum number of assets in the figures of a token, which bounds the record of a
// token whose creator often changes the reward.
const MaxAssets = 8

// Public are the published figures of a token.
type Public struct {
	Token

	Volume uint64 // lamports traded on the curve, in both directions
}

// Add counts a run. The payments of a run without payments to holders are not counted, for example
// if the settings burn all tokens.
func (t *Token) Add(s Settled) {
	if t.Lamports == nil {
		t.Lamports = new(big.Int)
	}
	if s.Holders != nil && !s.At.Before(t.HoldersAt) {
		t.Holders, t.HoldersAt = s.Holders, s.At
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
		t.pay(s, p)
	}
	slices.SortStableFunc(t.Paid, func(a, b Total) int { return b.Hours[0].At.Compare(a.Hours[0].At) })
	t.Paid = t.Paid[:min(len(t.Paid), MaxAssets)]
}

// pay adds a payment to the token's payments of the asset.
func (t *Token) pay(s Settled, p Paid) {
	at := slices.IndexFunc(t.Paid, func(of Total) bool { return of.Asset == p.Asset })
	if at < 0 {
		at, t.Paid = len(t.Paid), append(t.Paid, Total{})
	}
	t.Paid[at].Add(s, p)
	t.Paid[at].Proofs = nil // the list of runs has the proofs
}

// Total are the payments of an asset, or a part of the payments. The fields' names are a stored
// format. Sums of years may be longer than 64 bits.
type Total struct {
	Asset    terms.Asset
	Decimals uint8
	Paid     *big.Int
	Runs     uint64
	Hours    []Hour  // of the last day, newest first
	Proofs   []Proof // newest first
}

// Hour are the payments in the hour that begins at At.
type Hour struct {
	At   time.Time
	Paid *big.Int
	Runs uint64
}

// Proof is a run of a total, with the paid amount.
type Proof struct {
	Run      string
	Mint     solana.PublicKey
	At       time.Time
	Manifest string
	Anchor   string // empty for a run that was counted before the service recorded it
	Paid     uint64
}

// Add counts a run's payment of the asset.
func (t *Total) Add(s Settled, p Paid) {
	one := Total{
		Asset: p.Asset, Decimals: p.Decimals, Paid: new(big.Int).SetUint64(p.Amount), Runs: 1,
		Hours:  []Hour{{s.At.Truncate(time.Hour), new(big.Int).SetUint64(p.Amount), 1}},
		Proofs: []Proof{{Run: s.Run, Mint: s.Mint, At: s.At, Manifest: s.Manifest, Anchor: s.Anchor, Paid: p.Amount}},
	}
	*t = t.Plus(one)
}

// Plus returns the sum of two parts of a total, and changes neither part.
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

// dayBefore returns the first hour of the day that ends with an hour.
func dayBefore(hour time.Time) time.Time { return hour.Add(-(hoursKept - 1) * time.Hour) }

// Day returns the payments of the last day, which begins with the hour 23 hours ago.
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
	Runs   uint64 // settled, including runs without payments
	Totals []Total
}

// MaxTotals is the maximum number of assets in the figures of the service, most often paid first.
const MaxTotals = 20

// Ordered returns the totals in the order of display: SOL first, then the assets by number of
// payments.
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
	return totals[:min(len(totals), MaxTotals)]
}

// plus and add do not change their arguments. nil is zero.
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

// Rank is an order of tokens.
type Rank string

// The ranks. ByPaid ranks by the sum that holders received in SOL. Sums of different assets cannot
// be compared without a price, and a creator can manipulate the price of the creator's own token.
const (
	ByVolume Rank = "volume" // lamports traded on the curve, in both directions
	ByPaid   Rank = "paid"
)

// Ranks returns all ranks.
func Ranks() []Rank { return []Rank{ByVolume, ByPaid} }

// MaxRanked is the maximum number of tokens in a rank.
const MaxRanked = 100
