package snapshot

import (
	"bufio"
	"container/heap"
	"errors"
	"fmt"
	"io"
)

// head is the beginning of one sorted run, in a file or in memory.
type head struct {
	run    *bufio.Reader
	memory []entry
	first  entry
}

// advance takes the next entry; more is false at the run's end.
func (h *head) advance() (more bool, err error) {
	if h.run == nil {
		if len(h.memory) == 0 {
			return false, nil
		}
		h.first, h.memory = h.memory[0], h.memory[1:]
		return true, nil
	}
	var b [entryLength]byte
	switch _, err := io.ReadFull(h.run, b[:]); {
	case errors.Is(err, io.EOF):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("read a sorted run: %w", err)
	}
	h.first = decodeEntry(b[:])
	return true, nil
}

// merge gives the entries of sorted runs in order, with sum equal ones as one. It is
// the heap of the runs' heads.
type merge struct {
	order order
	sum   bool
	heads []head
}

func (m *merge) Len() int           { return len(m.heads) }
func (m *merge) Less(i, j int) bool { return m.order(m.heads[i].first, m.heads[j].first) < 0 }
func (m *merge) Swap(i, j int)      { m.heads[i], m.heads[j] = m.heads[j], m.heads[i] }
func (m *merge) Push(any)           {} // No run comes later.
func (m *merge) Pop() any           { m.heads = m.heads[:len(m.heads)-1]; return nil }

func (m *merge) start() error {
	kept := m.heads[:0]
	for _, h := range m.heads {
		more, err := h.advance()
		if err != nil {
			return err
		}
		if more {
			kept = append(kept, h)
		}
	}
	m.heads = kept
	heap.Init(m)
	return nil
}

// take gives the first entry of all.
func (m *merge) take() (entry, error) {
	first := m.heads[0].first
	more, err := m.heads[0].advance()
	if err != nil {
		return entry{}, err
	}
	if more {
		heap.Fix(m, 0)
	} else {
		heap.Pop(m)
	}
	return first, nil
}

func (m *merge) next() (e entry, more bool, err error) {
	if len(m.heads) == 0 {
		return entry{}, false, nil
	}
	if e, err = m.take(); err != nil {
		return entry{}, false, err
	}
	for m.sum && len(m.heads) > 0 && m.order(m.heads[0].first, e) == 0 {
		same, err := m.take()
		if err != nil {
			return entry{}, false, err
		}
		total, ok := sum(e.amount, same.amount)
		if !ok {
			return entry{}, false, ErrDoesNotAddUp
		}
		e.amount = total
	}
	return e, true, nil
}
