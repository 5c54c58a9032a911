package run_test

import (
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// TestDuplicatesAndConcurrentWorkersPayOnce: every message comes twice, four workers
// handle them at once, and when all is done the messages come from the dead letters
// once more, those of older slots after those of newer ones.
func TestDuplicatesAndConcurrentWorkersPayOnce(t *testing.T) {
	s := newFullRun(t, runworld.NewEnv(t), payout.V1)
	first := s.Slot()
	s.Again(first)
	handled := s.DriveTogether(t, 4)
	s.check(t, first)

	s.Give(t, s.holders[0], 1_000_000_000)
	second := s.Slot()
	s.Again(first)
	s.Again(second)
	again := s.DriveTogether(t, 4)
	s.check(t, second)
	if runs := s.Settled(t); len(runs) != 2 {
		t.Fatalf("%d runs were settled, of two slots", len(runs))
	}

	var before []uint64
	for _, h := range s.holders {
		before = append(before, s.Lamports(t, h))
	}
	s.Redrive(again)
	s.Redrive(handled)
	s.DriveTogether(t, 4)
	s.check(t, first)
	// Each was measured once.
	sums, paid := s.Log.Sum(t), 0
	for _, r := range s.Settled(t) {
		for _, leg := range r.Payment.Legs {
			paid += int(leg.Payments)
		}
	}
	for name, want := range map[string]int{"RunsEnded": 2, "HoldersPaid": paid, "Undecided": 0} {
		if got := sums[name]; got != float64(want) {
			t.Errorf("%s adds up to %v, want %d", name, got, want)
		}
	}
	if sums["RunSeconds"] <= 0 || sums["WalletLamports"] <= runworld.Funding {
		t.Errorf("measured %v", sums)
	}
	for i, h := range s.holders {
		if got := s.Lamports(t, h); got != before[i] {
			t.Errorf("holder %d got %d from redriven messages", i, got-before[i])
		}
		if says := s.Says(t, h, terms.SOL); says.Carried != 0 {
			t.Errorf("holder %d is owed %d", i, says.Carried)
		}
	}
}

// TestMessageWithoutSlotOpensNothing tests that a writer of the queue cannot open runs between a token's
// slots, and cannot take the place of later slots.
func TestMessageWithoutSlotOpensNothing(t *testing.T) {
	s := newFullRun(t, runworld.NewEnv(t), payout.Legacy)
	interval := s.Token.Settings.Interval
	now := s.Clock.Now()
	before := s.Head(t).LastSlot
	for name, slot := range map[string]time.Time{
		"between two slots": interval.Slot(now).Add(time.Second),
		"the next":          interval.Next(now),
		"one of next year":  interval.Slot(now.AddDate(1, 0, 0)),
	} {
		s.Again(slot)
		s.Drive(t, nil)
		if last := s.Head(t).LastSlot; !last.Equal(before) {
			t.Fatalf("%s: a run of %s is opened", name, last)
		}
	}
	s.check(t, s.Distribute(t).Slot)
}
