// Package payouttest runs the payout engine in tests: a ledger and a journal in memory, a contract
// for every ledger, and a fixture of real parts with a real chain.
package payouttest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
)

// Memory is a ledger and a journal in memory that meet their contracts. The zero Memory is empty.
// Memory is safe for concurrent use.
type Memory struct {
	mu       sync.Mutex
	payments map[payout.ID]payout.Payment
	done     map[payout.ID]bool // by the number of the chunk, in Batch
	journal  map[payout.ID][]payout.Payment
}

// copyOf returns a deep copy of a value.
func copyOf[T any](value T) (copied T) {
	text, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(text, &copied)
	}
	if err != nil {
		panic(err) // of our own value
	}
	return copied
}

// Payment implements payout.Store.
func (m *Memory) Payment(_ context.Context, id payout.ID) (payout.Payment, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, ok := m.payments[id]
	if !ok {
		return payout.Payment{}, payout.ErrNotFound
	}
	return copyOf(p), nil
}

// Payments implements payout.Store.
func (m *Memory) Payments(_ context.Context, run string, kind payout.Kind, leg int) iter.Seq2[payout.Payment, error] {
	return func(yield func(payout.Payment, error) bool) {
		for _, p := range m.list(func(id payout.ID) bool { return id.Run == run && id.Kind == kind && id.Leg == leg }) {
			if !yield(p, nil) {
				return
			}
		}
	}
}

// Batches implements payout.Store.
func (m *Memory) Batches(_ context.Context, run string, kind payout.Kind, leg, from, to int) ([]payout.Payment, error) {
	return m.list(func(id payout.ID) bool {
		return id.Run == run && id.Kind == kind && id.Leg == leg && id.Batch >= from && id.Batch < to
	}), nil
}

// list returns copies of payments, by batch, parents first.
func (m *Memory) list(is func(payout.ID) bool) []payout.Payment {
	m.mu.Lock()
	defer m.mu.Unlock()
	var found []payout.Payment
	for id, p := range m.payments {
		if is(id) {
			found = append(found, copyOf(p))
		}
	}
	slices.SortFunc(found, func(a, b payout.Payment) int {
		return cmp.Or(cmp.Compare(a.ID.Batch, b.ID.Batch), cmp.Compare(len(a.ID.Part), len(b.ID.Part)), strings.Compare(a.ID.Part, b.ID.Part))
	})
	return found
}

// Bind implements payout.Store.
func (m *Memory) Bind(_ context.Context, p payout.Payment) error {
	if p.Status() != payout.Bound {
		return fmt.Errorf("bind payment %s: it is %s", p.ID, p.Status())
	}
	return m.write(p.Follows(), p)
}

// Record implements payout.Store.
func (m *Memory) Record(_ context.Context, p payout.Payment) error {
	if p.Status() != payout.Sent || p.Version == 0 {
		return fmt.Errorf("record an attempt of payment %s: it is %s", p.ID, p.Status())
	}
	return m.write(p.Follows(), p)
}

// End implements payout.Store.
func (m *Memory) End(_ context.Context, p payout.Payment, parts ...payout.Payment) error {
	if !p.Status().Decided() {
		return fmt.Errorf("end payment %s: it is %s", p.ID, p.Status())
	}
	return m.write(p.Follows(), append([]payout.Payment{p}, parts...)...)
}

// Quiet implements payout.Store.
func (m *Memory) Quiet(_ context.Context, p payout.Payment) error {
	return m.write([]payout.Status{p.Status()}, p)
}

// write stores all payments or no payment. It stores the payments if the first payment is in one of
// the states.
func (m *Memory) write(states []payout.Status, payments ...payout.Payment) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !slices.Contains(states, m.payments[payments[0].ID].Status()) {
		return payout.ErrConflict
	}
	for _, p := range payments {
		if m.payments[p.ID].Version != p.Version {
			return payout.ErrConflict
		}
	}
	if m.payments == nil {
		m.payments = map[payout.ID]payout.Payment{}
	}
	for _, p := range payments {
		next := copyOf(p)
		next.Version++
		m.payments[p.ID] = next
	}
	return nil
}

func chunkID(run string, kind payout.Kind, leg, chunk int) payout.ID {
	return payout.ID{Run: run, Kind: kind, Leg: leg, Batch: chunk}
}

// ChunkDone implements payout.Store.
func (m *Memory) ChunkDone(_ context.Context, w payout.Work) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.done == nil {
		m.done = map[payout.ID]bool{}
	}
	m.done[chunkID(w.Run, w.Kind, w.Leg, w.Chunk)] = true
	return nil
}

// ChunksDone implements payout.Store.
func (m *Memory) ChunksDone(_ context.Context, run string, kind payout.Kind, leg int) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	count := 0
	for id := range m.done {
		if id == chunkID(run, kind, leg, id.Batch) {
			count++
		}
	}
	return count, nil
}

// Attempt implements payout.Journal.
func (m *Memory) Attempt(_ context.Context, p payout.Payment) error { return m.keep(p) }

// Landed implements payout.Journal.
func (m *Memory) Landed(_ context.Context, p payout.Payment) error { return m.keep(p) }

func (m *Memory) keep(p payout.Payment) error {
	if len(p.Attempts) == 0 {
		return fmt.Errorf("journal payment %s: it has no attempt", p.ID)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.journal == nil {
		m.journal = map[payout.ID][]payout.Payment{}
	}
	m.journal[p.ID] = append(m.journal[p.ID], copyOf(p))
	return nil
}

// Has implements payout.Journal.
func (m *Memory) Has(_ context.Context, p payout.Payment) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id := range m.journal {
		part := id.Part
		id.Part = p.ID.Part
		if id == p.ID && strings.HasPrefix(part, p.ID.Part) {
			return true, nil
		}
	}
	return false, nil
}

// Of implements payout.Journal.
func (m *Memory) Of(_ context.Context, p payout.Payment) ([]payout.Payment, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return copyOf(m.journal[p.ID]), nil
}

// All implements payout.Journal.
func (m *Memory) All(_ context.Context, mint solana.PublicKey) iter.Seq2[payout.Payment, error] {
	return func(yield func(payout.Payment, error) bool) {
		m.mu.Lock()
		var kept []payout.Payment
		for _, list := range m.journal {
			kept = append(kept, copyOf(list)...)
		}
		m.mu.Unlock()
		for _, p := range kept {
			if p.Mint == mint && !yield(p, nil) {
				return
			}
		}
	}
}
