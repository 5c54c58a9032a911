package watch_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/platform/sweep"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/launchtable/promotions"
	"tokenlaunch.example/service/pkg/market/featured"
	"tokenlaunch.example/service/pkg/market/watch"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/token"
)

// payEnv is a real chain and a real store that several fixtures share.
type payEnv struct {
	ledger   *localnet.Ledger
	node     *solanarpc.Client
	stack    *localnet.Stack
	config   aws.Config
	treasury solana.PublicKey
}

func newPayEnv(t *testing.T) *payEnv {
	t.Helper()
	stack := localnet.AWS(t)
	g := &payEnv{ledger: localnet.Chain(t), stack: stack, config: stack.Config(t.Context()), treasury: solana.NewWallet().PublicKey()}
	g.node = g.nodeOf(t, nil)
	return g
}

func (g *payEnv) nodeOf(t *testing.T, p *fault.Process) *solanarpc.Client {
	t.Helper()
	node, err := solanarpc.New(g.ledger.RPCURL)
	payMust(t, err)
	if p == nil {
		return node
	}
	node.Pause = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	return node.WithTransport(p.Over(http.DefaultTransport.RoundTrip))
}

// finalize lets what was sent be finalized.
func (g *payEnv) finalize(t *testing.T) { g.ledger.PassSlots(t, 40) }

// payFixture is a separate store. Its fields read the store without injected faults.
type payFixture struct {
	*payEnv
	table  string
	store  promotions.Store
	tokens launchtable.Tokens
	clock  *fault.Clock
	log    *payLog
}

func (g *payEnv) fixture(t *testing.T) *payFixture {
	t.Helper()
	w := &payFixture{
		payEnv: g, table: g.stack.CreateTable(t, schema.Launch),
		clock: fault.NewClock(time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)), log: &payLog{},
	}
	client := dynamo.New(g.config)
	w.store, w.tokens = promotions.Store{Client: client, Table: w.table}, launchtable.Tokens{Client: client, Table: w.table}
	return w
}

// watcher is one in a process; nil for one to which nothing happens.
func (w *payFixture) watcher(t *testing.T, p *fault.Process) watch.Promotions {
	t.Helper()
	config := w.config.Copy()
	if p != nil {
		config.HTTPClient = p.Over(config.HTTPClient.Do)
	}
	return watch.Promotions{
		Store: promotions.Store{Client: dynamo.New(config), Table: w.table}, Chain: w.nodeOf(t, p),
		Max: 20, Now: w.clock.Now, Log: slog.New(slog.NewJSONHandler(w.log, nil)),
	}
}

// look runs a watcher a minute later.
func (w *payFixture) look(t *testing.T) sweep.Counts {
	t.Helper()
	w.clock.Pass(time.Minute)
	counts, err := w.watcher(t, nil).Run(t.Context())
	payMust(t, err)
	return counts
}

// payLog keeps what a watcher logs.
type payLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *payLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

// payRefusal is a payment that did not count.
type payRefusal struct{ Msg, Reason, PromotionID, Signature string }

// refusals are those of one promotion, in order.
func (l *payLog) refusals(t *testing.T, id string) []payRefusal {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	var refusals []payRefusal
	for line := range strings.Lines(l.text.String()) {
		var entry payRefusal
		payMust(t, json.Unmarshal([]byte(line), &entry))
		if entry.PromotionID == id && entry.Msg == "payment does not count" {
			refusals = append(refusals, entry)
		}
	}
	return refusals
}

// reasons are why payments of a promotion did not count, in order.
func (l *payLog) reasons(t *testing.T, id string) []string {
	t.Helper()
	var reasons []string
	for _, r := range l.refusals(t, id) {
		reasons = append(reasons, r.Reason)
	}
	return reasons
}

// payToken is a confirmed token and its creator, who has money.
type payToken struct {
	creator solana.PrivateKey
	mint    solana.PublicKey
}

func (w *payFixture) token(t *testing.T) payToken {
	t.Helper()
	c := payToken{w.wallet(t), solana.NewWallet().PublicKey()}
	w.give(t, c)
	return c
}

// give records a token as its creator's.
func (w *payFixture) give(t *testing.T, c payToken) {
	t.Helper()
	item, err := attributevalue.MarshalMap(map[string]any{
		"pk": "TOKEN#" + c.mint.String(), "sk": "TOKEN", "id": uuid.NewString(), "mint": c.mint[:],
		"creator": c.creator.PublicKey().Bytes(), "status": string(token.Confirmed), "visible": true,
	})
	payMust(t, err)
	_, err = w.tokens.Client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &w.table, Item: item})
	payMust(t, err)
}

// wallet is one with 30 SOL.
func (g *payEnv) wallet(t *testing.T) solana.PrivateKey {
	t.Helper()
	key := solana.NewWallet().PrivateKey
	g.ledger.Fund(t, key.PublicKey().String(), 30*solana.LAMPORTS_PER_SOL)
	return key
}

// payOffer is a promotion that was offered, and who may pay it.
type payOffer struct {
	featured.Offer
	payToken
}

func (o payOffer) id() string { return o.Promotion.ID }

func (w *payFixture) offer(t *testing.T, c payToken, days int) payOffer {
	t.Helper()
	service := featured.Service{
		Tokens: w.tokens, Store: w.store, Treasury: w.treasury, Random: rand.Reader,
		Preparer: transaction.Preparer{Chain: w.node, Price: computebudget.Bounds{Floor: 10_000, Cap: 1_000_000}, Now: w.clock.Now, NewID: uuid.NewString},
	}
	offer, err := service.Create(t.Context(), c.creator.PublicKey(), c.mint.String(), days)
	payMust(t, err)
	if !offer.Transaction.Simulation.OK {
		t.Fatalf("the payment would fail: %+v", offer.Transaction.Simulation)
	}
	return payOffer{offer, c}
}

// pay sends the transaction that was offered.
func (w *payFixture) pay(t *testing.T, o payOffer) solana.Signature {
	t.Helper()
	tx, err := wire.ParseTransaction(o.Transaction.Transaction)
	payMust(t, err)
	return w.send(t, tx, o.creator)
}

// transfer is that of the offer.
func (w *payFixture) transfer(o payOffer) systemprogram.Transfer {
	return systemprogram.Transfer{
		From: o.creator.PublicKey(), To: w.treasury, Lamports: o.Promotion.Lamports, References: []solana.PublicKey{o.Promotion.Reference},
	}
}

// execute sends another transaction, which uses a new blockhash.
func (w *payFixture) execute(t *testing.T, payer solana.PrivateKey, transfers ...systemprogram.Transfer) solana.Signature {
	t.Helper()
	recent, err := w.node.RecentBlockhash(t.Context())
	payMust(t, err)
	var instructions []solana.Instruction
	for _, transfer := range transfers {
		instructions = append(instructions, transfer.Instruction())
	}
	message, err := wire.Compile(payer.PublicKey(), recent.Hash, instructions)
	payMust(t, err)
	return w.send(t, wire.NewTransaction(message), payer)
}

// send signs a transaction and brings it onto the chain, where it may fail.
func (w *payFixture) send(t *testing.T, tx wire.Transaction, payer solana.PrivateKey) solana.Signature {
	t.Helper()
	payMust(t, tx.Sign(ed25519.PrivateKey(payer)))
	id, _ := tx.ID()
	payMust(t, w.node.Send(t.Context(), tx.Bytes()))
	outcome, err := w.node.Await(t.Context(), id)
	payMust(t, err)
	if outcome.State == transaction.Unknown {
		t.Fatalf("transaction %s did not land", id)
	}
	return id
}

// fate returns the end in the record of the offered transaction, and reports whether it is watched.
func (w *payFixture) fate(t *testing.T, o payOffer) (fate transaction.Fate, watched bool) {
	t.Helper()
	out, err := w.store.Client.GetItem(t.Context(), &dynamodb.GetItemInput{
		TableName: &w.table, ConsistentRead: new(true), Key: payKey("ISSUED#"+o.id(), "ISSUED"),
	})
	payMust(t, err)
	var stored struct {
		Fate  string `dynamodbav:"fate"`
		DuePk string `dynamodbav:"duePk"`
	}
	payMust(t, attributevalue.UnmarshalMap(out.Item, &stored))
	return transaction.Fate(stored.Fate), stored.DuePk != ""
}

// check holds the end of an offer against what it must be. A promotion that was not
// paid has no days.
func (w *payFixture) check(t *testing.T, o payOffer, fate transaction.Fate, reasons ...featured.Match) featured.Promotion {
	t.Helper()
	p, err := w.store.Promotion(t.Context(), o.id())
	payMust(t, err)
	if got, _ := w.fate(t, o); got != fate {
		t.Errorf("the transaction is %s, want %s", got, fate)
	}
	if p.Paid() != (fate == transaction.Seen) || p.Paid() && p.EndsAt.Sub(p.StartsAt) != time.Duration(o.Promotion.Days)*24*time.Hour {
		t.Errorf("paid %v from %s to %s, for %d days", p.Paid(), p.StartsAt, p.EndsAt, o.Promotion.Days)
	}
	var want []string
	for _, r := range reasons {
		want = append(want, string(r))
	}
	if got := w.log.reasons(t, o.id()); !slices.Equal(got, want) {
		t.Errorf("payments that do not count: %v, want %v", got, want)
	}
	return p
}

// setVisible hides a token or shows it.
func (w *payFixture) setVisible(t *testing.T, c payToken, visible bool) {
	t.Helper()
	_, err := w.store.Client.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: &w.table, Key: payKey("TOKEN#"+c.mint.String(), "TOKEN"), UpdateExpression: new("SET visible = :visible"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":visible": &types.AttributeValueMemberBOOL{Value: visible}},
	})
	payMust(t, err)
}

// until returns the time in the token's record.
func (w *payFixture) until(t *testing.T, c payToken) time.Time {
	t.Helper()
	record, err := w.tokens.Token(t.Context(), c.mint)
	payMust(t, err)
	return record.FeaturedUntil
}

// shown lists what is featured now.
func (w *payFixture) shown(t *testing.T) []featured.Listed {
	t.Helper()
	listed, _, err := w.store.Featured(t.Context(), w.clock.Now(), "", 100)
	payMust(t, err)
	return listed
}

func payMust(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
