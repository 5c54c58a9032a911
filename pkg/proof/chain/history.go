package chain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/gagliardetto/solana-go"
)

// ErrHistoryIncomplete is returned if a node does not list a history as far back as needed: the node has
// forgotten the history, never had the history, or lists the history out of order. It is also
// returned if the history exceeds the maximum number of transactions.
var ErrHistoryIncomplete = errors.New("the history is not walked")

// maxLag is the maximum number of slots by which a node may lag behind the chain, a day of slots of
// 200 ms. Even later slots do not exist, so a node's lag does not excuse a proof with such a slot.
const maxLag = 432_000

// Behind reports whether a node at the slot newest may not have reached a later slot yet.
func Behind(newest, slot uint64) bool { return newest < slot && slot-newest <= maxLag }

// Landing returns the effects of a transaction that landed between two slots, both included. If the
// node does not know the transaction, Landing returns ErrNotLanded if the node has all slots in
// between, and otherwise ErrUntold.
func Landing(ctx context.Context, node Node, signature solana.Signature, from, to uint64) (Transaction, error) {
	t, err := node.Landing(ctx, signature)
	if !errors.Is(err, ErrNotLanded) {
		return t, err
	}
	first, newest, untold := node.Remembers(ctx)
	switch {
	case untold != nil:
		return t, fmt.Errorf("%w %s, nor how far back it remembers: %w", ErrUntold, signature, untold)
	case first > from:
		return t, fmt.Errorf("%w: it has forgotten what was before slot %d: ask one with the whole history", ErrUntold, first)
	case Behind(newest, to):
		return t, fmt.Errorf("%w: it is at slot %d, and is to know slot %d", ErrUntold, newest, to)
	}
	return t, err
}

// Span is the walked part of a history.
type Span struct {
	// Newest is the transaction at which the walk begins, included; zero for the newest transaction
	// now.
	Newest solana.Signature
	// By is a slot by which Newest has landed.
	By uint64
	// Seen is a transaction that the walk must meet before reaching After. Otherwise the history
	// counts as not walked, because a node that does not know the history returns an empty list or
	// an endless list. A zero Seen requires no transaction.
	Seen solana.Signature
	// After is the slot before the span. Only transactions in later slots belong to the span.
	After uint64
	// Most is the maximum number of listed transactions, so that a node cannot keep a reader busy
	// endlessly.
	Most int
}

// History lists the transactions of the span that name an address, the oldest first. It returns
// ErrHistoryIncomplete if the history cannot be walked.
func History(ctx context.Context, node Node, address solana.PublicKey, s Span) ([]Listed, error) {
	var list []Listed
	add := func(l Listed) error {
		if len(list) >= s.Most {
			return fmt.Errorf("%w: %s has more than %d transactions", ErrHistoryIncomplete, address, s.Most)
		}
		list = append(list, l)
		return nil
	}
	seen := s.Seen.IsZero()
	before, slot := s.Newest, uint64(0)
	if !s.Newest.IsZero() {
		newest, err := Landing(ctx, node, s.Newest, s.After, s.By)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Newest, err)
		}
		slot = newest.Slot
		if _, named := newest.Lamports(address); named {
			if err := add(Listed{Signature: s.Newest, Slot: slot}); err != nil {
				return nil, err
			}
		}
	}
	known := map[solana.Signature]bool{s.Newest: true}
	for {
		page, err := node.Page(ctx, address, before)
		if err != nil {
			return nil, fmt.Errorf("list the transactions of %s: %w", address, err)
		}
		for _, l := range page {
			switch {
			case known[l.Signature]:
				return nil, fmt.Errorf("%w: the node lists %s of %s twice", ErrHistoryIncomplete, l.Signature, address)
			case slot != 0 && l.Slot > slot:
				return nil, fmt.Errorf("%w: the node lists slot %d of %s after slot %d", ErrHistoryIncomplete, l.Slot, address, slot)
			}
			known[l.Signature] = true
			seen = seen || l.Signature == s.Seen
			before, slot = l.Signature, l.Slot
			if l.Slot <= s.After {
				if !seen {
					return nil, fmt.Errorf("%w: the node does not list %s of %s", ErrHistoryIncomplete, s.Seen, address)
				}
				slices.Reverse(list)
				return list, nil
			}
			if err := add(l); err != nil {
				return nil, err
			}
		}
		if len(page) == 0 {
			break
		}
	}
	if !seen {
		return nil, fmt.Errorf("%w: the node does not list %s of %s", ErrHistoryIncomplete, s.Seen, address)
	}
	slices.Reverse(list)
	return list, nil
}

// Merge merges histories by slot and drops duplicates. Within a slot, two transactions keep the
// order of the first history with both.
func Merge(histories ...[]Listed) []Listed {
	var all []Listed
	known := map[solana.Signature]bool{}
	for _, list := range histories {
		for _, l := range list {
			if !known[l.Signature] {
				known[l.Signature] = true
				all = append(all, l)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Listed) int {
		switch {
		case a.Slot < b.Slot:
			return -1
		case a.Slot > b.Slot:
			return 1
		}
		return 0
	})
	return all
}

// parallel is the maximum number of concurrent requests.
const parallel = 8

// Read returns the effects of the listed transactions, in order. It returns an error if a
// transaction landed in another slot than listed.
func Read(ctx context.Context, node Node, list []Listed) ([]Transaction, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	read := make([]Transaction, len(list))
	next := make(chan int)
	var working sync.WaitGroup
	for range min(parallel, len(list)) {
		working.Go(func() {
			for i := range next {
				t, err := Landing(ctx, node, list[i].Signature, list[i].Slot, list[i].Slot)
				if err == nil && t.Slot != list[i].Slot {
					err = fmt.Errorf("it landed at slot %d, and is listed at slot %d", t.Slot, list[i].Slot)
				}
				if err != nil {
					cancel(fmt.Errorf("%s: %w", list[i].Signature, err))
					continue
				}
				read[i] = t
			}
		})
	}
	for i := range list {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	working.Wait()
	return read, context.Cause(ctx)
}
