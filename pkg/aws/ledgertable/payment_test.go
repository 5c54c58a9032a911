package ledgertable_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
	"tokenlaunch.example/service/pkg/testkit/runtest"
	"tokenlaunch.example/service/pkg/token/terms"
)

var _ payout.Store = ledgertable.Payments{}

// till is a ledger with one run.
type till struct {
	ledgertable.Payments

	run string
}

func newTill(t *testing.T) till {
	t.Helper()
	aws := localnet.AWS(t)
	return till{ledgertable.Payments{Client: dynamo.New(aws.Config(t.Context())), Table: aws.CreateTable(t, schema.Ledger)}, uuid.NewString()}
}

func (w till) id(batch int, part string) payout.ID {
	return payout.ID{Run: w.run, Kind: payout.Pay, Batch: batch, Part: part}
}

func (w till) bound(batch int) payout.Payment {
	return payout.Payment{ID: w.id(batch, ""), BoundAt: time.Unix(1, 0).UTC(), Receipt: &payout.Receipt{Seed: "s"}}
}

func TestPaymentsKeepTheContract(t *testing.T) { payouttest.Contract(t, newTill(t).Payments) }

func TestPaymentsKeepAllFacts(t *testing.T) {
	w := newTill(t)
	var p payout.Payment
	runtest.Fill(&p, 1)
	p.ID, p.Version = w.id(3, ""), 0
	must(t, w.End(t.Context(), p))
	got, err := w.Payment(t.Context(), p.ID)
	must(t, err)
	p.Version = 1
	if !reflect.DeepEqual(got, p) {
		t.Errorf("%+v, want %+v", got, p)
	}
}

// Of many who decide a payment, one does.
func TestOneOfManyDecides(t *testing.T) {
	w := newTill(t)
	var won atomic.Int64
	var wg sync.WaitGroup
	for n := range 50 {
		wg.Go(func() {
			var err error
			if n%2 == 0 {
				err = w.Bind(t.Context(), w.bound(0))
			} else {
				err = w.End(t.Context(), payout.Payment{ID: w.id(0, ""), Refused: payout.ReasonLate})
			}
			switch {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, payout.ErrConflict):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if p, err := w.Payment(t.Context(), w.id(0, "")); won.Load() != 1 || err != nil || p.Version != 1 {
		t.Errorf("%d of 50 decided it; it is %s, %v", won.Load(), p.Status(), err)
	}
}

// A transaction of version 1 has 4,096 bytes, and a payment is tried for three minutes,
// with a new attempt every half; a batch has at most 255 records.
func TestTheLargestPaymentFits(t *testing.T) {
	w := newTill(t)
	must(t, w.Bind(t.Context(), w.bound(1)))
	p, err := w.Payment(t.Context(), w.id(1, ""))
	must(t, err)
	for n := range 16 {
		p.Attempts = append(p.Attempts, payout.Attempt{
			Signature: solana.Signature(append(make([]byte, 63), byte(n))), Bytes: make([]byte, 4096),
			PriceMicroLamports: math.MaxUint64, SignedAt: time.Now(),
		})
	}
	for n := range uint32(255) {
		p.Skips = append(p.Skips, payout.Skip{Record: math.MaxUint32 - n, Reason: "recipient_account_frozen", Hold: [8]byte{255, 255, 255, 255, 255, 255, 255, 255}})
	}
	must(t, w.Record(t.Context(), p))
	p, err = w.Payment(t.Context(), p.ID)
	must(t, err)
	must(t, w.Record(t.Context(), p))
}

func TestAssetsAreKept(t *testing.T) {
	w := newTill(t)
	for n, asset := range []terms.Asset{terms.SOL, terms.Asset(key())} {
		p := payout.Payment{ID: w.id(n, ""), Asset: asset, Refused: "r"}
		must(t, w.End(t.Context(), p))
		got, err := w.Payment(t.Context(), p.ID)
		if err != nil || got.Asset != asset {
			t.Errorf("%s, want %s, %v", got.Asset, asset, err)
		}
	}
	if text := fmt.Sprint(w.id(17, "01")); text != w.run+"/pay/0/17/01" {
		t.Error(text)
	}
}
