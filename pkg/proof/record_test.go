package proof_test

import (
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/base58"

	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
)

// There is a second verifier, in TypeScript. With this flag, every bundle that
// these tests verify is written down with the report, and its tests hold their
// own report against it: see pkg/client/typescript/test/proof/alike.test.ts.
var cases = flag.String("cases", "", "file for the bundles that are verified, with their reports")

// recorded is the record of the cases: cases refer to files and reports by number.
type recorded struct {
	// on reports that something is written down at all.
	on    bool
	mutex sync.Mutex
	// numbers has the place of each file and report.
	numbers map[string]int

	Files   []string         `json:"files"` // in base64
	Reports [][]verify.Check `json:"reports"`
	Cases   []caseOf         `json:"cases"`
}

type caseOf struct {
	Name   string `json:"name"`
	Anchor string `json:"anchor"`
	// Files are the numbers of the contents, by the names they are read under.
	Files map[string]int `json:"files"`
	// Report is the number of the report.
	Report int `json:"report"`
	// LeftOut is the sentence about who is left out on trust; empty if the rows do not hold.
	LeftOut string `json:"leftOut,omitempty"`
	// Forgery is the act of a dishonest operator or node, and Refused the check that
	// refuses it; both are empty for what is none.
	Forgery string `json:"forgery,omitempty"`
	Refused string `json:"refused,omitempty"`
	// Markets are the keys that the reader takes for markets.
	Markets []string `json:"markets,omitempty"`
	// Reach is the behavior of the node or the gateway; empty for an honest one that answers.
	Reach string `json:"reach,omitempty"`
	// Outcome is the result of a case with Reach.
	Outcome string `json:"outcome,omitempty"`
	// Unreachable are the files that the gateway does not give, by their names.
	Unreachable []string `json:"unreachable,omitempty"`
	// Chain is the node's account; nil when none was asked.
	Chain *chainOf `json:"chain,omitempty"`
}

// chainOf is a chain as the other verifier's tests read it: the transactions in the order
// in which they landed.
type chainOf struct {
	Withdrawer   string          `json:"withdrawer"`
	Members      *membersOf      `json:"members,omitempty"`
	Lie          lie             `json:"lie,omitempty"`
	First        uint64          `json:"first,omitempty"`
	Newest       uint64          `json:"newest,omitempty"`
	Transactions []transactionOf `json:"transactions"`
}

// membersOf is the account of the members of a token with a guardian.
type membersOf struct {
	Account  string   `json:"account"`
	Required uint8    `json:"required"`
	List     []string `json:"list"`
}

type transactionOf struct {
	Signature    string          `json:"signature"`
	Slot         uint64          `json:"slot"`
	Failed       string          `json:"failed"`
	Fee          uint64          `json:"fee"`
	Signers      int             `json:"signers"`
	Accounts     []accountOf     `json:"accounts"`
	Tokens       []tokenOf       `json:"tokens"`
	Instructions []instructionOf `json:"instructions"`
}

type accountOf struct {
	Address string `json:"address"`
	Before  uint64 `json:"before"`
	After   uint64 `json:"after"`
}

type tokenOf struct {
	Address     string `json:"address"`
	Mint        string `json:"mint"`
	OwnerBefore string `json:"ownerBefore"`
	OwnerAfter  string `json:"ownerAfter"`
	Before      uint64 `json:"before"`
	After       uint64 `json:"after"`
}

type instructionOf struct {
	Program  string   `json:"program"`
	Accounts []string `json:"accounts"`
	Data     string   `json:"data"` // in base58
	Top      int      `json:"top"`
	Inner    bool     `json:"inner"`
}

var record = recorded{numbers: map[string]int{}}

func TestMain(m *testing.M) {
	flag.Parse()
	record.on = *cases != ""
	code := m.Run()
	if *cases != "" && code == 0 {
		if err := record.write(*cases); err != nil {
			_, _ = fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

func (r *recorded) write(path string) error {
	content, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("write the cases: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return fmt.Errorf("write the cases: %w", err)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		return fmt.Errorf("write the cases: %w", err)
	}
	return nil
}

// add writes a bundle down with its report.
func (r *recorded) add(t testing.TB, source format.Source, anchor string, report verify.Report) {
	t.Helper()
	r.addCase(t, source, anchor, report, nil)
}

// addChain writes a bundle down with the report of a verifier that asked this chain.
func (r *recorded) addChain(t testing.TB, source format.Source, anchor string, report verify.Report, s *sim, markets []solana.PublicKey) {
	t.Helper()
	if !r.on || s.err != nil || len(s.forgotten) > 0 { // without an answer there is no report to compare
		return
	}
	told := s.told()
	r.addCase(t, source, anchor, report, &told)
	for _, key := range markets {
		last := &r.Cases[len(r.Cases)-1]
		last.Markets = append(last.Markets, key.String())
	}
}

// told returns the record of the chain's account.
func (s *sim) told() chainOf {
	told := chainOf{Withdrawer: s.withdrawer.String(), Lie: s.lie, First: s.first, Newest: s.newest, Transactions: []transactionOf{}}
	if m := s.members; m != nil {
		told.Members = &membersOf{Account: m.account.String(), Required: m.required}
		for _, key := range m.list {
			told.Members.List = append(told.Members.List, key.String())
		}
	}
	for _, landed := range s.landed {
		one, ok := s.get(landed.Signature)
		if !ok {
			continue
		}
		x := transactionOf{
			Signature: one.Signature.String(), Slot: one.Slot, Failed: one.Failed, Fee: one.FeeLamports, Signers: one.Signers,
			Accounts: []accountOf{}, Tokens: []tokenOf{}, Instructions: []instructionOf{},
		}
		for _, a := range one.Accounts {
			x.Accounts = append(x.Accounts, accountOf{a.Address.String(), a.Before, a.After})
		}
		for _, a := range one.Tokens {
			x.Tokens = append(x.Tokens, tokenOf{a.Address.String(), a.Mint.String(), a.OwnerBefore.String(), a.OwnerAfter.String(), a.Before, a.After})
		}
		for _, in := range one.Instructions {
			of := instructionOf{Program: in.Program.String(), Accounts: []string{}, Data: base58.Encode(in.Data), Top: in.Top, Inner: in.Inner}
			for _, account := range in.Accounts {
				of.Accounts = append(of.Accounts, account.String())
			}
			x.Instructions = append(x.Instructions, of)
		}
		told.Transactions = append(told.Transactions, x)
	}
	return told
}

func (r *recorded) addCase(t testing.TB, source format.Source, anchor string, report verify.Report, chain *chainOf) {
	t.Helper()
	if !r.on {
		return
	}
	files := map[string][]byte{}
	switch s := source.(type) {
	case format.Folder:
		for name, file := range s.Files.(fstest.MapFS) {
			files[name] = file.Data
		}
	case bent:
		maps.Copy(files, s.files)
		for name := range s.files {
			if cid, ext, _ := strings.Cut(name, "."); cid == s.old {
				delete(files, name)
				files[s.new+"."+ext] = s.body
			}
		}
	default:
		t.Fatalf("a source of the type %T cannot be written down", source)
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	c := caseOf{Name: t.Name(), Anchor: anchor, Files: map[string]int{}, Chain: chain, LeftOut: report.LeftOnTrustWords()}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		content := base64.StdEncoding.EncodeToString(files[name])
		c.Files[name] = r.number("file "+content, func() { r.Files = append(r.Files, content) }, len(r.Files))
	}
	c.Report = r.number(fmt.Sprintf("report %+q", fmt.Sprint(report.Checks)), func() { r.Reports = append(r.Reports, report.Checks) }, len(r.Reports))
	r.Cases = append(r.Cases, c)
}

// forgery says of the last case that was written down what is done in it.
func (r *recorded) forgery(name, check string) {
	if r.on {
		last := &r.Cases[len(r.Cases)-1]
		last.Forgery, last.Refused = name, check
	}
}

// reach says of the last case that was written down how the node or the gateway answers.
func (r *recorded) reach(name, outcome string, unreachable []string) {
	if r.on {
		last := &r.Cases[len(r.Cases)-1]
		last.Reach, last.Outcome, last.Unreachable = name, outcome, unreachable
	}
}

func (r *recorded) number(key string, add func(), next int) int {
	n, ok := r.numbers[key]
	if !ok {
		n = next
		r.numbers[key] = n
		add()
	}
	return n
}
