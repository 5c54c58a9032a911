package proof_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/base58"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/merkle"
	"tokenlaunch.example/service/pkg/proof/verify"
)

// vectors is the folder for the author of a verifier; its README describes it.
const vectors = "testdata/vectors"

// isVector holds a file of the vectors against what it has to be, or writes it.
func isVector(t *testing.T, name string, value any) {
	t.Helper()
	var content bytes.Buffer
	e := json.NewEncoder(&content)
	e.SetEscapeHTML(false)
	if _, large := value.(*recorded); !large {
		e.SetIndent("", "\t")
	}
	check(t, e.Encode(value))
	path := filepath.Join(vectors, name)
	if *update {
		check(t, os.WriteFile(path, content.Bytes(), 0o600))
	}
	if kept, err := os.ReadFile(path); err != nil || !bytes.Equal(kept, content.Bytes()) {
		t.Errorf("%s is not what is written (%v): run with -update", name, err)
	}
}

// chosen are honest runs, and of each check the first forgery that it refuses. The whole
// catalogue would be ten times as large; -cases writes it.
func chosen() (list []forgery) {
	list = []forgery{{name: "", first: honest}, {name: "", first: honest, second: honest}, {name: "", first: all(splits, unpaid), second: splits}, {name: "", first: lesser, second: holding}, {name: "", first: promised, second: promised}, {name: "", first: guarded, node: byMembers}, {name: "", runs: rotated(), node: ofLater}}
	list = append(list, forgery{name: "", runs: history(following(1, asClaim(earlier(never, unchanged))), following(2, earlier(at(2), waits)), following(3, began(earlier(at(2), unchanged))))})
	list = append(list, forgery{name: "", runs: history(following(1, earlier(at(1), unchanged)), following(2, byLater))})
	list = append(append(list, brokenPromises()...), brokenDelays()[:5]...)
	for _, f := range catalogue() {
		if f.name == elsewhere || !slices.ContainsFunc(list, func(of forgery) bool {
			return of.check == f.check && of.unwalked == f.unwalked && of.tooNew == f.tooNew
		}) {
			list = append(list, f)
		}
	}
	return list
}

// The cases have exactly the input of a reader: bundles, chains and reports.
func TestVectorsOfProofs(t *testing.T) {
	written := &recorded{numbers: map[string]int{}, on: true}
	for _, f := range chosen() {
		files, r, node := f.published(t)
		report, err := verify.Bundle(t.Context(), files, r.anchor, verify.Options{Node: node})
		check(t, err)
		written.addChain(t, files, r.anchor, report, node, nil)
		written.forgery(f.name, f.check)
		written.Cases[len(written.Cases)-1].Name = f.name
	}
	isVector(t, "proofs.json", written)
	var kept recorded
	content, err := os.ReadFile(filepath.Join(vectors, "proofs.json"))
	check(t, err)
	check(t, json.Unmarshal(content, &kept))
	for _, c := range kept.Cases {
		files := fstest.MapFS{}
		for name, number := range c.Files {
			files[name] = &fstest.MapFile{Data: must(base64.StdEncoding.DecodeString(kept.Files[number]))}
		}
		report, err := verify.Bundle(t.Context(), format.Folder{Files: files}, c.Anchor, verify.Options{Node: c.Chain.node()})
		check(t, err)
		if !slices.Equal(report.Checks, kept.Reports[c.Report]) {
			t.Errorf("%s: %+v", c.Name, report.Checks)
		}
		if bad := !report.OK() || slices.ContainsFunc(report.Checks, func(of verify.Check) bool { return of.Verdict == verify.Skipped }); bad != (c.Forgery != "") {
			t.Errorf("%q: refused %v", c.Name, bad)
		}
	}
}

// node tells what is written down.
func (c chainOf) node() *sim {
	s := newSim()
	s.withdrawer, s.lie = solana.MustPublicKeyFromBase58(c.Withdrawer), c.Lie
	if m := c.Members; m != nil {
		s.members = &members{account: solana.MustPublicKeyFromBase58(m.Account), required: m.Required}
		for _, key := range m.List {
			s.members.list = append(s.members.list, solana.MustPublicKeyFromBase58(key))
		}
	}
	for _, x := range c.Transactions {
		t := chain.Transaction{
			Signature: solana.MustSignatureFromBase58(x.Signature), Slot: x.Slot, Failed: x.Failed, FeeLamports: x.Fee, Signers: x.Signers,
		}
		key := func(text string) (key solana.PublicKey) {
			if text != "" {
				key = solana.MustPublicKeyFromBase58(text)
			}
			return key
		}
		for _, a := range x.Accounts {
			t.Accounts = append(t.Accounts, chain.Account{Address: key(a.Address), Before: a.Before, After: a.After})
		}
		for _, a := range x.Tokens {
			t.Tokens = append(t.Tokens, chain.TokenAccount{
				Address: key(a.Address), Mint: key(a.Mint), OwnerBefore: key(a.OwnerBefore), OwnerAfter: key(a.OwnerAfter), Before: a.Before, After: a.After,
			})
		}
		for _, in := range x.Instructions {
			one := chain.Instruction{Program: key(in.Program), Data: must(base58.Decode(in.Data)), Top: in.Top, Inner: in.Inner}
			for _, account := range in.Accounts {
				one.Accounts = append(one.Accounts, key(account))
			}
			t.Instructions = append(t.Instructions, one)
		}
		s.landed = append(s.landed, t)
	}
	return s
}

// memoVector is a memo's text, and what it says; Memo is nil where it is refused.
type memoVector struct {
	What string      `json:"what"`
	Text string      `json:"text"`
	Memo *memoFields `json:"memo"`
}

type memoFields struct {
	Run      string `json:"run"`
	Number   uint64 `json:"number"`
	Rows     string `json:"rows"`
	Manifest string `json:"manifest"`
	Settings string `json:"settings"`
	Previous string `json:"previous"`
}

func TestVectorsOfMemos(t *testing.T) {
	good := format.Memo{
		RunID: "0f9c4c1e-8a53-5c8e-9b7f-61d45d2b8a4e", Number: 7, Root: hash([]byte("rows")), Manifest: hash([]byte("manifest")),
		Order: hash([]byte("settings")), Previous: hash([]byte("before")),
	}
	first := good
	first.Number, first.Previous = 1, merkle.Hash{}
	most := good
	most.Number = 1<<64 - 1
	text := good.String()
	var list []memoVector
	for _, one := range []struct{ what, text string }{
		{"a proof", text},
		{"a token's first", first.String()},
		{"the highest number", most.String()},
		{"version 1", "tld1" + strings.TrimPrefix(text, "tld2")},
		{"number 0", strings.Replace(text, ":7:", ":0:", 1)},
		{"a zero before the number", strings.Replace(text, ":7:", ":07:", 1)},
		{"a number of more than 64 bits", strings.Replace(most.String(), ":18446744073709551615:", ":18446744073709551616:", 1)},
		{"capital letters", strings.ToUpper(text)},
		{"a run in capital letters", strings.Replace(text, "0f9c", "0F9C", 1)},
		{"a hash that is too short", text[:len(text)-1]},
		{"a part more", text + ":"},
		{"a part less", text[:strings.LastIndex(text, ":")]},
		{"a space before", " " + text},
		{"a line break behind", text + "\n"},
		{"nothing", ""},
	} {
		v := memoVector{What: one.what, Text: one.text}
		if m, err := format.ParseMemo(one.text); err == nil {
			v.Memo = &memoFields{m.RunID, m.Number, m.Root.String(), m.Manifest.String(), m.Order.String(), m.Previous.String()}
		}
		list = append(list, v)
	}
	if slices.IndexFunc(list, func(v memoVector) bool { return v.Memo == nil }) != 3 || slices.ContainsFunc(list[3:], func(v memoVector) bool { return v.Memo != nil }) {
		t.Error("the first three are memos, and no other")
	}
	isVector(t, "memos.json", list)
}

// treeVector is a list of lines, its root, and the path from each line to it.
type treeVector struct {
	Lines []string   `json:"lines"`
	Root  string     `json:"root"`
	Paths [][]string `json:"paths"`
}

func TestVectorsOfTrees(t *testing.T) {
	list := []treeVector{}
	for _, size := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9} {
		v := treeVector{Lines: []string{}, Paths: [][]string{}}
		var leaves []merkle.Hash
		for n := range size {
			v.Lines = append(v.Lines, "line "+strings.Repeat("x", n))
			leaves = append(leaves, merkle.Leaf([]byte(v.Lines[n])))
		}
		root := merkle.Root(leaves)
		v.Root = root.String()
		for n := range size {
			path := merkle.Path(leaves, n)
			if !merkle.Verify(root, leaves[n], uint64(n), uint64(size), path) {
				t.Errorf("line %d of %d is not under the root", n, size)
			}
			texts := []string{}
			for _, h := range path {
				texts = append(texts, h.String())
			}
			v.Paths = append(v.Paths, texts)
		}
		list = append(list, v)
	}
	isVector(t, "trees.json", list)
}

// attestationVector is a file of an attestation, and whether it is one of the proof that is
// told of in Proof, for a reader who names its key.
type attestationVector struct {
	What   string `json:"what"`
	Text   string `json:"text"`
	Key    string `json:"key"`
	Good   bool   `json:"good"`
	Signed string `json:"signature"`
}

func TestVectorsOfAttestations(t *testing.T) {
	files, r, node := (forgery{first: honest}).published(t)
	report, err := verify.Bundle(t.Context(), files, r.anchor, verify.Options{Node: node})
	check(t, err)
	text, err := verify.AttestationText(report, []solana.PublicKey{stranger, developer})
	check(t, err)
	none, err := verify.AttestationText(report, nil)
	check(t, err)
	forgedKey := attest(strangersKey, text)
	forgedKey.Key = format.Key(wallet)
	list := []attestationVector{}
	for _, one := range []struct {
		what string
		a    verify.Attestation
		good bool
	}{
		{"with two markets", attest(strangersKey, text), true},
		{"with none", attest(strangersKey, none), true},
		{"of another key", forgedKey, false},
		{"of another number", attest(strangersKey, strings.Replace(text, "Number: 1", "Number: 2", 1)), false},
		{"not complete", attest(strangersKey, strings.Replace(text, "Verdict: complete", "Verdict: good", 1)), false},
		{"with a line break behind", attest(strangersKey, text+"\n"), false},
	} {
		if _, err := one.a.Check(report); (err == nil) != one.good {
			t.Errorf("%s: %v", one.what, err)
		}
		list = append(list, attestationVector{one.what, one.a.Text, one.a.Key.String(), one.good, one.a.Signature.String()})
	}
	isVector(t, "attestations.json", list)
}
