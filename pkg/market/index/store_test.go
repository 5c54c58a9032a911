package index_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable/curves"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/index"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

// kept is a deployed curve in a real store.
type kept struct {
	curves.Index
	curves curves.Store
}

func newKept(t *testing.T) kept {
	t.Helper()
	return keep(t, false)
}

// keep is newKept, of a token that was launched here by the curve's creator if it is official.
func keep(t *testing.T, official bool) kept {
	t.Helper()
	stack := localnet.AWS(t)
	client, table := dynamo.New(stack.Config(t.Context())), stack.CreateTable(t, schema.Launch)
	k := kept{curves.Index{Client: client, Table: table}, curves.Store{Client: client, Table: table}}
	c := newCurve(target).Curve
	if official {
		item, err := attributevalue.MarshalMap(map[string]any{
			"pk": "TOKEN#" + mint.String(), "sk": "TOKEN", "id": uuid.NewString(), "mint": mint[:], "creator": c.Creator[:],
			"status": string(token.Confirmed), "visible": true,
		})
		must.Do(t, err)
		_, err = client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item})
		must.Do(t, err)
		c.Official = true
	}
	c.ID, c.PreparedAt = uuid.NewString(), genesis
	must.Do(t, k.curves.Issue(t.Context(), transaction.Issued{
		ID: c.ID, Kind: transaction.KindCurve, Mint: mint, Subject: pool, CreatedAt: genesis, Fate: transaction.Open, DueAt: genesis,
	}, c))
	must.Do(t, k.curves.Deploy(t.Context(), c, c.ID))
	return k
}

// buyers counts the items of buyers.
func (k kept) buyers(t *testing.T) int {
	t.Helper()
	out, err := k.Client.Query(t.Context(), &dynamodb.QueryInput{
		TableName: &k.Table, KeyConditionExpression: aws.String("pk = :pk AND begins_with(sk, :buyer)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":pk":    &types.AttributeValueMemberS{Value: "CURVE#" + mint.String()},
			":buyer": &types.AttributeValueMemberS{Value: "BUYER#"},
		},
	})
	must.Do(t, err)
	return len(out.Items)
}

// volume is by what the token is ranked; empty when it is not.
func (k kept) volume(t *testing.T) string {
	t.Helper()
	out, err := k.Client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: &k.Table, Key: dynamo.Key(schema.Figures+mint.String(), "VOLUME")})
	must.Do(t, err)
	if by, ranked := out.Item["dueAt"].(*types.AttributeValueMemberN); ranked {
		return by.Value
	}
	return ""
}

// told are the readable trades, page by page, the oldest first.
func (k kept) told(t *testing.T) (all []market.Trade) {
	t.Helper()
	for before := uint64(0); ; before = all[len(all)-1].Number {
		page, err := k.curves.Trades(t.Context(), mint, before, genesis, 37)
		must.Do(t, err)
		if all = append(all, page...); len(page) < 37 {
			slices.Reverse(all)
			return all
		}
	}
}

// candles are those that can be read, page by page.
func (k kept) candles(t *testing.T) market.Candles {
	t.Helper()
	all := market.Candles{}
	for _, interval := range market.Intervals() {
		for before := (time.Time{}); ; {
			page, err := k.curves.Candles(t.Context(), mint, interval, before, time.Time{}, 37)
			must.Do(t, err)
			for _, c := range page {
				all[c.Key()] = c
				before = c.Start
			}
			if len(page) < 37 {
				break
			}
		}
	}
	return all
}

// concurrent is a fixture that several ask at once, and that fails now and then.
type concurrent struct {
	*fixture
	sync.Mutex
	calls int
}

func (c *concurrent) fail() error {
	if c.calls++; c.calls%97 == 0 {
		return errCrash
	}
	return nil
}

func (c *concurrent) Signatures(ctx context.Context, a solana.PublicKey, before solana.Signature, limit int) ([]index.Listed, error) {
	c.Lock()
	defer c.Unlock()
	if err := c.fail(); err != nil {
		return nil, err
	}
	return c.fixture.Signatures(ctx, a, before, limit)
}

func (c *concurrent) Transaction(ctx context.Context, s solana.Signature) (index.Landed, error) {
	c.Lock()
	defer c.Unlock()
	if err := c.fail(); err != nil {
		return index.Landed{}, err
	}
	return c.fixture.Transaction(ctx, s)
}

// trades is a history of a pool: its creation, and n transactions with up to three
// swaps of up to 200 wallets.
func trades(n int) []block {
	random := rand.New(rand.NewPCG(1, 2))
	history := []block{{made: true}}
	for range n {
		b := block{Listed: index.Listed{Failed: random.IntN(9) == 0}}
		for range random.IntN(4) {
			b.swaps = append(b.swaps, swap{
				pool: pool, trader: solana.PublicKey{9, byte(random.IntN(200))}, buy: random.IntN(3) > 0,
				tokens: 1 + random.Uint64N(1000), lamports: 10 + random.Uint64N(1000), fee: 1, price: 1 + random.Uint64N(target-1),
			})
		}
		history = append(history, b)
	}
	for i := range history {
		binary.BigEndian.PutUint64(history[i].Signature[:], uint64(i)*0x9e3779b97f4a7c15+1)
		history[i].Slot = uint64(10 + i/3)
		history[i].At = genesis.Add(time.Duration(history[i].Slot) * 97 * time.Second)
	}
	return history
}

// On the real store: three indexers at once, over a node that fails now and then,
// count each trade and each buyer once, and the curve is complete at the right trade.
func TestSeveralIndexersOnTheStore(t *testing.T) {
	k := keep(t, true)
	w := &concurrent{fixture: &fixture{history: trades(400), maximum: 50}}
	completing := &w.history[250]
	completing.Failed, w.history[249].Failed, w.history[251].Failed = false, true, true // alone in its slot
	w.history[249].swaps, w.history[251].swaps = nil, nil
	completing.swaps = []swap{{pool: pool, trader: solana.PublicKey{8}, buy: true, tokens: 1, lamports: 10, price: target}}
	last := w.history[len(w.history)-1].Signature
	var minutes atomic.Int64
	now := func() time.Time { return genesis.Add(time.Duration(minutes.Load()) * time.Minute) }
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			indexer := index.Indexer{
				Store: k, Chain: w, Memory: &index.Memory{}, Share: 20, MaxTransactions: 120, PageTransactions: 40, WalkPages: 20, Readers: 3,
				Now: now, Log: slog.New(slog.DiscardHandler),
			}
			for range 200 {
				minutes.Add(1)
				if _, err := indexer.Run(context.Background()); err != nil && !errors.Is(err, errCrash) {
					t.Log(err) // a conflict of two writes: the next run's
				}
				if c, err := k.curves.Curve(context.Background(), mint); err == nil && c.Index.Last == last {
					return
				}
			}
		})
	}
	all.Wait()
	c, err := k.curves.Curve(t.Context(), mint)
	must.Do(t, err)
	want := w.truth(last, target)
	if c.Index != want.index {
		t.Errorf("counted %+v, the truth is %+v", c.Index, want.index)
	}
	if n := k.buyers(t); n != len(want.buyers) || n <= index.MaxRows {
		t.Errorf("%d buyers are kept, want %d, more than %d", n, len(want.buyers), index.MaxRows)
	}
	if told := k.told(t); !same(told, want.told) {
		t.Errorf("indexed %d trades, the truth is %d: %v, %v", len(told), len(want.told), told, want.told)
	}
	if got, want := k.candles(t), candles(want.told); !same(got, want) {
		t.Errorf("the candles are %v, the truth is %v", got, want)
	}
	if c.State != token.CurveCompleted || !c.CompletedAt.Equal(completing.At) {
		t.Errorf("%s at %s, want completed at %s", c.State, c.CompletedAt, completing.At)
	}
	// The token is ranked by what was traded in all.
	if got, want := k.volume(t), fmt.Sprint(want.index.Paid+want.index.Received); got != want {
		t.Errorf("the volume is %s, want %s", got, want)
	}
	took, known, err := k.curves.MedianTime(t.Context())
	if err != nil || !known || took != completing.At.Sub(w.history[0].At) {
		t.Errorf("took %s, %v, %v", took, known, err)
	}
}

// The store enforces the cursor for every caller.
func TestStoreEnforcesCursor(t *testing.T) {
	k := newKept(t)
	ctx := t.Context()
	due, err := k.Followed(ctx)
	if err != nil || len(due) != 1 || due[0] != (index.Entry{Mint: mint, DueAt: genesis.Add(time.Minute)}) {
		t.Fatalf("Followed() = %+v, %v; want the curve in a minute", due, err)
	}
	read, err := k.Curves(ctx, mint, solana.PublicKey{77})
	if err != nil || len(read) != 1 {
		t.Fatalf("Curves() = %+v, %v; want one", read, err)
	}
	first := read[0]
	page := index.Page{
		Index:  market.Index{Last: solana.Signature{1}, ChainSlot: 1<<63 + 1, Trades: 2, Bought: 1<<64 - 1, Sold: 3, Paid: 4, Received: 5},
		Within: true, BegunAt: genesis, Walk: solana.Signature{2}, SqrtPrice: new(big.Int).Lsh(big.NewInt(1), 100),
		NewBuyers: []solana.PublicKey{{1}, {2}},
	}
	second, err := k.Apply(ctx, first, page)
	must.Do(t, err)
	read, err = k.Curves(ctx, mint)
	must.Do(t, err)
	stored := read[0]
	page.Buyers = 2
	if stored.Index != page.Index || second.Index != page.Index || !stored.Within || stored.Walk != page.Walk ||
		stored.SqrtPrice.Cmp(page.SqrtPrice) != 0 || !stored.BegunAt.Equal(genesis) || stored.State != token.CurveActive {
		t.Errorf("stored %+v, want %+v", stored, page)
	}
	for what, err := range map[string]error{
		"apply":  errOf(k.Apply(ctx, first, page)),
		"rest":   k.Rest(ctx, first, solana.Signature{}, genesis),
		"cancel": k.Cancel(ctx, first),
	} {
		if !errors.Is(err, index.ErrTaken) {
			t.Errorf("%s where the cursor was before: %v", what, err)
		}
	}
	if volume := k.volume(t); volume != "" {
		t.Errorf("a curve that is not the creator's is ranked by %s", volume)
	}
	// A later page: one buyer is known, and the curve completes, permanently.
	page.Last, page.NewBuyers, page.CompletedAt = solana.Signature{3}, []solana.PublicKey{{2}, {3}}, genesis.Add(-time.Minute)
	third, err := k.Apply(ctx, stored, page)
	must.Do(t, err)
	if third.Index.Buyers != 3 || third.State != token.CurveCompleted {
		t.Errorf("curve = %+v, want completed with 3 buyers", third)
	}
	stale := page
	stale.Last, stale.NewBuyers = solana.Signature{9}, nil
	if _, err := k.Apply(ctx, stored, stale); !errors.Is(err, index.ErrTaken) {
		t.Errorf("counted twice: %v", err)
	}
	if err := k.Rest(ctx, stored, solana.Signature{}, genesis); !errors.Is(err, index.ErrTaken) {
		t.Errorf("deferred by a late process: %v", err)
	}
	if took, _, err := k.curves.MedianTime(ctx); err != nil || took != 0 {
		t.Errorf("complete before it began: %s, %v; want no time", took, err)
	}
	page.Last, page.CompletedAt = solana.Signature{4}, genesis.Add(time.Hour)
	fourth, err := k.Apply(ctx, third, page)
	must.Do(t, err)
	if err := k.Cancel(ctx, fourth); !errors.Is(err, index.ErrTaken) {
		t.Errorf("a complete curve is cancelled: %v", err)
	}
	must.Do(t, k.Rest(ctx, fourth, solana.Signature{}, genesis.Add(5*time.Hour)))
	c, err := k.curves.Curve(ctx, mint)
	if err != nil || !c.CompletedAt.Equal(genesis.Add(-time.Minute)) || c.Index.Last != page.Last || c.Index.Buyers != 3 {
		t.Errorf("Curve() = %+v, %v; want completed at the cursor of the page with 3 buyers", c, err)
	}
	if due, err := k.Followed(ctx); err != nil || len(due) != 1 || !due[0].DueAt.Equal(genesis.Add(5*time.Hour)) {
		t.Errorf("at rest: %+v, %v", due, err)
	}
	if read, err := k.Curves(ctx, mint); err != nil || !read[0].Walk.IsZero() {
		t.Errorf("at rest: %+v, %v", read, err)
	}
}

func errOf(_ index.Curve, err error) error { return err }

// withdrawn are the accounts of a curve whose liquidity was taken away at a price.
func withdrawn(liquidity, left, price uint64) map[solana.PublicKey]*onchain.Account {
	const unlockedAt = 152 // state/position.rs
	q := make([]byte, meteora.PositionSize)
	copy(q, discriminator("account:Position"))
	binary.LittleEndian.PutUint64(q[unlockedAt:], left)
	return map[solana.PublicKey]*onchain.Account{pool: poolAccount(liquidity, price, price), position: {Owner: meteora.Program, Data: q}}
}

// A curve is cancelled when its liquidity is gone and all trades before are counted,
// and not while the node has not shown the last of them: that may complete it.
func TestCancellation(t *testing.T) {
	k := newKept(t)
	w := &fixture{history: trades(1)[:1], maximum: 50, accounts: withdrawn(5, 0, 7)}
	w.history = append(w.history, block{
		Listed: index.Listed{Signature: solana.Signature{5}, Slot: 90, At: genesis},
		swaps:  []swap{{pool: pool, trader: solana.PublicKey{8}, buy: true, tokens: 1, lamports: 10, price: 7}},
	})
	now := genesis
	indexer := index.New(k, w, slog.New(slog.DiscardHandler))
	indexer.Now, indexer.Readers = func() time.Time { now = now.Add(time.Hour); return now }, 1
	run := func(want index.Report) {
		t.Helper()
		if got, err := indexer.Run(t.Context()); err != nil || got != want {
			t.Errorf("%+v, %v; want %+v", got, err, want)
		}
	}
	w.known = 1 // the creation only
	w.before = func(call string) error {
		if call == "Signatures" && now.Before(genesis.Add(3*time.Hour)) {
			w.known = 1
		}
		return nil
	}
	run(index.Report{Followed: 1, Due: 1, Transactions: 1})
	if c, _ := k.curves.Curve(t.Context(), mint); c.State != token.CurveActive {
		t.Errorf("the curve is %s before its last trade is counted", c.State)
	}
	run(index.Report{Followed: 1, Due: 1, Transactions: 1, Trades: 1, Cancelled: 1})
	if c, err := k.curves.Curve(t.Context(), mint); err != nil || c.State != token.CurveCancelled || c.Index.Trades != 1 {
		t.Errorf("the curve is %+v, %v", c, err)
	}
	run(index.Report{})
}

func TestWithdrawn(t *testing.T) {
	c := newCurve(target).Curve // of a liquidity of 1000
	for name, test := range map[string]struct {
		accounts map[solana.PublicKey]*onchain.Account
		gone     bool
	}{
		"as it was":                   {withdrawn(1000, 1000, 1), false},
		"partly":                      {withdrawn(900, 900, 1), false},
		"all":                         {withdrawn(0, 0, 1), true},
		"all but a third party's":     {withdrawn(7, 0, 1), true},
		"moved to another position":   {withdrawn(1000, 0, 1), false},
		"the position is closed":      {map[solana.PublicKey]*onchain.Account{pool: withdrawn(0, 0, 1)[pool]}, true},
		"closed, and lamports came":   {map[solana.PublicKey]*onchain.Account{pool: withdrawn(0, 0, 1)[pool], position: {}}, true},
		"the node knows no such pool": {nil, false},
	} {
		if _, gone, err := index.Withdrawn(c, test.accounts[pool], test.accounts[position]); err != nil || gone != test.gone {
			t.Errorf("Withdrawn(), %s = %v, %v; want %v", name, gone, err, test.gone)
		}
	}
	whole := withdrawn(0, 0, 1)
	for name, accounts := range map[string][2]*onchain.Account{
		"a pool of another program": {{Owner: solana.TokenProgramID, Data: whole[pool].Data}, whole[position]},
		"a position of another":     {whole[pool], {Owner: solana.TokenProgramID, Data: whole[position].Data}},
		"a position cut short":      {whole[pool], {Owner: meteora.Program, Data: whole[position].Data[:100]}},
	} {
		if _, gone, err := index.Withdrawn(c, accounts[0], accounts[1]); err == nil || gone {
			t.Errorf("Withdrawn(), %s = %v, %v; want an error", name, gone, err)
		}
	}
}
