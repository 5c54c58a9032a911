// Package payouttest runs the payout engine in tests: a ledger and a journal in
// memory, a contract that every ledger keeps to, and a world of real parts with a
// real chain.
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

// Memory is a ledger and a journal that keep to their contracts in memory. Its
// zero value is empty. It is safe for concurrent use.
type Memory struct {
	mu      sync.Mutex
	lanes   map[laneKey]payout.Lane
	intents map[payout.ID]payout.Intent
	done    map[doneKey]bool
	journal []payout.Intent
	// parts are the intents of a batch, and signed those of the journal, by the whole.
	parts, signed map[payout.ID][]payout.ID
}

// wholeOf is the batch that an intent is a part of.
func wholeOf(id payout.ID) payout.ID {
	id.Part = ""
	return id
}

type laneKey struct {
	mint   solana.PublicKey
	number int
}

type doneKey struct {
	run  string
	kind payout.Kind
	leg  int
	lane int
}

// copyOf gives a value that shares nothing with another.
func copyOf[T any](value T) (copied T) {
	text, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(text, &copied)
	}
	if err != nil {
		panic(err) // of a value of our own
	}
	return copied
}

// Lane implements payout.Store.
func (m *Memory) Lane(_ context.Context, mint solana.PublicKey, number int) (payout.Lane, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	lane, ok := m.lanes[laneKey{mint, number}]
	if !ok {
		return payout.Lane{}, payout.ErrNotFound
	}
	return lane, nil
}

// Lanes implements payout.Store.
func (m *Memory) Lanes(_ context.Context, mint solana.PublicKey) ([]payout.Lane, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var lanes []payout.Lane
	for key, lane := range m.lanes {
		if key.mint == mint {
			lanes = append(lanes, lane)
		}
	}
	slices.SortFunc(lanes, func(a, b payout.Lane) int { return cmp.Compare(a.Number, b.Number) })
	return lanes, nil
}

// PutLane implements payout.Store.
func (m *Memory) PutLane(_ context.Context, lane payout.Lane) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.lanes[laneKey{lane.Mint, lane.Number}].Intent != lane.Intent {
		return payout.ErrConflict
	}
	return m.write(nil, &lane)
}

// Intent implements payout.Store.
func (m *Memory) Intent(_ context.Context, id payout.ID) (payout.Intent, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i, ok := m.intents[id]
	if !ok {
		return payout.Intent{}, payout.ErrNotFound
	}
	return copyOf(i), nil
}

// Family implements payout.Store.
func (m *Memory) Family(_ context.Context, id payout.ID) ([]payout.Intent, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var family []payout.Intent
	for _, other := range m.parts[wholeOf(id)] {
		if strings.HasPrefix(other.Part, id.Part) {
			family = append(family, copyOf(m.intents[other]))
		}
	}
	inOrder(family)
	return family, nil
}

// Intents implements payout.Store.
func (m *Memory) Intents(_ context.Context, run string, kind payout.Kind, leg int) iter.Seq2[payout.Intent, error] {
	return func(yield func(payout.Intent, error) bool) {
		for _, i := range m.list(func(id payout.ID) bool { return id.Run == run && id.Kind == kind && id.Leg == leg }) {
			if !yield(i, nil) {
				return
			}
		}
	}
}

// list gives copies of intents, by batch, parents first.
func (m *Memory) list(is func(payout.ID) bool) []payout.Intent {
	m.mu.Lock()
	defer m.mu.Unlock()
	var found []payout.Intent
	for id, i := range m.intents {
		if is(id) {
			found = append(found, copyOf(i))
		}
	}
	inOrder(found)
	return found
}

func inOrder(intents []payout.Intent) {
	slices.SortFunc(intents, func(a, b payout.Intent) int {
		return cmp.Or(cmp.Compare(a.ID.Batch, b.ID.Batch), cmp.Compare(len(a.ID.Part), len(b.ID.Part)), strings.Compare(a.ID.Part, b.ID.Part))
	})
}

// Bind implements payout.Store.
func (m *Memory) Bind(_ context.Context, i payout.Intent, lane payout.Lane) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	stored, ok := m.lanes[laneKey{lane.Mint, lane.Number}]
	if !ok || !stored.Free() || stored.Value != lane.Value {
		return payout.ErrConflict
	}
	if was := m.intents[i.ID]; was.Status() != payout.Planned && (was.Outcome != nil || was.BoundAt.IsZero() || was.Value != i.Value) {
		return payout.ErrConflict
	}
	return m.write([]payout.Intent{i}, &lane)
}

// Record implements payout.Store.
func (m *Memory) Record(_ context.Context, i payout.Intent) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.intents[i.ID].Outcome != nil {
		return payout.ErrConflict
	}
	return m.write([]payout.Intent{i}, nil)
}

// End implements payout.Store.
func (m *Memory) End(_ context.Context, i payout.Intent, lane *payout.Lane, parts ...payout.Intent) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	was := m.intents[i.ID]
	if was.Split || was.Refused != "" || was.Outcome != nil && (i.Outcome == nil || i.Outcome.Signature != was.Outcome.Signature) {
		return payout.ErrConflict
	}
	return m.write(append([]payout.Intent{i}, parts...), lane)
}

// write stores all or nothing.
func (m *Memory) write(intents []payout.Intent, lane *payout.Lane) error {
	if lane != nil && m.lanes[laneKey{lane.Mint, lane.Number}].Version != lane.Version {
		return payout.ErrConflict
	}
	for _, i := range intents {
		if m.intents[i.ID].Version != i.Version {
			return payout.ErrConflict
		}
	}
	if m.lanes == nil {
		m.lanes, m.intents, m.parts = map[laneKey]payout.Lane{}, map[payout.ID]payout.Intent{}, map[payout.ID][]payout.ID{}
	}
	if lane != nil {
		next := *lane
		next.Version++
		m.lanes[laneKey{lane.Mint, lane.Number}] = next
	}
	for _, i := range intents {
		next := copyOf(i)
		next.Version++
		if _, known := m.intents[i.ID]; !known {
			m.parts[wholeOf(i.ID)] = append(m.parts[wholeOf(i.ID)], i.ID)
		}
		m.intents[i.ID] = next
	}
	return nil
}

// LaneDone implements payout.Store.
func (m *Memory) LaneDone(_ context.Context, w payout.Work) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.done == nil {
		m.done = map[doneKey]bool{}
	}
	m.done[doneKey{w.Run, w.Kind, w.Leg, w.Lane}] = true
	return nil
}

// LanesDone implements payout.Store.
func (m *Memory) LanesDone(_ context.Context, run string, kind payout.Kind, leg int) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	count := 0
	for key := range m.done {
		if key.run == run && key.kind == kind && key.leg == leg {
			count++
		}
	}
	return count, nil
}

// Write implements payout.Journal.
func (m *Memory) Write(_ context.Context, i payout.Intent) error {
	if len(i.Attempts) == 0 {
		return fmt.Errorf("journal intent %s: it has no attempt", i.ID)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.journal = append(m.journal, copyOf(i))
	if m.signed == nil {
		m.signed = map[payout.ID][]payout.ID{}
	}
	m.signed[wholeOf(i.ID)] = append(m.signed[wholeOf(i.ID)], i.ID)
	return nil
}

// Has implements payout.Journal.
func (m *Memory) Has(_ context.Context, i payout.Intent) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.ContainsFunc(m.signed[wholeOf(i.ID)], func(id payout.ID) bool { return strings.HasPrefix(id.Part, i.ID.Part) }), nil
}

// All implements payout.Journal.
func (m *Memory) All(_ context.Context, mint solana.PublicKey) iter.Seq2[payout.Intent, error] {
	m.mu.Lock()
	kept := slices.Clone(m.journal)
	m.mu.Unlock()
	return func(yield func(payout.Intent, error) bool) {
		for _, i := range kept {
			if i.Mint == mint && !yield(copyOf(i), nil) {
				return
			}
		}
	}
}
