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
	// ErrBehind is returned when the ledger is older than its copy, as after a restored backup.
	// Writes are rejected until the ledger is restored, so the error is a payout.ErrFrozen.
	ErrBehind = fmt.Errorf("the ledger is older than its journal, and has to be restored: %w", payout.ErrFrozen)
	// ErrRestoring is returned while the ledger is being restored. After an interruption, an
	// operator has to start the restoration again. The error is a payout.ErrFrozen.
	ErrRestoring = fmt.Errorf("the ledger is being restored: %w", payout.ErrFrozen)
)

// Copies stores copies of runs and heads.
type Copies interface {
	// Tagged returns the content and the tag of a key, or content.ErrNoObject.
	Tagged(ctx context.Context, key string) (body []byte, tag string, err error)
	// Swap replaces the content that has the tag, or creates the object if tag is empty. It returns
	// false if the key has other content.
	Swap(ctx context.Context, key, contentType string, body []byte, tag string) (bool, error)
	// KeysAfter returns the keys with a prefix, in order, after a key.
	KeysAfter(ctx context.Context, prefix, after string) iter.Seq2[string, error]
}

// Runs is a store of runs that copies every write. Runs implements run.Store. Before a write, Runs
// compares the copy with the ledger, and returns ErrBehind if the copy is newer. A failed copy is
// logged and is not an error, because the next write of the same record repeats the copy.
type Runs struct {
	run.Store

	Copies Copies
	Log    *slog.Logger
}

// written is a copy: a run with the head of the same transaction, or only a head.
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

// tagged is a copy with its tag. The tag is empty if the copy does not exist.
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

// Head returns a token's head. It returns ErrRestoring during a restoration.
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

// Reopen writes a resumed run and the head; see run.Store.
func (s Runs) Reopen(ctx context.Context, r run.Run, head run.Head) error {
	return s.both(ctx, r, head, func() error { return s.Store.Reopen(ctx, r, head) })
}

// both executes the write of a run and a head, and copies both.
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
	head, err := s.Store.Head(ctx, r.Mint) // or a newer head
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

// runBefore reads the copy of a run before a write. It returns an error if the copy is newer than
// the writer's version: ErrBehind if even the ledger's version is older than the copy, which only a
// restored backup can cause.
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

// copyTimeout is the maximum time of copying after a write. The copying delays the run.
const copyTimeout = 5 * time.Second

// afterwards returns a context for the steps after a write. The write has happened, so the caller's
// cancellation does not apply.
func afterwards(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), copyTimeout)
}

// copyTries is the maximum number of tries of a copy when other workers copy the same record.
const copyTries = 3

// copy replaces an older copy.
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
