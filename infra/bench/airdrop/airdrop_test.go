package airdrop

import (
	"encoding/json"
	"os"
	"testing"
	"testing/synctest"

	"tokenlaunch.example/service/infra/bench/peak"
)

// TestEveryWayPaysEachOnce sees that what is compared does the same work.
func TestEveryWayPaysEachOnce(t *testing.T) {
	const people = 1_000
	for name, pay := range ways {
		t.Run(name, func(t *testing.T) {
			for _, limits := range []Limits{{}, Business} {
				f := inBubble(t, pay, people, Conditions{Limits: limits, Seed: 2})
				if f.Twice != 0 || f.Unpaid != 0 || f.Recipients != people {
					t.Errorf("%d of %d paid twice, %d not", f.Twice, f.Recipients, f.Unpaid)
				}
			}
		})
	}
}

// A loss is seen: what never lands is not paid, whatever a way of paying says of it.
func TestWhoIsNotPaidIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		node := NewNode(Conditions{})
		people := crowd(node, 3)
		node.give(people[0].Owner, people[0].Amount)
		node.give(people[1].Owner, 2*people[1].Amount)
		var f Figures
		f.check(node, people)
		if f.Twice != 1 || f.Unpaid != 1 {
			t.Errorf("%d twice, %d unpaid", f.Twice, f.Unpaid)
		}
	})
}

func inBubble(t *testing.T, pay Way, people int, on Conditions) (f Figures) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var err error
		if f, err = pay(t.Context(), people, on); err != nil {
			t.Fatal(err)
		}
	})
	return f
}

// TestMeasure is what the bench runs, in a process for each case.
func TestMeasure(t *testing.T) {
	file := os.Getenv(FileVariable)
	if file == "" {
		t.Skip("the bench's")
	}
	var c Case
	if err := json.Unmarshal([]byte(os.Getenv(CaseVariable)), &c); err != nil {
		t.Fatal(err)
	}
	f := inBubble(t, ways[c.Way], c.People, c.On)
	var err error
	if f.PeakKB, err = peak.KiB(os.Getpid()); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(f)
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
