package proof_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/proof/write"
	"tokenlaunch.example/service/pkg/provider/ipfs"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/terms"
)

// two runs of a token: the second pays in another asset, so it has arrears.
func twoRuns(t testing.TB, holders int) (s *shelf, first, second run) {
	s = newShelf()
	first = s.run(t, script{holders: holders, minimum: 1200, burnBps: 2000, reward: usd, proceeds: 3_000_000, slot: hour}, nil)
	second = s.run(t, script{holders: holders + 3, minimum: 1100, burnBps: 3000, reward: terms.SOL, proceeds: 2_000_000, slot: hour.Add(time.Hour), takes: 1_000_000}, &first)
	return s, first, second
}

func TestProofsOfRunsInAChainAreGood(t *testing.T) {
	s, first, second := twoRuns(t, 1400)
	third := s.run(t, script{holders: 30, minimum: 1, reward: terms.SOL, proceeds: 500_000, slot: hour.Add(2 * time.Hour)}, &second)
	for i, r := range []run{first, second, third} {
		report, failed := verified(t, s.folder(), r.anchor)
		if len(failed) > 0 || report.Manifest.RunID != r.closed.Manifest.RunID {
			t.Errorf("run %d: %q", i, failed)
		}
	}
	if m := third.closed.Manifest; len(m.Legs) != 2 || m.Legs[1].Asset != usd.String() || m.Legs[1].Rows == 0 {
		t.Errorf("the third run has no arrears: %+v", m.Legs)
	}
	report, failed := verified(t, alone(s, second).folder(), second.anchor)
	if !report.OK() || len(failed) > 0 {
		t.Errorf("the second run alone: %q", failed)
	}
	for _, c := range report.Checks {
		if want := c.Name == "run before" || c.Name == "chain"; (c.Verdict == verify.Skipped) != want {
			t.Errorf("%s: %s, %s", c.Name, c.Verdict, c.Detail)
		}
	}
}

// alone returns the files of one run.
func alone(s *shelf, r run) *shelf {
	one := newShelf()
	before := r.closed.Manifest.Previous
	wanted := source{s.folder(), map[string]bool{}, before}
	must(verify.Bundle(context.Background(), wanted, r.anchor, verify.Options{}))
	for name, body := range s.files {
		if cid := strings.TrimSuffix(name, path.Ext(name)); wanted.seen[cid] && cid != before {
			one.files[name] = body
		}
	}
	return one
}

func TestSameRunHasSameBytes(t *testing.T) {
	a, _, _ := twoRuns(t, 40)
	b, _, _ := twoRuns(t, 40)
	if !maps.EqualFunc(a.files, b.files, bytes.Equal) {
		t.Error("the files differ")
	}
}

// Every byte of every file of a bundle: changed, none goes unnoticed, and, for one
// in seven, not under the name of the changed content either.
func TestChangedByteIsDetected(t *testing.T) {
	s, _, second := twoRuns(t, 9)
	s = alone(s, second)
	report, failed := verified(t, s.folder(), second.anchor)
	if !report.OK() {
		t.Fatal(failed)
	}
	stride := 1
	if testing.Short() {
		stride = 11
	}
	cases := 0
	for name, body := range s.files {
		cid := strings.TrimSuffix(name, path.Ext(name))
		for i := 0; i < len(body); i += stride {
			changed := bytes.Clone(body)
			changed[i] ^= 1 << (i % 8)
			if report, _ := verified(t, bent{s, cid, cid, changed}, second.anchor); report.OK() {
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
			if report, _ := verified(t, bent{s, cid, renamed, changed}, anchor); report.OK() {
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
	body     []byte
}

func (b bent) File(_ context.Context, kind content.Kind, cid string) ([]byte, error) {
	if cid == b.new {
		return b.body, nil
	}
	body, ok := b.files[cid+kind.Extension]
	if !ok || cid == b.old {
		return nil, format.ErrNoFile
	}
	return body, nil
}

// One byte in each 1,997 of a bundle with lists of several files, and other damage.
func TestDamageIsDetected(t *testing.T) {
	whole, first, second := twoRuns(t, 1400)
	s := alone(whole, second)
	if report, failed := verified(t, s.folder(), second.anchor); !report.OK() {
		t.Fatal(failed)
	}
	names := slices.Sorted(maps.Keys(s.files))
	for n, name := range names {
		for i := n; i < len(s.files[name]); i += 1997 {
			bent := s.clone()
			bent.files[name] = bytes.Clone(s.files[name])
			bent.files[name][i] ^= 4
			if report, _ := verified(t, bent.folder(), second.anchor); report.OK() {
				t.Fatalf("byte %d of %s can be changed", i, name)
			}
		}
		bad := func(what string, change func(files map[string][]byte)) {
			bent := s.clone()
			change(bent.files)
			if report, _ := verified(t, bent.folder(), second.anchor); report.OK() {
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
	if report, _ := verified(t, s.folder(), first.anchor); report.OK() {
		t.Error("another run's anchor is taken")
	}
	mixed := alone(whole, first)
	mixed.files[second.anchor+".tx"] = s.files[second.anchor+".tx"]
	delete(mixed.files, first.anchor+".tx")
	if report, _ := verified(t, mixed.folder(), second.anchor); report.OK() {
		t.Error("the files of one run pass with the anchor of another")
	}
}

func TestAnchorsThatAreNone(t *testing.T) {
	s := newShelf()
	r := s.run(t, script{holders: 10, minimum: 1, reward: terms.SOL, proceeds: 1000, slot: hour}, nil)
	memo := r.closed.Memo()
	if len(memo) != 303 {
		t.Errorf("the memo has %d bytes", len(memo))
	}
	for name, raw := range map[string][]byte{
		"empty":               {},
		"no transaction":      []byte("hello"),
		"no memo":             sign(t, "", walletKey),
		"no memo at all":      signAll(t, walletKey),
		"two memos":           signAll(t, walletKey, memo, memo),
		"another memo":        sign(t, "hello", walletKey),
		"another format":      sign(t, "tld1"+memo[4:], walletKey),
		"upper case":          sign(t, strings.ToUpper(memo), walletKey),
		"an id in upper case": sign(t, memo[:5]+strings.ToUpper(memo[5:41])+memo[41:], walletKey),
		"one part more":       sign(t, memo+":", walletKey),
		"a short hash":        sign(t, memo[:len(memo)-1], walletKey),
		"a longer one":        append(bytes.Clone(r.signed), 0),
	} {
		if _, err := write.KeepAnchor(t.Context(), s, raw); err == nil {
			t.Errorf("%s is kept", name)
		}
	}
	a, err := verify.ReadAnchor(r.signed)
	if err != nil || a.Wallet != wallet || a.RunID != r.closed.Manifest.RunID || a.Root != r.closed.Root || a.ManifestCID() != r.closed.CID {
		t.Errorf("%+v, %v", a, err)
	}
	if report, _ := verified(t, format.Folder{Files: fstest.MapFS{}}, r.anchor); report.OK() {
		t.Error("a proof without files is good")
	}
	if report, _ := verified(t, s.folder(), "x"); report.OK() {
		t.Error("a proof without a name is good")
	}
	old := sign(t, "tld1"+memo[4:], walletKey)
	cid := format.CID(sha256.Sum256(old))
	report, failed := verified(t, format.Folder{Files: fstest.MapFS{cid + ".tx": {Data: old}}}, cid)
	if len(failed) > 0 || report.OK() || report.Complete() || len(report.Checks) != 1 || report.Checks[0].Verdict != verify.Skipped {
		t.Errorf("a proof of version 1: %+v", report.Checks)
	}
}

func TestManifestsHaveOneSpelling(t *testing.T) {
	s := newShelf()
	r := s.run(t, script{holders: 10, minimum: 1, reward: terms.SOL, proceeds: 1000, slot: hour}, nil)
	body := s.files[r.closed.CID+".json"]
	m, err := format.DecodeManifest(body)
	check(t, err)
	if again, err := format.EncodeManifest(m); err != nil || !bytes.Equal(again, body) {
		t.Errorf("%v, %s", err, again)
	}
	var compact bytes.Buffer
	check(t, json.Compact(&compact, body))
	text := string(body)
	for name, bad := range map[string]string{
		"compact":         compact.String(),
		"no last break":   strings.TrimSuffix(text, "\n"),
		"a second value":  text + "{}\n",
		"another format":  strings.Replace(text, "proof 2", "proof 1", 1),
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
		if _, err := format.DecodeManifest([]byte(bad)); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}

func TestStatementsBalanceOrNot(t *testing.T) {
	entry := func(name format.Name, amount uint64) format.Entry {
		return format.Entry{Name: name, Amount: format.Amount(amount)}
	}
	good := func() format.Statement {
		return format.Statement{
			Asset: "SOL", Opening: 10, In: []format.Entry{entry(format.Deposits, 2), entry(format.Proceeds, 8)},
			Out: []format.Entry{entry(format.ToHolders, 7)}, Closing: 13,
			HeldFor: []format.Entry{entry(format.Owed, 3), entry(format.Float, 10)},
		}
	}
	check(t, verify.CheckStatement(good()))
	if got, want := good().String(), "10 + deposits 2 + proceeds 8 = holders 7 + 13 (owed 3 + float 10)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	const most = 1<<64 - 1
	for name, change := range map[string]func(*format.Statement){
		"one unit more":        func(s *format.Statement) { s.Opening++ },
		"one unit less":        func(s *format.Statement) { s.Out[0].Amount++ },
		"held for something":   func(s *format.Statement) { s.HeldFor[0].Amount++ },
		"a name twice":         func(s *format.Statement) { s.In = append(s.In, entry(format.Proceeds, 0)) },
		"names out of order":   func(s *format.Statement) { slices.Reverse(s.In) },
		"a name out of place":  func(s *format.Statement) { s.In[0].Name = format.Burned },
		"a name of no meaning": func(s *format.Statement) { s.In[0].Name = "gift" },
		"an adjustment without a reason": func(s *format.Statement) {
			s.Out = append(s.Out, entry(format.Adjustment, 1))
			s.Closing, s.HeldFor[1].Amount = 12, 9
		},
		"a reason without an adjustment": func(s *format.Statement) { s.Out[0].Reason = "why" },
		// Modulo 2^64 both sides are the same.
		"beyond 64 bits": func(s *format.Statement) {
			s.In = []format.Entry{entry(format.Deposits, most), entry(format.Proceeds, 11)}
		},
	} {
		s := good()
		change(&s)
		if verify.CheckStatement(s) == nil {
			t.Errorf("%s: %s is taken", name, s)
		}
	}
	huge := format.Statement{
		Opening: most, In: []format.Entry{entry(format.Deposits, most)},
		Out: []format.Entry{entry(format.Sold, most)}, Closing: most, HeldFor: []format.Entry{entry(format.Float, most)},
	}
	check(t, verify.CheckStatement(huge))
	if huge.Of(format.Sold) != most || huge.Of(format.Fees) != 0 {
		t.Error("the amounts of a statement")
	}
	if got := fmt.Sprint(format.Entries(map[format.Name]uint64{format.Float: 1, format.Burned: 2, format.Rent: 0})); got != "[{burned 2 } {float 1 }]" {
		t.Error(got)
	}
}
