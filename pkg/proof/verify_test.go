package proof_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/allocation"
	"tokenlaunch.example/service/pkg/asset"
	"tokenlaunch.example/service/pkg/distribution"
	"tokenlaunch.example/service/pkg/figures"
	"tokenlaunch.example/service/pkg/ipfs"
	"tokenlaunch.example/service/pkg/merkle"
	"tokenlaunch.example/service/pkg/proof"
)

// two runs of a token: the second pays in another asset, so it has arrears.
func twoRuns(t testing.TB, holders int) (s *shelf, first, second run) {
	s = newShelf()
	first = s.run(t, script{holders: holders, minimum: 1200, burnBps: 2000, reward: usd, proceeds: 3_000_000, slot: hour}, nil)
	second = s.run(t, script{holders: holders + 3, minimum: 1100, burnBps: 3000, reward: distribution.SOL, proceeds: 2_000_000, slot: hour.Add(time.Hour)}, &first)
	return s, first, second
}

func TestProofsOfRunsInAChainAreGood(t *testing.T) {
	s, first, second := twoRuns(t, 1400)
	third := s.run(t, script{holders: 30, minimum: 1, reward: distribution.SOL, proceeds: 500_000, slot: hour.Add(2 * time.Hour)}, &second)
	for i, r := range []run{first, second, third} {
		report, failed := verify(t, s.folder(), r.anchor)
		// The folder has other runs' files too.
		failed = slices.DeleteFunc(failed, func(f string) bool { return strings.HasPrefix(f, "nothing else:") })
		if len(failed) > 0 || report.Manifest.RunID != r.closed.Manifest.RunID {
			t.Errorf("run %d: %q", i, failed)
		}
	}
	if m := third.closed.Manifest; len(m.Legs) != 2 || m.Legs[1].Asset != usd.String() || m.Legs[1].Rows == 0 {
		t.Errorf("the third run has no arrears: %+v", m.Legs)
	}
	report, failed := verify(t, alone(s, second).folder(), second.anchor)
	if !report.OK() || len(failed) > 0 {
		t.Errorf("the second run alone: %q", failed)
	}
	for _, c := range report.Checks {
		if want := c.Name == "run before" || c.Name == "chain"; (c.Verdict == proof.Skipped) != want {
			t.Errorf("%s: %s, %s", c.Name, c.Verdict, c.Detail)
		}
	}
}

// alone gives the files of one run.
func alone(s *shelf, r run) *shelf {
	one := newShelf()
	before := r.closed.Manifest.Previous
	wanted := source{s.folder(), map[string]bool{}, before}
	must(proof.Verify(context.Background(), wanted, r.anchor, nil))
	for name, content := range s.files {
		if cid := strings.TrimSuffix(name, path.Ext(name)); wanted.seen[cid] && cid != before {
			one.files[name] = content
		}
	}
	return one
}

func TestTheSameRunGivesTheSameBytes(t *testing.T) {
	a, _, _ := twoRuns(t, 40)
	b, _, _ := twoRuns(t, 40)
	if !maps.EqualFunc(a.files, b.files, bytes.Equal) {
		t.Error("the files differ")
	}
}

// Every byte of every file of a bundle: changed, none goes unnoticed, and, for one
// in seven, not under the name of the changed content either.
func TestAChangedByteAnywhereIsDetected(t *testing.T) {
	s, _, second := twoRuns(t, 9)
	s = alone(s, second)
	report, failed := verify(t, s.folder(), second.anchor)
	if !report.OK() {
		t.Fatal(failed)
	}
	stride := 1
	if testing.Short() {
		stride = 11
	}
	cases := 0
	for name, content := range s.files {
		cid := strings.TrimSuffix(name, path.Ext(name))
		for i := 0; i < len(content); i += stride {
			changed := bytes.Clone(content)
			changed[i] ^= 1 << (i % 8)
			if report, _ := verify(t, bent{s, cid, cid, changed}, second.anchor); report.OK() {
				t.Fatalf("byte %d of %s can be changed", i, name)
			}
			cases++
			if i%7 > 0 {
				continue
			}
			renamed, err := ipfs.CID(changed)
			check(t, err)
			anchor := second.anchor
			if cid == anchor {
				anchor = renamed
			}
			if report, _ := verify(t, bent{s, cid, renamed, changed}, anchor); report.OK() {
				t.Fatalf("byte %d of %s can be changed along with its name", i, name)
			}
			cases++
		}
	}
	figures.Show(t, "proof: %d changes of single bytes of a bundle of %d files, each detected", cases, len(s.files))
}

// bent is a shelf with another file in place of one.
type bent struct {
	*shelf

	old, new string
	content  []byte
}

func (b bent) File(_ context.Context, kind asset.Kind, cid string) ([]byte, error) {
	if cid == b.new {
		return b.content, nil
	}
	content, ok := b.files[cid+kind.Extension]
	if !ok || cid == b.old {
		return nil, proof.ErrNoFile
	}
	return content, nil
}

// One byte in each 1,997 of a bundle with lists of several files, and other damage.
func TestDamageIsDetected(t *testing.T) {
	whole, first, second := twoRuns(t, 1400)
	s := alone(whole, second)
	if report, failed := verify(t, s.folder(), second.anchor); !report.OK() {
		t.Fatal(failed)
	}
	names := slices.Sorted(maps.Keys(s.files))
	for n, name := range names {
		for i := n; i < len(s.files[name]); i += 1997 {
			bent := s.clone()
			bent.files[name] = bytes.Clone(s.files[name])
			bent.files[name][i] ^= 4
			if report, _ := verify(t, bent.folder(), second.anchor); report.OK() {
				t.Fatalf("byte %d of %s can be changed", i, name)
			}
		}
		bad := func(what string, change func(files map[string][]byte)) {
			bent := s.clone()
			change(bent.files)
			if report, _ := verify(t, bent.folder(), second.anchor); report.OK() {
				t.Errorf("%s: %s is not noticed", name, what)
			}
		}
		bad("a file removed", func(files map[string][]byte) { delete(files, name) })
		bad("a file cut off", func(files map[string][]byte) { files[name] = files[name][:len(files[name])-1] })
		bad("a file longer", func(files map[string][]byte) { files[name] = append(bytes.Clone(files[name]), '\n') })
		other := names[(n+1)%len(names)]
		bad("two files swapped", func(files map[string][]byte) { files[name], files[other] = files[other], files[name] })
		if lines := bytes.SplitAfter(s.files[name], []byte("\n")); len(lines) > 4 {
			bad("a line removed", func(files map[string][]byte) { files[name] = bytes.Join(slices.Delete(slices.Clone(lines), 2, 3), nil) })
			bad("a line twice", func(files map[string][]byte) {
				files[name] = bytes.Join(slices.Insert(slices.Clone(lines), 2, lines[2]), nil)
			})
			bad("two lines swapped", func(files map[string][]byte) {
				lines := slices.Clone(lines)
				lines[2], lines[3] = lines[3], lines[2]
				files[name] = bytes.Join(lines, nil)
			})
		}
	}
	added := s.clone()
	added.files["notes.txt"] = []byte("hello")
	if report, _ := verify(t, added.folder(), second.anchor); report.OK() {
		t.Error("a file that belongs to nothing is not noticed")
	}
	if report, _ := verify(t, s.folder(), first.anchor); report.OK() {
		t.Error("another run's anchor is taken")
	}
	mixed := alone(whole, first)
	mixed.files[second.anchor+".tx"] = s.files[second.anchor+".tx"]
	delete(mixed.files, first.anchor+".tx")
	if report, _ := verify(t, mixed.folder(), second.anchor); report.OK() {
		t.Error("the files of one run pass with the anchor of another")
	}
}

// forge makes a bundle of its own around a changed manifest, signed by whoever.
func forge(t *testing.T, s *shelf, r run, key ed25519.PrivateKey, change func(*proof.Manifest)) []string {
	t.Helper()
	m, err := proof.DecodeManifest(s.files[r.closed.CID+".json"])
	check(t, err)
	change(&m)
	bent := s.clone()
	content, err := proof.EncodeManifest(m)
	check(t, err)
	saved, err := bent.Save(t.Context(), asset.ProofManifest, content)
	check(t, err)
	closed := r.closed
	closed.Manifest = m
	closed.Hash = hash(content)
	if m.Rows.Pages[0] != r.closed.Manifest.Rows.Pages[0] {
		closed.Root = must(merkle.ParseHash(m.Rows.Root))
	}
	anchor, err := proof.KeepAnchor(t.Context(), bent, sign(t, closed.Memo(), key))
	check(t, err)
	for _, name := range []string{r.closed.CID + ".json", r.anchor + ".tx"} {
		if name != saved.CID+".json" && name != anchor+".tx" {
			delete(bent.files, name)
		}
	}
	_, failed := verify(t, bent.folder(), anchor)
	return failed
}

// otherRoot says of a list in one file that it has another root, wherever that is
// said.
func otherRoot(t *testing.T, s *shelf, table *proof.Table) {
	t.Helper()
	other := hash([]byte("other")).String()
	old := s.files[table.Pages[0].CID+".json"]
	saved, err := s.Save(t.Context(), asset.ProofManifest, bytes.ReplaceAll(old, []byte(table.Root), []byte(other)))
	check(t, err)
	table.Root, table.Pages[0].Root, table.Pages[0].CID = other, other, saved.CID
}

// Whoever holds the wallet's key can sign anything. What contradicts itself is
// found out all the same.
func TestAProofThatContradictsItselfIsFoundOut(t *testing.T) {
	whole, _, second := twoRuns(t, 60)
	s := alone(whole, second)
	if failed := forge(t, s, second, walletKey, func(*proof.Manifest) {}); len(failed) > 0 {
		t.Fatalf("without a change: %q", failed)
	}
	stranger := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{8}, 32))
	if failed := forge(t, s, second, stranger, func(*proof.Manifest) {}); len(failed) == 0 {
		t.Error("a stranger may sign")
	}
	for name, c := range map[string]struct {
		check  string
		change func(*proof.Manifest)
	}{
		"another run":                    {"run", func(m *proof.Manifest) { m.RunID = distribution.RunID(mint, hour) }},
		"another slot":                   {"run", func(m *proof.Manifest) { m.Slot = m.Slot.Add(time.Hour) }},
		"another mint":                   {"run", func(m *proof.Manifest) { m.Mint[3]++ }},
		"another account":                {"run", func(m *proof.Manifest) { m.TokenAccount[3]++ }},
		"no interval":                    {"run", func(m *proof.Manifest) { m.Settings.Interval = "7m" }},
		"another supply":                 {"snapshot", func(m *proof.Manifest) { m.Snapshot.Supply++ }},
		"a supply beyond 64 bits":        {"snapshot", func(m *proof.Manifest) { m.Snapshot.WithheldOnMint -= 1; m.Snapshot.WithheldInAccounts = 1<<64 - 1 }},
		"one more who shares":            {"rows", func(m *proof.Manifest) { m.Snapshot.Eligible.Owners++ }},
		"one more who is left out":       {"snapshot", func(m *proof.Manifest) { m.Snapshot.LeftOut.Owners++ }},
		"balances moved":                 {"rows", func(m *proof.Manifest) { m.Snapshot.LeftOut.Balance++; m.Snapshot.WithheldOnMint-- }},
		"a lower minimum":                {"rows", func(m *proof.Manifest) { m.Settings.MinimumHolding = 1000 }},
		"a higher minimum":               {"rows", func(m *proof.Manifest) { m.Settings.MinimumHolding = 4000 }},
		"a smaller slice":                {"split", func(m *proof.Manifest) { m.Settings.SellBps-- }},
		"less burned":                    {"split", func(m *proof.Manifest) { m.Split.Burned--; m.Split.UnsoldAfter++ }},
		"more sold":                      {"split", func(m *proof.Manifest) { m.Exchange.Sold++ }},
		"unsold from nowhere":            {"split", func(m *proof.Manifest) { m.Split.UnsoldAfter++ }},
		"more came in":                   {"division", func(m *proof.Manifest) { m.Exchange.Proceeds += 100 }},
		"the creator gets more":          {"division", func(m *proof.Manifest) { m.Settings.DeveloperFeeBps++ }},
		"the creator keeps more":         {"division", func(m *proof.Manifest) { m.Legs[0].Creator.Paid++; m.Legs[0].Creator.Received++ }},
		"holders get more":               {"division", func(m *proof.Manifest) { m.Legs[0].Total++; m.Legs[0].RemainderOut++ }},
		"another remainder":              {"division", func(m *proof.Manifest) { m.Legs[0].RemainderOut++ }},
		"arrears shared out":             {"division", func(m *proof.Manifest) { m.Legs[1].Total++ }},
		"another sum":                    {"rows", func(m *proof.Manifest) { m.Legs[0].Sums.PaidTo++ }},
		"another reward":                 {"division", func(m *proof.Manifest) { m.Settings.RewardToken = usd.String() }},
		"legs swapped":                   {"rows", func(m *proof.Manifest) { slices.Reverse(m.Legs) }},
		"a leg missing":                  {"division", func(m *proof.Manifest) { m.Legs = m.Legs[:1] }},
		"another limit":                  {"rows", func(m *proof.Manifest) { m.Legs[0].WorthPaying = 1 << 40 }},
		"no statements":                  {"conservation", func(m *proof.Manifest) { m.Statements = nil }},
		"a statement twice":              {"conservation", func(m *proof.Manifest) { m.Statements = append(m.Statements, m.Statements[0]) }},
		"a statement out of balance":     {"conservation", func(m *proof.Manifest) { m.Statements[0].Opening++ }},
		"a deposit that hides something": {"conservation", func(m *proof.Manifest) { m.Statements[0].In[0].Amount++ }},
		"a closing held for nothing":     {"conservation", func(m *proof.Manifest) { m.Statements[0].Opening++; m.Statements[0].Closing++ }},
		"more owed than rows say": {"conservation", func(m *proof.Manifest) {
			held := m.Statements[1].HeldFor
			held[0].Amount, held[len(held)-1].Amount = held[0].Amount+1, held[len(held)-1].Amount-1
		}},
		"another list of transactions":     {"transactions", func(m *proof.Manifest) { m.Transactions = proof.Table{} }},
		"nobody left out":                  {"rows", func(m *proof.Manifest) { m.LeftOut.Pages = nil }},
		"another root of who is left out":  {"rows", func(m *proof.Manifest) { m.LeftOut.Root = m.Rows.Root }},
		"a page that begins elsewhere":     {"rows", func(m *proof.Manifest) { m.LeftOut.Pages[0].First = owner(1).String() }},
		"a page of another root":           {"rows", func(m *proof.Manifest) { m.LeftOut.Pages[0].Root = m.Rows.Root }},
		"rows under a root of their own":   {"rows", func(m *proof.Manifest) { otherRoot(t, s, &m.Rows) }},
		"others under a root of their own": {"rows", func(m *proof.Manifest) { otherRoot(t, s, &m.LeftOut) }},
		"transactions under one":           {"transactions", func(m *proof.Manifest) { otherRoot(t, s, &m.Transactions) }},
		"another root":                     {"manifest", func(m *proof.Manifest) { m.Rows.Root = m.LeftOut.Root }},
		"another number of rows":           {"division", func(m *proof.Manifest) { m.Rows.Lines++ }},
		"no run before":                    {"run before", func(m *proof.Manifest) { m.Previous = "" }},
		"a run before of no name":          {"run before", func(m *proof.Manifest) { m.Previous = "x" }},
	} {
		t.Run(name, func(t *testing.T) {
			failed := forge(t, s, second, walletKey, c.change)
			if !slices.ContainsFunc(failed, func(f string) bool { return strings.HasPrefix(f, c.check+": ") }) {
				t.Errorf("%s has not failed: %q", c.check, failed)
			}
		})
	}
}

// Rows that contradict the manifest, of which each line and each sum is right by
// itself, in a bundle that is signed and complete.
func TestRowsThatAreWrongAreFoundOut(t *testing.T) {
	// unpaid takes a row's payment back.
	unpaid := func(r *allocation.Row) {
		if r.Paid > 0 {
			r.Carried += r.Paid + r.Charged
			r.Paid, r.Received, r.Charged, r.Signature, r.Reason = 0, 0, 0, solana.Signature{}, allocation.TimeOver
		}
	}
	base := script{holders: 40, minimum: 1200, burnBps: 2000, reward: usd, proceeds: 3_000_000, slot: hour}
	for name, c := range map[string]struct {
		change func(*script)
		says   string
	}{
		"a unit moved to another": {func(c *script) {
			c.bend = func(_, row int, r *allocation.Row) {
				switch row {
				case 1:
					unpaid(r)
					r.Share, r.Carried = r.Share-1, r.Carried-1
				case 2:
					unpaid(r)
					r.Share, r.Carried = r.Share+1, r.Carried+1
				}
			}
		}, "the share of"},
		"worth paying and not paid as worth too little": {func(c *script) {
			c.bend = func(_, row int, r *allocation.Row) {
				if row == 3 {
					unpaid(r)
					r.Reason = allocation.BelowCost
				}
			}
		}, "not worth paying"},
		"payments that are not named":  {func(c *script) { c.unnamed = true }, "not named as a payment"},
		"a payment that pays nobody":   {func(c *script) { c.extra = true }, "pays no row"},
		"left out with a balance":      {func(c *script) { c.leave = func(n int, l *proof.LeftOut) { l.Why = proof.BelowMinimum } }, "is left out, and the minimum"},
		"somebody who shares left out": {func(c *script) { c.leave = func(n int, l *proof.LeftOut) { l.Owner = owner(n + 1) } }, "shares and is left out"},
	} {
		t.Run(name, func(t *testing.T) {
			s, script := newShelf(), base
			c.change(&script)
			r := s.run(t, script, nil)
			_, failed := verify(t, s.folder(), r.anchor)
			if !slices.ContainsFunc(failed, func(f string) bool { return strings.Contains(f, c.says) }) {
				t.Errorf("%q, want %q", failed, c.says)
			}
		})
	}
}

// With the files of the run before at hand, what was owed is held against them.
func TestWhatWasOwedIsHeldAgainstTheRunBefore(t *testing.T) {
	s, first, second := twoRuns(t, 60)
	delete(s.files, first.anchor+".tx")
	report, failed := verify(t, s.folder(), second.anchor)
	failed = slices.DeleteFunc(failed, func(f string) bool { return strings.HasPrefix(f, "nothing else:") })
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	if !slices.ContainsFunc(report.Checks, func(c proof.Check) bool { return c.Name == "run before" && c.Verdict == proof.Passed }) {
		t.Fatalf("the run before was not looked at: %+v", report.Checks)
	}
	// A second run that took over from another first one, in which others are owed.
	other := newShelf()
	base := script{holders: 60, minimum: 1200, burnBps: 2000, reward: usd, proceeds: 3_000_000, slot: hour}
	base.minimum = 2500
	otherFirst := other.run(t, base, nil)
	maps.Copy(s.files, other.files)
	failed = forge(t, s, second, walletKey, func(m *proof.Manifest) { m.Previous = otherFirst.closed.CID })
	if !slices.ContainsFunc(failed, func(f string) bool { return strings.HasPrefix(f, "run before: ") }) {
		t.Errorf("another run before is taken: %q", failed)
	}
	// The sums are right, and a unit is owed to somebody else.
	given, taken := false, false
	moved := newShelf()
	base.minimum = 1200
	before := moved.run(t, base, nil)
	after := moved.run(t, script{
		holders: 63, minimum: 1100, burnBps: 3000, reward: distribution.SOL, proceeds: 2_000_000, slot: hour.Add(time.Hour),
		bend: func(leg, _ int, r *allocation.Row) {
			switch {
			case leg != 1 || r.Paid > 0:
			case !given:
				given = true
				r.Owed, r.Carried = r.Owed+1, r.Carried+1
			case !taken && r.Carried > r.Reserved+1:
				taken = true
				r.Owed, r.Carried = r.Owed-1, r.Carried-1
			}
		},
	}, &before)
	if _, failed := verify(t, moved.folder(), after.anchor); !taken || !slices.ContainsFunc(failed, func(f string) bool { return strings.Contains(f, "takes over") }) {
		t.Errorf("a unit is owed to somebody else: %q", failed)
	}
	for name, change := range map[string]func(*proof.Manifest){
		"unsold":    func(m *proof.Manifest) { m.Split.Unsold++ },
		"opening":   func(m *proof.Manifest) { m.Statements[0].Opening++ },
		"remainder": func(m *proof.Manifest) { m.Legs[1].RemainderIn++ },
		"forgotten": func(m *proof.Manifest) { m.Legs = m.Legs[:1] },
	} {
		failed := forge(t, s, second, walletKey, change)
		if !slices.ContainsFunc(failed, func(f string) bool { return strings.HasPrefix(f, "run before: ") }) {
			t.Errorf("%s: %q", name, failed)
		}
	}
}

func TestAnchorsThatAreNone(t *testing.T) {
	s := newShelf()
	r := s.run(t, script{holders: 10, minimum: 1, reward: distribution.SOL, proceeds: 1000, slot: hour}, nil)
	memo := r.closed.Memo()
	if len(memo) != 171 {
		t.Errorf("the memo has %d bytes", len(memo))
	}
	for name, raw := range map[string][]byte{
		"empty":               {},
		"no transaction":      []byte("hello"),
		"no memo":             sign(t, "", walletKey),
		"no memo at all":      signAll(t, walletKey),
		"two memos":           signAll(t, walletKey, memo, memo),
		"another memo":        sign(t, "hello", walletKey),
		"another format":      sign(t, "tld2"+memo[4:], walletKey),
		"upper case":          sign(t, strings.ToUpper(memo), walletKey),
		"an id in upper case": sign(t, memo[:5]+strings.ToUpper(memo[5:41])+memo[41:], walletKey),
		"one part more":       sign(t, memo+":", walletKey),
		"a short hash":        sign(t, memo[:len(memo)-1], walletKey),
		"a longer one":        append(bytes.Clone(r.signed), 0),
	} {
		if _, err := proof.KeepAnchor(t.Context(), s, raw); err == nil {
			t.Errorf("%s is kept", name)
		}
	}
	a, err := proof.ReadAnchor(r.signed)
	if err != nil || a.Wallet != wallet || a.RunID != r.closed.Manifest.RunID || a.Root != r.closed.Root || a.ManifestCID() != r.closed.CID {
		t.Errorf("%+v, %v", a, err)
	}
	if report, _ := verify(t, proof.Folder{Files: fstest.MapFS{}}, r.anchor); report.OK() {
		t.Error("a proof without files is good")
	}
	if report, _ := verify(t, s.folder(), "x"); report.OK() {
		t.Error("a proof without a name is good")
	}
}

func TestManifestsHaveOneSpelling(t *testing.T) {
	s := newShelf()
	r := s.run(t, script{holders: 10, minimum: 1, reward: distribution.SOL, proceeds: 1000, slot: hour}, nil)
	content := s.files[r.closed.CID+".json"]
	m, err := proof.DecodeManifest(content)
	check(t, err)
	if again, err := proof.EncodeManifest(m); err != nil || !bytes.Equal(again, content) {
		t.Errorf("%v, %s", err, again)
	}
	var compact bytes.Buffer
	check(t, json.Compact(&compact, content))
	text := string(content)
	for name, bad := range map[string]string{
		"compact":         compact.String(),
		"no last break":   strings.TrimSuffix(text, "\n"),
		"a second value":  text + "{}\n",
		"another format":  strings.Replace(text, "proof 1", "proof 2", 1),
		"an unknown name": strings.Replace(text, `"format"`, "\"x\": 1,\n\t\"format\"", 1),
		"a name twice":    strings.Replace(text, "\t\"mint\"", "\t\"mint\": \""+m.Mint.String()+"\",\n\t\"mint\"", 1),
		"a leading zero":  strings.Replace(text, `"worthPaying": "20"`, `"worthPaying": "020"`, 1),
		"a number":        strings.Replace(text, `"worthPaying": "20"`, `"worthPaying": 20`, 1),
		"a sign":          strings.Replace(text, `"worthPaying": "20"`, `"worthPaying": "+20"`, 1),
		"another offset":  strings.Replace(text, "T08:00:00Z", "T08:00:00+00:00", 1),
		"another zone":    strings.Replace(text, "T08:00:00Z", "T09:00:00+01:00", 1),
		"null":            strings.Replace(text, `"previous": ""`, `"previous": null`, 1),
		"upper case":      strings.Replace(text, `"previous"`, `"Previous"`, 1),
		"an escape":       strings.Replace(text, `"SOL"`, `"\u0053OL"`, 1),
		"a long address":  strings.Replace(text, m.Mint.String(), strings.Repeat("1", 200_000), 1),
		"empty":           "",
	} {
		if bad == text {
			t.Fatalf("%s: nothing is changed", name)
		}
		if _, err := proof.DecodeManifest([]byte(bad)); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}

func TestStatementsBalanceOrNot(t *testing.T) {
	entry := func(name proof.Name, amount uint64) proof.Entry {
		return proof.Entry{Name: name, Amount: proof.Amount(amount)}
	}
	good := func() proof.Statement {
		return proof.Statement{
			Asset: "SOL", Opening: 10, In: []proof.Entry{entry(proof.Deposits, 2), entry(proof.Proceeds, 8)},
			Out: []proof.Entry{entry(proof.ToHolders, 7)}, Closing: 13,
			HeldFor: []proof.Entry{entry(proof.Owed, 3), entry(proof.Float, 10)},
		}
	}
	check(t, good().Check())
	if got, want := good().String(), "10 + deposits 2 + proceeds 8 = holders 7 + 13 (owed 3 + float 10)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	const most = 1<<64 - 1
	for name, change := range map[string]func(*proof.Statement){
		"one unit more":        func(s *proof.Statement) { s.Opening++ },
		"one unit less":        func(s *proof.Statement) { s.Out[0].Amount++ },
		"held for something":   func(s *proof.Statement) { s.HeldFor[0].Amount++ },
		"a name twice":         func(s *proof.Statement) { s.In = append(s.In, entry(proof.Proceeds, 0)) },
		"names out of order":   func(s *proof.Statement) { slices.Reverse(s.In) },
		"a name out of place":  func(s *proof.Statement) { s.In[0].Name = proof.Burned },
		"a name of no meaning": func(s *proof.Statement) { s.In[0].Name = "gift" },
		// Modulo 2^64 both sides are the same.
		"beyond 64 bits": func(s *proof.Statement) { s.In = []proof.Entry{entry(proof.Deposits, most), entry(proof.Proceeds, 11)} },
	} {
		s := good()
		change(&s)
		if s.Check() == nil {
			t.Errorf("%s: %s is taken", name, s)
		}
	}
	huge := proof.Statement{
		Opening: most, In: []proof.Entry{entry(proof.Deposits, most)},
		Out: []proof.Entry{entry(proof.Sold, most)}, Closing: most, HeldFor: []proof.Entry{entry(proof.Float, most)},
	}
	check(t, huge.Check())
	if huge.Of(proof.Sold) != most || huge.Of(proof.Fees) != 0 {
		t.Error("the amounts of a statement")
	}
	if got := fmt.Sprint(proof.Entries(map[proof.Name]uint64{proof.Float: 1, proof.Burned: 2, proof.Rent: 0})); got != "[{burned 2} {float 1}]" {
		t.Error(got)
	}
}
