package ledgertable_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/runtest"
)

var update = flag.Bool("update", false, "write the golden files again")

// TestDocuments holds the stored form of every fact. When it fails, a field was
// added, renamed or removed: a new one may be written down with -update; a name
// that ledgers have already must not change.
func TestDocuments(t *testing.T) {
	var (
		r       run.Run
		head    run.Head
		payment payout.Payment
	)
	for n, facts := range []any{&r, &head, &payment} {
		runtest.Fill(facts, uint64(n+1))
		name := filepath.Join("testdata", "ledger", []string{"run", "head", "payment"}[n]+".json")
		got, err := json.MarshalIndent(facts, "", "  ")
		must.Do(t, err)
		got = append(got, '\n')
		if *update {
			must.Do(t, os.WriteFile(name, got, 0o600))
		}
		want, err := os.ReadFile(name)
		must.Do(t, err)
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs from the stored form; see -update:\n%s", name, firstDifference(string(got), string(want)))
		}
	}
}

func firstDifference(got, want string) string {
	have := strings.Split(want, "\n")
	for n, line := range strings.Split(got, "\n") {
		if n >= len(have) || line != have[n] {
			return "line " + line
		}
	}
	return "a line is gone"
}

// TestLostAnswerIsNoConflict tests that every write whose response is lost once succeeds, and takes
// effect once. If all responses are lost the write fails, and not as if another writer had won.
func TestLostAnswerIsNoConflict(t *testing.T) {
	stack := localnet.AWS(t)
	slot := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	lossy := func(t *testing.T, losses int) (process *fault.Process, client *dynamodb.Client) {
		process = fault.NewProcess()
		process.On(fault.Operation("dynamodb", "TransactWriteItems"), fault.Times(losses, fault.ReplyLost))
		config := stack.Config(t.Context())
		config.HTTPClient = process.Over(config.HTTPClient.Do)
		return process, dynamo.New(config)
	}
	for name, write := range map[string]func(runs ledgertable.Runs, sound ledgertable.Runs, mint solana.PublicKey) error{
		"open": func(runs, _ ledgertable.Runs, mint solana.PublicKey) error {
			return runs.Open(t.Context(), run.Head{Mint: mint, Active: slot, LastSlot: slot}, runtest.New(mint, slot))
		},
		"save": func(runs, sound ledgertable.Runs, mint solana.PublicKey) error {
			return runs.Save(t.Context(), opened(t, sound, mint, slot))
		},
		"burn": func(runs, sound ledgertable.Runs, mint solana.PublicKey) error {
			r := opened(t, sound, mint, slot)
			return runs.SaveBurn(t.Context(), r, run.Burn{Mint: mint, Run: r.ID, Amount: 3})
		},
		"end": func(runs, sound ledgertable.Runs, mint solana.PublicKey) error {
			r := opened(t, sound, mint, slot)
			r.End = &run.End{At: slot}
			return runs.End(t.Context(), r, run.Head{Mint: mint, LastSlot: slot, Version: 1})
		},
		"head": func(runs, _ ledgertable.Runs, mint solana.PublicKey) error {
			return runs.SaveHead(t.Context(), run.Head{Mint: mint})
		},
		"bind": func(runs, _ ledgertable.Runs, mint solana.PublicKey) error {
			return payments(runs).Bind(t.Context(), boundAt(slot, mint))
		},
		"record": func(runs, sound ledgertable.Runs, mint solana.PublicKey) error {
			p := boundAt(slot, mint)
			must.Do(t, payments(sound).Bind(t.Context(), p))
			p.Attempts, p.Version = []payout.Attempt{{}}, 1
			return payments(runs).Record(t.Context(), p)
		},
		"end of a payment": func(runs, sound ledgertable.Runs, mint solana.PublicKey) error {
			p := boundAt(slot, mint)
			must.Do(t, payments(sound).Bind(t.Context(), p))
			p.Split, p.Version = true, 1
			half := p.ID
			half.Part = "0"
			return payments(runs).End(t.Context(), p, payout.Payment{ID: half})
		},
	} {
		t.Run(name, func(t *testing.T) {
			for losses, ok := range map[int]bool{1: true, 2: true, 3: false} {
				table := stack.CreateTable(t, schema.Ledger)
				process, client := lossy(t, losses)
				now := func() time.Time { return slot }
				sound := ledgertable.Runs{Client: dynamo.New(stack.Config(t.Context())), Table: table, Now: now}
				mint := key()
				err := write(ledgertable.Runs{Client: client, Table: table, Now: now}, sound, mint)
				if (err == nil) != ok || errors.Is(err, run.ErrConflict) || errors.Is(err, payout.ErrConflict) {
					t.Errorf("%d lost responses: %v", losses, err)
				}
				if calls := len(process.Calls()); calls != min(losses+1, 3) {
					t.Errorf("%d lost responses, %d calls", losses, calls)
				}
				head, err := sound.Head(t.Context(), mint)
				must.Do(t, err)
				if name == "burn" && head.Burned != 3 {
					t.Errorf("%d lost responses: burned %d", losses, head.Burned)
				}
			}
		})
	}
}

func payments(runs ledgertable.Runs) ledgertable.Payments {
	return ledgertable.Payments{Client: runs.Client, Table: runs.Table}
}

func boundAt(at time.Time, mint solana.PublicKey) payout.Payment {
	return payout.Payment{ID: payout.ID{Run: "r", Kind: payout.Pay}, Mint: mint, BoundAt: at}
}

func opened(t *testing.T, runs ledgertable.Runs, mint solana.PublicKey, slot time.Time) run.Run {
	t.Helper()
	must.Do(t, runs.Open(t.Context(), run.Head{Mint: mint, Active: slot, LastSlot: slot}, runtest.New(mint, slot)))
	r, err := runs.Run(t.Context(), mint, slot)
	must.Do(t, err)
	return r
}

func key() solana.PublicKey { return solana.NewWallet().PublicKey() }
