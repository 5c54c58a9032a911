package ledgertable_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
	"tokenlaunch.example/service/pkg/testkit/runtest"
	"tokenlaunch.example/service/pkg/token/terms"
)

var _ payout.Store = ledgertable.Payments{}

// till is a ledger with one run.
type till struct {
	*testing.T
	ledgertable.Payments

	mint solana.PublicKey
	run  string
}

func newTill(t *testing.T) *till {
	t.Helper()
	aws := localnet.AWS(t)
	w := &till{T: t, mint: key(), run: uuid.NewString()}
	w.Payments = ledgertable.Payments{Client: dynamo.New(aws.Config(t.Context())), Table: aws.CreateTable(t, schema.Ledger)}
	return w
}

func (w *till) id(batch int, part string) payout.ID {
	return payout.ID{Run: w.run, Kind: payout.Pay, Batch: batch, Part: part}
}

func (w *till) payment(id payout.ID) payout.Payment {
	w.Helper()
	p, err := w.Payment(w.Context(), id)
	must.Do(w.T, err)
	return p
}

// binding returns a new payment that is bound, as it is written.
func (w *till) binding(batch int) payout.Payment {
	return payout.Payment{
		ID: w.id(batch, ""), Mint: w.mint, From: 19, To: 38, Amount: math.MaxUint64,
		BoundAt: time.Unix(1_800_000_000, 0).UTC(), Receipt: &payout.Receipt{Address: key(), Seed: "seed"},
	}
}

func (w *till) bind(batch int) payout.Payment {
	w.Helper()
	p := w.binding(batch)
	must.Do(w.T, w.Bind(w.Context(), p))
	return w.payment(p.ID)
}

func (w *till) record(p payout.Payment) payout.Payment {
	w.Helper()
	p.Attempts = append(slices.Clone(p.Attempts), payout.Attempt{Signature: solana.Signature{byte(len(p.Attempts) + 1)}, Bytes: []byte{1}})
	must.Do(w.T, w.Record(w.Context(), p))
	return w.payment(p.ID)
}

// landed returns a payment with an outcome.
func (w *till) landed(p payout.Payment) payout.Payment {
	p.Outcome = &payout.Outcome{Signature: p.Attempts[0].Signature, Slot: 7, Lamports: -5, Tokens: map[solana.PublicKey]int64{w.mint: math.MinInt64}}
	return p
}

func conflicts(t *testing.T, err error) {
	t.Helper()
	if !errors.Is(err, payout.ErrConflict) {
		t.Errorf("%v, want %v", err, payout.ErrConflict)
	}
}

func TestPaymentsKeepTheContract(t *testing.T) { payouttest.Contract(t, newTill(t).Payments) }

func TestPaymentsKeepAllFacts(t *testing.T) {
	w := newTill(t)
	var p payout.Payment
	runtest.Fill(&p, 1)
	p.ID, p.Mint, p.Version = w.id(3, ""), w.mint, 0
	must.Do(t, w.End(t.Context(), p))
	p.Version = 1
	if got := w.payment(p.ID); !reflect.DeepEqual(got, p) {
		t.Errorf("%+v, want %+v", got, p)
	}
	item, err := w.Client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: &w.Table, Key: map[string]types.AttributeValue{
		"pk": &types.AttributeValueMemberS{Value: "RUN#" + w.run}, "sk": &types.AttributeValueMemberS{Value: "PAY#000#00000003#"},
	}})
	must.Do(t, err)
	if state, _ := item.Item["state"].(*types.AttributeValueMemberS); state == nil || state.Value != string(p.Status()) {
		t.Errorf("its state is stored as %v, it is %s", item.Item["state"], p.Status())
	}
}

// TestStoredStateDecides tests a writer that has the newest version and proposes a forbidden
// transition.
func TestStoredStateDecides(t *testing.T) {
	w := newTill(t)
	ctx := t.Context()
	at := time.Unix(1_800_000_000, 0).UTC()
	again := func(p payout.Payment) payout.Payment { // bound again
		bound := w.binding(p.ID.Batch)
		bound.Version = p.Version
		return bound
	}
	sent := func(p payout.Payment) payout.Payment {
		p = again(p)
		p.Attempts = []payout.Attempt{{Signature: solana.Signature{9}}}
		return p
	}
	blocked := func(p payout.Payment) payout.Payment {
		p = again(p)
		p.Blocked = []payout.Receipt{{Address: key(), Seed: "old"}}
		p.Receipt.Generation = 1
		return p
	}
	dead := func(p payout.Payment) payout.Payment {
		p = sent(p)
		p.DeadAt = at
		return p
	}
	batch := 0
	for _, c := range []struct {
		state                     payout.Status
		bind, rebind, record, end bool
		reach                     func(batch int) payout.Payment
	}{
		{payout.Planned, true, true, false, true, func(batch int) payout.Payment {
			whole := w.binding(100 + batch)
			whole.Split, whole.BoundAt = true, time.Time{}
			must.Do(t, w.End(ctx, whole, payout.Payment{ID: w.id(batch, ""), Mint: w.mint}))
			return w.payment(w.id(batch, ""))
		}},
		{payout.Bound, false, true, true, true, w.bind},
		{payout.Sent, false, true, true, true, func(batch int) payout.Payment { return w.record(w.bind(batch)) }},
		{payout.Unknown, false, false, false, true, func(batch int) payout.Payment {
			p := w.record(w.bind(batch))
			p.UnknownSince = at
			must.Do(t, w.End(ctx, p))
			return w.payment(p.ID)
		}},
		{payout.Landed, false, false, false, false, func(batch int) payout.Payment {
			p := w.record(w.bind(batch))
			must.Do(t, w.End(ctx, w.landed(p)))
			return w.payment(p.ID)
		}},
		{payout.Void, false, false, false, false, func(batch int) payout.Payment {
			p := w.landed(w.record(w.bind(batch)))
			p.Outcome.Void = true
			must.Do(t, w.End(ctx, p))
			return w.payment(p.ID)
		}},
		{payout.Dead, false, false, false, false, func(batch int) payout.Payment {
			p := w.record(w.bind(batch))
			p.DeadAt = at
			must.Do(t, w.End(ctx, p))
			return w.payment(p.ID)
		}},
		{payout.Split, false, false, false, false, func(batch int) payout.Payment {
			p := w.bind(batch)
			p.Split = true
			must.Do(t, w.End(ctx, p))
			return w.payment(p.ID)
		}},
		{payout.Cancelled, false, false, false, false, func(batch int) payout.Payment {
			must.Do(t, w.End(ctx, payout.Payment{ID: w.id(batch, ""), Mint: w.mint, Refused: payout.ReasonLate}))
			return w.payment(w.id(batch, ""))
		}},
	} {
		for name, try := range map[string]struct {
			allowed bool
			write   func(p payout.Payment) error
		}{
			"bind":   {c.bind, func(p payout.Payment) error { return w.Bind(ctx, again(p)) }},
			"rebind": {c.rebind, func(p payout.Payment) error { return w.Bind(ctx, blocked(p)) }},
			"record": {c.record, func(p payout.Payment) error { return w.Record(ctx, sent(p)) }},
			"end":    {c.end, func(p payout.Payment) error { return w.End(ctx, dead(p)) }},
		} {
			batch++
			p := c.reach(batch)
			if p.Status() != c.state {
				t.Fatalf("it is %s, want %s", p.Status(), c.state)
			}
			err := try.write(p)
			if try.allowed != (err == nil) || err != nil && !errors.Is(err, payout.ErrConflict) {
				t.Errorf("%s of a %s payment: %v, allowed: %v", name, c.state, err, try.allowed)
			}
			if after := w.payment(p.ID); err != nil && !reflect.DeepEqual(after, p) {
				t.Errorf("%s of a %s payment was rejected, and changed %+v to %+v", name, c.state, p, after)
			}
		}
	}
}

func TestDecideRejectsInvalidDecisions(t *testing.T) {
	w := newTill(t)
	ctx := t.Context()
	bound := w.binding(1)
	sent := bound
	sent.Attempts = []payout.Attempt{{Signature: solana.Signature{1}}}
	for name, err := range map[string]error{
		"a binding with an attempt":           w.Bind(ctx, sent),
		"a binding of what is planned":        w.Bind(ctx, payout.Payment{ID: w.id(1, "")}),
		"an attempt of what is not stored":    w.Record(ctx, sent),
		"a record without an attempt":         w.Record(ctx, bound),
		"an end of what nothing has decided":  w.End(ctx, payout.Payment{ID: w.id(1, "")}),
		"an end of what may land":             w.End(ctx, sent),
		"the costs of what has not landed":    w.Quiet(ctx, sent),
		"the costs of what is not stored yet": w.Quiet(ctx, w.landed(sent)),
	} {
		if err == nil {
			t.Errorf("%s is written", name)
		}
	}
	if _, err := w.Payment(ctx, bound.ID); !errors.Is(err, payout.ErrNotFound) {
		t.Errorf("something is stored: %v", err)
	}
}

func TestHalvesTakeThePlaceOfABatch(t *testing.T) {
	w := newTill(t)
	ctx := t.Context()
	whole := w.bind(1)
	whole.Split = true
	parts := []payout.Payment{{ID: w.id(1, "0"), Mint: w.mint}, {ID: w.id(1, "1"), Mint: w.mint}}
	must.Do(t, w.End(ctx, whole, parts...))
	// A part that is there already rejects the whole end.
	other := payout.Payment{ID: w.id(2, ""), Mint: w.mint, Refused: payout.ReasonSimulation, Split: true}
	conflicts(t, w.End(ctx, other, parts...))
	known := w.payment(w.id(1, "0"))
	conflicts(t, w.End(ctx, other, known))
	if _, err := w.Payment(ctx, other.ID); !errors.Is(err, payout.ErrNotFound) {
		t.Errorf("a rejected end is stored: %v", err)
	}
	half := w.payment(w.id(1, "1"))
	half.Split, half.Refused = true, payout.ReasonSimulation
	must.Do(t, w.End(ctx, half, payout.Payment{ID: w.id(1, "10")}, payout.Payment{ID: w.id(1, "11")}))
	list, err := w.Batches(ctx, w.run, payout.Pay, 0, 1, 2)
	must.Do(t, err)
	var order []string
	for _, p := range list {
		order = append(order, p.ID.Part)
	}
	if want := []string{"", "0", "1", "10", "11"}; !slices.Equal(order, want) {
		t.Errorf("listed as %q, want %q", order, want)
	}
}

// TestBatchesEndBeforeTheirLast tests that a list of batches includes neither the next batch nor
// its parts, nor numbers with more digits and the same prefix.
func TestBatchesEndBeforeTheirLast(t *testing.T) {
	w := newTill(t)
	for _, id := range []payout.ID{
		w.id(9, ""), w.id(10, ""), w.id(11, ""), w.id(11, "0"), w.id(12, ""), w.id(12, "0"), w.id(100, ""), w.id(110, ""),
	} {
		must.Do(t, w.End(t.Context(), payout.Payment{ID: id, Refused: payout.ReasonLate}))
	}
	list, err := w.Batches(t.Context(), w.run, payout.Pay, 0, 10, 12)
	must.Do(t, err)
	var found []payout.ID
	for _, p := range list {
		found = append(found, p.ID)
	}
	if want := []payout.ID{w.id(10, ""), w.id(11, ""), w.id(11, "0")}; !slices.Equal(found, want) {
		t.Errorf("%v, want %v", found, want)
	}
}

func TestPaymentsComeBatchByBatch(t *testing.T) {
	w := newTill(t)
	const batches = 30
	// Documents of 60 KB: more than one page of a query, which has 1 MB.
	detail := string(make([]byte, 10_000)) // six bytes each in JSON
	for batch := batches - 1; batch >= 0; batch-- {
		must.Do(t, w.End(t.Context(), payout.Payment{ID: w.id(batch, ""), Mint: w.mint, Refused: "r", Detail: detail}))
	}
	for _, other := range []payout.ID{{Run: w.run, Kind: payout.Collect}, {Run: w.run, Kind: payout.Pay, Leg: 1}, {Run: "other", Kind: payout.Pay}} {
		must.Do(t, w.End(t.Context(), payout.Payment{ID: other, Refused: "r"}))
	}
	seen := 0
	for p, err := range w.Payments.Payments(t.Context(), w.run, payout.Pay, 0) {
		must.Do(t, err)
		if p.ID != w.id(seen, "") || p.Version != 1 || len(p.Detail) != len(detail) {
			t.Fatalf("number %d is %s", seen, p.ID)
		}
		seen++
	}
	if seen != batches {
		t.Errorf("%d payments, want %d", seen, batches)
	}
	if list, err := w.Batches(t.Context(), w.run, payout.Pay, 0, 0, batches); err != nil || len(list) != batches {
		t.Errorf("%d payments at once, want %d; %v", len(list), batches, err)
	}
	for _, err := range w.Payments.Payments(t.Context(), w.run, payout.Pay, 0) {
		must.Do(t, err)
		break // a caller that has seen enough stops
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range w.Payments.Payments(gone, w.run, payout.Pay, 0) {
		if err == nil {
			t.Error("a call that was given up lists payments")
		}
	}
	if _, err := w.Batches(gone, w.run, payout.Pay, 0, 0, batches); err == nil {
		t.Error("a call that was given up lists batches")
	}
}

func TestChunksAreDone(t *testing.T) {
	w := newTill(t)
	for _, work := range []payout.Work{
		{Run: w.run, Kind: payout.Pay, Chunk: 0},
		{Run: w.run, Kind: payout.Pay, Chunk: 15},
		{Run: w.run, Kind: payout.Pay, Chunk: 15},
		{Run: w.run, Kind: payout.Pay, Leg: 1},
		{Run: w.run, Kind: payout.Collect},
		{Run: "other", Kind: payout.Pay},
	} {
		must.Do(t, w.ChunkDone(t.Context(), work))
	}
	if n, err := w.ChunksDone(t.Context(), w.run, payout.Pay, 0); n != 2 || err != nil {
		t.Errorf("%d stripes are done, %v", n, err)
	}
	if n, err := w.ChunksDone(t.Context(), w.run, payout.Burn, 0); n != 0 || err != nil {
		t.Errorf("%d stripes are done, %v", n, err)
	}
}

// TestOneOfManyDecides tests that one of many concurrent writers binds or cancels a payment.
func TestOneOfManyDecides(t *testing.T) {
	w := newTill(t)
	const batches = 5
	var won [batches]atomic.Int64
	var wg sync.WaitGroup
	for n := range 50 {
		bound := w.binding(n % batches)
		wg.Go(func() {
			var err error
			if n%2 == 0 {
				err = w.Bind(t.Context(), bound)
			} else {
				err = w.End(t.Context(), payout.Payment{ID: bound.ID, Mint: w.mint, Refused: payout.ReasonLate})
			}
			switch {
			case err == nil:
				won[n%batches].Add(1)
			case !errors.Is(err, payout.ErrConflict):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for batch := range batches {
		if p := w.payment(w.id(batch, "")); won[batch].Load() != 1 || p.Version != 1 {
			t.Errorf("batch %d was decided %d times, and is %s, version %d", batch, won[batch].Load(), p.Status(), p.Version)
		}
	}
}

// TestLargestPaymentFits into an item, which has 400 KB. New attempts are signed for
// five minutes, one for each blockhash that expires, so there are a few, of the largest
// size; a batch has at most 60 records.
func TestLargestPaymentFits(t *testing.T) {
	w := newTill(t)
	p := w.bind(1)
	for n := range byte(32) {
		signature := solana.Signature{n}
		p.Attempts = append(p.Attempts, payout.Attempt{
			Signature: signature, Bytes: make([]byte, wire.MaxV1TransactionSize), LastValid: math.MaxUint64,
			PriceMicroLamports: math.MaxUint64, RentLamports: math.MaxUint64, SignedAt: time.Now(),
		})
		p.Failures = append(p.Failures, payout.Failure{Signature: signature, Slot: math.MaxUint64, FeeLamports: math.MaxUint64, Why: string(make([]byte, 200))})
		p.Blocked = append(p.Blocked, payout.Receipt{Address: key(), Seed: "0123456789012345678901", Generation: int(n)})
	}
	for n := range uint32(payout.SOLBatchV1) {
		p.Skips = append(p.Skips, payout.Skip{Record: math.MaxUint32 - n, Reason: "recipient_account_frozen", Hold: [8]byte{255, 255, 255, 255, 255, 255, 255, 255}})
		p.Made = append(p.Made, math.MaxUint32-n)
		p.Memos = append(p.Memos, math.MaxUint32-n)
	}
	must.Do(t, w.Record(t.Context(), p))
	must.Do(t, w.End(t.Context(), w.landed(w.payment(p.ID))))
}

func TestAssetsAreKept(t *testing.T) {
	w := newTill(t)
	for n, asset := range []terms.Asset{terms.SOL, terms.Asset(key())} {
		p := payout.Payment{ID: w.id(n, ""), Asset: asset, Refused: "r"}
		must.Do(t, w.End(t.Context(), p))
		if got := w.payment(p.ID); got.Asset != asset {
			t.Errorf("%s, want %s", got.Asset, asset)
		}
	}
	if text := fmt.Sprint(w.id(17, "01")); text != w.run+"/pay/0/17/01" {
		t.Errorf("payment ID = %s, want %s/pay/0/17/01", text, w.run)
	}
}

// TestUnknownFactsAreRefused tests that an item with unknown fields is an error, because the next
// write would lose the fields.
func TestUnknownFactsAreRefused(t *testing.T) {
	w := newTill(t)
	p := w.bind(1)
	_, err := w.Client.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: &w.Table,
		Key: map[string]types.AttributeValue{
			"pk": &types.AttributeValueMemberS{Value: "RUN#" + w.run},
			"sk": &types.AttributeValueMemberS{Value: "PAY#000#00000001#"},
		},
		UpdateExpression:          aws.String("SET doc = :doc"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":doc": &types.AttributeValueMemberS{Value: `{"Batch":1,"Newer":true}`}},
	})
	must.Do(t, err)
	if _, err := w.Payment(t.Context(), p.ID); err == nil || errors.Is(err, payout.ErrNotFound) {
		t.Errorf("read unknown facts: %v", err)
	}
	if _, err := w.Batches(t.Context(), w.run, payout.Pay, 0, 0, 9); err == nil {
		t.Error("listed unknown facts")
	}
}
