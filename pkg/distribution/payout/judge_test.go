package payout_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
)

// what one node can say of an intent with two attempts.
type word struct {
	name    string
	reading payout.Reading
	// silent, moved and names are what it means: names is the attempt that it says has
	// landed, from 1, negative when it failed; 0 when it cannot say.
	silent, moved bool
	names         int
}

var (
	bound, next = solana.Hash{1}, solana.Hash{2}
	first, last = solana.Signature{1}, solana.Signature{2}
)

func words() []word {
	ok := func(s solana.Signature) payout.Landing { return payout.Landing{Signature: s, Slot: 7} }
	bad := func(s solana.Signature) payout.Landing {
		return payout.Landing{Signature: s, Slot: 7, Failed: "so"}
	}
	moved := func(landed ...payout.Landing) payout.Reading {
		return payout.Reading{Slot: 9, Value: next, Landed: landed}
	}
	stranger := ok(solana.Signature{9})
	return []word{
		{name: "silent", reading: payout.Reading{Silent: true, Value: next, Landed: []payout.Landing{ok(first)}}, silent: true},
		{name: "still", reading: payout.Reading{Slot: 9, Value: bound}},
		{name: "still, and claims that it landed", reading: payout.Reading{Slot: 9, Value: bound, Landed: []payout.Landing{ok(first)}}},
		{name: "moved", reading: moved(), moved: true},
		{name: "moved by a stranger", reading: moved(stranger), moved: true},
		{name: "first landed", reading: moved(ok(first)), moved: true, names: 1},
		{name: "first landed, seen twice", reading: moved(ok(first), stranger, ok(first)), moved: true, names: 1},
		{name: "last landed", reading: moved(stranger, ok(last)), moved: true, names: 2},
		{name: "first failed", reading: moved(bad(first)), moved: true, names: -1},
		{name: "last failed", reading: moved(bad(last)), moved: true, names: -2},
		{name: "first failed, last landed", reading: moved(bad(first), ok(last)), moved: true, names: 2},
		{name: "both landed", reading: moved(ok(first), ok(last)), moved: true},
		{name: "both failed", reading: moved(bad(first), bad(last)), moved: true},
	}
}

// TestJudge goes through everything that one or two nodes can say, at all ages of
// the intent.
func TestJudge(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	pace, fees := payout.DefaultPace(), payout.Fees{Start: 10, Most: 40}
	groups := [][]word{nil}
	for _, a := range words() {
		groups = append(groups, []word{a})
		for _, b := range words() {
			groups = append(groups, []word{a, b})
		}
	}
	cases := 0
	for _, group := range groups {
		for _, age := range []time.Duration{0, pace.Land - 1, pace.Land, pace.Raise, pace.Cancel} {
			for _, price := range []uint64{10, 40} {
				for _, cancel := range []bool{false, true} {
					for _, since := range []time.Duration{-1, 0, pace.Patience} {
						cases++
						i := payout.Intent{Value: bound, Attempts: []payout.Attempt{
							{Signature: first, SignedAt: now.Add(-age), PriceMicroLamports: 10},
							{Signature: last, SignedAt: now.Add(-age), PriceMicroLamports: price, Cancel: cancel},
						}}
						if since >= 0 {
							i.MovedAt = now.Add(-since)
						}
						var readings []payout.Reading
						name := fmt.Sprintf("age %s, price %d, cancel %v, moved since %s:", age, price, cancel, since)
						for _, w := range group {
							readings = append(readings, w.reading)
							name += " [" + w.name + "]"
						}
						want := judgement(group, age, price, cancel, since, pace, fees)
						got, landing := payout.Judge(i, readings, now, pace, fees)
						if got != want {
							t.Errorf("%s: %s, want %s", name, got, want)
						}
						if ends := got == payout.Settle || got == payout.Fail; ends != (landing.Signature != solana.Signature{}) {
							t.Errorf("%s: %s by %s", name, got, landing.Signature)
						}
					}
				}
			}
		}
	}
	t.Logf("%d cases", cases)
}

// judgement says the same as Judge in other words.
func judgement(group []word, age time.Duration, price uint64, cancel bool, since time.Duration, pace payout.Pace, fees payout.Fees) payout.Verdict {
	anyMoved, anyStill, anySilent, names := false, false, false, map[int]bool{}
	for _, w := range group {
		anySilent = anySilent || w.silent
		anyMoved = anyMoved || w.moved
		anyStill = anyStill || !w.moved && !w.silent
		if w.moved {
			names[w.names] = true
		}
	}
	if !anyMoved {
		switch {
		case !anyStill:
			return payout.Wait
		case cancel && age < pace.Land:
			return payout.Wait // it is on its way
		case cancel:
			return payout.Resend
		case age >= pace.Cancel:
			return payout.Cancel
		case age >= pace.Raise && price < fees.Most:
			return payout.Raise
		case age < pace.Land:
			return payout.Wait
		}
		return payout.Resend
	}
	if len(names) == 1 && !names[0] && !anyStill && !anySilent {
		if names[1] || names[2] && !cancel {
			return payout.Settle
		}
		return payout.Fail
	}
	if !anySilent && since >= pace.Patience {
		return payout.GiveUp
	}
	return payout.Wait
}

func TestAnIntentWithoutAttemptsIsWaitedFor(t *testing.T) {
	i := payout.Intent{Value: bound}
	if got, _ := payout.Judge(i, []payout.Reading{{Value: bound}}, time.Now(), payout.DefaultPace(), payout.Fees{}); got != payout.Wait {
		t.Errorf("%s, want %s", got, payout.Wait)
	}
}
