package write

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/merkle"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Store keeps files; content.Store is one.
type Store interface {
	Save(ctx context.Context, kind content.Kind, body []byte) (content.File, error)
}

// parallel is the number of files saved at once.
const parallel = 8

// Writer makes the proof of a run. Owners that are left out, legs with their rows,
// and transactions are added in any order among each other; each list in its own
// order. Close ends it. A Writer that failed is of no more use; making the same
// proof again saves the same files.
type Writer struct {
	saver        *saver
	rows         tableWriter
	leftOut      tableWriter
	transactions tableWriter

	legs     []legSums
	lastRow  solana.PublicKey
	lastLeft solana.PublicKey
	left     format.Tally
	line     []byte
	held     bool
}

type legSums struct {
	asset terms.Asset
	rows  uint64
	sums  format.Sums
}

// New makes a writer that saves files to the store, several at once.
func New(store Store) *Writer {
	s := &saver{store: store, free: make(chan struct{}, parallel)}
	table := func(header string) tableWriter { return tableWriter{save: s.save, header: header} }
	return &Writer{saver: s, rows: table(format.RowHeader), leftOut: table(format.LeftOutHeader), transactions: table(format.TransactionHeader)}
}

// Held makes the lists have what owners held in the snapshot before. It comes first.
func (w *Writer) Held() {
	w.held, w.rows.header, w.leftOut.header = true, format.HeldRowHeader, format.HeldLeftOutHeader
}

// LeftOut adds an owner without a share. Owners come in the order of their bytes.
func (w *Writer) LeftOut(ctx context.Context, l format.LeftOut) error {
	if !allocation.Reason(l.Why).Valid() || l.Balance == 0 {
		return fmt.Errorf("leave out %s with %d because of %q", l.Owner, l.Balance, l.Why)
	}
	if w.left.Owners > 0 && bytes.Compare(w.lastLeft[:], l.Owner[:]) >= 0 {
		return fmt.Errorf("the owners who are left out are not in order: %s after %s", l.Owner, w.lastLeft)
	}
	if l.Held != w.held {
		return fmt.Errorf("leave out %s: whether it is known what they held before differs", l.Owner)
	}
	w.lastLeft = l.Owner
	w.left.Owners++
	w.left.Balance += format.Amount(l.Balance) // at most the supply
	w.line = format.AppendLeftOut(w.line[:0], l)
	return w.leftOut.add(ctx, w.line, 0, &l.Owner)
}

// Leg begins a leg; the rows that follow are of its asset.
func (w *Writer) Leg(a terms.Asset) { w.legs = append(w.legs, legSums{asset: a}) }

// Row adds a row of the leg. Rows come in the order of their owners' bytes.
func (w *Writer) Row(ctx context.Context, r allocation.Row) error {
	if len(w.legs) == 0 {
		return errors.New("a row without a leg")
	}
	leg := &w.legs[len(w.legs)-1]
	if len(w.legs) > 1 {
		r.Held = w.held // arrears are not shared out
	}
	if r.Held != w.held {
		return fmt.Errorf("the row of %s: whether it is known what they held before differs", r.Owner)
	}
	if err := r.Check(); err != nil {
		return fmt.Errorf("the row of %s: %w", r.Owner, err)
	}
	if r.Asset != leg.asset || leg.rows > 0 && bytes.Compare(w.lastRow[:], r.Owner[:]) >= 0 {
		return fmt.Errorf("the row of %s in %s is out of order, after %s in %s", r.Owner, r.Asset, w.lastRow, leg.asset)
	}
	if err := leg.sums.Add(r); err != nil {
		return err
	}
	w.lastRow = r.Owner
	leg.rows++
	w.line = format.AppendRow(w.line[:0], r)
	return w.rows.add(ctx, w.line, len(w.legs)-1, &r.Owner)
}

// Transaction adds a transaction that landed and did what it was for.
func (w *Writer) Transaction(ctx context.Context, t format.Transaction) error {
	w.line = format.AppendTransaction(w.line[:0], t)
	if _, err := format.ParseTransaction(w.line); err != nil {
		return err
	}
	return w.transactions.add(ctx, w.line, 0, nil)
}

// Sums returns what the rows of a leg add up to so far, for the statements.
func (w *Writer) Sums(leg int) (rows uint64, sums format.Sums) {
	return w.legs[leg].rows, w.legs[leg].sums
}

// Closed is a proof that is kept and not yet anchored.
type Closed struct {
	Manifest format.Manifest
	CID      string // of the manifest
	Hash     merkle.Hash
	Root     merkle.Hash // of the rows
}

// Memo returns the memo of the anchor.
func (c Closed) Memo() string {
	memo := format.Memo{RunID: c.Manifest.RunID, Number: c.Manifest.Number, Root: c.Root, Manifest: c.Hash, Order: c.Manifest.OrderHash()}
	memo.Previous, _ = c.Manifest.PreviousHash() // it was checked
	return memo.String()
}

// Close completes the manifest and saves it after everything it names. m has what
// the writer does not know: it fills in the trust list's number, the lists, the tally of who is left out,
// and rows and sums of the legs, which m has in the same order. It fails when the
// manifest contradicts itself: that is never published.
func (w *Writer) Close(ctx context.Context, m format.Manifest) (Closed, error) {
	if len(m.Legs) != len(w.legs) {
		return Closed{}, fmt.Errorf("%d legs have rows, of %d", len(w.legs), len(m.Legs))
	}
	m.Legs = append([]format.Leg(nil), m.Legs...)
	for i, leg := range w.legs {
		if m.Legs[i].Asset != leg.asset.String() {
			return Closed{}, fmt.Errorf("leg %d is of %s and has rows of %s", i, m.Legs[i].Asset, leg.asset)
		}
		m.Legs[i].Rows, m.Legs[i].Sums = leg.rows, leg.sums
	}
	m.Snapshot.LeftOut = w.left
	for _, t := range []struct {
		from *tableWriter
		into *format.Table
	}{{&w.rows, &m.Rows}, {&w.leftOut, &m.LeftOut}, {&w.transactions, &m.Transactions}} {
		var err error
		if *t.into, err = t.from.close(ctx); err != nil {
			return Closed{}, fmt.Errorf("close a list: %w", err)
		}
	}
	m.Format, m.TrustList = format.Format, proof.TrustListVersion
	if err := w.saver.wait(); err != nil {
		return Closed{}, err
	}
	if err := verify.CheckManifest(m); err != nil {
		return Closed{}, fmt.Errorf("the proof of run %s: %w", m.RunID, err)
	}
	encoded, err := format.EncodeManifest(m)
	if err != nil {
		return Closed{}, err
	}
	closed := Closed{Manifest: m, Hash: sha256.Sum256(encoded)}
	if closed.Root, err = merkle.ParseHash(m.Rows.Root); err != nil {
		return Closed{}, err
	}
	if closed.CID, err = w.saver.save(ctx, content.ProofManifest, encoded); err != nil {
		return Closed{}, err
	}
	return closed, w.saver.wait()
}

// saver saves several files at once. What fails is told by a later save or wait.
type saver struct {
	store   Store
	free    chan struct{}
	working sync.WaitGroup

	mutex  sync.Mutex
	failed error
}

func (s *saver) save(ctx context.Context, kind content.Kind, body []byte) (string, error) {
	if err := s.err(); err != nil {
		return "", err
	}
	select {
	case s.free <- struct{}{}:
	case <-ctx.Done():
		return "", fmt.Errorf("save a file of a proof: %w", ctx.Err())
	}
	want := format.CID(sha256.Sum256(body))
	s.working.Go(func() {
		defer func() { <-s.free }()
		saved, err := s.store.Save(ctx, kind, body)
		if err == nil && saved.CID != want {
			err = fmt.Errorf("it was saved as %s", saved.CID)
		}
		if err != nil {
			s.mutex.Lock()
			defer s.mutex.Unlock()
			s.failed = errors.Join(s.failed, fmt.Errorf("save %s%s: %w", want, kind.Extension, err))
		}
	})
	return want, nil
}

func (s *saver) err() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.failed
}

func (s *saver) wait() error {
	s.working.Wait()
	return s.err()
}
