package handover_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/token/handover"
)

var (
	noon    = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	creator = solana.NewWallet().PrivateKey
	mint    = solana.NewWallet().PublicKey()
)

func signed(t *testing.T, o handover.Order) handover.Order {
	t.Helper()
	signature, err := creator.Sign([]byte(o.Text(mint)))
	if err != nil {
		t.Fatal(err)
	}
	o.Signature = signature
	return o
}

func TestTextEqualsDocuments(t *testing.T) {
	o := handover.Order{
		Number: 1, To: solana.MustPublicKeyFromBase58("8sLhuH3TKG1tao2fvqFrd2agZMkELDAoawpjvF5LaEtx"),
		EffectiveAt: time.Date(2026, 3, 9, 11, 0, 0, 0, time.UTC),
	}
	want := strings.Join([]string{
		"Tokenlaunch hand-over of the tax", "Token: 9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin", "Order: 1",
		"New authority over withheld tax: 8sLhuH3TKG1tao2fvqFrd2agZMkELDAoawpjvF5LaEtx", "Not before: 2026-03-09T11:00:00Z",
	}, "\n")
	if got := o.Text(solana.MustPublicKeyFromBase58("9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin")); got != want {
		t.Errorf("the text is\n%s", got)
	}
}

// Each fact of an order is signed, and is in the memo.
func TestOrderCoversEveryFact(t *testing.T) {
	o := signed(t, handover.Order{Number: 2, To: solana.NewWallet().PublicKey(), EffectiveAt: noon})
	if err := o.Verify(creator.PublicKey(), mint); err != nil {
		t.Fatal(err)
	}
	if read, ok := handover.ParseMemo(o.Memo()); !ok || read != o {
		t.Errorf("the memo reads %+v", read)
	}
	for what, change := range map[string]func(*handover.Order){
		"number": func(o *handover.Order) { o.Number++ }, "address": func(o *handover.Order) { o.To[0]++ },
		"time": func(o *handover.Order) { o.EffectiveAt = o.EffectiveAt.Add(-time.Second) }, "signature": func(o *handover.Order) { o.Signature = solana.Signature{} },
	} {
		other := o
		change(&other)
		if err := other.Verify(creator.PublicKey(), mint); !errors.Is(err, handover.ErrNotOrdered) {
			t.Errorf("another %s: %v", what, err)
		}
	}
	if err := o.Verify(creator.PublicKey(), creator.PublicKey()); err == nil {
		t.Error("the order holds for another token")
	}
	for _, memo := range []string{"", "tokenlaunch handover", o.Memo() + " ", "x" + o.Memo(), strings.Replace(o.Memo(), " 2 ", " 02 ", 1)} {
		if _, ok := handover.ParseMemo(memo); ok {
			t.Errorf("%q is read", memo)
		}
	}
}

// For every order of events: a completed state is final, a hand-over that has begun is not
// cancelled, a number is used once, a cancelled order is not due, and no order is due before all
// its times.
func TestEveryInterleavingOfAnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s handover.State
		now, numbers := noon, map[int64]bool{}
		for range rapid.IntRange(1, 30).Draw(t, "events") {
			now = now.Add(time.Duration(rapid.IntRange(0, 100).Draw(t, "hours")) * time.Hour)
			was := s.Status()
			switch rapid.SampledFrom([]string{"order", "operator", "cancel", "note", "begin", "revoke", "done"}).Draw(t, "event") {
			case "order", "operator":
				o := handover.Order{Number: s.Number + 1, EffectiveAt: now.Add(24 * time.Hour), Signature: solana.Signature{byte(rapid.IntRange(0, 1).Draw(t, "by"))}}
				given, err := s.Give(o, now)
				unrevoked := was == handover.Cancelled && s.By() == handover.ByCreator && s.RevokedAt.IsZero()
				if free := (was == handover.None || was == handover.Cancelled) && !unrevoked; free != (err == nil) {
					t.Fatalf("an order after %s: %v", was, err)
				}
				if s = given; err == nil && numbers[s.Number] {
					t.Fatalf("number %d again", s.Number)
				}
				numbers[s.Number] = true
			case "cancel":
				cancelled, err := s.Cancel(now)
				if (was == handover.Ordered) != (err == nil) {
					t.Fatalf("a cancellation after %s: %v", was, err)
				}
				s = cancelled
			case "note":
				if s.Outstanding() && s.NotedAt.IsZero() {
					s.NotedAt, s.SignsAt = now, now.Add(48*time.Hour)
				}
			case "begin":
				if due, ok := s.Due(); ok && !now.Before(due) && s.BegunAt.IsZero() {
					s.BegunAt = now
				}
			case "revoke":
				if was == handover.Cancelled {
					s.RevokedAt = now
				}
			case "done":
				if was == handover.Begun {
					s.DoneAt = now
				}
			}
			due, ok := s.Due()
			if ok && (!s.Outstanding() || due.Before(s.EffectiveAt) || s.By() == handover.ByCreator && due.Before(s.SignsAt)) {
				t.Fatalf("%s is due at %s: %+v", s.Status(), due, s)
			}
			if was == handover.Done && s.Status() != handover.Done {
				t.Fatal(fmt.Sprintf("%s after it was done", s.Status()))
			}
		}
	})
}
