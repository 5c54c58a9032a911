package launchtable_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"
	"pgregory.net/rapid"

	"tokenlaunch.example/service/pkg/aws/awsconfig"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// lists returns the lists over one fresh table.
func lists(t *testing.T) launchtable.Tokens {
	t.Helper()
	stack := localnet.AWS(t)
	return launchtable.Tokens{Client: dynamo.New(stack.Config(t.Context())), Table: stack.CreateTable(t, schema.Launch)}
}

// smallLists makes a list of a few tokens use all levels of its tree.
func smallLists(t *testing.T) {
	t.Helper()
	t.Cleanup(launchtable.SetListShape(3, 2))
}

// listed is a confirmed token whose mint is made from a number.
func listed(creator solana.PublicKey, n int) token.Record {
	mint := solana.PublicKey{1, byte(n >> 16), byte(n >> 8), byte(n)}
	return token.Record{
		ID: fmt.Sprint(n), Mint: mint, Creator: creator, Name: fmt.Sprintf("Token %06d", n), Symbol: "SYM",
		Status: token.Confirmed, Visible: true, Settings: terms.Default(creator), SettingsVersion: terms.LaunchVersion, CreatedAt: time.Unix(0, 0),
	}
}

func mints(records []token.Record) []solana.PublicKey {
	out := make([]solana.PublicKey, len(records))
	for i, r := range records {
		out[i] = r.Mint
	}
	return out
}

// paged cuts newest-first mints into a page, the naive way.
func paged(all []solana.PublicKey, page, limit int64) []solana.PublicKey {
	from := min(int64(len(all)), (page-1)*limit)
	return all[from:min(int64(len(all)), from+limit)]
}

// TestListPagesAgreeWithModel compares every page with a slice, over random
// sequences of adding, hiding and showing.
func TestListPagesAgreeWithModel(t *testing.T) {
	smallLists(t)
	sequences := 0
	rapid.Check(t, func(rt *rapid.T) {
		if sequences++; sequences > 12 {
			return // each takes a table and hundreds of calls
		}
		store := lists(t)
		creators := []solana.PublicKey{{1}, {2}}
		var all []token.Record // oldest first
		check := func(page, limit int64) {
			for creator := range 3 {
				var shown, own []solana.PublicKey
				for _, r := range slices.Backward(all) {
					if creator < 2 && r.Creator != creators[creator] {
						continue
					}
					own = append(own, r.Mint)
					if r.Visible {
						shown = append(shown, r.Mint)
					}
				}
				if creator == 2 {
					records, total, err := store.List(t.Context(), page, limit)
					agree(rt, "List", records, total, err, paged(shown, page, limit), len(shown))
					continue
				}
				records, total, err := store.ListVisibleOf(t.Context(), creators[creator], page, limit)
				agree(rt, "ListVisibleOf", records, total, err, paged(shown, page, limit), len(shown))
				records, total, err = store.ListOf(t.Context(), creators[creator], page, limit)
				agree(rt, "ListOf", records, total, err, paged(own, page, limit), len(own))
			}
		}
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			pick := func() *token.Record { return &all[rapid.IntRange(0, len(all)-1).Draw(rt, "token")] }
			switch step := rapid.SampledFrom([]string{"add", "add", "hide", "show", "read"}).Draw(rt, "step"); {
			case step == "add" || len(all) == 0:
				r := listed(rapid.SampledFrom(creators).Draw(rt, "creator"), len(all))
				if n, err := store.Append(t.Context(), r); err != nil || n != int64(len(all)) {
					rt.Fatalf("append: %d, %v", n, err)
				}
				all = append(all, r)
			case step == "hide":
				r := pick()
				r.Visible = false
				must.Do(t, store.Hide(t.Context(), r.Mint))
			case step == "show":
				r := pick()
				r.Visible = true
				must.Do(t, store.Show(t.Context(), r.Mint))
			default:
				check(rapid.Int64Range(1, 8).Draw(rt, "page"), rapid.Int64Range(1, 10).Draw(rt, "limit"))
			}
		}
		limit := rapid.Int64Range(2, 7).Draw(rt, "limit of all pages")
		for page := int64(1); (page-2)*limit < int64(len(all)); page++ {
			check(page, limit)
		}
		check(1, 100)
	})
}

func agree(t *rapid.T, name string, records []token.Record, total int64, err error, want []solana.PublicKey, wantTotal int) {
	t.Helper()
	if err != nil || total != int64(wantTotal) || !slices.Equal(mints(records), want) {
		t.Fatalf("%s: %v of %d, %v; want %v of %d", name, mints(records), total, err, want, wantTotal)
	}
}

// TestPagesWhileTheListChanges reads pages while tokens are added, hidden and
// shown. Whatever state a page is of: it is in order, has nothing twice, and has
// every token between its first and its last that was on the list all the time.
func TestPagesWhileTheListChanges(t *testing.T) {
	smallLists(t)
	store := lists(t)
	const before, added = 60, 30
	numbers := map[solana.PublicKey]int64{}
	var guard sync.Mutex
	add := func(ctx context.Context, n int) error {
		r := listed(solana.PublicKey{1}, n)
		number, err := store.Append(ctx, r)
		guard.Lock()
		defer guard.Unlock()
		numbers[r.Mint] = number
		return err
	}
	for n := range before {
		must.Do(t, add(t.Context(), n))
	}
	stable := map[int64]bool{}
	var flickering, hidden []solana.PublicKey
	for n := range before {
		switch mint := listed(solana.PublicKey{1}, n).Mint; n % 5 {
		case 1:
			flickering = append(flickering, mint)
		case 3:
			must.Do(t, store.Hide(t.Context(), mint))
			hidden = append(hidden, mint)
		default:
			stable[int64(n)] = true
		}
	}
	changing, done := context.WithCancel(t.Context())
	var changes, reads sync.WaitGroup
	for worker := range 2 {
		changes.Go(func() {
			for n := range added {
				if err := add(context.Background(), before+worker*added+n); err != nil {
					t.Error(err)
				}
				mint := flickering[rand.N(len(flickering))]
				change := store.Hide
				if rand.N(2) == 0 {
					change = store.Show
				}
				if err := change(context.Background(), mint); err != nil {
					t.Error(err)
				}
			}
		})
	}
	pages := 0
	reads.Go(func() {
		for ; changing.Err() == nil; pages++ {
			records, total, err := store.List(context.Background(), rand.Int64N(12)+1, rand.Int64N(20)+1)
			if err != nil {
				t.Error(err)
				return
			}
			if total < int64(len(stable)) {
				t.Errorf("%d tokens in all, of which %d were there all the time", total, len(stable))
			}
			guard.Lock()
			pageIsWhole(t, records, numbers, stable, hidden)
			guard.Unlock()
		}
	})
	changes.Wait()
	done()
	reads.Wait()
	if _, total, err := store.ListOf(t.Context(), solana.PublicKey{1}, 1, 1); err != nil || total != before+2*added {
		t.Errorf("%d tokens in the end, %v; want %d", total, err, before+2*added)
	}
	t.Logf("%d pages read during %d changes", pages, 4*added)
}

func pageIsWhole(t *testing.T, records []token.Record, numbers map[solana.PublicKey]int64, stable map[int64]bool, hidden []solana.PublicKey) {
	t.Helper()
	for i, r := range records {
		if slices.Contains(hidden, r.Mint) {
			t.Errorf("the hidden token %s is on a page", r.Name)
		}
		if i == 0 {
			continue
		}
		newer, known := numbers[records[i-1].Mint]
		older, knownToo := numbers[r.Mint]
		if !known || !knownToo {
			continue // on the list, but its adder has not been told yet
		}
		if older >= newer {
			t.Errorf("entry %d follows entry %d", older, newer)
		}
		for n := older + 1; n < newer; n++ {
			if stable[n] {
				t.Errorf("entry %d is missing between %d and %d", n, older, newer)
			}
		}
	}
}

func TestConcurrentHidingAppliesOnce(t *testing.T) {
	store := lists(t)
	for n := range 3 {
		_, err := store.Append(t.Context(), listed(solana.PublicKey{1}, n))
		must.Do(t, err)
	}
	mint := listed(solana.PublicKey{}, 1).Mint
	for _, c := range []struct {
		name   string
		change func(context.Context, solana.PublicKey) error
		total  int64
	}{{"hide", store.Hide, 2}, {"show", store.Show, 3}, {"hide", store.Hide, 2}} {
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				if err := c.change(context.Background(), mint); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		records, total, err := store.List(t.Context(), 1, 10)
		if err != nil || total != c.total || int64(len(records)) != total {
			t.Errorf("%s: %d of %d listed, %v; want %d", c.name, len(records), total, err, c.total)
		}
	}
	record, err := store.Token(t.Context(), mint)
	if err != nil || record.Visible {
		t.Errorf("the hidden token's own page: visible %v, %v", record.Visible, err)
	}
}

func TestOnlyTokensOnTheListCanBeHidden(t *testing.T) {
	b := openBooks(t)
	if err := b.tokens.Hide(t.Context(), key()); !errors.Is(err, token.ErrNotFound) {
		t.Errorf("an unknown token: %v, want ErrNotFound", err)
	}
	l := signedOff(b.issue(t, key()))
	must.Do(t, b.launches.Submit(t.Context(), l, b.now))
	if err := b.tokens.Hide(t.Context(), l.Mint); !errors.Is(err, token.ErrNotListed) {
		t.Errorf("a token that is not confirmed: %v, want ErrNotListed", err)
	}
	must.Do(t, b.launches.Settle(t.Context(), settled(l, "confirmed", ""), b.now))
	must.Do(t, b.tokens.Hide(t.Context(), l.Mint))
	next := b.launch(t, l.Caller)
	records, total, err := b.tokens.List(t.Context(), 1, 10)
	if err != nil || total != 1 || len(records) != 1 || records[0].Mint != next.Mint {
		t.Errorf("%v of %d, %v; want the launch after the hidden one", mints(records), total, err)
	}
}

// load puts a list of the given number of tokens of one creator into the table, without the
// transactions by which they come there one by one.
func load(t *testing.T, store launchtable.Tokens, creator solana.PublicKey, many int) {
	t.Helper()
	items := []map[string]types.AttributeValue{
		launchtable.ListHead("", int64(many)), launchtable.ListHead(creator.String(), int64(many)),
	}
	for n := range many {
		own, err := launchtable.ListItems(listed(creator, n), int64(n), int64(n))
		must.Do(t, err)
		items = append(items, own[0], own[1]) // the public list is enough
	}
	var all sync.WaitGroup
	batches := make(chan []types.WriteRequest)
	for range 4 {
		all.Go(func() {
			for batch := range batches {
				for len(batch) > 0 {
					out, err := store.Client.BatchWriteItem(context.Background(), &dynamodb.BatchWriteItemInput{
						RequestItems: map[string][]types.WriteRequest{store.Table: batch},
					})
					if err != nil {
						t.Error(err)
						break
					}
					batch = out.UnprocessedItems[store.Table]
				}
			}
		})
	}
	for part := range slices.Chunk(items, 25) {
		batch := make([]types.WriteRequest, len(part))
		for i, item := range part {
			batch[i].PutRequest = &types.PutRequest{Item: item}
		}
		batches <- batch
	}
	close(batches)
	all.Wait()
}

// between runs a change before the second call that goes through it.
type between struct {
	calls  atomic.Int64
	change func()
}

func (b *between) Do(r *http.Request) (*http.Response, error) {
	if b.calls.Add(1) == 2 {
		b.change()
	}
	return http.DefaultClient.Do(r)
}

func TestListRereadsChangedPage(t *testing.T) {
	smallLists(t)
	stack := localnet.AWS(t)
	store := launchtable.Tokens{Client: dynamo.New(stack.Config(t.Context())), Table: stack.CreateTable(t, schema.Launch)}
	var all []solana.PublicKey
	for n := range 12 {
		r := listed(solana.PublicKey{1}, n)
		_, err := store.Append(t.Context(), r)
		must.Do(t, err)
		all = append(all, r.Mint)
	}
	must.Do(t, store.Hide(t.Context(), all[7]))
	config := stack.Config(t.Context())
	config.HTTPClient = awsconfig.Client{Next: &between{change: func() { must.Do(t, store.Hide(t.Context(), all[9])) }}}
	records, total, err := launchtable.Tokens{Client: dynamo.New(config), Table: store.Table}.List(t.Context(), 1, 4)
	if want := []solana.PublicKey{all[11], all[10], all[8], all[6]}; err != nil || total != 10 || !slices.Equal(mints(records), want) {
		t.Errorf("%v of %d, %v; want %v of 10", mints(records), total, err, want)
	}
}
