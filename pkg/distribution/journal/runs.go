package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/token/content"
)

var (
	// ErrBehind: the ledger is older than its copy, as after a restored backup. Nothing
	// is written to it until it is restored, so it is a payout.ErrFrozen.
	ErrBehind = fmt.Errorf("the ledger is older than its journal, and has to be restored: %w", payout.ErrFrozen)
	// ErrRestoring: the ledger is being restored. When that was interrupted it has to be
	// restored again. It is a payout.ErrFrozen.
	ErrRestoring = fmt.Errorf("the ledger is being restored: %w", payout.ErrFrozen)
)

// Copies is where copies of runs and heads are.
type Copies interface {
	// Tagged reads what is under a key, and its tag, or gives content.ErrNoObject.
	Tagged(ctx context.Context, key string) (body []byte, tag string, err error)
	// Swap stores content in the place of what has the tag, or of nothing when that is
	// empty; false when something else is there.
	Swap(ctx context.Context, key, contentType string, body []byte, tag string) (bool, error)
	// KeysAfter gives the keys that begin with a prefix, in order, after a key.
	KeysAfter(ctx context.Context, prefix, after string) iter.Seq2[string, error]
}

// Runs is a store of runs that keeps copies of what it writes; it implements
// run.Store. Before each write it looks whether the copy is newer than the ledger,
// and gives ErrBehind when it is. That a copy cannot be written is logged and fails
// nothing: the next write of the same thing repeats it.
type Runs struct {
	run.Store

	Copies Copies
	Log    *slog.Logger
}

// written is a copy: a run, the head that was written in the same transaction, or
// a head alone.
type written struct {
	Run  *run.Run
	Head *run.Head
}

func (w written) runVersion() int64 {
	if w.Run == nil {
		return 0
	}
	return w.Run.Version
}

func (w written) headVersion() int64 {
	if w.Head == nil {
		return 0
	}
	return w.Head.Version
}

func headCopy(mint solana.PublicKey) string { return folder(mint) + "head.json" }

func runsFolder(mint solana.PublicKey) string { return folder(mint) + "runs/" }

func runCopy(mint solana.PublicKey, slot time.Time) string {
	return fmt.Sprintf("%s%012d.json", runsFolder(mint), slot.Unix())
}

// tagged is a copy as it was found; the tag is empty when there is none.
type tagged struct {
	written
	tag string
}

func readCopy(ctx context.Context, copies Copies, key string) (tagged, error) {
	var found tagged
	body, tag, err := copies.Tagged(ctx, key)
	if errors.Is(err, content.ErrNoObject) {
		return tagged{}, nil
	}
	if err == nil {
		err = decode(body, &found.written)
	}
	if err != nil {
		return tagged{}, fmt.Errorf("read the copy %s: %w", key, err)
	}
	found.tag = tag
	return found, nil
}

// Head gives a token's head, unless the ledger is being restored.
func (s Runs) Head(ctx context.Context, mint solana.PublicKey) (run.Head, error) {
	head, err := s.Store.Head(ctx, mint)
	if err == nil && strings.HasPrefix(head.Frozen, restoring) {
		return run.Head{}, ErrRestoring
	}
	return head, err
}

// Open writes a new run and the head; see run.Store.
func (s Runs) Open(ctx context.Context, head run.Head, opened run.Run) error {
	return s.both(ctx, opened, head, func() error { return s.Store.Open(ctx, head, opened) })
}

// End writes the end of a run and the head; see run.Store.
func (s Runs) End(ctx context.Context, ended run.Run, head run.Head) error {
	return s.both(ctx, ended, head, func() error { return s.Store.End(ctx, ended, head) })
}

// Reopen writes a run that goes on, and the head; see run.Store.
func (s Runs) Reopen(ctx context.Context, r run.Run, head run.Head) error {
	return s.both(ctx, r, head, func() error { return s.Store.Reopen(ctx, r, head) })
}

// both does a write of a run and a head, and copies them.
func (s Runs) both(ctx context.Context, r run.Run, head run.Head, write func() error) error {
	headBefore, err := s.headBefore(ctx, head)
	if err != nil {
		return err
	}
	runBefore, err := s.runBefore(ctx, r)
	if err != nil {
		return err
	}
	if err := write(); err != nil {
		return err
	}
	r.Version++
	head.Version++
	s.copy(ctx, runCopy(r.Mint, r.Slot), written{Run: &r, Head: &head}, runBefore)
	s.copy(ctx, headCopy(r.Mint), written{Head: &head}, headBefore)
	return nil
}

// Save writes a run; see run.Store.
func (s Runs) Save(ctx context.Context, r run.Run) error {
	before, err := s.runBefore(ctx, r)
	if err != nil {
		return err
	}
	if err := s.Store.Save(ctx, r); err != nil {
		return err
	}
	r.Version++
	s.copy(ctx, runCopy(r.Mint, r.Slot), written{Run: &r, Head: before.Head}, before)
	return nil
}

// SaveBurn writes a run and its burn; see run.Store.
func (s Runs) SaveBurn(ctx context.Context, r run.Run, burn run.Burn) error {
	before, err := s.runBefore(ctx, r)
	if err != nil {
		return err
	}
	if err := s.Store.SaveBurn(ctx, r, burn); err != nil {
		return err
	}
	r.Version++
	ctx, cancel := afterwards(ctx)
	defer cancel()
	head, err := s.Store.Head(ctx, r.Mint) // or a newer one
	if err != nil {
		s.failed(ctx, headCopy(r.Mint), err)
		return nil
	}
	s.copy(ctx, runCopy(r.Mint, r.Slot), written{Run: &r, Head: &head}, before)
	headBefore, err := readCopy(ctx, s.Copies, headCopy(r.Mint))
	if err != nil {
		s.failed(ctx, headCopy(r.Mint), err)
		return nil
	}
	s.copy(ctx, headCopy(r.Mint), written{Head: &head}, headBefore)
	return nil
}

// SaveHead writes a head; see run.Store.
func (s Runs) SaveHead(ctx context.Context, head run.Head) error {
	before, err := s.headBefore(ctx, head)
	if err != nil {
		return err
	}
	if err := s.Store.SaveHead(ctx, head); err != nil {
		return err
	}
	head.Version++
	s.copy(ctx, headCopy(head.Mint), written{Head: &head}, before)
	return nil
}

// runBefore reads the copy of a run that is about to be written, and fails when it
// is newer than what the writer has read: with ErrBehind when the ledger has an
// older one still, which cannot be but by restoring it.
func (s Runs) runBefore(ctx context.Context, r run.Run) (tagged, error) {
	before, err := readCopy(ctx, s.Copies, runCopy(r.Mint, r.Slot))
	if err != nil || before.runVersion() <= r.Version {
		return before, err
	}
	stored, err := s.Run(ctx, r.Mint, r.Slot)
	if err != nil && !errors.Is(err, run.ErrNotFound) {
		return before, err
	}
	return before, s.verdict(ctx, r.Mint, stored.Version, before.runVersion())
}

// headBefore does the same for a head.
func (s Runs) headBefore(ctx context.Context, head run.Head) (tagged, error) {
	before, err := readCopy(ctx, s.Copies, headCopy(head.Mint))
	if err != nil || before.headVersion() <= head.Version {
		return before, err
	}
	stored, err := s.Store.Head(ctx, head.Mint)
	if err != nil {
		return before, err
	}
	return before, s.verdict(ctx, head.Mint, stored.Version, before.headVersion())
}

func (s Runs) verdict(ctx context.Context, mint solana.PublicKey, stored, copied int64) error {
	if stored < copied {
		s.Log.ErrorContext(ctx, "ALARM: the ledger is older than its journal; nothing is written to it until it is restored", "mint", mint.String())
		return ErrBehind
	}
	return run.ErrConflict
}

// copyTimeout bounds the copying after a write, which delays the run.
const copyTimeout = 5 * time.Second

// afterwards is for what follows a write, which has happened whatever became of
// the caller.
func afterwards(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), copyTimeout)
}

// copyTries is how often a copy is tried while others copy the same thing.
const copyTries = 3

// copy puts a copy in the place of an older one.
func (s Runs) copy(ctx context.Context, key string, w written, before tagged) {
	ctx, cancel := afterwards(ctx)
	defer cancel()
	body, err := json.Marshal(w)
	for range copyTries {
		if err != nil || before.runVersion() > w.runVersion() || before.headVersion() > w.headVersion() {
			break
		}
		var swapped bool
		if swapped, err = s.Copies.Swap(ctx, key, contentType, body, before.tag); swapped {
			return
		}
		if err == nil {
			before, err = readCopy(ctx, s.Copies, key)
		}
	}
	if err != nil {
		s.failed(ctx, key, err)
	}
}

func (s Runs) failed(ctx context.Context, key string, err error) {
	s.Log.ErrorContext(ctx, "the ledger is not copied; the next write repeats it", "key", key, "cause", err.Error())
}
