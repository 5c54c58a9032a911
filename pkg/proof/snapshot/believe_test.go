package snapshot_test

import (
	"errors"
	"io"
	"slices"
	"testing"

	"tokenlaunch.example/service/pkg/proof/snapshot"
)

func TestTakeRejectsImplausibleListings(t *testing.T) {
	account := snapshot.Account{Address: key(101), Owner: key(1), Amount: 60, Withheld: 3}
	for name, c := range map[string]struct {
		change func(*node)
		err    error // nil: it is taken
		listed int
	}{
		"all in order":                    {func(*node) {}, nil, 1},
		"an account is missing":           {func(n *node) { n.accounts = n.accounts[:1] }, snapshot.ErrDoesNotAddUp, 3},
		"an account is listed twice":      {func(n *node) { n.accounts = append(n.accounts, account) }, snapshot.ErrDoesNotAddUp, 3},
		"withheld tax is missing":         {func(n *node) { n.accounts[0].Withheld = 0 }, snapshot.ErrDoesNotAddUp, 3},
		"amounts over 64 bits":            {func(n *node) { n.accounts[0].Amount = 1 << 63; n.accounts[1].Amount = 1 << 63 }, snapshot.ErrDoesNotAddUp, 3},
		"listed before the mint was read": {func(n *node) { n.span = snapshot.Span{First: 99, Last: 99} }, snapshot.ErrOtherSlot, 3},
		"begun before the mint was read":  {func(n *node) { n.span = snapshot.Span{First: 99, Last: 100} }, snapshot.ErrOtherSlot, 3},
		"its slots are the wrong way":     {func(n *node) { n.span = snapshot.Span{First: 101, Last: 100} }, snapshot.ErrOtherSlot, 3},
		"a slot that never comes":         {func(n *node) { n.span = snapshot.Span{First: 1 << 60, Last: 1 << 60} }, snapshot.ErrOtherSlot, 3},
		"the node fails twice":            {func(n *node) { n.failures = []error{io.ErrUnexpectedEOF, io.ErrUnexpectedEOF} }, nil, 3},
		"the node fails three times":      {func(n *node) { n.failures = slices.Repeat([]error{io.ErrUnexpectedEOF}, 3) }, io.ErrUnexpectedEOF, 3},
		"finalized later": {func(n *node) {
			n.span.Last = 102
			late := n.mints[0]
			late.slot = 102
			n.mints = append(n.mints, n.mints[0], late)
		}, nil, 1},
		"harvested before the listing":     {func(n *node) { n.mints = []state{{99, 130, 0}, {101, 130, 10}} }, nil, 1},
		"harvested after the listing":      {func(n *node) { n.mints = []state{{100, 130, 10}, {101, 130, 13}} }, nil, 1},
		"harvested after, and not by much": {func(n *node) { n.mints = []state{{100, 130, 11}, {100, 130, 12}} }, snapshot.ErrDoesNotAddUp, 3},
	} {
		t.Run(name, func(t *testing.T) {
			n := &node{accounts: []snapshot.Account{account, {Address: key(102), Owner: key(2), Amount: 57}}}
			n.settle(10)
			c.change(n)
			s := &shelf{}
			summary, err := snapshotter(t, s, n).Take(t.Context(), snapshot.Request{Mint: mint, Key: holdersKey, Policy: snapshot.Policy{Minimum: 1}})
			if !errors.Is(err, c.err) || (err == nil) != (c.err == nil) || n.listed != c.listed {
				t.Errorf("%v after %d listings, want %v after %d", err, n.listed, c.err, c.listed)
			}
			if (err == nil) != (s.puts == 1) {
				t.Errorf("%d files are stored", s.puts)
			}
			if err == nil && (summary.Supply != 130 || summary.WithheldOnMint != 10 || summary.Slot() != n.span.Last) {
				t.Errorf("%+v", summary)
			}
		})
	}
}

func TestNoMint(t *testing.T) {
	n := &node{}
	if _, err := snapshotter(t, &shelf{}, n).Take(t.Context(), snapshot.Request{Mint: mint, Key: holdersKey}); err == nil || n.listed != 0 {
		t.Errorf("%v after %d listings", err, n.listed)
	}
}

// TestAnotherSource: what the first source says is not believed, what the second
// says is.
func TestAnotherSource(t *testing.T) {
	good := &node{accounts: []snapshot.Account{{Address: key(101), Owner: key(1), Amount: 60, Withheld: 3}}}
	good.settle(0)
	bad := &node{accounts: []snapshot.Account{{Address: key(101), Owner: key(1), Amount: 60}}, span: good.span}
	s := &shelf{}
	take := snapshotter(t, s, good)
	take.Sources = []snapshot.Source{bad, good}
	if _, err := take.Take(t.Context(), snapshot.Request{Mint: mint, Key: holdersKey}); err != nil || bad.listed != 1 || good.listed != 1 {
		t.Errorf("%v after %d and %d listings", err, bad.listed, good.listed)
	}
}
