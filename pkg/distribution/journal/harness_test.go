package journal_test

import (
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/distribution/journal"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/runtest"
)

// first is the slot of the first run.
var first = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)

// fixture is a ledger table and a bucket.
type fixture struct {
	*testing.T

	stack *localnet.Stack
	files s3store.Bucket
	raw   ledgertable.Runs // the ledger without copies
	mint  solana.PublicKey
	log   strings.Builder
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	w := &fixture{T: t, stack: localnet.AWS(t), mint: solana.NewWallet().PublicKey()}
	w.files = w.bucket(nil)
	name := w.files.Name
	_, err := w.files.Client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: &name})
	must.Do(t, err)
	w.fresh()
	return w
}

// bucket returns the fixture's bucket as a process sees it, nil for one to which
// nothing happens.
func (w *fixture) bucket(p *fault.Process) s3store.Bucket {
	config := w.stack.Config(w.Context())
	if p != nil {
		config.HTTPClient = p.Over(config.HTTPClient.Do)
	}
	name := w.files.Name
	if name == "" {
		name = uuid.NewString()
	}
	return s3store.Bucket{Client: s3.NewFromConfig(config, func(o *s3.Options) {
		o.UsePathStyle, o.Retryer = true, aws.NopRetryer{}
	}), Name: name}
}

// fresh replaces the fixture's ledger by an empty one.
func (w *fixture) fresh() {
	w.raw = ledgertable.Runs{
		Client: dynamo.New(w.stack.Config(w.Context())), Table: w.stack.CreateTable(w, schema.Ledger),
		Now: func() time.Time { return first },
	}
}

// store returns the ledger with copies; p is as in bucket.
func (w *fixture) store(p *fault.Process) journal.Runs {
	return journal.Runs{Store: w.raw, Copies: w.bucket(p), Log: slog.New(slog.NewTextHandler(&w.log, nil))}
}

// items are those of the ledger, by their keys.
func (w *fixture) items() map[string]map[string]types.AttributeValue {
	w.Helper()
	items := map[string]map[string]types.AttributeValue{}
	out, err := w.raw.Client.Scan(w.Context(), &dynamodb.ScanInput{TableName: &w.raw.Table, ConsistentRead: new(true)})
	must.Do(w, err)
	for _, item := range out.Items {
		pk, _ := item["pk"].(*types.AttributeValueMemberS)
		sk, _ := item["sk"].(*types.AttributeValueMemberS)
		items[pk.Value+" "+sk.Value] = item
	}
	return items
}

// restoreBackup replaces the fixture's ledger by one with only these items.
func (w *fixture) restoreBackup(items map[string]map[string]types.AttributeValue) {
	w.Helper()
	w.fresh()
	for item := range maps.Values(items) {
		_, err := w.raw.Client.PutItem(w.Context(), &dynamodb.PutItemInput{TableName: &w.raw.Table, Item: item})
		must.Do(w, err)
	}
}

func (w *fixture) head() run.Head {
	w.Helper()
	head, err := w.raw.Head(w.Context(), w.mint)
	must.Do(w, err)
	return head
}

func (w *fixture) run(slot time.Time) run.Run {
	w.Helper()
	r, err := w.raw.Run(w.Context(), w.mint, slot)
	must.Do(w, err)
	return r
}

// The writes of a run, as a machine does them.

func (w *fixture) open(store run.Store, slot time.Time) error {
	head := w.head()
	head.Active, head.LastSlot = slot, slot
	return store.Open(w.Context(), head, runtest.New(w.mint, slot))
}

func (w *fixture) save(store run.Store, slot time.Time) error {
	r := w.run(slot)
	r.Opening = &run.Opening{Unsold: uint64(r.Version)}
	return store.Save(w.Context(), r)
}

func (w *fixture) burn(store run.Store, slot time.Time) error {
	r := w.run(slot)
	r.Burn = &run.Movement{Amount: 1 << 60, Signature: solana.Signature{5}, ChainSlot: 9, At: slot}
	return store.SaveBurn(w.Context(), r, run.Burn{
		Mint: w.mint, Run: r.ID, Amount: r.Burn.Amount, Signature: r.Burn.Signature, ChainSlot: 9, At: slot,
	})
}

func (w *fixture) saveHead(store run.Store) error {
	head := w.head()
	head.Unsold++
	return store.SaveHead(w.Context(), head)
}

func (w *fixture) end(store run.Store, slot time.Time) error {
	r, head := w.run(slot), w.head()
	r.End, head.Active = &run.End{At: slot}, time.Time{}
	head.Last = &run.Last{Run: r.ID, Slot: slot}
	return store.End(w.Context(), r, head)
}

// write is one write of a life.
type write struct {
	name string
	do   func(run.Store) error
}

// runs is the number of runs in a life.
const runs = 2

// life is every write of a few runs, the last of which is at work.
func (w *fixture) life() []write {
	var writes []write
	for n := range runs {
		slot := first.Add(time.Duration(n) * time.Hour)
		writes = append(writes,
			write{"open", func(s run.Store) error { return w.open(s, slot) }},
			write{"save", func(s run.Store) error { return w.save(s, slot) }},
			write{"burn", func(s run.Store) error { return w.burn(s, slot) }},
			write{"head", w.saveHead},
			write{"save again", func(s run.Store) error { return w.save(s, slot) }},
		)
		if n < runs-1 {
			writes = append(writes, write{"end", func(s run.Store) error { return w.end(s, slot) }})
		}
	}
	return writes
}

// facts are the items of a ledger without what differs after a restoration: the
// head's version, and when runs are overdue.
func facts(items map[string]map[string]types.AttributeValue) map[string]map[string]types.AttributeValue {
	out := map[string]map[string]types.AttributeValue{}
	for key, item := range items {
		item = maps.Clone(item)
		if strings.HasSuffix(key, " HEAD") {
			delete(item, "version")
			delete(item, "doc")
		}
		out[key] = item
	}
	return out
}

// differing names the items that are not the same.
func differing(a, b map[string]map[string]types.AttributeValue, same func(a, b map[string]types.AttributeValue) bool) []string {
	keys := map[string]bool{}
	for key := range a {
		keys[key] = keys[key] || !same(a[key], b[key])
	}
	for key := range b {
		keys[key] = keys[key] || !same(a[key], b[key])
	}
	maps.DeleteFunc(keys, func(_ string, differs bool) bool { return !differs })
	return slices.Sorted(maps.Keys(keys))
}
