package journal

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
)

// Ledger is a store of runs that can be brought forward.
type Ledger interface {
	run.Store
	// Advance writes a run of a newer version than the stored run, unchanged, with the run's burn.
	// It returns run.ErrConflict if the stored run is not older.
	Advance(ctx context.Context, r run.Run) error
	// AdvanceHead does the same for a head.
	AdvanceHead(ctx context.Context, head run.Head) error
}

// Restorer brings the ledger of a token forward to the state of the journal, after a backup was
// restored. The head is frozen during the restoration, so that no run continues. After an
// interruption, call Restore again.
type Restorer struct {
	Ledger Ledger // without copies
	Copies Copies
	// Rebuild brings payments forward; nil skips the payments.
	Rebuild func(ctx context.Context, mint solana.PublicKey) error
	// Stopped reports that the token is stopped anyway, because its wallet is not compared yet.
	// Restore then does not freeze the head, and the head keeps the version of the copy. The copies
	// may be older than the chain, and newer copies may still arrive.
	Stopped bool
}

// Restored is the list of restored records, by version.
type Restored struct {
	Head Forward
	Runs []ForwardRun
}

// Forward is the version before and after. Both are the same if nothing was restored.
type Forward struct{ From, To int64 }

// ForwardRun is a restored run.
type ForwardRun struct {
	Slot time.Time
	Forward
}

// restoring is the prefix of the reason of a freeze by Restore. The slot of the oldest run that may
// be old follows, and then the earlier reason of the freeze.
const restoring = "the ledger is being restored since "

const reasonMark = "; before that: "

func frozenFor(since time.Time, before string) string {
	return restoring + since.UTC().Format(time.RFC3339) + reasonMark + before
}

// interrupted parses the result of frozenFor.
func interrupted(frozen string) (since time.Time, before string, ok bool) {
	rest, ours := strings.CutPrefix(frozen, restoring)
	slot, before, marked := strings.Cut(rest, reasonMark)
	if since, err := time.Parse(time.RFC3339, slot); ours && marked && err == nil {
		return since, before, true
	}
	return time.Time{}, frozen, false
}

// Restore brings the ledger of a token forward. Records of the same or a newer version in the
// ledger do not change.
func (r Restorer) Restore(ctx context.Context, mint solana.PublicKey) (Restored, error) {
	var done Restored
	head, err := r.Ledger.Head(ctx, mint)
	if err != nil {
		return done, fmt.Errorf("restore %s: %w", mint, err)
	}
	since, _, again := interrupted(head.Frozen)
	if !again {
		since = head.LastSlot // earlier runs had ended already
	}
	copies, newest, err := r.copies(ctx, mint, since)
	if err != nil {
		return done, fmt.Errorf("restore %s: %w", mint, err)
	}
	done.Head = Forward{head.Version, head.Version}
	if r.Stopped {
		return r.follow(ctx, mint, done, newest, copies)
	}
	frozen := head
	if newest != nil && newest.Version > head.Version {
		frozen, done.Head.To = *newest, newest.Version
	}
	_, before, _ := interrupted(frozen.Frozen)
	if frozen, err = r.freeze(ctx, frozen, head.Version, frozenFor(since, before)); err != nil {
		return done, fmt.Errorf("restore %s: freeze: %w", mint, err)
	}
	if err := r.advanceAll(ctx, &done, copies); err != nil {
		return done, fmt.Errorf("restore %s: %w", mint, err)
	}
	if !frozen.Active.IsZero() {
		if _, err := r.Ledger.Run(ctx, mint, frozen.Active); err != nil {
			return done, fmt.Errorf("restore %s: read the active run: %w", mint, err)
		}
	}
	if err := r.rebuild(ctx, mint); err != nil {
		return done, err
	}
	if frozen.Frozen = before; before == payout.OlderThanJournal {
		frozen.Frozen = "" // not old any more; an unexplained payment freezes it again
	}
	if err := r.Ledger.SaveHead(ctx, frozen); err != nil {
		return done, fmt.Errorf("restore %s: thaw: %w", mint, err)
	}
	return done, nil
}

// follow brings the ledger of a stopped token forward, with the head last. After an interruption,
// follow starts again with the same run.
func (r Restorer) follow(ctx context.Context, mint solana.PublicKey, done Restored, newest *run.Head, copies []string) (Restored, error) {
	if err := r.advanceAll(ctx, &done, copies); err != nil {
		return done, fmt.Errorf("restore %s: %w", mint, err)
	}
	if err := r.rebuild(ctx, mint); err != nil {
		return done, err
	}
	if newest == nil || newest.Version <= done.Head.From {
		return done, nil
	}
	if err := r.Ledger.AdvanceHead(ctx, *newest); err != nil {
		return done, fmt.Errorf("restore %s: bring the head forward: %w", mint, err)
	}
	done.Head.To = newest.Version
	return done, nil
}

func (r Restorer) advanceAll(ctx context.Context, done *Restored, copies []string) error {
	for _, key := range copies {
		moved, err := r.advance(ctx, key)
		if err != nil {
			return err
		}
		if moved != nil {
			done.Runs = append(done.Runs, *moved)
		}
	}
	return nil
}

func (r Restorer) rebuild(ctx context.Context, mint solana.PublicKey) error {
	if r.Rebuild == nil {
		return nil
	}
	if err := r.Rebuild(ctx, mint); err != nil {
		return fmt.Errorf("restore %s: rebuild the payments: %w", mint, err)
	}
	return nil
}

// Behind reports whether the ledger of a token is older than its copies, or is frozen for this
// reason.
func (r Restorer) Behind(ctx context.Context, mint solana.PublicKey) (bool, error) {
	head, err := r.Ledger.Head(ctx, mint)
	if err != nil {
		return false, fmt.Errorf("compare the ledger of %s: %w", mint, err)
	}
	if _, before, again := interrupted(head.Frozen); again || before == payout.OlderThanJournal {
		return true, nil
	}
	keys, newest, err := r.copies(ctx, mint, head.LastSlot)
	if err != nil {
		return false, fmt.Errorf("compare the ledger of %s: %w", mint, err)
	}
	if newest != nil && newest.Version > head.Version {
		// If the token is active, both head and copy may have been written since the read.
		if head, err = r.Ledger.Head(ctx, mint); err != nil {
			return false, fmt.Errorf("compare the ledger of %s: %w", mint, err)
		}
		if newest.Version > head.Version {
			return true, nil
		}
	}
	for _, key := range keys {
		found, err := readCopy(ctx, r.Copies, key)
		if err != nil {
			return false, fmt.Errorf("compare the ledger of %s: %w", mint, err)
		}
		stored, err := r.Ledger.Run(ctx, mint, found.Run.Slot)
		if err != nil && !errors.Is(err, run.ErrNotFound) {
			return false, fmt.Errorf("compare the ledger of %s: %w", mint, err)
		}
		if found.Run.Version > stored.Version {
			return true, nil
		}
	}
	return false, nil
}

// copies returns the keys of the copies of runs from a slot on, and the newest head in any copy.
// The copy of a run has the head of the same transaction.
func (r Restorer) copies(ctx context.Context, mint solana.PublicKey, since time.Time) (keys []string, newest *run.Head, err error) {
	look := func(key string) error {
		found, err := readCopy(ctx, r.Copies, key)
		if err == nil && found.Head != nil && (newest == nil || found.Head.Version > newest.Version) {
			newest = found.Head
		}
		return err
	}
	if err := look(headCopy(mint)); err != nil {
		return nil, nil, err
	}
	after := runsFolder(mint)
	if since.Unix() > 0 {
		after = runCopy(mint, since.Add(-time.Second))
	}
	for key, err := range r.Copies.KeysAfter(ctx, runsFolder(mint), after) {
		if err != nil {
			return nil, nil, err
		}
		if err := look(key); err != nil {
			return nil, nil, err
		}
		keys = append(keys, key)
	}
	return keys, newest, nil
}

// freeze writes the head, frozen, in the place of the stored version, and returns the stored head.
func (r Restorer) freeze(ctx context.Context, head run.Head, stored int64, why string) (run.Head, error) {
	head.Frozen = why
	if head.Version == stored {
		if err := r.Ledger.SaveHead(ctx, head); err != nil {
			return head, err
		}
		head.Version++
		return head, nil
	}
	head.Version++ // the frozen head differs from the copy
	return head, r.Ledger.AdvanceHead(ctx, head)
}

// advance brings the run of a copy forward. It returns nil if the ledger has the version of the
// copy.
func (r Restorer) advance(ctx context.Context, key string) (*ForwardRun, error) {
	found, err := readCopy(ctx, r.Copies, key)
	if err != nil {
		return nil, err
	}
	if found.Run == nil {
		return nil, fmt.Errorf("the copy %s has no run", key)
	}
	copied := *found.Run
	stored, err := r.Ledger.Run(ctx, copied.Mint, copied.Slot)
	if err != nil && !errors.Is(err, run.ErrNotFound) {
		return nil, err
	}
	if stored.Version >= copied.Version {
		return nil, nil
	}
	if err := r.Ledger.Advance(ctx, copied); err != nil {
		return nil, fmt.Errorf("bring run %s forward: %w", copied.ID, err)
	}
	return &ForwardRun{copied.Slot, Forward{stored.Version, copied.Version}}, nil
}
