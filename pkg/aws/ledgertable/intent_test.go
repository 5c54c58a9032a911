package ledgertable_test

import (
	"context"
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
	"tokenlaunch.example/service/pkg/testkit/runtest"
	"tokenlaunch.example/service/pkg/token/terms"
)

var _ payout.Store = ledgertable.Intents{}

// till is a ledger with one lane and one run.
type till struct {
	*testing.T
	ledgertable.Intents

	mint solana.PublicKey
	run  string
}

func newTill(t *testing.T) *till {
	t.Helper()
	aws := localnet.AWS(t)
	w := &till{T: t, mint: key(), run: uuid.NewString()}
	w.Intents = ledgertable.Intents{Client: dynamo.New(aws.Config(t.Context())), Table: aws.CreateTable(t, schema.Ledger)}
	must(t, w.PutLane(t.Context(), payout.Lane{Mint: w.mint, Address: key(), Value: solana.Hash{1}, Slot: 1}))
	return w
}

func (w *till) id(batch int, part string) payout.ID {
	return payout.ID{Run: w.run, Kind: payout.Pay, Batch: batch, Part: part}
}

func (w *till) lane() payout.Lane {
	w.Helper()
	lane, err := w.Lane(w.Context(), w.mint, 0)
	must(w.T, err)
	return lane
}

func (w *till) intent(id payout.ID) payout.Intent {
	w.Helper()
	i, err := w.Intent(w.Context(), id)
	must(w.T, err)
	return i
}

// binding gives a new intent and the lane that it is bound to, as they are written.
func (w *till) binding(batch int) (payout.Intent, payout.Lane) {
	w.Helper()
	lane := w.lane()
	i := payout.Intent{
		ID: w.id(batch, ""), Mint: w.mint, From: 19, To: 38, Amount: math.MaxUint64,
		Value: lane.Value, BoundAt: time.Unix(1_800_000_000, 0).UTC(),
	}
	lane.Intent = i.ID
	return i, lane
}

func (w *till) bind(batch int) payout.Intent {
	w.Helper()
	i, lane := w.binding(batch)
	must(w.T, w.Bind(w.Context(), i, lane))
	return w.intent(i.ID)
}

func (w *till) record(i payout.Intent) payout.Intent {
	w.Helper()
	i.Attempts = append(i.Attempts, payout.Attempt{Signature: solana.Signature{byte(len(i.Attempts) + 1)}, Bytes: []byte{1}})
	must(w.T, w.Record(w.Context(), i))
	return w.intent(i.ID)
}

// settled gives an intent with an outcome, and its lane with the next value.
func (w *till) settled(i payout.Intent) (payout.Intent, payout.Lane) {
	w.Helper()
	lane := w.lane()
	lane.Intent, lane.Value = payout.ID{}, solana.Hash{lane.Value[0] + 1}
	i.Outcome = &payout.Outcome{Signature: i.Attempts[0].Signature, Slot: 7, Lamports: -5, Tokens: map[solana.PublicKey]int64{w.mint: math.MinInt64}}
	return i, lane
}

func conflicts(t *testing.T, err error) {
	t.Helper()
	if !errors.Is(err, payout.ErrConflict) {
		t.Errorf("%v, want %v", err, payout.ErrConflict)
	}
}

func TestIntentsKeepAllFacts(t *testing.T) {
	w := newTill(t)
	i, lane := w.binding(3)
	if _, err := w.Intent(t.Context(), i.ID); !errors.Is(err, payout.ErrNotFound) {
		t.Errorf("an intent that is not there: %v", err)
	}
	if _, err := w.Lane(t.Context(), w.mint, 7); !errors.Is(err, payout.ErrNotFound) {
		t.Errorf("a lane that is not there: %v", err)
	}
	runtest.Fill(&i, 1)
	i.ID, i.Mint, i.Lane, i.Value, i.Version = w.id(3, ""), w.mint, 0, lane.Value, 0
	i.Outcome, i.Split, i.Refused, i.UnknownSince = nil, false, "", time.Time{}
	must(t, w.Bind(t.Context(), i, lane))
	i.Version, lane.Version = 1, 2
	if got := w.intent(i.ID); !reflect.DeepEqual(got, i) {
		t.Errorf("%+v, want %+v", got, i)
	}
	if got := w.lane(); !reflect.DeepEqual(got, lane) {
		t.Errorf("%+v, want %+v", got, lane)
	}
}

func TestAValueIsForOneIntent(t *testing.T) {
	w := newTill(t)
	other, otherLane := w.binding(2)
	free := w.lane()
	wrong, wrongLane := other, otherLane
	wrong.Value, wrongLane.Value = solana.Hash{50}, solana.Hash{50}
	conflicts(t, w.Bind(t.Context(), wrong, wrongLane)) // it has another value
	first := w.bind(1)
	conflicts(t, w.Bind(t.Context(), other, otherLane)) // the lane was free when it was read
	otherLane = w.lane()
	otherLane.Intent = other.ID
	conflicts(t, w.Bind(t.Context(), other, otherLane)) // it is not now
	if _, err := w.Intent(t.Context(), other.ID); !errors.Is(err, payout.ErrNotFound) {
		t.Errorf("what was refused is there: %v", err)
	}
	// Nothing but its end takes an intent off its lane, or changes the value under it.
	conflicts(t, w.PutLane(t.Context(), free))
	for _, change := range []func(*payout.Lane){
		func(l *payout.Lane) { l.Intent = payout.ID{} },
		func(l *payout.Lane) { l.Value = solana.Hash{9} },
		func(l *payout.Lane) { l.Intent = other.ID },
	} {
		lane := w.lane()
		change(&lane)
		conflicts(t, w.PutLane(t.Context(), lane))
	}
	frozen := w.lane()
	frozen.Frozen = "for a reason"
	must(t, w.PutLane(t.Context(), frozen))
	ended, lane := w.settled(w.record(first))
	must(t, w.End(t.Context(), ended, &lane))
	other, otherLane = w.binding(2)
	conflicts(t, w.Bind(t.Context(), other, otherLane)) // it is frozen still
	thawed := w.lane()
	thawed.Frozen = ""
	must(t, w.PutLane(t.Context(), thawed))
	if got := w.bind(2); got.Value != (solana.Hash{2}) {
		t.Errorf("bound to %s", got.Value)
	}
}

func TestAnIntentIsBoundOnce(t *testing.T) {
	w := newTill(t)
	i := w.record(w.bind(1))
	ended, lane := w.settled(i)
	must(t, w.End(t.Context(), ended, &lane))
	for _, version := range []int64{0, w.intent(i.ID).Version} {
		again, lane := w.binding(1)
		again.Version = version
		conflicts(t, w.Bind(t.Context(), again, lane))
	}
	if got := w.lane(); !got.Free() {
		t.Errorf("the lane is %+v", got)
	}
}

func TestWhatIsDecidedStays(t *testing.T) {
	w := newTill(t)
	bound := w.bind(1)
	i := w.record(bound)
	conflicts(t, w.Record(t.Context(), bound)) // another attempt came between
	ended, lane := w.settled(i)
	stale := lane
	stale.Version--
	conflicts(t, w.End(t.Context(), ended, &stale))
	if got := w.intent(i.ID); got.Outcome != nil || len(got.Attempts) != 1 {
		t.Errorf("%+v", got)
	}
	another := payout.Intent{ID: w.id(9, ""), Refused: "r"}
	conflicts(t, w.End(t.Context(), another, &lane)) // the lane is not its own
	must(t, w.End(t.Context(), ended, &lane))
	got := w.intent(i.ID)
	if !reflect.DeepEqual(got.Outcome, ended.Outcome) {
		t.Errorf("%+v, want %+v", got.Outcome, ended.Outcome)
	}
	conflicts(t, w.Record(t.Context(), got))
	changed := got
	changed.Outcome = &payout.Outcome{Signature: solana.Signature{99}}
	conflicts(t, w.End(t.Context(), changed, nil))
	changed.Outcome, changed.UnknownSince = nil, time.Unix(1, 0)
	conflicts(t, w.End(t.Context(), changed, nil))
	if again := w.intent(i.ID); !reflect.DeepEqual(got, again) {
		t.Errorf("%+v, want %+v", again, got)
	}
	if w.End(t.Context(), payout.Intent{ID: w.id(5, "")}, nil) == nil {
		t.Error("an intent that nothing has decided ends")
	}
}

func TestWhatIsUnknownMayBeDecidedLater(t *testing.T) {
	w := newTill(t)
	i, lane := w.record(w.bind(1)), w.lane()
	i.UnknownSince, lane.Frozen = time.Unix(1_800_000_000, 0).UTC(), "nobody knows"
	must(t, w.End(t.Context(), i, &lane))
	ended, lane := w.settled(w.intent(i.ID))
	lane.Frozen = ""
	must(t, w.End(t.Context(), ended, &lane))
	if got := w.lane(); !got.Free() {
		t.Errorf("the lane is %+v", got)
	}
}

func TestHalvesTakeThePlaceOfABatch(t *testing.T) {
	w := newTill(t)
	w.bind(1)
	whole, lane := w.intent(w.id(1, "")), w.lane()
	whole.Split, lane.Intent = true, payout.ID{}
	parts := []payout.Intent{{ID: w.id(1, "0"), Mint: w.mint}, {ID: w.id(1, "1"), Mint: w.mint}}
	must(t, w.End(t.Context(), whole, &lane, parts...))
	conflicts(t, w.End(t.Context(), w.intent(whole.ID), nil, parts...))
	must(t, w.End(t.Context(), payout.Intent{ID: w.id(2, ""), Mint: w.mint, Refused: "r"}, nil))
	// A part that is there already refuses the whole end.
	half := w.intent(w.id(1, "1"))
	half.Split = true
	must(t, w.End(t.Context(), half, nil, payout.Intent{ID: w.id(1, "10")}, payout.Intent{ID: w.id(1, "11")}))
	family := func(id payout.ID) (parts []string) {
		found, err := w.Family(t.Context(), id)
		must(t, err)
		for _, i := range found {
			parts = append(parts, i.ID.Part)
		}
		return parts
	}
	for part, want := range map[string][]string{"": {"", "0", "1", "10", "11"}, "1": {"1", "10", "11"}, "10": {"10"}, "2": nil} {
		if got := family(w.id(1, part)); !reflect.DeepEqual(got, want) {
			t.Errorf("the family of %q is %q, want %q", part, got, want)
		}
	}
	i, lane := w.binding(1)
	i.ID = w.id(1, "0")
	lane.Intent = i.ID
	i.Version = 1
	must(t, w.Bind(t.Context(), i, lane)) // it was planned
}

// TestWhatARestoredLedgerGotWrong: it gave up what had landed, or may land yet.
func TestWhatARestoredLedgerGotWrong(t *testing.T) {
	w := newTill(t)
	giveUp := func(batch int) payout.Intent {
		i, lane := w.bind(batch), w.lane()
		i.Refused, lane.Intent = "abandoned", payout.ID{}
		must(t, w.End(t.Context(), i, &lane))
		return w.intent(i.ID)
	}
	i, lane := giveUp(1), w.lane()
	lane.Intent = i.ID
	must(t, w.Bind(t.Context(), i, lane)) // to the same value
	i = w.record(w.intent(i.ID))
	ended, lane := w.settled(i)
	must(t, w.End(t.Context(), ended, &lane))

	i = giveUp(2)
	other, otherLane := i, w.lane()
	otherLane.Value = solana.Hash{77}
	must(t, w.PutLane(t.Context(), otherLane))
	otherLane = w.lane()
	other.Value, otherLane.Intent = otherLane.Value, i.ID
	conflicts(t, w.Bind(t.Context(), other, otherLane)) // to another value
	i.Refused = "otherwise"
	conflicts(t, w.End(t.Context(), i, nil))
	i.Outcome = &payout.Outcome{Signature: solana.Signature{3}}
	must(t, w.End(t.Context(), i, nil))
}

func TestIntentsComeBatchByBatch(t *testing.T) {
	w := newTill(t)
	const batches = 30
	// Documents of 60 KB: more than one page of a query, which has 1 MB.
	detail := string(make([]byte, 10_000)) // six bytes each in JSON
	for batch := batches - 1; batch >= 0; batch-- {
		must(t, w.End(t.Context(), payout.Intent{ID: w.id(batch, ""), Mint: w.mint, Refused: "r", Detail: detail}, nil))
	}
	for _, other := range []payout.ID{{Run: w.run, Kind: payout.Collect}, {Run: w.run, Kind: payout.Pay, Leg: 1}, {Run: "other", Kind: payout.Pay}} {
		must(t, w.End(t.Context(), payout.Intent{ID: other, Refused: "r"}, nil))
	}
	seen := 0
	for i, err := range w.Intents.Intents(t.Context(), w.run, payout.Pay, 0) {
		must(t, err)
		if i.ID != w.id(seen, "") || i.Version != 1 || len(i.Detail) != len(detail) {
			t.Fatalf("number %d is %s", seen, i.ID)
		}
		seen++
	}
	if seen != batches {
		t.Errorf("%d intents, want %d", seen, batches)
	}
	for _, err := range w.Intents.Intents(t.Context(), w.run, payout.Pay, 0) {
		must(t, err)
		break // whoever has seen enough stops
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range w.Intents.Intents(gone, w.run, payout.Pay, 0) {
		if err == nil {
			t.Error("a call that was given up lists intents")
		}
	}
}

func TestLanesAreDone(t *testing.T) {
	w := newTill(t)
	for _, work := range []payout.Work{
		{Run: w.run, Kind: payout.Pay, Lane: 0},
		{Run: w.run, Kind: payout.Pay, Lane: 15},
		{Run: w.run, Kind: payout.Pay, Lane: 15},
		{Run: w.run, Kind: payout.Pay, Leg: 1},
		{Run: w.run, Kind: payout.Collect},
		{Run: "other", Kind: payout.Pay},
	} {
		must(t, w.LaneDone(t.Context(), work))
	}
	if n, err := w.LanesDone(t.Context(), w.run, payout.Pay, 0); n != 2 || err != nil {
		t.Errorf("%d lanes are done, %v", n, err)
	}
	if n, err := w.LanesDone(t.Context(), w.run, payout.Burn, 0); n != 0 || err != nil {
		t.Errorf("%d lanes are done, %v", n, err)
	}
}

func TestOneOfManyBinds(t *testing.T) {
	w := newTill(t)
	var won atomic.Int64
	var wg sync.WaitGroup
	type binding struct {
		intent payout.Intent
		lane   payout.Lane
	}
	for n := range 50 {
		var b binding
		b.intent, b.lane = w.binding(n % 25) // each twice
		wg.Go(func() {
			switch err := w.Bind(t.Context(), b.intent, b.lane); {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, payout.ErrConflict):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	stored := 0
	for i, err := range w.Intents.Intents(t.Context(), w.run, payout.Pay, 0) {
		must(t, err)
		stored++
		if w.lane().Intent != i.ID {
			t.Errorf("%s is stored, and the lane is for %s", i.ID, w.lane().Intent)
		}
	}
	if won.Load() != 1 || stored != 1 {
		t.Errorf("%d of 50 were bound, %d are stored", won.Load(), stored)
	}
}

// TestTheLargestIntentFits: every fee that is tried doubles the one before, so
// there are 64 attempts at most, of 1,232 bytes; a batch has at most 255 records.
func TestTheLargestIntentFits(t *testing.T) {
	w := newTill(t)
	i := w.bind(1)
	for n := range 64 {
		i.Attempts = append(i.Attempts, payout.Attempt{
			Signature: solana.Signature(append(make([]byte, 63), byte(n))), Bytes: make([]byte, 1232),
			PriceMicroLamports: math.MaxUint64, SignedAt: time.Now(),
		})
	}
	for n := range uint32(255) {
		i.Skips = append(i.Skips, payout.Skip{Record: math.MaxUint32 - n, Reason: "recipient_account_frozen", Hold: [8]byte{255, 255, 255, 255, 255, 255, 255, 255}})
	}
	must(t, w.Record(t.Context(), i))
	must(t, w.Record(t.Context(), w.intent(i.ID)))
}

func TestAssetsAreKept(t *testing.T) {
	w := newTill(t)
	for n, asset := range []terms.Asset{terms.SOL, terms.Asset(key())} {
		i := payout.Intent{ID: w.id(n, ""), Asset: asset, Refused: "r"}
		must(t, w.End(t.Context(), i, nil))
		if got := w.intent(i.ID); got.Asset != asset {
			t.Errorf("%s, want %s", got.Asset, asset)
		}
	}
	if text := fmt.Sprint(w.id(17, "01")); text != w.run+"/pay/0/17/01" {
		t.Error(text)
	}
}
