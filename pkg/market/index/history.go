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

// The numbers of signatures in a request of a walk: few in the first request, because most walks
// find no new transaction, and then the maximum of a node.
const (
	firstPage = 20
	fullPage  = 1000
)

// walked is a part of a pool's history that ends at the cursor.
type walked struct {
	fresh []Listed // the uncounted transactions, the oldest first
	// reached is false if the walk was too long for one run. The next run continues at on.
	reached bool
	on      solana.Signature
}

// walk lists the transactions that are newer than the cursor, from c.Walk backwards, over at most
// the given number of pages. It returns onchain.ErrBehind if the node's history ends before the
// cursor, or if the node contradicts its own list: by listing a transaction twice, or after an
// older transaction.
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
		// The next run lists the last page again, so that the next run can count transactions even
		// if the history ends there.
		w.on = before
		before, limit = listed[len(listed)-1].Signature, fullPage
	}
	return w, nil
}

// newer returns the uncounted transactions of a list, the newest first. reached reports whether the
// list reaches the cursor, or the end of the history if there is no cursor.
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
			continue // counted before, in whatever order this node lists the slot
		}
		fresh = append(fresh, l)
	}
	return fresh, false, nil
}

// cut returns the number of transactions of fresh in a page that reads up to maximum transactions. The
// last slot is left out if the slot is incomplete, unless the page has no other slot.
func cut(fresh []Listed, maximum int) int {
	n, read := 0, 0
	for n < len(fresh) && read < maximum {
		if !fresh[n].Failed {
			read++
		}
		n++
	}
	return wholeSlots(fresh, n)
}

// wholeSlots returns the number of transactions among the first n of fresh that belong to complete
// slots; n if all belong to the same slot.
func wholeSlots(fresh []Listed, n int) int {
	for whole := n; whole > 0; whole-- {
		if whole == len(fresh) || fresh[whole].Slot != fresh[whole-1].Slot {
			return whole
		}
	}
	return n
}

// fetch reads the successful transactions of a list in order, with the given number of concurrent
// readers. It returns an error if the node contradicts the list.
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
