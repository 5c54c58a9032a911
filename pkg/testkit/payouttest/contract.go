package payouttest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/distribution/payout"
)

// Contract tests that a ledger keeps to what payout.Store promises.
func Contract(t *testing.T, store payout.Store) {
	for name, test := range map[string]func(contract, *testing.T){
		"a value is bound once":                     contract.bindsOnce,
		"of two who write, one is refused":          contract.refusesOldVersions,
		"nothing is signed for what is decided":     contract.recordsUntilDecided,
		"an end frees its lane and brings parts":    contract.ends,
		"an unknown intent may be decided later":    contract.decidesUnknown,
		"lanes are neither bound nor freed by puts": contract.putsLanes,
		"families and legs are listed in order":     contract.lists,
		"lanes that are done are counted once":      contract.countsLanes,
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

func (c contract) intent(batch int) payout.Intent {
	return payout.Intent{ID: payout.ID{Run: c.run, Kind: payout.Pay, Batch: batch}, Mint: c.mint, To: 4, Amount: 9}
}

// lane makes a free lane, and gives it as it is stored.
func (c contract) lane(t *testing.T, number int) payout.Lane {
	t.Helper()
	must(t, c.PutLane(t.Context(), payout.Lane{Mint: c.mint, Number: number, Value: solana.HashFromBytes(fmt.Appendf(make([]byte, 0, 32), "%032d", number+1)), Slot: 7}))
	return c.at(t, number)
}

func (c contract) at(t *testing.T, number int) payout.Lane {
	t.Helper()
	lane, err := c.Lane(t.Context(), c.mint, number)
	must(t, err)
	return lane
}

func (c contract) read(t *testing.T, id payout.ID) payout.Intent {
	t.Helper()
	i, err := c.Intent(t.Context(), id)
	must(t, err)
	return i
}

// on gives the two as they are when the intent is bound to the lane.
func on(i payout.Intent, lane payout.Lane) (payout.Intent, payout.Lane) {
	i.Lane, i.Value, i.BoundAt = lane.Number, lane.Value, at
	lane.Intent = i.ID
	return i, lane
}

// bound binds an intent to a new lane, and gives both as they are stored.
func (c contract) bound(t *testing.T, batch int) (payout.Intent, payout.Lane) {
	t.Helper()
	i, lane := on(c.intent(batch), c.lane(t, batch))
	must(t, c.Bind(t.Context(), i, lane))
	return c.read(t, i.ID), c.at(t, lane.Number)
}

func attempted(i payout.Intent, n byte) payout.Intent {
	i.Attempts = append(i.Attempts[:len(i.Attempts):len(i.Attempts)], payout.Attempt{Signature: solana.Signature{n}, Bytes: []byte{n}, SignedAt: at})
	return i
}

func (c contract) bindsOnce(t *testing.T) {
	ctx := t.Context()
	_, err := c.Lane(ctx, c.mint, 0)
	c.is(t, "a lane that is not there", err, payout.ErrNotFound)
	_, err = c.Intent(ctx, c.intent(0).ID)
	c.is(t, "an intent that is not there", err, payout.ErrNotFound)
	lane := c.lane(t, 0)
	first, bound := on(c.intent(0), lane)
	second, other := on(c.intent(1), lane)
	wrong := bound
	wrong.Value = solana.Hash{9}
	spent := first
	spent.Value = wrong.Value
	c.is(t, "to another value", c.Bind(ctx, spent, wrong), payout.ErrConflict)
	must(t, c.Bind(ctx, first, bound))
	c.is(t, "again", c.Bind(ctx, first, bound), payout.ErrConflict)
	c.is(t, "another by an old version", c.Bind(ctx, second, other), payout.ErrConflict)
	_, other = on(second, c.at(t, 0))
	c.is(t, "another while it is bound", c.Bind(ctx, second, other), payout.ErrConflict)
	if got, l := c.read(t, first.ID), c.at(t, 0); got.Status() != payout.Bound || got.Version != 1 || l.Intent != first.ID || l.Version != 2 {
		t.Errorf("%+v on %+v", got, l)
	}
	_, next := on(c.read(t, first.ID), c.lane(t, 1))
	moved := c.read(t, first.ID)
	moved.Lane, moved.Value = 1, next.Value
	c.is(t, "to a second lane", c.Bind(ctx, moved, next), payout.ErrConflict)
	frozen := c.lane(t, 2)
	frozen.Frozen = "so"
	must(t, c.PutLane(ctx, frozen))
	third, lane := on(c.intent(2), c.at(t, 2))
	c.is(t, "to a frozen lane", c.Bind(ctx, third, lane), payout.ErrConflict)
}

func (c contract) refusesOldVersions(t *testing.T) {
	i, _ := c.bound(t, 0)
	must(t, c.Record(t.Context(), attempted(i, 1)))
	c.is(t, "a second attempt by an old version", c.Record(t.Context(), attempted(i, 2)), payout.ErrConflict)
	if got := c.read(t, i.ID); len(got.Attempts) != 1 || got.Attempts[0].Signature != (solana.Signature{1}) || got.Version != 2 {
		t.Errorf("%+v", got)
	}
	setup := payout.Intent{ID: payout.ID{Run: c.run, Kind: payout.Setup}, Mint: c.mint}
	must(t, c.Record(t.Context(), attempted(setup, 3)))
	c.is(t, "a setup that somebody has begun", c.Record(t.Context(), attempted(setup, 4)), payout.ErrConflict)
}

func (c contract) recordsUntilDecided(t *testing.T) {
	ctx := t.Context()
	i, lane := c.bound(t, 0)
	lane.Intent = payout.ID{}
	refused := i
	refused.Refused = payout.ReasonFunds
	must(t, c.End(ctx, refused, &lane))
	c.is(t, "an attempt by who has not seen that it is refused", c.Record(ctx, attempted(i, 1)), payout.ErrConflict)
	if got := c.read(t, i.ID); got.Status() != payout.Refused || !c.at(t, 0).Free() {
		t.Errorf("it is %s on %+v", got.Status(), c.at(t, 0))
	}

	i, lane = c.bound(t, 1)
	must(t, c.Record(ctx, attempted(i, 1)))
	ended := c.read(t, i.ID)
	ended.Outcome = &payout.Outcome{Signature: solana.Signature{1}, Slot: 9, Tokens: map[solana.PublicKey]int64{c.mint: -5}, At: at}
	lane.Intent = payout.ID{}
	must(t, c.End(ctx, ended, &lane))
	got := c.read(t, i.ID)
	if got.Status() != payout.Settled || got.Outcome.Tokens[c.mint] != -5 {
		t.Errorf("%+v", got)
	}
	c.is(t, "an attempt after the end", c.Record(ctx, attempted(got, 2)), payout.ErrConflict)
	other := got
	other.Outcome = &payout.Outcome{Signature: solana.Signature{2}}
	c.is(t, "another end", c.End(ctx, other, nil), payout.ErrConflict)
}

func (c contract) ends(t *testing.T) {
	ctx := t.Context()
	i, lane := c.bound(t, 0)
	i.Split = true
	lane.Intent, lane.Value, lane.Slot = payout.ID{}, solana.Hash{8}, 11
	left, right := c.intent(0), c.intent(0)
	left.ID.Part, left.To = "0", 2
	right.ID.Part, right.From = "1", 2
	stale := i
	stale.Version--
	c.is(t, "by an old version", c.End(ctx, stale, &lane, left, right), payout.ErrConflict)
	if _, err := c.Intent(ctx, left.ID); !errors.Is(err, payout.ErrNotFound) {
		t.Errorf("a part of a refused end: %v", err)
	}
	must(t, c.End(ctx, i, &lane, left, right))
	if l := c.at(t, 0); !l.Free() || l.Value != lane.Value || l.Slot != 11 {
		t.Errorf("the lane is %+v", l)
	}
	if got := c.read(t, right.ID); got.Status() != payout.Planned || got.From != 2 || got.Version != 1 {
		t.Errorf("%+v", got)
	}
	c.is(t, "again", c.End(ctx, i, &lane, left, right), payout.ErrConflict)
}

func (c contract) decidesUnknown(t *testing.T) {
	ctx := t.Context()
	i, lane := c.bound(t, 0)
	must(t, c.Record(ctx, attempted(i, 1)))
	unknown := c.read(t, i.ID)
	unknown.UnknownSince, lane.Frozen = at, "so"
	must(t, c.End(ctx, unknown, &lane))
	lane = c.at(t, 0)
	if lane.Frozen == "" || lane.Intent != i.ID {
		t.Errorf("the lane is %+v", lane)
	}
	found := c.read(t, i.ID)
	found.Outcome = &payout.Outcome{Signature: solana.Signature{1}}
	lane.Frozen, lane.Intent, lane.Value = "", payout.ID{}, solana.Hash{8}
	must(t, c.End(ctx, found, &lane))
	if got := c.read(t, i.ID); got.Status() != payout.Settled || !c.at(t, 0).Free() {
		t.Errorf("it is %s on %+v", got.Status(), c.at(t, 0))
	}
}

func (c contract) putsLanes(t *testing.T) {
	ctx := t.Context()
	lane := c.lane(t, 0)
	c.is(t, "a lane that is there", c.PutLane(ctx, payout.Lane{Mint: c.mint}), payout.ErrConflict)
	lane.Value, lane.Slot = solana.Hash{5}, 12
	must(t, c.PutLane(ctx, lane))
	c.is(t, "an old version", c.PutLane(ctx, lane), payout.ErrConflict)
	if got := c.at(t, 0); got.Value != lane.Value || got.Slot != 12 {
		t.Errorf("%+v", got)
	}
	_, held := c.bound(t, 1)
	freed := held
	freed.Intent = payout.ID{}
	c.is(t, "freeing one", c.PutLane(ctx, freed), payout.ErrConflict)
	held.Frozen = payout.Restored
	must(t, c.PutLane(ctx, held))
	if got := c.at(t, 1); got.Frozen != payout.Restored || got.Intent != held.Intent {
		t.Errorf("%+v", got)
	}
}

func (c contract) lists(t *testing.T) {
	ctx := t.Context()
	for batch := range 3 {
		i := c.intent(batch)
		i.Split = true
		left, right := c.intent(batch), c.intent(batch)
		left.ID.Part, right.ID.Part = "0", "1"
		must(t, c.End(ctx, i, nil, left, right))
	}
	other := c.intent(0)
	other.ID.Leg, other.Refused = 1, payout.ReasonNobody
	must(t, c.End(ctx, other, nil))
	family, err := c.Family(ctx, c.intent(1).ID)
	must(t, err)
	if len(family) != 3 || family[0].ID != c.intent(1).ID || family[1].ID.Part != "0" || family[2].ID.Part != "1" {
		t.Errorf("%+v", family)
	}
	none, err := c.Family(ctx, c.intent(7).ID)
	if err != nil || len(none) > 0 {
		t.Errorf("of no batch: %+v, %v", none, err)
	}
	count := 0
	for i, err := range c.Intents(ctx, c.run, payout.Pay, 0) {
		must(t, err)
		if i.ID.Batch != count/3 {
			t.Errorf("%s is number %d", i.ID, count)
		}
		count++
	}
	if count != 9 {
		t.Errorf("%d intents", count)
	}
}

func (c contract) countsLanes(t *testing.T) {
	ctx := t.Context()
	w := payout.Work{Mint: c.mint, Run: c.run, Kind: payout.Pay}
	for _, lane := range []int{0, 1, 1} {
		w.Lane = lane
		must(t, c.LaneDone(ctx, w))
	}
	w.Leg = 1
	must(t, c.LaneDone(ctx, w))
	if n, err := c.LanesDone(ctx, c.run, payout.Pay, 0); err != nil || n != 2 {
		t.Errorf("%d lanes are done, %v", n, err)
	}
	if n, err := c.LanesDone(ctx, c.run, payout.Collect, 0); err != nil || n != 0 {
		t.Errorf("%d lanes have collected, %v", n, err)
	}
}
