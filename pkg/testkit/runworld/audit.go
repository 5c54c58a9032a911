package runworld

import (
	"context"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/distribution/books"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Statement is the sum over the proofs of all runs for an owner, in an asset.
type Statement struct {
	// Received arrived. Carried is the amount that the last run owes. Reserved is the part of
	// Carried that may have been sent.
	Received, Carried, Reserved uint64
}

// Source reads the files of proofs.
func (w *Fixture) Source() format.Source {
	return books.Source{Objects: s3store.Bucket{Client: w.S3(w.Config(nil)), Name: w.Public}}
}

// Settled returns the runs that have a proof, oldest first.
func (w *Fixture) Settled(t testing.TB) []run.Run {
	t.Helper()
	var list []run.Run
	before := time.Time{}
	for {
		page, next, err := w.Runs.Page(t.Context(), w.Token.Mint, before, 50)
		must.Do(t, err)
		for _, r := range page {
			if r.Status() == run.Settled {
				list = append([]run.Run{r}, list...)
			}
		}
		if next.IsZero() {
			return list
		}
		before = next
	}
}

// Verify verifies the proof of a run without a network.
func (w *Fixture) Verify(t testing.TB, r run.Run) {
	t.Helper()
	if r.Closing.AnchorTx == "" {
		t.Errorf("run %s has no anchor: %s", r.ID, r.Anchor.Why)
		return
	}
	report, err := verify.Bundle(t.Context(), w.Source(), r.Closing.AnchorTx, verify.Options{})
	must.Do(t, err)
	for _, c := range report.Checks {
		if c.Verdict == verify.Failed {
			t.Errorf("the proof of run %s: %s: %s", r.ID, c.Name, c.Detail)
		}
	}
	if !report.OK() {
		t.Errorf("the proof of run %s does not hold", r.ID)
	}
}

// Says returns the sum over the proofs of all runs for an owner.
func (w *Fixture) Says(t testing.TB, owner solana.PublicKey, asset terms.Asset) Statement {
	t.Helper()
	return w.SaysEach(t, []solana.PublicKey{owner}, asset)[0]
}

// SaysEach is Says of several owners, in order. SaysEach reads each run and each file once.
func (w *Fixture) SaysEach(t testing.TB, owners []solana.PublicKey, asset terms.Asset) []Statement {
	t.Helper()
	list := make([]Statement, len(owners))
	source := readOnce{w.Source(), map[string][]byte{}}
	for _, r := range w.Settled(t) {
		m, err := format.ReadManifest(t.Context(), source, r.Closing.Manifest)
		must.Do(t, err)
		for i, owner := range owners {
			found, ok, err := m.Find(context.WithoutCancel(t.Context()), source, asset, owner)
			must.Do(t, err)
			s := &list[i]
			s.Carried, s.Reserved = 0, 0
			if ok {
				s.Received += found.Row.Received
				s.Carried, s.Reserved = found.Row.Carried, found.Row.Reserved
			}
		}
	}
	return list
}

// readOnce caches the files.
type readOnce struct {
	format.Source

	files map[string][]byte // by kind and content id
}

// File implements format.Source.
func (s readOnce) File(ctx context.Context, kind content.Kind, cid string) ([]byte, error) {
	key := kind.Key(cid)
	if body, ok := s.files[key]; ok {
		return body, nil
	}
	body, err := s.Source.File(ctx, kind, cid)
	if err == nil {
		s.files[key] = body
	}
	return body, err
}
