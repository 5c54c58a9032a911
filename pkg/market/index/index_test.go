package index_test

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"slices"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market/index"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/testkit/telemetrytest"
)

// bench is an indexer over memory whose clock passes a minute with each run.
type bench struct {
	*memory
	*fixture
	index.Indexer
	now time.Time
}

func newBench(history ...block) *bench {
	b := &bench{memory: newMemory(newCurve(target)), fixture: &fixture{history: history, maximum: 1000}, now: genesis}
	b.Indexer = index.New(b.memory, b.fixture, slog.New(slog.DiscardHandler))
	b.Now, b.Readers = func() time.Time { return b.now }, 1 // the fixture takes one question at a time
	return b
}

func (b *bench) run(t *testing.T) index.Report {
	t.Helper()
	b.now = b.now.Add(time.Minute)
	report, err := b.Run(context.Background())
	must.Do(t, err)
	return report
}

// at is a transaction in a slot with swaps in the pool.
func at(slot uint64, swaps ...swap) block {
	b := block{Listed: index.Listed{Signature: solana.Signature{byte(slot), 1}, Slot: slot, At: genesis.Add(time.Duration(slot) * time.Second)}, swaps: swaps}
	b.made = slot == 1
	return b
}

func buying(trader byte) swap {
	return swap{pool: pool, trader: solana.PublicKey{9, trader}, buy: true, tokens: 5, lamports: 50, price: 7}
}

// A node whose history lacks the transaction of the cursor, or that returns a transaction other
// than the listed one, decides nothing.
func TestNodeContradiction(t *testing.T) {
	b := newBench(at(1), at(2, buying(1)), at(3, buying(2)), at(4, buying(3)))
	b.known = 3
	b.fixture.before = func(string) error { b.known = 3; return nil }
	b.run(t)
	b.fixture.before = nil
	whole := b.history
	b.history = slices.Delete(slices.Clone(whole), 2, 3)
	if report := b.run(t); report != (index.Report{Followed: 1, Due: 1, Behind: 1}) {
		t.Errorf("%+v; want it behind", report)
	}
	b.history = slices.Clone(whole)
	b.Chain = moved{b.fixture}
	if report := b.run(t); report != (index.Report{Followed: 1, Due: 1, Behind: 1}) {
		t.Errorf("a transaction in another slot: %+v; want it behind", report)
	}
	b.Chain = b.fixture
	if report := b.run(t); report != (index.Report{Followed: 1, Due: 1, Transactions: 1, Trades: 1}) || b.curve.Index.Trades != 3 {
		t.Errorf("%+v, and %d trades in all", report, b.curve.Index.Trades)
	}
}

// moved returns transactions in other slots than they were listed in.
type moved struct{ *fixture }

func (m moved) Transaction(ctx context.Context, s solana.Signature) (index.Landed, error) {
	l, err := m.fixture.Transaction(ctx, s)
	l.Slot++
	return l, err
}

func TestRead(t *testing.T) {
	other := buying(2)
	other.pool = solana.PublicKey{7}
	one := buying(1).executed()
	forged := slices.Clone(one)
	forged[2].Accounts = []solana.PublicKey{{1}}
	short := slices.Clone(one)
	short[0].Accounts = short[0].Accounts[:2]
	foreign := slices.Clone(one)
	for i := range foreign {
		foreign[i].Program = solana.TokenProgramID
	}
	for name, test := range map[string]struct {
		list    []index.Instruction
		traders []solana.PublicKey
		made    bool
	}{
		"nothing":                        {},
		"a purchase":                     {list: one, traders: []solana.PublicKey{{9, 1}}},
		"two, and one in another pool":   {list: slices.Concat(one, other.executed(), buying(3).executed()), traders: []solana.PublicKey{{9, 1}, {9, 3}}},
		"one within another pool's swap": {list: slices.Concat(other.executed()[:2], one, other.executed()[2:]), traders: []solana.PublicKey{{9, 1}}},
		"the pool's beginning":           {list: append([]index.Instruction{creation()}, one...), traders: []solana.PublicKey{{9, 1}}, made: true},
		"a swap without an event":        {list: one[:2]},
		"two swaps and one event":        {list: append(slices.Clone(one[:1]), one...), traders: []solana.PublicKey{{9, 1}}},
		"another program's event":        {list: forged},
		"of an unknown instruction":      {list: one[2:], traders: []solana.PublicKey{{}}},
		"without its accounts":           {list: short, traders: []solana.PublicKey{{}}},
		"of another program":             {list: foreign},
	} {
		trades, made := index.Read(pool, index.Landed{Instructions: test.list})
		var traders []solana.PublicKey
		for _, trade := range trades {
			traders = append(traders, trade.Trader)
			if trade.Tokens != 5 || trade.Lamports != 50 || trade.Direction != meteora.Buy {
				t.Errorf("%s: trade %+v, want a purchase of 5 tokens for 50 lamports", name, trade)
			}
		}
		if !slices.Equal(traders, test.traders) || made != test.made {
			t.Errorf("%s: %v, created %v", name, traders, made)
		}
	}
}

// A swap with an unknown event, of a new version of the program, is left out and raises an alarm;
// the curve continues.
func TestUnknownEventStopsNoCurve(t *testing.T) {
	b := newBench(at(1), at(2, buying(1)), at(3, buying(2)))
	var log telemetrytest.Log
	b.Log = log.Logger(slog.LevelError)
	b.Chain = renamed{b.fixture, b.history[1].Signature}
	b.now = b.now.Add(time.Minute)
	report, err := b.Run(context.Background())
	if err != nil || report.Errors != 0 || b.curve.Index.Trades != 1 || b.curve.Index.Last != b.history[2].Signature {
		t.Errorf("%+v, %v; counted %+v", report, err, b.curve.Index)
	}
	if rung := log.Sum(t)["TradesUnreadable"]; rung != 1 {
		t.Errorf("raised %v alarms", rung)
	}
}

// renamed returns the swaps of a transaction with events of another name.
type renamed struct {
	*fixture

	of solana.Signature
}

func (r renamed) Transaction(ctx context.Context, signature solana.Signature) (index.Landed, error) {
	l, err := r.fixture.Transaction(ctx, signature)
	for i, in := range l.Instructions {
		if signature == r.of && meteora.InstructionKind(in.Data) == meteora.KindEvent {
			l.Instructions[i].Data = slices.Concat(in.Data[:8], discriminator("event:EvtSwap3"), in.Data[16:])
		}
	}
	return l, err
}

// A buyer who does not fit into a page is in the next page.
func TestManyBuyersAreManyPages(t *testing.T) {
	history := []block{at(1)}
	for n := range byte(120) {
		history = append(history, at(uint64(n)+2, buying(2*n), buying(2*n+1)))
	}
	b := newBench(history...)
	b.Share, b.MaxTransactions, b.PageTransactions = 1000, 1000, 1000
	pages := 0
	b.memory.before = func(call string) error {
		if call == "Apply" {
			pages++
		}
		return nil
	}
	if report := b.run(t); report != (index.Report{Followed: 1, Due: 1, Transactions: 121, Trades: 240}) || pages != 3 || len(b.buyers) != 240 {
		t.Errorf("%+v in %d pages, with %d buyers", report, pages, len(b.buyers))
	}
}

// Sums that overflow are reduced by equal amounts on both sides: the difference stays.
func TestOverflowingSums(t *testing.T) {
	big := buying(1)
	big.tokens = math.MaxUint64 - 10
	back := big
	back.buy = false
	b := newBench(at(1), at(2, big, back, big), at(3, buying(1)))
	b.run(t)
	if i := b.curve.Index; i.Trades != 4 || i.Bought-i.Sold != math.MaxUint64-5 {
		t.Errorf("index = %+v, want 4 trades and a balance of 2^64-6", i)
	}
	impossible := newBench(at(1), at(2, big, big))
	impossible.now = impossible.now.Add(time.Minute)
	if report, err := impossible.Run(context.Background()); err == nil || report.Errors != 1 {
		t.Errorf("more is bought than there can be: %+v, %v", report, err)
	}
}

// A run reads no more transactions than it may, and comes back for the rest; a complete
// curve whose trades are all counted rests for an hour.
func TestRunsAreBounded(t *testing.T) {
	history := []block{at(1)}
	for slot := uint64(2); slot <= 20; slot++ {
		history = append(history, at(slot, buying(byte(slot))))
	}
	history[19].swaps[0].price = target
	b := newBench(history...)
	b.Share, b.MaxTransactions, b.PageTransactions = 4, 6, 4
	var did []int
	for range 3 {
		report := b.run(t)
		did = append(did, report.Transactions)
		if (report.Left == 1) != (len(b.history) > int(b.curve.Index.ChainSlot)) {
			t.Errorf("%+v at slot %d", report, b.curve.Index.ChainSlot)
		}
	}
	if !slices.Equal(did, []int{10, 10, 0}) {
		t.Errorf("runs count %v", did)
	}
	if b.curve.State != token.CurveCompleted || !b.dueAt.After(b.now.Add(50*time.Minute)) {
		t.Errorf("%s, to be checked from %s on, at %s", b.curve.State, b.dueAt, b.now)
	}
	b.history = append(b.history, at(21, buying(1)))
	if report := b.run(t); report != (index.Report{Followed: 1}) {
		t.Errorf("it does not rest: %+v", report)
	}
	b.now = b.now.Add(time.Hour)
	if report := b.run(t); report.Trades != 1 {
		t.Errorf("after an hour: %+v", report)
	}
}

// The store's errors are returned, and nothing else is read without the store.
func TestStoreDown(t *testing.T) {
	away := errors.New("the store is away")
	b := newBench(at(1))
	b.memory.before = func(string) error { return away }
	if _, err := b.Run(context.Background()); !errors.Is(err, away) {
		t.Errorf("Run() = %v, want the store's error", err)
	}
}

// FuzzRead reads arbitrary instructions: each is read or left out, and a trade belongs to the pool.
func FuzzRead(f *testing.F) {
	f.Add(buying(1).executed()[0].Data, buying(1).event(), uint8(14))
	f.Add(creation().Data, []byte{}, uint8(0))
	f.Fuzz(func(t *testing.T, first, second []byte, accounts uint8) {
		keys := make([]solana.PublicKey, accounts%32)
		for i := range keys {
			keys[i] = pool
		}
		trades, _ := index.Read(pool, index.Landed{Instructions: []index.Instruction{
			{Program: meteora.Program, Accounts: keys, Data: first},
			{Program: meteora.Program, Accounts: []solana.PublicKey{meteora.EventAuthority}, Data: second},
		}})
		for _, trade := range trades {
			if trade.Pool != pool || trade.NextSqrtPrice == nil {
				t.Errorf("trade = %+v, want the pool and the next price", trade)
			}
		}
	})
}
