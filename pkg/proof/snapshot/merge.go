package snapshot

import (
	"bufio"
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
	b, err := h.run.Peek(entryLength)
	switch {
	case len(b) == 0 && errors.Is(err, io.EOF):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("read a sorted run: %w", err)
	}
	h.first = decodeEntry(b)
	_, _ = h.run.Discard(entryLength) // They are there.
	return true, nil
}

// merge gives the entries of sorted runs in order, with sum equal ones as one.
type merge struct {
	order order
	sum   bool
	// heads are a heap: none comes before the one at half its place.
	heads []*head
}

// start takes the heads in.
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

// before says whether a comes first.
func (m *merge) before(a, b *head) bool { return m.order(a.first, b.first) < 0 }

// sink puts the head at i where it belongs, among those after it.
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

// take gives the first entry of all.
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
