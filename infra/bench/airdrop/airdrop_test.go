package airdrop

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"tokenlaunch.example/service/infra/bench/report"
)

// TestEveryWayPaysEachOnce sees that what is compared does the same work.
func TestEveryWayPaysEachOnce(t *testing.T) {
	const people = 1_000
	for way := range ways {
		t.Run(way, func(t *testing.T) {
			for _, limits := range []Limits{{}, Business} {
				f := inBubble(t, way, people, Conditions{Limits: limits, Seed: 2})
				if f.Twice != 0 || f.Unpaid != 0 || f.Recipients != people {
					t.Errorf("%d of %d paid twice, %d not", f.Twice, f.Recipients, f.Unpaid)
				}
			}
		})
	}
}

// TestWePayOnceAtAnyPace plays networks with slots of 200 to 400 ms that are final after
// 150 ms, as mainnet with Alpenglow, and after 13 s, as a network with Tower.
func TestWePayOnceAtAnyPace(t *testing.T) {
	const people = 500
	for _, slot := range []time.Duration{200 * time.Millisecond, 250 * time.Millisecond, 400 * time.Millisecond} {
		for _, final := range []time.Duration{150 * time.Millisecond, 13 * time.Second} {
			for _, way := range []string{"ours", "ours, version 1"} {
				t.Run(fmt.Sprintf("%s, slots of %s, final after %s", way, slot, final), func(t *testing.T) {
					pace := Pace{Slot: slot, Confirm: 1, Final: uint64((final + slot - 1) / slot)}
					f := inBubble(t, way, people, Conditions{Seed: 3, Pace: pace})
					if f.Twice != 0 || f.Unpaid != 0 || f.Recipients != people || f.Returned == 0 {
						t.Errorf("%d of %d paid twice, %d not; receipts back after %s", f.Twice, f.Recipients, f.Unpaid, f.Returned)
					}
					if done := f.Took - f.Paid; final < time.Second && done > 10*time.Second {
						t.Errorf("what is final at once is done %s after it was paid", done)
					}
				})
			}
		}
	}
}

// A loss is seen: what never lands is not paid, whatever a way of paying says of it.
func TestWhoIsNotPaidIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		node := NewNode(Conditions{})
		people := crowd(node, 3)
		began := time.Now()
		node.give(people[0].Owner, people[0].Amount)
		node.give(people[1].Owner, 2*people[1].Amount)
		var f Figures
		f.paid(node, people, began)
		if f.Twice != 1 || f.Unpaid != 1 {
			t.Errorf("%d twice, %d unpaid", f.Twice, f.Unpaid)
		}
	})
}

func inBubble(t *testing.T, way string, people int, on Conditions) (f Figures) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var err error
		if f, err = ways[way](t.Context(), people, on); err != nil {
			t.Fatal(err)
		}
	})
	return f
}

// TestMeasure is the bench's work, in a process for each case.
func TestMeasure(t *testing.T) {
	if os.Getenv(askedVariable) == "" {
		t.Skip("the bench's")
	}
	var q question
	if err := json.NewDecoder(os.Stdin).Decode(&q); err != nil {
		t.Fatal(err)
	}
	f := inBubble(t, q.Way, q.People, q.On)
	f.CPU = report.CPUTime()
	var err error
	if f.PeakKiB, err = report.PeakKiB(os.Getpid()); err == nil {
		err = json.NewEncoder(os.Stdout).Encode(f)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestSolanaTokensWaitsUntilWhatWasLostHasExpired, and only then is it owed again.
func TestSolanaTokensWaitsUntilWhatWasLostHasExpired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := solanaTokens{node: NewNode(Conditions{})}
		const last = firstSlot + 40
		if expired := s.finalize([]tokensRow{{last: last}}); len(expired) != 1 || s.node.slot-s.node.Pace.Final <= last {
			t.Errorf("%d are owed again at the final slot %d, of %d", len(expired), s.node.slot-s.node.Pace.Final, last)
		}
	})
}
