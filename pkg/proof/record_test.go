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

	"github.com/gagliardetto/solana-go/base58"

	"tokenlaunch.example/service/pkg/proof"
)

// There is a second verifier, in TypeScript. With this flag, every bundle that
// these tests verify is written down with the report, and its tests hold their
// own report against it: see pkg/client/typescript/test/proof/alike.test.ts.
var cases = flag.String("cases", "", "file for the bundles that are verified, with their reports")

// recorded is what is written down: cases refer to files and reports by number.
type recorded struct {
	mutex sync.Mutex
	// numbers has the place of each file and report.
	numbers map[string]int

	Files   []string        `json:"files"` // in base64
	Reports [][]proof.Check `json:"reports"`
	Cases   []caseOf        `json:"cases"`
}

type caseOf struct {
	Name   string `json:"name"`
	Anchor string `json:"anchor"`
	// Files are the numbers of the contents, by the names they are read under.
	Files map[string]int `json:"files"`
	// Report is the number of the report.
	Report int `json:"report"`
	// Chain is what a node tells; nil when none was asked.
	Chain *chainOf `json:"chain,omitempty"`
}

// chainOf is a ledger as the page's tests read it; the transactions by their signatures.
type chainOf struct {
	Withdrawer   string               `json:"withdrawer"`
	Transactions map[string]landingOf `json:"transactions"`
}

type landingOf struct {
	Slot         uint64            `json:"slot"`
	Failed       string            `json:"failed"`
	Fee          uint64            `json:"fee"`
	Changes      []changeOf        `json:"changes"`
	Burned       map[string]uint64 `json:"burned"`
	Instructions []instructionOf   `json:"instructions"`
}

type changeOf struct {
	Owner  string `json:"owner"`
	Asset  string `json:"asset"`
	Before uint64 `json:"before"`
	After  uint64 `json:"after"`
}

type instructionOf struct {
	Program  string   `json:"program"`
	Accounts []string `json:"accounts"`
	Data     string   `json:"data"` // in base58
}

var record = recorded{numbers: map[string]int{}}

func TestMain(m *testing.M) {
	flag.Parse()
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
func (r *recorded) add(t testing.TB, source proof.Source, anchor string, report proof.Report) {
	t.Helper()
	r.addCase(t, source, anchor, report, nil)
}

// addChain writes a bundle down with the report of a verifier that asked this chain.
func (r *recorded) addChain(t testing.TB, source proof.Source, anchor string, report proof.Report, l ledger) {
	t.Helper()
	if l.err != nil { // without an answer there is no report to compare
		return
	}
	chain := chainOf{Withdrawer: l.withdrawer.String(), Transactions: map[string]landingOf{}}
	for s, landed := range l.landed {
		told := landingOf{Slot: landed.Slot, Failed: landed.Failed, Fee: landed.FeeLamports, Changes: []changeOf{}, Burned: map[string]uint64{}, Instructions: []instructionOf{}}
		for holder, c := range landed.Changes {
			told.Changes = append(told.Changes, changeOf{holder.Owner.String(), holder.Asset.String(), c.Before, c.After})
		}
		for mint, amount := range landed.Burned {
			told.Burned[mint.String()] = amount
		}
		for _, in := range landed.Instructions {
			one := instructionOf{Program: in.Program.String(), Accounts: []string{}, Data: base58.Encode(in.Data)}
			for _, account := range in.Accounts {
				one.Accounts = append(one.Accounts, account.String())
			}
			told.Instructions = append(told.Instructions, one)
		}
		chain.Transactions[s.String()] = told
	}
	r.addCase(t, source, anchor, report, &chain)
}

func (r *recorded) addCase(t testing.TB, source proof.Source, anchor string, report proof.Report, chain *chainOf) {
	t.Helper()
	if *cases == "" {
		return
	}
	files := map[string][]byte{}
	switch s := source.(type) {
	case proof.Folder:
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
	c := caseOf{Name: t.Name(), Anchor: anchor, Files: map[string]int{}, Chain: chain}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		content := base64.StdEncoding.EncodeToString(files[name])
		c.Files[name] = r.number("file "+content, func() { r.Files = append(r.Files, content) }, len(r.Files))
	}
	c.Report = r.number(fmt.Sprintf("report %q", report.Checks), func() { r.Reports = append(r.Reports, report.Checks) }, len(r.Reports))
	r.Cases = append(r.Cases, c)
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
