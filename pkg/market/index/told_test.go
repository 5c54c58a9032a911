package index_test

import (
	"context"
	"encoding/binary"
	"log/slog"
	"math"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/meter"
	"tokenlaunch.example/service/pkg/aws/launchtable/curves"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/index"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// numbered sets the signatures of a history.
func numbered(history []block) []block {
	for i := range history {
		binary.BigEndian.PutUint64(history[i].Signature[:], uint64(i)*0x9e3779b97f4a7c15+1)
	}
	return history
}

// pages notes what is applied.
type pages struct {
	*memory
	list []index.Page
}

func (p *pages) Apply(ctx context.Context, c index.Curve, page index.Page) (index.Curve, error) {
	p.list = append(p.list, page)
	return p.memory.Apply(ctx, c, page)
}

// A page fits into one write of the store, however far its trades lie apart, and ends with a slot
// if possible.
func TestPageFitsOneWrite(t *testing.T) {
	rare, dense := []block{at(1)}, []block{at(1)}
	for n := range 120 {
		b := at(uint64(n)+2, buying(byte(n)))
		b.At = genesis.Add(time.Duration(n) * 25 * time.Hour) // each in candles of its own
		rare = append(rare, b)
		dense = append(dense, at(uint64(n/30)+2, buying(1), buying(2)))
	}
	for name, history := range map[string][]block{"rare": numbered(rare), "dense": numbered(dense)} {
		t.Run(name, func(t *testing.T) {
			b := newBench(history...)
			noted := &pages{memory: b.memory}
			b.Store, b.Share, b.PageTransactions = noted, 1000, 1000
			b.run(t)
			want := b.truth(b.last(), target)
			if !same(b.told, want.told) || !same(b.candles, candles(want.told)) {
				t.Errorf("indexed %d trades of %d", len(b.told), len(want.told))
			}
			for _, page := range noted.list {
				rows := len(page.NewBuyers) + len(page.Candles)
				if rows > index.MaxRows || len(page.Added) > index.MaxTrades || page.Within {
					t.Errorf("a page has %d rows and %d trades, ends within a slot: %v", rows, len(page.Added), page.Within)
				}
			}
			if len(noted.list) < 2 {
				t.Errorf("%d pages", len(noted.list))
			}
		})
	}
}

// A transaction that fits into no page stops its curve and is reported.
func TestTransactionLargerThanPage(t *testing.T) {
	b := newBench(at(1), at(2, slices.Repeat([]swap{buying(1)}, index.MaxTrades+1)...))
	b.now = b.now.Add(time.Minute)
	if report, err := b.Run(context.Background()); err == nil || report.Errors != 1 || len(b.told) > 0 {
		t.Errorf("%+v, %v; indexed %d", report, err, len(b.told))
	}
}

// listing changes what a node lists.
type listing struct {
	*fixture
	change func([]index.Listed) []index.Listed
}

func (l listing) Signatures(ctx context.Context, a solana.PublicKey, before solana.Signature, limit int) ([]index.Listed, error) {
	list, err := l.fixture.Signatures(ctx, a, before, limit)
	return l.change(list), err
}

// If a node lists trades twice, in the wrong order or not at all, no trade is counted twice or left
// out.
func TestHostileNodeChangesNoCandle(t *testing.T) {
	history := numbered([]block{at(1), at(2, buying(1)), at(3, buying(2)), at(4, buying(3)), at(5, buying(4))})
	for name, change := range map[string]func([]index.Listed) []index.Listed{
		"twice":            func(l []index.Listed) []index.Listed { return slices.Insert(l, 1, l[0]) },
		"again, later":     func(l []index.Listed) []index.Listed { return append(l, l[0]) },
		"the other way":    func(l []index.Listed) []index.Listed { slices.Reverse(l); return l },
		"two swapped":      func(l []index.Listed) []index.Listed { l[0], l[1] = l[1], l[0]; return l },
		"no beginning":     func(l []index.Listed) []index.Listed { return l[:len(l)-1] },
		"an empty history": func([]index.Listed) []index.Listed { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(history...)
			b.Chain = listing{b.fixture, change}
			b.now = b.now.Add(time.Minute)
			_, _ = b.Run(context.Background())
			if len(b.told) != 0 || len(b.candles) != 0 {
				t.Errorf("indexed %v", b.told)
			}
			b.Chain = b.fixture
			for range 2 { // the pool's account may have settled it
				b.now = b.now.Add(25 * time.Hour)
				b.run(t)
			}
			if want := b.truth(b.last(), target).told; !same(b.told, want) || len(want) != 4 {
				t.Errorf("indexed %v, the truth is %v", b.told, want)
			}
		})
	}
}

// An impossible time is replaced by the program's clock, and never creates a candle outside of the
// range that can be written.
func TestImpossibleTimes(t *testing.T) {
	for _, when := range []time.Time{{}, time.Unix(-5, 0), time.Unix(math.MaxInt64/2, 0)} {
		b := newBench(at(1), at(2, buying(1)))
		b.history[1].At = when
		b.run(t)
		if len(b.told) != 1 || b.told[0].At != time.Unix(5, 0).UTC() {
			t.Errorf("at %s: indexed %v", when, b.told)
		}
	}
}

// interrupted plays an indexer on the real store with an event at its calls, then lets others
// continue, and compares the result with the truth.
func interrupted(t *testing.T, arrange func(p *fault.Process, others func())) []fault.Call {
	t.Helper()
	k := newKept(t)
	w := &fixture{history: trades(60), maximum: 50}
	indexer := func(store index.Store) index.Indexer {
		now := genesis.Add(24 * time.Hour)
		return index.Indexer{
			Store: store, Chain: w, Memory: &index.Memory{}, Share: 25, MaxTransactions: 50, PageTransactions: 12, WalkPages: 20,
			Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler),
		}
	}
	others := func() {
		for range 5 {
			_, err := indexer(k).Run(t.Context())
			must.Do(t, err)
		}
	}
	p := fault.NewProcess()
	config := localnet.AWS(t).Config(t.Context())
	config.HTTPClient = p.Over(http.DefaultClient.Do)
	arrange(p, others)
	p.Run(func() {
		_, _ = indexer(curves.Index{Client: dynamo.New(config), Table: k.Table}).Run(context.Background())
	})
	others()
	c, err := k.curves.Curve(t.Context(), mint)
	must.Do(t, err)
	want := w.truth(w.last(), target)
	if c.Index != want.index {
		t.Errorf("counted %+v, the truth is %+v", c.Index, want.index)
	}
	if told := k.told(t); !same(told, want.told) {
		t.Errorf("indexed %d trades, the truth is %d", len(told), len(want.told))
	}
	if got := k.candles(t); !same(got, candles(want.told)) {
		t.Errorf("the candles are %v, the truth is %v", got, candles(want.told))
	}
	return p.Calls()
}

// TestTradesCountOnceDespiteCrashes lets an indexer die before and after each of its calls of the
// store, or lets others index everything at that moment; then others continue.
func TestTradesCountOnceDespiteCrashes(t *testing.T) {
	calls := interrupted(t, func(*fault.Process, func()) {})
	type event struct {
		fault.Call
		what string
	}
	var cases []event
	for _, c := range calls {
		for _, what := range []string{"killed before", "killed after", "others before", "others after"} {
			cases = append(cases, event{c, what})
		}
	}
	fault.Matrix[struct{}, event]{
		What: "an indexer interrupted", Cases: cases, Name: func(e event) string { return e.what + " " + e.String() },
		Kinds:  func(e event) []string { return []string{e.what + " " + e.Operation} },
		NewEnv: func(*testing.T) struct{} { return struct{}{} }, Share: 10,
		Play: func(t *testing.T, _ struct{}, e event) {
			interrupted(t, func(p *fault.Process, others func()) {
				at := fault.Exactly(e.Call)
				switch e.what {
				case "killed before":
					p.KillBefore(at)
				case "killed after":
					p.KillAfter(at)
				case "others before":
					p.On(at, func(_ fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
						others()
						return send(r)
					})
				case "others after":
					p.On(at, func(_ fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
						answer, err := send(r)
						others()
						return answer, err
					})
				}
			})
		},
	}.Run(t)
}

// Trades and candles come in pages, to the limit, without what has expired.
func TestPagesOfTrades(t *testing.T) {
	k := newKept(t)
	w := &fixture{history: trades(200), maximum: 1000}
	x := index.New(k, w, slog.New(slog.DiscardHandler))
	x.Now, x.Readers, x.Share, x.PageTransactions = func() time.Time { return genesis.Add(24 * time.Hour) }, 1, 1000, 60
	_, err := x.Run(t.Context())
	must.Do(t, err)
	all := w.truth(w.last(), target).told
	slices.Reverse(all)
	if len(all) < 2*index.MaxTrades {
		t.Fatalf("%d trades are few", len(all))
	}
	for _, limit := range []int{1, 7, 100} {
		got, err := k.curves.Trades(t.Context(), mint, 0, time.Time{}, limit)
		if err != nil || !same(got, all[:limit]) {
			t.Errorf("the newest %d: %v, %v", limit, got, err)
		}
	}
	since := all[50].At
	got, err := k.curves.Trades(t.Context(), mint, all[9].Number, since, 100)
	want := slices.DeleteFunc(slices.Clone(all[10:]), func(t market.Trade) bool { return t.At.Before(since) })
	if err != nil || !same(got, want) || len(want) >= 100 {
		t.Errorf("%d since %s, want %d; %v", len(got), since, len(want), err)
	}
	none, err := k.curves.Trades(t.Context(), solana.PublicKey{77}, 0, time.Time{}, 100)
	if err != nil || len(none) != 0 {
		t.Errorf("of another mint: %v, %v", none, err)
	}
	from := market.OneMinute.Start(since)
	old, err := k.curves.Candles(t.Context(), mint, market.OneMinute, time.Time{}, from, 100)
	if err != nil || len(old) == 0 || old[len(old)-1].Start.Before(from) {
		t.Errorf("candles since %s: %v, %v", from, old, err)
	}
	if none, err := k.curves.Candles(t.Context(), mint, market.OneMinute, from, from, 100); err != nil || len(none) != 0 {
		t.Errorf("an empty range: %v, %v", none, err)
	}
}

// A page of a busy curve consumes few units more than a page with a single trade.
func TestPageUnits(t *testing.T) {
	k := newKept(t)
	var used meter.Meter
	config := localnet.AWS(t).Config(t.Context())
	metered := curves.Index{Table: k.Table, Client: dynamodb.NewFromConfig(config, func(o *dynamodb.Options) {
		o.APIOptions = append(o.APIOptions, used.Middleware)
	})}
	w := &fixture{history: numbered([]block{at(1)}), maximum: 1000}
	slot := uint64(1)
	for _, n := range []int{1, 1, 60} {
		for range n {
			slot++
			b := at(slot, buying(1))
			b.At = genesis.Add(time.Duration(slot/60) * time.Minute)
			b.swaps[0].price = slot
			w.history = append(w.history, b)
		}
		numbered(w.history)
		x := index.New(metered, w, slog.New(slog.DiscardHandler))
		x.Now, x.Readers, x.Share = func() time.Time { return genesis.Add(48 * time.Hour) }, 1, 1000
		_, err := x.Run(t.Context())
		must.Do(t, err)
		c, err := k.curves.Curve(t.Context(), mint)
		must.Do(t, err)
		if c.Index.Trades != slot-1 {
			t.Fatalf("%d trades are counted of %d", c.Index.Trades, slot-1)
		}
		took := used.Take()
		figures.Show(t, "%d trades: %d calls of the store, %.0f units read, %.0f written", n, took.Calls, took.Read, took.Write)
		if took.Write > 32+float64(n) {
			t.Errorf("%d trades take %.0f units of writing", n, took.Write)
		}
	}
}
