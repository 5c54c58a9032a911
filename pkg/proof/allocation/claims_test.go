package allocation_test

import (
	"bytes"
	"errors"
	"iter"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/proof/allocation"
)

// owner returns a key that sorts by n.
func owner(n int) solana.PublicKey { return solana.PublicKey{0: byte(n >> 8), 1: byte(n), 31: 1} }

// stream returns the values, and then the error when there is one.
func stream[T any](values []T, err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, v := range values {
			if !yield(v, nil) {
				return
			}
		}
		if err != nil {
			var none T
			yield(none, err)
		}
	}
}

func collect[T any](s iter.Seq2[T, error]) (list []T, err error) {
	for v, err := range s {
		if err != nil {
			return list, err
		}
		list = append(list, v)
	}
	return list, nil
}

func byOwner[T any](values map[int]T, of func(int, T) T) []T {
	var list []T
	for _, n := range slices.Sorted(maps.Keys(values)) {
		list = append(list, of(n, values[n]))
	}
	return list
}

func holding(n int, h allocation.Holding) allocation.Holding       { h.Owner = owner(n); return h }
func owing(n int, o allocation.AmountsOwed) allocation.AmountsOwed { o.Owner = owner(n); return o }

// draw makes holders and creditors, some in both lists.
func draw(t *rapid.T, least int) ([]allocation.Holding, []allocation.AmountsOwed) {
	holders := rapid.MapOfN(rapid.IntRange(0, 60), rapid.Custom(func(t *rapid.T) allocation.Holding {
		return allocation.Holding{Balance: rapid.OneOf(rapid.Uint64Range(0, 100), rapid.Uint64Range(0, 1<<57)).Draw(t, "balance")}
	}), least, 40).Draw(t, "holders")
	owed := rapid.MapOfN(rapid.IntRange(0, 60), rapid.Custom(func(t *rapid.T) allocation.AmountsOwed {
		o := allocation.AmountsOwed{Amount: rapid.Uint64Range(0, 5000).Draw(t, "owed")}
		if rapid.Bool().Draw(t, "sent before") {
			o.Reserved = rapid.Uint64Range(0, o.Amount).Draw(t, "reserved")
		}
		if rapid.Bool().Draw(t, "held before") && o.Amount > 0 {
			o.Hold = allocation.Hold{7}
		}
		return o
	}), 0, 20).Draw(t, "owed")
	return byOwner(holders, holding), byOwner(owed, owing)
}

func termsOf(t interface{ Fatal(...any) }, holdings []allocation.Holding, minimum, total uint64) allocation.Terms {
	counting, others, err := allocation.Terms{Minimum: minimum}.Sum(stream(holdings, nil))
	if err != nil {
		t.Fatal(err)
	}
	if int(counting.Owners+others.Owners) != len(holdings) {
		t.Fatal("owners are missing from the sums")
	}
	return allocation.Terms{Total: total, Eligible: counting.Sum, Minimum: minimum}
}

// Shares against big integers: each is the exact part rounded down, together they
// do not exceed the total, and what is left is less than one unit for each.
func TestSharesAreTheExactPartsRoundedDown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		holdings, owed := draw(t, 0)
		minimum := rapid.Uint64Range(0, 200).Draw(t, "minimum")
		total := rapid.OneOf(rapid.Uint64Range(0, 1000), rapid.Uint64()).Draw(t, "total")
		deal := termsOf(t, holdings, minimum, total-total/4)
		claims, err := collect(deal.Claims(stream(holdings, nil), stream(owed, nil)))
		if err != nil {
			t.Fatal(err)
		}
		balances, debts := map[solana.PublicKey]uint64{}, map[solana.PublicKey]allocation.AmountsOwed{}
		for _, h := range holdings {
			if h.Balance > 0 && h.Balance >= minimum {
				balances[h.Owner] = h.Balance
			}
		}
		for _, o := range owed {
			if o.Amount > 0 {
				debts[o.Owner] = o
			}
		}
		var sum uint64
		seen := 0
		for i, c := range claims {
			if int(c.Row) != i || i > 0 && bytes.Compare(claims[i-1].Owner[:], c.Owner[:]) >= 0 {
				t.Fatalf("claim %d is row %d, of %s", i, c.Row, c.Owner)
			}
			debt := debts[c.Owner]
			if c.Balance != balances[c.Owner] || c.Owed != debt.Amount || c.Reserved != debt.Reserved || c.Hold != debt.Hold {
				t.Fatalf("%+v for %d and %+v", c, balances[c.Owner], debt)
			}
			if c.Balance > 0 {
				exact := new(big.Int).Mul(new(big.Int).SetUint64(deal.Total), new(big.Int).SetUint64(c.Balance))
				exact.Quo(exact, new(big.Int).SetUint64(deal.Eligible))
				if c.Share != exact.Uint64() {
					t.Fatalf("a share of %d, want %s", c.Share, exact)
				}
			} else if c.Share != 0 {
				t.Fatalf("%+v has a share without a balance", c)
			}
			sum += c.Share
			delete(debts, c.Owner)
			seen++
		}
		if len(debts) > 0 {
			t.Fatalf("%d are forgotten who are owed something", len(debts))
		}
		if sum > deal.Total || len(balances) > 0 && deal.Total-sum >= uint64(len(balances)) {
			t.Fatalf("%d shares of %d make %d", len(balances), deal.Total, sum)
		}
	})
}

// What an owner gets depends on the balances, not on who comes when or what others
// are owed.
func TestSharesDoNotDependOnTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		holdings, owed := draw(t, 1)
		deal := termsOf(t, holdings, 1, 1<<40)
		before, err := collect(deal.Claims(stream(holdings, nil), stream(owed, nil)))
		if err != nil {
			t.Fatal(err)
		}
		// The same balances under other keys, in the opposite order.
		var moved []allocation.Holding
		for i, h := range holdings {
			moved = append(moved, allocation.Holding{Owner: owner(1000 - i), Balance: h.Balance})
		}
		slices.Reverse(moved)
		after, err := collect(deal.Claims(stream(moved, nil), stream[allocation.AmountsOwed](nil, nil)))
		if err != nil {
			t.Fatal(err)
		}
		shares := func(claims []allocation.Claim) (list []uint64) {
			for _, c := range claims {
				if c.Balance > 0 {
					list = append(list, c.Balance, c.Share)
				}
			}
			return list
		}
		back := slices.Clone(after)
		slices.Reverse(back)
		if !slices.Equal(shares(before), shares(back)) {
			t.Fatalf("%v, in the other order %v", before, after)
		}
	})
}

// What counts is the lesser of two balances: who bought since has no share, no share is larger
// because of the purchase, and all shares are those of the same owners with only the lesser balances.
func TestLowerBalanceIsShared(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		holdings, owed := draw(t, 0)
		lesser := slices.Clone(holdings)
		for i := range holdings {
			h := &holdings[i]
			h.Before = rapid.OneOf(rapid.Just(uint64(0)), rapid.Just(h.Balance), rapid.Uint64Range(0, 1<<57)).Draw(t, "before")
			lesser[i].Balance = min(h.Balance, h.Before)
		}
		minimum := rapid.Uint64Range(0, 200).Draw(t, "minimum")
		deal := termsOf(t, lesser, minimum, rapid.Uint64Max(1<<63).Draw(t, "total"))
		want, err := collect(deal.Claims(stream(lesser, nil), stream(owed, nil)))
		if err != nil {
			t.Fatal(err)
		}
		counting, _, err := allocation.Terms{Minimum: minimum, Held: true}.Sum(stream(holdings, nil))
		if err != nil || counting.Weight != deal.Eligible || counting.Sum < counting.Weight {
			t.Fatalf("%+v count, and %d should (%v)", counting, deal.Eligible, err)
		}
		deal.Held = true
		got, err := collect(deal.Claims(stream(holdings, nil), stream(owed, nil)))
		if err != nil || len(got) != len(want) {
			t.Fatalf("%d claims, want %d (%v)", len(got), len(want), err)
		}
		for i, c := range got {
			w := want[i]
			if c.Owner != w.Owner || c.Share != w.Share || c.Owed != w.Owed || deal.Weight(c.Balance, c.Before) != w.Balance || !c.Held {
				t.Fatalf("%+v, want %+v", c, w)
			}
			if c.Share > 0 && c.Before == 0 {
				t.Fatalf("%+v has a share and held nothing before", c)
			}
		}
		// An owner who buys more before the slot changes nothing.
		for i := range holdings {
			if h := &holdings[i]; h.Balance >= h.Before {
				h.Balance += rapid.Uint64Max(1<<57).Draw(t, "bought")
			}
		}
		after, err := collect(deal.Claims(stream(holdings, nil), stream(owed, nil)))
		if err != nil || len(after) != len(got) {
			t.Fatalf("%d claims after purchases, %d before (%v)", len(after), len(got), err)
		}
		for i := range after {
			if after[i].Share != got[i].Share {
				t.Fatalf("a purchase makes %d of a share of %d", after[i].Share, got[i].Share)
			}
		}
	})
}

func TestClaimsRefuse(t *testing.T) {
	broken := errors.New("the snapshot cannot be read")
	hold := func(n int, balance uint64) allocation.Holding {
		return allocation.Holding{Owner: owner(n), Balance: balance}
	}
	owe := func(n int, amount, reserved uint64) allocation.AmountsOwed {
		return allocation.AmountsOwed{Owner: owner(n), Amount: amount, Reserved: reserved}
	}
	type (
		hs = []allocation.Holding
		os = []allocation.AmountsOwed
	)
	for name, c := range map[string]struct {
		holdings    hs
		owed        os
		holdingsErr error
		owedErr     error
		terms       allocation.Terms
		want        string
	}{
		"holders out of order":          {hs{hold(2, 1), hold(1, 1)}, nil, nil, nil, allocation.Terms{Eligible: 2}, "not in order"},
		"a holder twice":                {hs{hold(2, 1), hold(2, 1)}, nil, nil, nil, allocation.Terms{Eligible: 2}, "not in order"},
		"creditors out of order":        {nil, os{owe(2, 1, 0), owe(1, 1, 0)}, nil, nil, allocation.Terms{}, "not in order"},
		"creditors wrong, before":       {hs{hold(9, 1)}, os{owe(2, 1, 0), owe(2, 1, 0)}, nil, nil, allocation.Terms{Eligible: 1}, "not in order"},
		"balances of another sum":       {hs{hold(1, 3)}, nil, nil, nil, allocation.Terms{Eligible: 4}, "add up to 3"},
		"a balance beyond the sum":      {hs{hold(1, 3)}, nil, nil, nil, allocation.Terms{Eligible: 2}, "more than all"},
		"no sum at all":                 {hs{hold(1, 3)}, nil, nil, nil, allocation.Terms{}, "more than all"},
		"more reserved than owed":       {nil, os{owe(1, 3, 4)}, nil, nil, allocation.Terms{}, "reserved"},
		"owed and share beyond 64 bits": {hs{hold(1, 3)}, os{owe(1, 1<<63, 0)}, nil, nil, allocation.Terms{Total: 1 << 63, Eligible: 3}, "64 bits"},
		"holders end with an error":     {hs{hold(1, 3)}, nil, broken, nil, allocation.Terms{Eligible: 3}, "cannot be read"},
		"creditors end with an error":   {hs{hold(9, 3)}, os{owe(1, 1, 0)}, nil, broken, allocation.Terms{Eligible: 3}, "cannot be read"},
		"creditors begin with an error": {hs{hold(9, 3)}, nil, nil, broken, allocation.Terms{Eligible: 3}, "cannot be read"},
		"an error after all holders":    {nil, os{owe(1, 1, 0)}, nil, broken, allocation.Terms{}, "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := collect(c.terms.Claims(stream(c.holdings, c.holdingsErr), stream(c.owed, c.owedErr)))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want one with %q", err, c.want)
			}
		})
	}
	if _, _, err := (allocation.Terms{Minimum: 1}).Sum(stream(hs{hold(1, 1<<63), hold(2, 1<<63)}, nil)); err == nil {
		t.Error("balances beyond 64 bits are added")
	}
	if _, _, err := (allocation.Terms{Minimum: 1}).Sum(stream(hs{}, broken)); !errors.Is(err, broken) {
		t.Errorf("Sum: %v", err)
	}
}

// A reader of the claims may stop at any of them.
func TestClaimsCanBeLeft(t *testing.T) {
	holdings := []allocation.Holding{{Owner: owner(2), Balance: 1}, {Owner: owner(4), Balance: 1}}
	owed := []allocation.AmountsOwed{{Owner: owner(1), Amount: 1}, {Owner: owner(3), Amount: 1}, {Owner: owner(5), Amount: 1}}
	for stop := range 5 {
		n := 0
		for _, err := range (allocation.Terms{Total: 5, Eligible: 2}).Claims(stream(holdings, nil), stream(owed, nil)) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n > stop {
				break
			}
		}
		if n != stop+1 {
			t.Errorf("%d claims before the stop at %d", n, stop)
		}
	}
}
