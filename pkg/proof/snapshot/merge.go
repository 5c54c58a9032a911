package snapshot

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// head is the unread part of a sorted run, in a file or in memory.
type head struct {
	run    *bufio.Reader
	memory []entry
	first  entry
}

// advance reads the next entry into first. more is false at the run's end.
func (h *head) advance() (more bool, err error) {
	if h.run == nil {
		if len(h.memory) == 0 {
			return false, nil
		}
		h.first, h.memory = h.memory[0], h.memory[1:]
		return true, nil
	}
	b, err := h.run.Peek(entryLength)
	switch {
	case len(b) == 0 && errors.Is(err, io.EOF):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("read a sorted run: %w", err)
	}
	h.first = decodeEntry(b)
	_, _ = h.run.Discard(entryLength) // Peek has read these bytes.
	return true, nil
}

// merge merges sorted runs. With sum, equal entries become one entry.
type merge struct {
	order order
	sum   bool
	// heads is a binary heap with the first entry at index 0.
	heads []*head
}

// start builds the heap.
func (m *merge) start(heads []*head) error {
	for _, h := range heads {
		more, err := h.advance()
		if err != nil {
			return err
		}
		if more {
			m.heads = append(m.heads, h)
		}
	}
	for i := len(m.heads) - 1; i >= 0; i-- {
		m.sink(i)
	}
	return nil
}

// before reports whether a comes before b.
func (m *merge) before(a, b *head) bool { return m.order(a.first, b.first) < 0 }

// sink moves the head at i down the heap to its place.
func (m *merge) sink(i int) {
	sinking := m.heads[i]
	for {
		below := 2*i + 1
		if below >= len(m.heads) {
			break
		}
		if right := below + 1; right < len(m.heads) && m.before(m.heads[right], m.heads[below]) {
			below = right
		}
		if !m.before(m.heads[below], sinking) {
			break
		}
		m.heads[i], i = m.heads[below], below
	}
	m.heads[i] = sinking
}

// take removes and returns the first entry.
func (m *merge) take() (entry, error) {
	h := m.heads[0]
	first := h.first
	more, err := h.advance()
	if err != nil {
		return entry{}, err
	}
	if !more {
		last := len(m.heads) - 1
		m.heads[0], m.heads = m.heads[last], m.heads[:last]
	}
	if len(m.heads) > 0 {
		m.sink(0)
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
