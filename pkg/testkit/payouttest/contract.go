package payouttest

import (
	"errors"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// Contract tests that a ledger meets the contract of payout.Store.
func Contract(t *testing.T, store payout.Store) {
	for name, test := range map[string]func(contract, *testing.T){
		"a payment is decided once":                contract.decidesOnce,
		"of two who write, one is refused":         contract.refusesOldVersions,
		"nothing is signed for what has an end":    contract.recordsUntilTheEnd,
		"an end brings the parts":                  contract.ends,
		"a blocked receipt is followed by another": contract.rebinds,
		"an unknown payment may be decided later":  contract.decidesUnknown,
		"what attempts cost is added to an end":    contract.settles,
		"batches and legs are listed in order":     contract.lists,
		"stripes that are done are counted once":   contract.countsChunks,
	} {
		t.Run(name, func(t *testing.T) { test(contract{store, solana.NewWallet().PublicKey(), uuid.NewString()}, t) })
	}
}

type contract struct {
	payout.Store
	mint solana.PublicKey
	run  string
}

var at = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func (c contract) is(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
}

func (c contract) planned(batch int) payout.Payment {
	return payout.Payment{ID: payout.ID{Run: c.run, Kind: payout.Pay, Batch: batch}, Mint: c.mint, To: 4, Amount: 9}
}

func bound(p payout.Payment) payout.Payment {
	p.BoundAt = at
	p.Receipt = &payout.Receipt{Address: solana.NewWallet().PublicKey(), Seed: "seed", Generation: len(p.Blocked)}
	return p
}

func attempted(p payout.Payment, n byte) payout.Payment {
	p.Attempts = append(p.Attempts[:len(p.Attempts):len(p.Attempts)], payout.Attempt{Signature: solana.Signature{n}, Bytes: []byte{n}, SignedAt: at})
	return p
}

func (c contract) read(t *testing.T, id payout.ID) payout.Payment {
	t.Helper()
	p, err := c.Payment(t.Context(), id)
	must.Do(t, err)
	return p
}

// bound binds a payment, and returns the stored payment.
func (c contract) bound(t *testing.T, batch int) payout.Payment {
	t.Helper()
	p := bound(c.planned(batch))
	must.Do(t, c.Bind(t.Context(), p))
	return c.read(t, p.ID)
}

// sent records an attempt for a new payment, and returns the stored payment.
func (c contract) sent(t *testing.T, batch int) payout.Payment {
	t.Helper()
	must.Do(t, c.Record(t.Context(), attempted(c.bound(t, batch), 1)))
	return c.read(t, c.planned(batch).ID)
}

func (c contract) decidesOnce(t *testing.T) {
	ctx := t.Context()
	_, err := c.Payment(ctx, c.planned(0).ID)
	c.is(t, "a payment that is not there", err, payout.ErrNotFound)
	must.Do(t, c.Bind(ctx, bound(c.planned(0))))
	c.is(t, "bound again", c.Bind(ctx, bound(c.planned(0))), payout.ErrConflict)
	cancelled := c.planned(0)
	cancelled.Refused = payout.ReasonLate
	c.is(t, "cancelled after it was bound", c.End(ctx, cancelled), payout.ErrConflict)
	cancelled = c.planned(1)
	cancelled.Refused = payout.ReasonLate
	must.Do(t, c.End(ctx, cancelled))
	c.is(t, "bound after it was cancelled", c.Bind(ctx, bound(c.planned(1))), payout.ErrConflict)
	known := c.read(t, cancelled.ID)
	again := bound(c.planned(1))
	again.Version = known.Version
	c.is(t, "bound by who knows that it was cancelled", c.Bind(ctx, again), payout.ErrConflict)
	if got := c.read(t, c.planned(0).ID); got.Status() != payout.Bound || got.Version != 1 || known.Status() != payout.Cancelled {
		t.Errorf("%+v, %+v", got, known)
	}
}

func (c contract) refusesOldVersions(t *testing.T) {
	p := c.bound(t, 0)
	must.Do(t, c.Record(t.Context(), attempted(p, 1)))
	c.is(t, "a second attempt by an old version", c.Record(t.Context(), attempted(p, 2)), payout.ErrConflict)
	if got := c.read(t, p.ID); len(got.Attempts) != 1 || got.Attempts[0].Signature != (solana.Signature{1}) || got.Version != 2 {
		t.Errorf("%+v", got)
	}
	if err := c.Record(t.Context(), attempted(c.planned(1), 1)); err == nil {
		t.Error("an attempt was recorded of a payment that is not bound")
	}
}

func (c contract) recordsUntilTheEnd(t *testing.T) {
	ctx := t.Context()
	p := c.bound(t, 0)
	refused := p
	refused.Refused = payout.ReasonFunds
	refused.BoundAt = time.Time{}
	must.Do(t, c.End(ctx, refused))
	c.is(t, "an attempt by who has not seen the end", c.Record(ctx, attempted(p, 1)), payout.ErrConflict)
	late := attempted(c.read(t, p.ID), 1)
	late.Refused = ""
	c.is(t, "an attempt by who overlooks the end", c.Record(ctx, late), payout.ErrConflict)

	p = c.sent(t, 1)
	ended := p
	ended.Outcome = &payout.Outcome{Signature: solana.Signature{1}, Slot: 9, Tokens: map[solana.PublicKey]int64{c.mint: -5}, At: at}
	must.Do(t, c.End(ctx, ended))
	got := c.read(t, p.ID)
	if got.Status() != payout.Landed || got.Outcome.Tokens[c.mint] != -5 {
		t.Errorf("%+v", got)
	}
	other := got
	other.Outcome = &payout.Outcome{Signature: solana.Signature{2}}
	c.is(t, "another end", c.End(ctx, other), payout.ErrConflict)
	dead := got
	dead.Outcome, dead.DeadAt = nil, at
	c.is(t, "dead after it landed", c.End(ctx, dead), payout.ErrConflict)
	again := bound(c.planned(1))
	again.Version = got.Version
	c.is(t, "bound after it landed", c.Bind(ctx, again), payout.ErrConflict)
}

func (c contract) ends(t *testing.T) {
	ctx := t.Context()
	p := c.sent(t, 0)
	p.Split, p.DeadAt = true, at
	left, right := c.planned(0), c.planned(0)
	left.ID.Part, left.To = "0", 2
	right.ID.Part, right.From = "1", 2
	stale := p
	stale.Version--
	c.is(t, "by an old version", c.End(ctx, stale, left, right), payout.ErrConflict)
	if _, err := c.Payment(ctx, left.ID); !errors.Is(err, payout.ErrNotFound) {
		t.Errorf("a part of a refused end: %v", err)
	}
	must.Do(t, c.End(ctx, p, left, right))
	if got := c.read(t, right.ID); got.Status() != payout.Planned || got.From != 2 || got.Version != 1 {
		t.Errorf("%+v", got)
	}
	half := bound(c.read(t, right.ID))
	must.Do(t, c.Bind(ctx, half))
	c.is(t, "again", c.End(ctx, p, left, right), payout.ErrConflict)
}

func (c contract) rebinds(t *testing.T) {
	ctx := t.Context()
	p := c.sent(t, 0)
	p.Blocked = []payout.Receipt{*p.Receipt}
	p = bound(p)
	p.Attempts = nil
	must.Do(t, c.Bind(ctx, p))
	c.is(t, "by an old version", c.Bind(ctx, p), payout.ErrConflict)
	if got := c.read(t, p.ID); got.Status() != payout.Bound || got.Receipt.Generation != 1 || len(got.Blocked) != 1 {
		t.Errorf("%+v", got)
	}
}

func (c contract) decidesUnknown(t *testing.T) {
	ctx := t.Context()
	unknown := c.sent(t, 0)
	unknown.UnknownSince = at
	must.Do(t, c.End(ctx, unknown))
	found := c.read(t, unknown.ID)
	if found.Status() != payout.Unknown {
		t.Errorf("it is %s", found.Status())
	}
	found.Outcome = &payout.Outcome{Signature: solana.Signature{1}}
	must.Do(t, c.End(ctx, found))
	if got := c.read(t, unknown.ID); got.Status() != payout.Landed {
		t.Errorf("it is %s", got.Status())
	}
}

func (c contract) settles(t *testing.T) {
	ctx := t.Context()
	p := c.sent(t, 0)
	p.Outcome = &payout.Outcome{Signature: solana.Signature{1}}
	must.Do(t, c.End(ctx, p))
	p = c.read(t, p.ID)
	p.Quiet, p.Failures = true, []payout.Failure{{Signature: solana.Signature{2}, FeeLamports: 5_000}}
	must.Do(t, c.Quiet(ctx, p))
	c.is(t, "by an old version", c.Quiet(ctx, p), payout.ErrConflict)
	if got := c.read(t, p.ID); !got.Quiet || len(got.Failures) != 1 {
		t.Errorf("%+v", got)
	}
}

func (c contract) lists(t *testing.T) {
	ctx := t.Context()
	for batch := range 3 {
		p := c.planned(batch)
		p.Split, p.Refused = true, payout.ReasonSimulation
		left, right := c.planned(batch), c.planned(batch)
		left.ID.Part, right.ID.Part = "0", "1"
		must.Do(t, c.End(ctx, p, left, right))
	}
	other := c.planned(0)
	other.ID.Leg, other.Refused = 1, payout.ReasonNoRecipient
	must.Do(t, c.End(ctx, other))
	some, err := c.Batches(ctx, c.run, payout.Pay, 0, 1, 2)
	must.Do(t, err)
	if len(some) != 3 || some[0].ID != c.planned(1).ID || some[1].ID.Part != "0" || some[2].ID.Part != "1" {
		t.Errorf("%+v", some)
	}
	none, err := c.Batches(ctx, c.run, payout.Pay, 0, 7, 9)
	if err != nil || len(none) > 0 {
		t.Errorf("of no batch: %+v, %v", none, err)
	}
	count := 0
	for p, err := range c.Payments(ctx, c.run, payout.Pay, 0) {
		must.Do(t, err)
		if p.ID.Batch != count/3 {
			t.Errorf("%s is number %d", p.ID, count)
		}
		count++
	}
	if count != 9 {
		t.Errorf("%d payments", count)
	}
}

func (c contract) countsChunks(t *testing.T) {
	ctx := t.Context()
	w := payout.Work{Mint: c.mint, Run: c.run, Kind: payout.Pay}
	for _, chunk := range []int{0, 1, 1} {
		w.Chunk = chunk
		must.Do(t, c.ChunkDone(ctx, w))
	}
	w.Leg = 1
	must.Do(t, c.ChunkDone(ctx, w))
	if n, err := c.ChunksDone(ctx, c.run, payout.Pay, 0); err != nil || n != 2 {
		t.Errorf("%d stripes are done, %v", n, err)
	}
	if n, err := c.ChunksDone(ctx, c.run, payout.Collect, 0); err != nil || n != 0 {
		t.Errorf("%d stripes have collected, %v", n, err)
	}
}
