package payout_test

import (
	"encoding/base64"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
	"tokenlaunch.example/service/pkg/token/terms"
)

func TestVersionsAreRead(t *testing.T) {
	for text, want := range map[string]payout.Version{"legacy": payout.Legacy, "1": payout.V1} {
		if got, err := payout.ReadVersion(text); got != want || err != nil {
			t.Errorf("%s: %d, %v", text, got, err)
		}
	}
	if _, err := payout.ReadVersion("0"); err == nil {
		t.Error("version 0 is taken")
	}
}

// One transaction of version 1 pays sixty holders.
func TestVersion1PaysSixty(t *testing.T) {
	w := payouttest.NewEnv(t).Fixture(t, sol)
	list := holders(payout.SOLBatchV1, 1_000_000)
	phase := payouttest.SOL(payout.SOLBatchV1)
	phase.Version = payout.V1
	w.Pay(t, w.Engine(t, nil), w.Plan(phase, list))
	if payments := w.Payments(t, payout.Pay, 0); len(payments) != 1 || payments[0].Status() != payout.Landed {
		t.Errorf("%+v", payments)
	}
	if takes, err := w.Engine(t, nil).Takes(t.Context(), w.Wallet); !takes || err != nil {
		t.Errorf("the local chain takes version 1: %v, %v", takes, err)
	}
	for _, h := range list {
		if got := w.Lamports(t, h.Owner); got != h.Amount {
			t.Errorf("a holder has %d, want %d", got, h.Amount)
		}
	}
}

// ofV1 is a fault of simulations of transactions of version 1. Others go through.
func ofV1(f fault.Fault) fault.Fault {
	return func(c fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
		var text string
		if err := payouttest.Parameter(r, &text); err != nil {
			return nil, err
		}
		if raw, err := base64.StdEncoding.DecodeString(text); err != nil || !wire.IsV1(raw) {
			return send(r)
		}
		return f(c, r, send)
	}
}

// unsupported is the simulation's error for a version that the node does not execute.
const unsupported = `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":1},"value":{"err":"UnsupportedVersion","logs":[],"unitsConsumed":0}}}`

// A node that does not take version 1, in whatever words, gets legacy transactions, and
// no holder is left out on its word.
func TestNodeWithoutVersion1GetsLegacyTransactions(t *testing.T) {
	for name, answer := range map[string]string{
		"cannot be read":  `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"failed to deserialize solana_transaction::versioned::VersionedTransaction"}}`,
		"is not carried":  unsupported,
		"lacks something": `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":1},"value":{"err":"MaxLoadedAccountsDataSizeExceeded","logs":[],"unitsConsumed":0}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			w := payouttest.NewEnv(t).Fixture(t, sol)
			p := fault.NewProcess()
			var mu sync.Mutex // batches are sent at once
			refused, sent := 0, map[solana.Signature]bool{}
			p.On(fault.Operation(fault.Solana, "simulateTransaction"), ofV1(func(c fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
				mu.Lock()
				defer mu.Unlock()
				refused++
				return fault.Answer(http.StatusOK, answer)(c, r, send)
			}))
			p.On(fault.Operation(fault.Solana, fault.SendTransaction), func(_ fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
				id, raw, err := fault.Sent(r)
				if err != nil || wire.IsV1(raw) {
					t.Errorf("version 1 is sent, %v", err)
				}
				mu.Lock()
				sent[id] = true // again where the chain is slow to show it
				mu.Unlock()
				return send(r)
			})
			e := w.Engine(t, p)
			if takes, err := e.Takes(t.Context(), w.Wallet); takes || err != nil {
				t.Errorf("it takes version 1: %v, %v", takes, err)
			}
			list := holders(payout.SOLBatchV1, 1_000_000)
			phase := payouttest.SOL(payout.SOLBatchV1)
			phase.Version = payout.V1
			w.Pay(t, e, w.Plan(phase, list))
			for _, h := range list {
				if got := w.Lamports(t, h.Owner); got != h.Amount {
					t.Errorf("a holder has %d, want %d", got, h.Amount)
				}
			}
			for _, i := range w.Payments(t, payout.Pay, 0) {
				if i.Status() != payout.Landed || len(i.Skips) > 0 || len(strings.Trim(i.ID.Part, "01")) > 0 {
					t.Errorf("%s is %s, skips %+v", i.ID, i.Status(), i.Skips)
				}
			}
			if refused != 1+3 || len(sent) != 4 { // Takes, and 60, 30 and 30
				t.Errorf("%d refused, %d sent", refused, len(sent))
			}
		})
	}
}

// A plan that says nothing of a version, as those of before, is carried out as it was; and
// as many as a legacy transaction takes are never of version 1.
func TestPlanWithoutVersionIsLegacy(t *testing.T) {
	w := payouttest.NewEnv(t).Fixture(t, sol)
	p := fault.NewProcess()
	p.On(fault.Operation(fault.Solana, fault.SendTransaction), func(_ fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
		if _, raw, err := fault.Sent(r); err != nil || wire.IsV1(raw) {
			t.Errorf("version 1 is sent, %v", err)
		}
		return send(r)
	})
	list := holders(payout.SOLBatchV1+1, 1_000_000)
	w.Pay(t, w.Engine(t, p), w.Plan(payouttest.SOL(payout.SOLBatch), list))
	phase := payouttest.SOL(payout.SOLBatch)
	phase.Version, phase.Leg = payout.V1, 1
	w.Pay(t, w.Engine(t, p), w.Plan(phase, holders(payout.SOLBatch, 1_000_000)))
	for leg := range 2 {
		for _, i := range w.Payments(t, payout.Pay, leg) {
			if i.Status() != payout.Landed {
				t.Errorf("%s is %s", i.ID, i.Status())
			}
		}
	}
}

// A higher fee is signed on another blockhash, with all else as it was.
func TestHigherFeeOfVersion1(t *testing.T) {
	l := newLifeOf(t, payouttest.NewEnv(t), once(payouttest.Drops), payout.V1)
	l.run(t)
	l.check(t)
	var configs []wire.Config
	for i, err := range l.Journal.All(t.Context(), l.Mint) {
		if err != nil {
			t.Fatal(err)
		}
		if i.ID.Kind != payout.Pay || i.Outcome != nil {
			continue
		}
		a := i.Attempts[len(i.Attempts)-1]
		tx, err := wire.ParseV1(a.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		config, _ := tx.Message().V1()
		if want := computebudget.PriorityFee(config.UnitLimit, a.PriceMicroLamports); config.PriorityFeeLamports != want || want == 0 {
			t.Errorf("it offers %d lamports, want %d", config.PriorityFeeLamports, want)
		}
		if receipt, ok := payouttest.ReceiptOf(tx); !ok || receipt != i.Receipt.Address || len(tx.Message().Instructions()) != 1+len(l.list) {
			t.Errorf("it does something else: %d instructions", len(tx.Message().Instructions()))
		}
		config.PriorityFeeLamports = 0
		configs = append(configs, config)
	}
	if len(configs) != 2 || configs[0] != configs[1] || configs[0].AccountsData == 0 {
		t.Errorf("the attempts ask for %+v", configs)
	}
}

// reports is a node whose simulations report the given bytes of loaded accounts.
func reports(loaded uint32) func(fault.Call, *http.Request, fault.Send) (*http.Response, error) {
	return func(_ fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
		return payouttest.Edit(r, send, func(result map[string]any) {
			if value, ok := result["value"].(map[string]any); ok {
				value["loadedAccountsDataSize"] = loaded
			}
		})
	}
}

// dataLimit is the limit of bytes that a message sets; zero without one.
func dataLimit(m wire.Message) (limit uint32) {
	if config, v1 := m.V1(); v1 {
		return config.AccountsData
	}
	for _, in := range m.Instructions() {
		if bytes, ok := computebudget.ReadAccountsData(in.ProgramID, in.Data); ok {
			limit = bytes
		}
	}
	return limit
}

// A batch asks for the bytes that its simulation loaded, and 1 MiB more, and for the
// maximum if the node reports nothing. A batch of one holder has no limit.
func TestDataLimitFollowsSimulation(t *testing.T) {
	const margin, most = 1 << 20, 64 << 20
	for name, c := range map[string]struct {
		version payout.Version
		holders uint32
		loaded  uint32
		want    uint32
	}{
		"legacy":                    {payout.Legacy, payout.SOLBatch, 5_000, 5_000 + margin},
		"version 1":                 {payout.V1, payout.SOLBatchV1, 5_000, 5_000 + margin},
		"version 1, unreported":     {payout.V1, payout.SOLBatchV1, 0, most},
		"legacy, unreported":        {payout.Legacy, payout.SOLBatch, 0, most},
		"more than the margin less": {payout.Legacy, payout.SOLBatch, most - 1, most},
		"one holder":                {payout.Legacy, 1, 5_000, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := payouttest.NewEnv(t).Fixture(t, sol)
			p := fault.NewProcess()
			p.On(fault.Operation(fault.Solana, "simulateTransaction"), reports(c.loaded)) //nolint:bodyclose // a hook
			var limits []uint32
			p.On(fault.Operation(fault.Solana, fault.SendTransaction), func(_ fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
				_, tx, err := payouttest.Sent(r)
				if err != nil {
					return nil, err
				}
				limits = append(limits, dataLimit(tx.Message()))
				return send(r)
			})
			phase := payouttest.SOL(c.holders)
			phase.Version = c.version
			w.Pay(t, w.Engine(t, p), w.Plan(phase, holders(int(c.holders), 1_000_000)))
			for _, i := range w.Payments(t, payout.Pay, 0) {
				if i.Status() != payout.Landed {
					t.Errorf("%s is %s", i.ID, i.Status())
				}
			}
			if len(limits) == 0 || limits[0] != c.want {
				t.Errorf("limits %v, want %d", limits, c.want)
			}
		})
	}
}

// A batch that fails on the chain, perhaps for its limit, is split into halves without one.
func TestDataLimitIsDroppedAfterSplit(t *testing.T) {
	w := payouttest.NewEnv(t).Fixture(t, sol)
	p := fault.NewProcess()
	p.On(fault.Operation(fault.Solana, "simulateTransaction"), reports(5_000)) //nolint:bodyclose // a hook
	network := w.NewNetwork(t, once(payouttest.Fails))
	network.On(p)
	list := holders(4, 1_000_000)
	w.Pay(t, w.Engine(t, p), w.Plan(payouttest.SOL(4), list))
	limits := map[string]uint32{}
	for i, err := range w.Journal.All(t.Context(), w.Mint) {
		if err != nil {
			t.Fatal(err)
		}
		if i.ID.Kind != payout.Pay || i.Outcome != nil {
			continue
		}
		a := i.Attempts[len(i.Attempts)-1]
		tx, err := wire.ParseOwn(a.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		limits[i.ID.Part] = dataLimit(tx.Message())
	}
	want := map[string]uint32{"": 5_000 + 1<<20, "0": 0, "1": 0}
	if !maps.Equal(limits, want) {
		t.Errorf("limits %v, want %v", limits, want)
	}
	for _, h := range list {
		if got := w.Lamports(t, h.Owner); got != h.Amount {
			t.Errorf("a holder has %d, want %d", got, h.Amount)
		}
	}
}

// rank is the priority by which a validator orders transactions: the reward, which is
// half of the base fee and the whole priority fee, for a million units of cost (Agave 4.2,
// solana-cost-model and solana-core, calculate_priority_and_cost).
func rank(t *testing.T, m wire.Message, price uint64, limit uint32) (cost, priority uint64) {
	t.Helper()
	const signature, lock, dataBytes, page, pageCost = 720, 300, 4, 32 << 10, 8
	units, instructions := uint64(0), 0
	if config, v1 := m.V1(); v1 {
		units = uint64(config.UnitLimit)
	}
	for _, in := range m.Instructions() {
		instructions += len(in.Data)
		if limit, ok := computebudget.ReadUnitLimit(in.ProgramID, in.Data); ok {
			units = uint64(limit)
		}
	}
	locks := uint64(0)
	for _, a := range m.Accounts() {
		if a.IsWritable {
			locks++
		}
	}
	cost = signature*uint64(len(m.Signers())) + lock*locks + uint64(instructions)/dataBytes + units + (uint64(limit)+page-1)/page*pageCost
	reward := 5_000*uint64(len(m.Signers()))/2 + computebudget.PriorityFee(uint32(units), price)
	return cost, reward * 1_000_000 / (cost + 1)
}

// Whole batches rank far higher with the limit that they set than with the maximum.
func TestRankOfBatches(t *testing.T) {
	const most, floor = 64 << 20, 10_000
	for name, c := range map[string]struct {
		version payout.Version
		atLeast float64 // times the rank with the maximum
	}{
		"legacy": {payout.Legacy, 2}, "version 1": {payout.V1, 1.4},
	} {
		w := payouttest.NewEnv(t).Fixture(t, sol)
		p := fault.NewProcess()
		transactions := sent(p)
		size := c.version.Batch(terms.SOL)
		phase := payouttest.SOL(size)
		phase.Version = c.version
		w.Pay(t, w.Engine(t, p), w.Plan(phase, holders(int(size), 1_000_000)))
		m := (*transactions)[0].Message()
		before, low := rank(t, m, floor, most)
		now, high := rank(t, m, floor, dataLimit(m))
		if float64(high) < c.atLeast*float64(low) {
			t.Errorf("%s: rank %d at a cost of %d, and %d at %d with the maximum", name, high, now, low, before)
		}
		figures.Show(t, "SOL, %s, %d recipients: cost %d, rank %d; with the maximum %d, %d", name, size, now, high, before, low)
	}
}
