package index

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"sync"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/solana/onchain"
)

// How many signatures a walk asks for: few at first, for mostly nothing is new, and
// then as many as a node gives.
const (
	firstPage = 20
	fullPage  = 1000
)

// walked is a part of a pool's history that borders on the cursor.
type walked struct {
	fresh []Listed // what is to be counted, the oldest first
	// reached is false when the walk was too long for one run: the next goes on at on.
	reached bool
	on      solana.Signature
}

// walk lists what is newer than the cursor, from c.Walk backwards, over so many
// pages at most. It fails with onchain.ErrBehind when the node's history ends before the
// cursor was seen, or when the node contradicts itself: by a transaction that it lists twice,
// or by one that it lists after an older one.
func (x Indexer) walk(ctx context.Context, c Curve, pages int) (walked, error) {
	var w walked
	before, limit := c.Walk, fullPage
	if c.Walk.IsZero() && !c.Index.Last.IsZero() {
		limit = firstPage
	}
	seen, slot := map[solana.Signature]bool{}, uint64(math.MaxUint64)
	for range pages {
		listed, err := x.Chain.Signatures(ctx, c.Address, before, limit)
		if err != nil {
			return walked{}, fmt.Errorf("list the transactions of pool %s: %w", c.Address, err)
		}
		for _, l := range listed {
			if seen[l.Signature] || l.Slot > slot {
				return walked{}, fmt.Errorf("the history of pool %s has %s twice, or in slot %d after %d: %w", c.Address, l.Signature, l.Slot, slot, onchain.ErrBehind)
			}
			seen[l.Signature], slot = true, l.Slot
		}
		fresh, reached, err := c.newer(listed)
		if err != nil {
			return walked{}, err
		}
		w.fresh, w.reached = append(w.fresh, fresh...), reached
		if reached {
			slices.Reverse(w.fresh)
			return w, nil
		}
		// The next run lists the last page once more: so it has something to count when
		// the history ends there.
		w.on = before
		before, limit = listed[len(listed)-1].Signature, fullPage
	}
	return w, nil
}

// newer gives those of a list, the newest first, that are to be counted, and says
// whether the list comes to the cursor: to the history's end, when there is none.
func (c Curve) newer(listed []Listed) (fresh []Listed, reached bool, err error) {
	if len(listed) == 0 {
		if c.Index.Last.IsZero() {
			return nil, true, nil
		}
		return nil, false, fmt.Errorf("the history of pool %s ends before %s: %w", c.Address, c.Index.Last, onchain.ErrBehind)
	}
	for _, l := range listed {
		switch {
		case c.Index.Last.IsZero():
		case l.Signature == c.Index.Last:
			return fresh, true, nil
		case l.Slot < c.Index.ChainSlot:
			return nil, false, fmt.Errorf("the history of pool %s lacks %s: %w", c.Address, c.Index.Last, onchain.ErrBehind)
		case l.Slot == c.Index.ChainSlot && !c.Within:
			continue // counted, whatever the order in which this node lists the slot
		}
		fresh = append(fresh, l)
	}
	return fresh, false, nil
}

// cut gives how many of fresh go into a page that reads up to most transactions: the
// last slot is left out when it is not there to its end, unless it is the only one.
func cut(fresh []Listed, most int) int {
	n, read := 0, 0
	for n < len(fresh) && read < most {
		if !fresh[n].Failed {
			read++
		}
		n++
	}
	return wholeSlots(fresh, n)
}

// wholeSlots gives how many of the first n of fresh are of slots that are there to their end;
// n when all are of one slot.
func wholeSlots(fresh []Listed, n int) int {
	for whole := n; whole > 0; whole-- {
		if whole == len(fresh) || fresh[whole].Slot != fresh[whole-1].Slot {
			return whole
		}
	}
	return n
}

// fetch reads the transactions of a list that did not fail, in their order, so many at a
// time. A node
// that contradicts its list decides nothing.
func (x Indexer) fetch(ctx context.Context, listed []Listed, readers int) ([]Landed, error) {
	landed, failures := make([]Landed, len(listed)), make([]error, len(listed))
	readers = max(readers, 1)
	every := func(first int) {
		for i := first; i < len(listed); i += readers {
			if landed[i], failures[i] = x.read(ctx, listed[i]); failures[i] != nil {
				return
			}
		}
	}
	var others sync.WaitGroup
	for first := 1; first < readers; first++ {
		others.Go(func() { every(first) })
	}
	every(0)
	others.Wait()
	return landed, errors.Join(failures...)
}

func (x Indexer) read(ctx context.Context, l Listed) (Landed, error) {
	if l.Failed {
		return Landed{Slot: l.Slot, Failed: true}, nil
	}
	landed, err := x.Chain.Transaction(ctx, l.Signature)
	if err != nil {
		return Landed{}, fmt.Errorf("read transaction %s: %w", l.Signature, err)
	}
	if landed.Slot != l.Slot || landed.Failed {
		return Landed{}, fmt.Errorf("transaction %s is in slot %d, failed %v, and was listed in slot %d: %w",
			l.Signature, landed.Slot, landed.Failed, l.Slot, onchain.ErrBehind)
	}
	if n := unread(landed); n > 0 {
		metric.Log(ctx, x.Log, "trades are left out: their events are not known", metric.Line{
			Values: []metric.Value{TradesUnreadable.Is(int64(n))}, As: slog.LevelError,
		}, slog.String("signature", l.Signature.String()))
	}
	return landed, nil
}
