package ledgertable_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/meter"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// metered is a till whose calls are counted.
func metered(t *testing.T) (*till, *meter.Meter) {
	t.Helper()
	w, m := newTill(t), &meter.Meter{}
	config := localnet.AWS(t).Config(t.Context())
	config.APIOptions = append(config.APIOptions, m.Middleware)
	w.Client = dynamo.New(config)
	return w, m
}

// listed are the payments of the run's only leg, as "batch part".
func (w *till) listed() (names []string) {
	w.Helper()
	for p, err := range w.Payments.Payments(w.Context(), w.run, payout.Pay, 0) {
		must.Do(w.T, err)
		names = append(names, fmt.Sprint(p.ID.Batch, " ", p.ID.Part))
	}
	return names
}

// TestPaymentsOfAllPartitionsAreListedInOrder starts chunks in another order, the first last,
// including a chunk that wraps around to the run's own partition.
func TestPaymentsOfAllPartitionsAreListedInOrder(t *testing.T) {
	w, _ := metered(t)
	const chunk, round = payout.MaxStripe, payout.MaxStripe * ledgertable.Partitions
	batches := []int{0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 7*chunk + 5, round - 1, round, round + chunk, 3 * round}
	split := 7*chunk + 5
	order := slices.Clone(batches[1:])
	rand.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	for n, batch := range append(order, 0) {
		if batch == split {
			must.Do(t, w.End(t.Context(), payout.Payment{ID: w.id(batch, ""), Mint: w.mint, Split: true, Refused: payout.ReasonSimulation},
				payout.Payment{ID: w.id(batch, "0"), Mint: w.mint}, payout.Payment{ID: w.id(batch, "1"), Mint: w.mint}))
		} else {
			w.bind(batch)
		}
		if n == 0 && len(w.listed()) == 0 {
			t.Errorf("batch %d is not listed separately", batch)
		}
	}
	var want []string
	for _, batch := range batches {
		want = append(want, fmt.Sprint(batch, " "))
		if batch == split {
			want = append(want, fmt.Sprint(batch, " 0"), fmt.Sprint(batch, " 1"))
		}
	}
	if got := w.listed(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for p, err := range w.Payments.Payments(t.Context(), w.run, payout.Pay, 0) {
		must.Do(t, err)
		if p.ID.Batch == chunk {
			break // and what was read ahead is left
		}
	}
	for _, c := range []struct{ from, to, want int }{
		{0, chunk, 3}, {chunk, 2 * chunk, 2}, {1, chunk + 1, 3}, {0, 3 * round, len(batches) + 1}, {0, 3*round + 1, len(batches) + 2}, {chunk, chunk, 0},
	} {
		got, err := w.Batches(t.Context(), w.run, payout.Pay, 0, c.from, c.to)
		must.Do(t, err)
		if len(got) != c.want || !slices.IsSortedFunc(got, func(a, b payout.Payment) int { return a.ID.Batch - b.ID.Batch }) {
			t.Errorf("of %d to %d: %d payments, want %d in order", c.from, c.to, len(got), c.want)
		}
	}
}

// TestSmallRunsAreOneQuery tests that only large runs pay for the spreading.
func TestSmallRunsAreOneQuery(t *testing.T) {
	w, m := metered(t)
	w.bind(payout.MaxStripe - 1)
	m.Take()
	if got := w.listed(); len(got) != 1 {
		t.Errorf("queries of a small run: %q, want one", got)
	}
	if calls := m.Take().Calls; calls != 1 {
		t.Errorf("a list of one stripe makes %d calls", calls)
	}
	w.bind(payout.MaxStripe)
	m.Take()
	w.listed()
	if calls := m.Take().Calls; calls != 1+ledgertable.Partitions {
		t.Errorf("a list of two stripes makes %d calls", calls)
	}
}

// TestPaymentsOfLaterChunksAreBoundOnce tests every partition. A run does not see another run's
// payments.
func TestPaymentsOfLaterChunksAreBoundOnce(t *testing.T) {
	w, _ := metered(t)
	const batch = 5*payout.MaxStripe + 3
	p := w.record(w.bind(batch))
	conflicts(t, w.Bind(t.Context(), w.binding(batch)))
	must.Do(t, w.End(t.Context(), w.landed(p)))
	conflicts(t, w.Record(t.Context(), p))
	other := *w
	other.run += "0"
	if got := other.listed(); len(got) != 0 {
		t.Errorf("of another run: %q", got)
	}
}

// TestChunkFitsIntoPartition tests that a partition accepts all writes of a chunk's payments, with
// the largest possible transactions, in two seconds; more than ten seconds pass before the payments
// are final.
func TestChunkFitsIntoPartition(t *testing.T) {
	w, m := metered(t)
	const aSecond = 1000 // DynamoDB Developer Guide, "Partitions and data distribution"
	p := w.bind(payout.MaxStripe)
	p.Attempts = []payout.Attempt{{Bytes: make([]byte, wire.MaxV1TransactionSize)}}
	must.Do(t, w.Record(t.Context(), p))
	p = w.landed(w.payment(p.ID))
	p.Attempts[0].Bytes = nil
	must.Do(t, w.End(t.Context(), p))
	if units := m.Take().Write; units < 10 || payout.MaxStripe*units > 2*aSecond {
		t.Errorf("a payment writes %v units", units)
	}
}
