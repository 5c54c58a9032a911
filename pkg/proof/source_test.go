package proof_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/merkle"
	"tokenlaunch.example/service/pkg/proof/write"
	"tokenlaunch.example/service/pkg/provider/ipfs"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/terms"
)

func hash(body []byte) merkle.Hash { return sha256.Sum256(body) }

// source notes what is read, and misses one file.
type source struct {
	format.Source

	seen    map[string]bool
	missing string
}

func (s source) File(ctx context.Context, kind content.Kind, cid string) ([]byte, error) {
	s.seen[cid] = true
	if cid == s.missing {
		return nil, format.ErrNoFile
	}
	return s.Source.File(ctx, kind, cid)
}

func TestContentIDsAreThoseOfIPFS(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.SliceOf(rapid.Byte()).Draw(t, "content")
		want, err := ipfs.CID(body)
		if err != nil || format.CID(sha256.Sum256(body)) != want {
			t.Fatalf("%s, want %s (%v)", format.CID(sha256.Sum256(body)), want, err)
		}
	})
}

func TestWhoIsFound(t *testing.T) {
	s, first, second := twoRuns(t, 1400)
	folder := s.folder()
	for _, r := range []run{first, second} {
		m := r.closed.Manifest
		if m.Rows.Lines < format.ShardLines*2 {
			t.Fatalf("only %d rows", m.Rows.Lines)
		}
		for i := 0; i < len(r.rows); i += 199 {
			want := r.rows[i]
			files := source{folder, map[string]bool{}, ""}
			found, ok, err := m.Find(t.Context(), files, want.Asset, want.Owner)
			if err != nil || !ok || found.Row != want || found.Inclusion.Index != uint64(i) {
				t.Fatalf("row %d: %+v, %v, %v", i, found, ok, err)
			}
			if len(files.seen) != 2 {
				t.Errorf("%d files are read for one row", len(files.seen))
			}
			if !found.Inclusion.Shown(r.closed.Root) {
				t.Fatalf("row %d is not shown to be there", i)
			}
			found.Inclusion.Line = strings.Replace(found.Inclusion.Line, ",", ",1", 1)
			if found.Inclusion.Shown(r.closed.Root) {
				t.Fatalf("another line is shown in place of row %d", i)
			}
		}
		for n := -1; n < 1405; n += 17 {
			_, shares, err := m.Find(t.Context(), folder, must(terms.ParseAsset(m.Settings.RewardToken)), owner(n))
			check(t, err)
			out, left, err := m.FindLeftOut(t.Context(), folder, owner(n))
			check(t, err)
			snapshot := uint64(0)
			if shares {
				snapshot++
			}
			if left {
				snapshot++
				if out.Owner != owner(n) || out.Balance != balance(n) {
					t.Fatalf("%+v is owner %d", out, n)
				}
			}
			exists := n >= 0 && uint64(n) < m.Snapshot.Eligible.Owners+m.Snapshot.LeftOut.Owners
			if exists != (snapshot == 1) {
				t.Fatalf("owner %d: shares %v, left out %v", n, shares, left)
			}
		}
		if _, ok, err := m.Find(t.Context(), folder, terms.Asset{1}, owner(0)); ok || err != nil {
			t.Errorf("an owner is paid in an asset that is not paid: %v", err)
		}
	}
	damaged := s.clone()
	for name := range damaged.files {
		if strings.HasSuffix(name, ".csv") {
			damaged.files[name] = []byte("x")
		}
	}
	if _, _, err := second.closed.Manifest.Find(t.Context(), damaged.folder(), terms.SOL, second.rows[0].Owner); !errors.Is(err, format.ErrAltered) {
		t.Errorf("a row is found in a damaged file: %v", err)
	}
}

func TestRowsAreReadAsTheyWereWritten(t *testing.T) {
	s, _, second := twoRuns(t, 1400)
	m := second.closed.Manifest
	i := 0
	for _, l := range m.Legs {
		for row, err := range m.RowsOf(t.Context(), s.folder(), must(terms.ParseAsset(l.Asset))) {
			check(t, err)
			if row != second.rows[i] {
				t.Fatalf("row %d is %+v, want %+v", i, row, second.rows[i])
			}
			i++
		}
	}
	if i != len(second.rows) || len(m.Legs) != 2 {
		t.Errorf("%d rows of %d legs, of %d", i, len(m.Legs), len(second.rows))
	}
	var owed uint64
	for o, err := range m.AmountsOwed(t.Context(), s.folder(), usd) {
		check(t, err)
		owed += o.Amount
	}
	if owed != uint64(m.Legs[1].Sums.Carried) || owed == 0 {
		t.Errorf("%d are owed, want %d", owed, m.Legs[1].Sums.Carried)
	}
	for _, err := range m.RowsOf(t.Context(), s.folder(), terms.Asset{1}) {
		t.Errorf("a row of an asset that is not paid, or %v", err)
	}
	gone := source{s.folder(), map[string]bool{}, m.Rows.Pages[0].CID}
	for _, err := range m.RowsOf(t.Context(), gone, terms.SOL) {
		if !errors.Is(err, format.ErrNoFile) {
			t.Errorf("without its page: %v", err)
		}
	}
}

func TestWritersRefuse(t *testing.T) {
	ctx := t.Context()
	row := func(n int) allocation.Row {
		return allocation.Row{Asset: usd, Owner: owner(n), Balance: 1, Share: 1, Carried: 1, Reason: allocation.BelowCost}
	}
	w := write.New(newShelf())
	if w.Row(ctx, row(1)) == nil {
		t.Error("a row without a leg is taken")
	}
	w.Leg(usd)
	check(t, w.Row(ctx, row(1)))
	other := row(2)
	other.Asset = terms.SOL
	wrong := row(3)
	wrong.Share++
	for name, bad := range map[string]allocation.Row{"again": row(1), "before": row(0), "of another asset": other, "that contradicts itself": wrong} {
		if w.Row(ctx, bad) == nil {
			t.Errorf("a row %s is taken", name)
		}
	}
	check(t, w.LeftOut(ctx, format.LeftOut{Owner: owner(5), Balance: 1, Why: "vault"}))
	for name, bad := range map[string]format.LeftOut{
		"again": {Owner: owner(5), Balance: 1, Why: "vault"}, "without a reason": {Owner: owner(6), Balance: 1}, "without a balance": {Owner: owner(6), Why: "vault"},
	} {
		if w.LeftOut(ctx, bad) == nil {
			t.Errorf("an owner %s is left out", name)
		}
	}
	if w.Transaction(ctx, format.Transaction{Purpose: "gift", Signature: signature(1), Slot: 1}) == nil {
		t.Error("a transaction of no purpose is taken")
	}
	if _, err := w.Close(ctx, format.Manifest{}); err == nil {
		t.Error("a manifest without legs is published")
	}
	if _, err := w.Close(ctx, format.Manifest{Legs: []format.Leg{{Asset: "SOL"}}}); err == nil {
		t.Error("a manifest of other legs is published")
	}
	if _, err := w.Close(ctx, format.Manifest{Legs: []format.Leg{{Asset: usd.String()}}}); err == nil {
		t.Error("a manifest that contradicts itself is published")
	}
	for name, s := range map[string]*shelf{"is away": {fail: errors.New("the store is away")}, "names it otherwise": {files: map[string][]byte{}, lie: true}} {
		w := write.New(s)
		w.Leg(usd)
		var err error
		for n := range format.ShardLines * 20 {
			if err = w.Row(ctx, row(n)); err != nil {
				break
			}
		}
		if err == nil {
			_, err = w.Close(ctx, format.Manifest{Legs: []format.Leg{{Asset: usd.String()}}})
		}
		if err == nil {
			t.Errorf("the store %s without an error", name)
		}
		if _, err := write.KeepAnchor(ctx, s, sign(t, format.Memo{RunID: terms.RunID(mint, hour), Number: 1}.String(), walletKey)); err == nil {
			t.Errorf("the store %s, and the anchor is kept", name)
		}
	}
}
