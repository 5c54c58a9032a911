package unstick_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/distribution/unstick"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/nightly"
	"tokenlaunch.example/service/pkg/testkit/runworld"
)

// region is the office of a service whose Region is lost: at the event ledgerAt the last
// copy of the ledger is made, at journalAt the last object of its bucket is copied, and at
// lostAt all ends. Events are writes of payments and runs.
type region struct {
	*office

	ledgerAt, journalAt, lostAt int

	mu      sync.Mutex
	events  int
	ledger  []map[string]types.AttributeValue
	journal map[string][]byte
	lost    bool
	// recovered is since when the service is that of the other Region; zero before.
	recovered time.Time
}

func (g *region) tick(t *testing.T) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.lost || !g.recovered.IsZero() {
		return
	}
	if g.events++; g.events == g.ledgerAt {
		g.ledger = g.items(t)
	}
	if g.events == g.journalAt {
		g.journal = g.objects(t)
	}
	g.lost = g.events == g.lostAt
}

// payments and runs are the ledger, with events.
type payments struct {
	payout.Store

	tick func()
}

func (s payments) Bind(ctx context.Context, p payout.Payment) error {
	defer s.tick()
	return s.Store.Bind(ctx, p)
}

func (s payments) Record(ctx context.Context, p payout.Payment) error {
	defer s.tick()
	return s.Store.Record(ctx, p)
}

func (s payments) End(ctx context.Context, p payout.Payment, parts ...payout.Payment) error {
	defer s.tick()
	return s.Store.End(ctx, p, parts...)
}

type runs struct {
	run.Store

	tick func()
	lost *bool
}

// Head returns what stops the service when its Region is lost.
func (s runs) Head(ctx context.Context, mint solana.PublicKey) (run.Head, error) {
	head, err := s.Store.Head(ctx, mint)
	if *s.lost {
		head.Frozen = "the Region is lost"
	}
	return head, err
}

func (s runs) Open(ctx context.Context, head run.Head, r run.Run) error {
	defer s.tick()
	return s.Store.Open(ctx, head, r)
}

func (s runs) Save(ctx context.Context, r run.Run) error {
	defer s.tick()
	return s.Store.Save(ctx, r)
}

func (s runs) End(ctx context.Context, r run.Run, head run.Head) error {
	defer s.tick()
	return s.Store.End(ctx, r, head)
}

// files are those of the ledger's bucket.
func (g *region) files(t *testing.T) *s3.Client {
	t.Helper()
	return s3.NewFromConfig(localnet.AWS(t).Config(t.Context()), func(o *s3.Options) { o.UsePathStyle = true })
}

func (g *region) objects(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	client := g.files(t)
	pages := s3.NewListObjectsV2Paginator(client, &s3.ListObjectsV2Input{Bucket: &g.Files})
	for pages.HasMorePages() {
		page, err := pages.NextPage(t.Context())
		must.Do(t, err)
		for _, o := range page.Contents {
			out, err := client.GetObject(t.Context(), &s3.GetObjectInput{Bucket: &g.Files, Key: o.Key})
			must.Do(t, err)
			all[*o.Key], err = io.ReadAll(out.Body)
			must.Do(t, errors.Join(err, out.Body.Close()))
		}
	}
	return all
}

// put makes the bucket have these objects; no other object is left when whole.
func (g *region) put(t *testing.T, objects map[string][]byte, whole bool) {
	t.Helper()
	client := g.files(t)
	if whole {
		for key := range g.objects(t) {
			_, err := client.DeleteObject(t.Context(), &s3.DeleteObjectInput{Bucket: &g.Files, Key: &key})
			must.Do(t, err)
		}
	}
	for key, body := range objects {
		_, err := client.PutObject(t.Context(), &s3.PutObjectInput{Bucket: &g.Files, Key: &key, Body: strings.NewReader(string(body))})
		must.Do(t, err)
	}
}

// distributing is a service in the middle of its second run, with payments in three batches.
func distributing(t *testing.T, ledgerAt, journalAt, lostAt int) *region {
	t.Helper()
	g := &region{office: open(t), ledgerAt: ledgerAt, journalAt: journalAt, lostAt: lostAt}
	const more = 2*payout.SOLBatch - 2
	members := make([]runworld.Member, more)
	for n := range members {
		members[n] = runworld.Member{Owner: solana.NewWallet().PublicKey(), Balance: 1_000 * tokens, Lamports: 890_880}
	}
	g.SeedHolders(t, members)
	last := len(g.holders) - 1 // the creator's
	creator, had := g.holders[last], g.had[last]
	g.holders, g.had = g.holders[:last], g.had[:last]
	for _, m := range members {
		g.holders, g.had = append(g.holders, m.Owner), append(g.had, m.Lamports)
	}
	g.holders, g.had = append(g.holders, creator), append(g.had, had)
	g.Settle(t)
	g.Give(t, g.holders[0], 2_000*tokens)
	prepare, never := g.Prepare, false
	g.Prepare = func(worker *runworld.Worker) {
		prepare(worker)
		tick, lost := func() { g.tick(t) }, &g.lost
		if !g.recovered.IsZero() {
			lost = &never
		}
		worker.Engine.Store = payments{worker.Engine.Store, tick}
		store := runs{worker.Machine.Store, tick, lost}
		worker.Engine.Phases = run.Phases{Store: store, Recovered: g.recovered}
		core := g.Signer(localnet.AWS(t).Config(t.Context()))
		core.Recovered = g.recovered
		worker.Engine.Wallet = signing.Direct{Core: core}
		worker.Machine.Engine, worker.Machine.Store, worker.Machine.Recovered = worker.Engine, store, g.recovered
	}
	return g
}

// recover makes the service that of the other Region, as the copies have it.
func (g *region) recover(t *testing.T) {
	t.Helper()
	for _, item := range g.items(t) {
		_, err := g.Runs.Client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{
			TableName: &g.Table, Key: map[string]types.AttributeValue{"pk": item["pk"], "sk": item["sk"]},
		})
		must.Do(t, err)
	}
	for _, item := range g.ledger {
		_, err := g.Runs.Client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &g.Table, Item: item})
		must.Do(t, err)
	}
	_, at, err := g.Node.FinalizedClock(t.Context())
	must.Do(t, err)
	g.recovered = at
	if now := g.Clock.Now(); now.After(at) {
		g.recovered = now
	}
	g.desk.Recovered, g.desk.Nodes = g.recovered, []unstick.Node{g.Node}
	worker := g.Worker(t, nil)
	g.desk.Engine.Wallet = worker.Engine.Wallet
	g.desk.Engine.Records = worker.Engine.Records
}

// balances returns the balances of all.
func (g *region) balances(t *testing.T) (list []uint64) {
	t.Helper()
	for _, h := range g.holders {
		list = append(list, g.Lamports(t, h))
	}
	return append(list, g.Lamports(t, g.Token.Wallet.Address), g.Supply(t))
}

// TestRecoveredServicePaysOnce loses the Region at each moment, with copies of the ledger and of the bucket of
// each age. The token pays no holder before its wallet is compared, and pays each holder once after that. A
// token that copies and chain do not decide stays frozen until the rest of the bucket is there.
func TestRecoveredServicePaysOnce(t *testing.T) {
	moments := [][3]int{{14, 19, 24}, {14, 26, 60}, {4, 8, 30}}
	if nightly.Whole(t) {
		moments = nil
		for lost := 3; lost <= 43; lost += 4 {
			for journal := 1 + lost%5; journal <= lost; journal += 8 {
				moments = append(moments, [3]int{1 + journal/2, journal, lost})
			}
		}
	}
	traced, frozen := 0, 0
	for _, m := range moments {
		t.Run(fmt.Sprint(m), func(t *testing.T) {
			g := distributing(t, m[0], m[1], m[2])
			slot := g.Slot()
			g.Drive(t, nil)
			t.Logf("%d events", g.events)
			if g.ledger == nil { // the run is over before
				t.Skip("the run has fewer events")
			}
			if g.journal == nil {
				g.journal = g.objects(t)
			}
			everything := g.objects(t)
			paid := g.balances(t)
			g.recover(t)
			g.put(t, g.journal, true)

			g.Again(slot)
			g.Slot()
			g.Drive(t, nil)
			if got := g.balances(t); !slices.Equal(got, paid) {
				t.Fatalf("before it was compared it moved money: %d, want %d", got, paid)
			}
			if c := g.why(t); !c.Uncompared {
				t.Fatalf("%+v", c)
			}
			if _, err := g.desk.Resolve(t.Context(), g.Token.Mint, g.Token.Wallet, unstick.Order{}); !errors.Is(err, unstick.ErrTooSoon) {
				t.Fatalf("compared at once: %v", err)
			}
			g.Ledger.TimeTravel(t, g.recovered.Add(4*time.Minute))
			c, err := g.desk.Resolve(t.Context(), g.Token.Mint, g.Token.Wallet, unstick.Order{})
			must.Do(t, err)
			t.Logf("%s", c)
			if len(c.Forgotten) > 0 {
				frozen++
				g.Again(slot)
				g.Drive(t, nil)
				if got := g.balances(t); !slices.Equal(got, paid) {
					t.Fatalf("with transactions that are not explained it moved money: %d, want %d", got, paid)
				}
				g.put(t, everything, false)
				if c, err = g.desk.Resolve(t.Context(), g.Token.Mint, g.Token.Wallet, unstick.Order{}); err != nil || len(c.Forgotten) > 0 {
					t.Fatalf("with the whole journal: %v\n%s", err, c)
				}
			} else if !maps.EqualFunc(g.journal, everything, slices.Equal) {
				traced++
			}
			if c := g.why(t); c.Uncompared || c.Frozen != "" {
				t.Fatalf("%s", c)
			}
			if c.Run != nil {
				if r := g.goOn(t, slot); r.Status() != run.Settled {
					t.Fatalf("the run is %s: %+v", r.Status(), r.End)
				}
			}
			g.paysAgain(t)
			g.paysAgain(t)
		})
	}
	t.Logf("%d were traced on the chain, %d stayed frozen until the journal was whole", traced, frozen)
	if !testing.Short() && (traced == 0 || frozen == 0) {
		t.Error("one of the two was not tried")
	}
}
