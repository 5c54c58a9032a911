// Package runtest tests stores of runs, and has a store in memory for the tests of dependent
// packages.
package runtest

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/distribution/run"
)

// Ledger is the contract of the ledger's stores of runs.
type Ledger interface {
	run.Store
	// RunByID returns a token's run with the given ID, or run.ErrNotFound.
	RunByID(ctx context.Context, mint solana.PublicKey, id string) (run.Run, error)
	// Page returns up to limit runs whose slots are before a time, newest first; a zero time means
	// from the newest run. next is the time for the next page, zero after the last page.
	Page(ctx context.Context, mint solana.PublicKey, before time.Time, limit int) (page []run.Run, next time.Time, err error)
	// Overdue lists active runs without a write for run.OverdueAfter, the longest silent first.
	Overdue(ctx context.Context, now time.Time, limit int) ([]dispatch.Run, error)
}

// Store is a Ledger in memory. It is safe for concurrent use.
type Store struct {
	Now func() time.Time

	mu    sync.Mutex
	heads map[solana.PublicKey]run.Head
	runs  map[place]run.Run
	due   map[place]time.Time
	burns []run.Burn
}

type place struct {
	mint solana.PublicKey
	slot int64
}

func placeOf(r run.Run) place { return place{r.Mint, r.Slot.Unix()} }

// NewStore returns an empty store.
func NewStore(now func() time.Time) *Store {
	return &Store{
		Now: now, heads: map[solana.PublicKey]run.Head{}, runs: map[place]run.Run{}, due: map[place]time.Time{},
	}
}

// copied returns a deep copy of v, like a store on a disk.
func copied[T any](v T) T {
	var out T
	document, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(document, &out)
	}
	if err != nil {
		panic(err) // visible only in tests
	}
	return out
}

// Head returns a token's head; see run.Store.
func (s *Store) Head(_ context.Context, mint solana.PublicKey) (run.Head, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if head, ok := s.heads[mint]; ok {
		return copied(head), nil
	}
	return run.Head{Mint: mint}, nil
}

// Run returns a run; see run.Store.
func (s *Store) Run(_ context.Context, mint solana.PublicKey, slot time.Time) (run.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, ok := s.runs[place{mint, slot.Unix()}]; ok {
		return copied(r), nil
	}
	return run.Run{}, run.ErrNotFound
}

// Open writes a new run; see run.Store.
func (s *Store) Open(_ context.Context, head run.Head, opened run.Run) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.heads[head.Mint]
	_, exists := s.runs[placeOf(opened)]
	if exists || !before.Active.IsZero() || before.Frozen != "" || head.Frozen != "" || before.Version > 0 && !opened.Slot.After(before.LastSlot) {
		return run.ErrConflict
	}
	return s.write(&opened, &head)
}

// Save writes an active run; see run.Store.
func (s *Store) Save(_ context.Context, r run.Run) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.underWay(r); err != nil {
		return err
	}
	return s.write(&r, nil)
}

// SaveBurn writes a run and its burn; see run.Store.
func (s *Store) SaveBurn(_ context.Context, r run.Run, burn run.Burn) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.underWay(r); err != nil {
		return err
	}
	head := s.heads[r.Mint]
	head.Burned += burn.Amount
	if err := s.write(&r, &head); err != nil {
		return err
	}
	s.burns = append(s.burns, burn)
	return nil
}

// End writes the end of a run; see run.Store.
func (s *Store) End(_ context.Context, ended run.Run, head run.Head) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.underWay(ended); err != nil {
		return err
	}
	return s.write(&ended, &head)
}

// Reopen writes a run that continues; see run.Store.
func (s *Store) Reopen(_ context.Context, r run.Run, head run.Head) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	stored, before := s.runs[placeOf(r)], s.heads[r.Mint]
	if stored.End == nil || r.End != nil || !before.Active.IsZero() || !before.LastSlot.Equal(r.Slot) || !head.Active.Equal(r.Slot) {
		return run.ErrConflict
	}
	return s.write(&r, &head)
}

// SaveHead writes a head; see run.Store.
func (s *Store) SaveHead(_ context.Context, head run.Head) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if before := s.heads[head.Mint]; !before.Active.Equal(head.Active) || head.LastSlot.Before(before.LastSlot) {
		return run.ErrConflict
	}
	return s.write(nil, &head)
}

// underWay returns run.ErrConflict unless the run is active and has not ended.
func (s *Store) underWay(r run.Run) error {
	stored, ok := s.runs[placeOf(r)]
	if !ok || stored.End != nil || s.heads[r.Mint].Active.Unix() != r.Slot.Unix() {
		return run.ErrConflict
	}
	return nil
}

// write stores the non-nil arguments if their versions are the stored versions.
func (s *Store) write(r *run.Run, head *run.Head) error {
	if r != nil && r.Version != s.runs[placeOf(*r)].Version || head != nil && head.Version != s.heads[head.Mint].Version {
		return run.ErrConflict
	}
	if r != nil {
		r.Version++
		s.runs[placeOf(*r)] = copied(*r)
		delete(s.due, placeOf(*r))
		if r.End == nil {
			s.due[placeOf(*r)] = s.Now().Add(run.OverdueAfter)
		}
	}
	if head != nil {
		head.Version++
		s.heads[head.Mint] = copied(*head)
	}
	return nil
}

// Burns lists the burns of a token, oldest first.
func (s *Store) Burns(mint solana.PublicKey) []run.Burn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.burns), func(b run.Burn) bool { return b.Mint != mint })
}

// RunByID returns a run by its ID; see Ledger.
func (s *Store) RunByID(_ context.Context, mint solana.PublicKey, id string) (run.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.runs {
		if r.Mint == mint && r.ID == id {
			return copied(r), nil
		}
	}
	return run.Run{}, run.ErrNotFound
}

// Page lists runs; see Ledger.
func (s *Store) Page(_ context.Context, mint solana.PublicKey, before time.Time, limit int) (page []run.Run, next time.Time, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.runs {
		if r.Mint == mint && (before.IsZero() || r.Slot.Unix() < before.Unix()) {
			page = append(page, copied(r))
		}
	}
	slices.SortFunc(page, func(a, b run.Run) int { return b.Slot.Compare(a.Slot) })
	if len(page) > limit {
		page = page[:limit]
		next = page[limit-1].Slot
	}
	return page, next, nil
}

// Overdue lists silent runs; see Ledger.
func (s *Store) Overdue(_ context.Context, now time.Time, limit int) ([]dispatch.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var places []place
	for p, due := range s.due {
		if !due.After(now) {
			places = append(places, p)
		}
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(s.due[a].Compare(s.due[b]), cmp.Compare(a.slot, b.slot))
	})
	var overdue []dispatch.Run
	for _, p := range places[:min(limit, len(places))] {
		overdue = append(overdue, dispatch.Run{Mint: p.mint, Slot: time.Unix(p.slot, 0).UTC()})
	}
	return overdue, nil
}
