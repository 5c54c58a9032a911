package run_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo/meter"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

const (
	// mainnet and tower are how long a network takes to finalize a transaction: mainnet with
	// Alpenglow (Solana Foundation), and a network with Tower and slots of 400 ms.
	mainnet, tower = 150 * time.Millisecond, 12800 * time.Millisecond
	// baseFee is the fee of a signature, in lamports.
	baseFee = 5_000
)

// trip is a run that was settled, with the calls that it took.
type trip struct {
	fixture *runworld.Fixture
	run     run.Run
	calls   []fault.Call
	// from and to are the calls of its payments; took is the time of the whole, and
	// paying that of those.
	from, to     int
	took, paying time.Duration
	// units are DynamoDB's, of the whole.
	units meter.Units
}

// travel runs a distribution in one process and watches its calls.
func travel(t *testing.T, w *runworld.Fixture) *trip {
	t.Helper()
	process, trip := fault.NewProcess(), &trip{fixture: w}
	var began time.Time
	w.Prepare = func(worker *runworld.Worker) {
		worker.Machine.Engine = working{worker.Machine.Engine, func(work payout.Work) {
			if work.Kind == payout.Pay && began.IsZero() {
				began, trip.from = time.Now(), len(process.Calls())
			}
		}}
		worker.Machine.Books = runworld.Closing{Books: worker.Machine.Books, Before: func() {
			trip.paying, trip.to = time.Since(began), len(process.Calls())
		}}
	}
	start := time.Now()
	slot := w.Slot()
	w.Meter.Take()
	w.Drive(t, func() *fault.Process { return process })
	trip.took, trip.calls, trip.units = time.Since(start), process.Calls(), w.Meter.Take()
	trip.run = w.Look(t, slot) // verifies the proof, also against the chain
	if trip.run.Status() != run.Settled {
		t.Fatalf("the run is %s: %+v", trip.run.Status(), trip.run.End)
	}
	return trip
}

// working calls back before a step of a chunk that the machine works on.
type working struct {
	run.Engine

	before func(payout.Work)
}

func (w working) Work(ctx context.Context, work payout.Work) (payout.Next, error) {
	w.before(work)
	return w.Engine.Work(ctx, work)
}

// rows reads the proof's rows of an asset.
func (p *trip) rows(t *testing.T, asset terms.Asset) map[solana.PublicKey]allocation.Row {
	t.Helper()
	rows := map[solana.PublicKey]allocation.Row{}
	for row, err := range p.fixture.Manifest(t, p.run).RowsOf(t.Context(), p.fixture.Source(), asset) {
		must.Do(t, err)
		rows[row.Owner] = row
	}
	return rows
}

// landed is the chain's record of a transaction that pays holders.
type landed struct {
	signatures, transfers, created int
}

// paid reads the transactions of the proof's rows from the chain.
func (p *trip) paid(t *testing.T) []landed {
	t.Helper()
	signatures := map[solana.Signature]bool{}
	for _, row := range p.rows(t, p.run.Reward.Asset) {
		if !row.Signature.IsZero() {
			signatures[row.Signature] = true
		}
	}
	var list []landed
	for signature := range signatures {
		var got struct {
			Meta        struct{ Err any }
			Transaction struct {
				Signatures []string
				Message    struct {
					Instructions []struct {
						Program string
						Parsed  any
					}
				}
			}
		}
		p.fixture.Ledger.Call(t, &got, "getTransaction", signature.String(),
			map[string]any{"encoding": "jsonParsed", "commitment": "confirmed", "maxSupportedTransactionVersion": 1})
		one := landed{signatures: len(got.Transaction.Signatures)}
		for _, in := range got.Transaction.Message.Instructions {
			parsed, ok := in.Parsed.(map[string]any)
			if !ok {
				continue
			}
			switch kind, _ := parsed["type"].(string); {
			case strings.HasPrefix(kind, "transfer"):
				one.transfers++
			case strings.HasPrefix(kind, "create"):
				one.created++
			}
		}
		if got.Meta.Err != nil || one.transfers == 0 {
			t.Errorf("%s: %+v, %v", signature, one, got.Meta.Err)
		}
		list = append(list, one)
	}
	return list
}

func fullOf(paid []landed, size int) (full int) {
	for _, p := range paid {
		if p.transfers == size {
			full++
		}
	}
	return full
}

// show prints what it took.
func (p *trip) show(t *testing.T, what string, full, size, recipients int, paid []landed) {
	t.Helper()
	chunks := p.run.Payment.Legs[0].Chunks
	atOnce := min(chunks.Size*chunks.AtOnce, len(paid))
	waves := (len(paid) + atOnce - 1) / atOnce
	whole, paying := callsOf(p.calls, fault.Solana), callsOf(p.calls[p.from:p.to], fault.Solana)
	figures.Show(t, "run: %d holders paid in %s: %d transactions, %d of them of %d payouts, one signature each; base fee %s a payout, %s in a full one",
		recipients, what, len(paid), full, size, ratio(len(paid)*baseFee, recipients, "lamports"), ratio(baseFee, size, "lamports"))
	figures.Show(t, "run: %d holders paid in %s: %.1f s in one process on the local chain, %.1f s of that paying, without waiting for finality",
		recipients, what, p.took.Seconds(), p.paying.Seconds())
	figures.Show(t, "run: %d holders paid in %s: computed, not measured: %d transactions at once, %d times; each is final and its receipt "+
		"back after twice the finality, so at least %s on mainnet (%s) and %s on a network with Tower (%s)",
		recipients, what, atOnce, waves, time.Duration(2*waves)*mainnet, mainnet, time.Duration(2*waves)*tower, tower)
	figures.Show(t, "run: %d holders paid in %s: %d RPC calls in all, %s; %d of them while paying, %s: %s",
		recipients, what, total(whole), ratio(total(whole), recipients, "a holder"), total(paying), ratio(total(paying), len(paid), "a transaction"), methods(paying))
	figures.Show(t, "run: %d holders paid in %s: DynamoDB %.1f units of reading and %.0f of writing in %d calls; S3: %s; KMS: %s",
		recipients, what, p.units.Read, p.units.Write, p.units.Calls, methods(callsOf(p.calls, "s3")), methods(callsOf(p.calls, "kms")))
}

// callsOf counts the calls of a service by operation.
func callsOf(calls []fault.Call, service string) map[string]int {
	counts := map[string]int{}
	for _, c := range calls {
		if c.Service == service {
			counts[c.Operation]++
		}
	}
	return counts
}

func total(counts map[string]int) (sum int) {
	for _, n := range counts {
		sum += n
	}
	return sum
}

func ratio(n, of int, what string) string {
	return fmt.Sprintf("%d.%02d %s", n/of, n*100/of%100, what)
}

// methods lists them, most called first.
func methods(counts map[string]int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d", name, counts[name])
	}
	return strings.Join(names, ", ")
}
