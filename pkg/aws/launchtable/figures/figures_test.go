package figures_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	figurestable "tokenlaunch.example/service/pkg/aws/launchtable/figures"
	"tokenlaunch.example/service/pkg/distribution/figures"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

var counting = time.Date(2026, 11, 24, 12, 30, 0, 0, time.UTC)

// openFigures are the figures of the given number of visible tokens.
func openFigures(t *testing.T, many int) (launchtable.Tokens, figurestable.Store) {
	t.Helper()
	stack := localnet.AWS(t)
	tokens := launchtable.Tokens{Client: dynamo.New(stack.Config(t.Context())), Table: stack.CreateTable(t, schema.Launch)}
	launch(t, tokens, many)
	return tokens, figurestable.Store{Client: tokens.Client, Table: tokens.Table, Now: func() time.Time { return counting }}
}

// launch puts visible tokens into the table and onto the list of all, as launches leave both.
func launch(t *testing.T, tokens launchtable.Tokens, many int) {
	t.Helper()
	head := dynamo.Key("LIST#ALL", "HEAD")
	head["next"] = dynamo.Number(int64(many))
	items := []map[string]types.AttributeValue{head}
	for n := range many {
		mint := mintOf(n)
		item := launchtable.TokenKey(mint)
		item["mint"], item["creator"], item["status"] = dynamo.Binary(mint[:]), dynamo.Binary(mint[:]), dynamo.Text(string(token.Confirmed))
		item["visible"] = &types.AttributeValueMemberBOOL{Value: true}
		item["listEntry"], item["creatorEntry"] = dynamo.Number(int64(n)), dynamo.Number(0)
		items = append(items, item)
	}
	for some := range slices.Chunk(items, 25) {
		var writes []types.WriteRequest
		for _, item := range some {
			writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
		}
		_, err := tokens.Client.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{tokens.Table: writes}})
		must.Do(t, err)
	}
}

func mintOf(n int) solana.PublicKey { return solana.PublicKey{1, byte(n >> 8), byte(n)} }

// trade writes what was traded of a token in all, as the index of a curve does.
func trade(t *testing.T, f figurestable.Store, n int, paid, received uint64) {
	t.Helper()
	_, err := f.Client.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
		TransactItems: []types.TransactWriteItem{figurestable.VolumeOf(f.Table, mintOf(n), paid, received)},
	})
	must.Do(t, err)
}

// ofRun is a run of the token of a number that paid the given lamports, and a token of its own.
func ofRun(n, mint int, lamports uint64) figures.Settled {
	s := figures.Settled{
		Run: fmt.Sprintf("run-%d", n), Mint: mintOf(mint), At: counting.Add(time.Duration(n) * time.Second),
		Manifest: fmt.Sprintf("cid-%d", n), Anchor: fmt.Sprintf("anchor-%d", n), Paid: []figures.Paid{{Asset: terms.SOL, Decimals: 9, Amount: lamports}},
	}
	if mint%2 == 0 {
		s.Paid = append(s.Paid, figures.Paid{Asset: terms.Asset(s.Mint), Decimals: 6, Amount: 3})
	}
	return s
}

// flaky loses the responses of some transactions and rejects others before the write, like a
// process that dies after or before its write.
type flaky struct {
	mu    sync.Mutex
	calls int
}

var errFlaky = errors.New("the connection broke")

func (f *flaky) middleware(stack *middleware.Stack) error {
	return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("flaky",
		func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
			if _, writes := in.Parameters.(*dynamodb.TransactWriteItemsInput); !writes {
				return next.HandleInitialize(ctx, in)
			}
			f.mu.Lock()
			f.calls++
			call := f.calls
			f.mu.Unlock()
			if call%5 == 1 {
				return middleware.InitializeOutput{}, middleware.Metadata{}, errFlaky
			}
			out, metadata, err := next.HandleInitialize(ctx, in)
			if err == nil && call%5 == 3 {
				err = errFlaky
			}
			return out, metadata, err
		}), middleware.Before)
}

// TestEveryRunIsCountedOnce announces each run twice, by several concurrent callers whose calls
// fail before and after the write: each figure counts the run once.
func TestEveryRunIsCountedOnce(t *testing.T) {
	const runs, announcers, mints = 24, 3, 4
	_, f := openFigures(t, mints)
	unsteady := f
	unsteady.Client = dynamodb.New(f.Client.Options(), func(o *dynamodb.Options) {
		o.APIOptions = append(slices.Clone(o.APIOptions), (&flaky{}).middleware)
	})
	var all sync.WaitGroup
	for range announcers {
		all.Go(func() {
			for n := range runs {
				s := ofRun(n, n%mints, 1<<62)
				for tries := 0; ; tries++ {
					err := unsteady.Count(context.Background(), s)
					if err == nil {
						break
					}
					if !errors.Is(err, errFlaky) && tries > 50 {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	all.Wait()
	// A run from long ago counts as counted, because its record has expired.
	old := ofRun(99, 0, 1)
	old.At = counting.Add(-21 * 24 * time.Hour)
	must.Do(t, f.Count(t.Context(), old))
	for n := range mints {
		all, err := f.OfTokens(t.Context(), mintOf(n), mintOf(mints+n))
		must.Do(t, err)
		of := all[mintOf(n)]
		if sol := of.Paid[0]; len(all) != 1 || len(of.Paid) != 2-n%2 || !sol.Asset.IsSOL() || sol.Paid.Cmp(of.Lamports) != 0 || len(sol.Proofs) != 0 {
			t.Errorf("token %d: %d tokens, paid %+v", n, len(all), of.Paid)
		}
		want := new(big.Int).Mul(big.NewInt(1<<62), big.NewInt(runs/mints))
		if of.Runs != runs/mints || of.Lamports.Cmp(want) != 0 || of.LastRun != fmt.Sprintf("run-%d", runs-mints+n) {
			t.Errorf("token %d: %+v, want %d runs and %v", n, of, runs/mints, want)
		}
	}
	_, err := f.Refresh(t.Context())
	must.Do(t, err)
	stats, err := f.Stats(t.Context())
	must.Do(t, err)
	if stats.Runs != runs || stats.Tokens != mints || len(stats.Totals) != 1+mints/2 || !stats.At.Equal(counting) {
		t.Fatalf("stats = %+v, want %d runs of %d tokens", stats, runs, mints)
	}
	sol := stats.Totals[0]
	since, day, dayRuns := sol.Day(counting)
	want := new(big.Int).Mul(big.NewInt(1<<62), big.NewInt(runs))
	if sol.Paid.Cmp(want) != 0 || day.Cmp(want) != 0 || sol.Runs != runs || dayRuns != runs || !since.Equal(counting.Truncate(time.Hour).Add(-23*time.Hour)) {
		t.Errorf("%v by %d runs in all, %v by %d since %s; want %v by %d", sol.Paid, sol.Runs, day, dayRuns, since, want, runs)
	}
	if len(sol.Proofs) != figures.KeptProofs || sol.Proofs[0].Run != "run-23" || sol.Proofs[0].Manifest != "cid-23" || sol.Proofs[0].Anchor != "anchor-23" {
		t.Errorf("proofs %+v", sol.Proofs)
	}
	if own := stats.Totals[1]; own.Paid.Uint64() != 3*runs/mints || own.Decimals != 6 {
		t.Errorf("payments of tokens in themselves: %+v", own)
	}
}

// TestRanksAreOfVisibleTokens tests that a rank lists at most 100 visible tokens, the highest
// first, and leaves out a token that is hidden after the refresh immediately.
func TestRanksAreOfVisibleTokens(t *testing.T) {
	const many = 130
	tokens, f := openFigures(t, many)
	if records, total, err := f.Ranked(t.Context(), figures.ByPaid, 1, 10); err != nil || len(records) != 0 || total != 0 {
		t.Errorf("before the first refresh: %d of %d, %v", len(records), total, err)
	}
	if stats, err := f.Stats(t.Context()); err != nil || stats.Runs != 0 {
		t.Errorf("before the first refresh: %+v, %v", stats, err)
	}
	for n := range many {
		must.Do(t, f.Count(t.Context(), ofRun(n, n, uint64(n)))) // the first token paid nothing in SOL
		trade(t, f, n, uint64(many-n), 1)
	}
	public, err := f.OfTokens(t.Context(), mintOf(1), mintOf(2))
	if must.Do(t, err); public[mintOf(1)].Volume != many || public[mintOf(2)].Volume != many-1 || public[mintOf(2)].Lamports.Uint64() != 2 {
		t.Errorf("figures %+v", public)
	}
	hide := func(n int) { must.Do(t, tokens.Hide(t.Context(), mintOf(n))) }
	hide(many - 1)
	hide(0)
	ranked, err := f.Refresh(t.Context())
	if err != nil || ranked != 2*figures.MaxRanked {
		t.Errorf("%d ranked, %v", ranked, err)
	}
	stats, err := f.Stats(t.Context())
	must.Do(t, err)
	if proofs := stats.Totals[0].Proofs; stats.Tokens != many-2 || len(proofs) != figures.KeptProofs-1 || proofs[0].Run != "run-128" {
		t.Errorf("%d tokens, proofs %+v", stats.Tokens, proofs)
	}
	hide(many - 3)
	for _, c := range []struct {
		by          figures.Rank
		page, limit int64
		want        []int
	}{
		{figures.ByPaid, 1, 4, []int{128, 126, 125}},
		{figures.ByPaid, 2, 2, []int{126, 125}},
		{figures.ByVolume, 1, 3, []int{1, 2, 3}},
		{figures.ByVolume, 50, 2, []int{99, 100}},
		{figures.ByVolume, 51, 2, nil},
	} {
		records, total, err := f.Ranked(t.Context(), c.by, c.page, c.limit)
		must.Do(t, err)
		var got, want []solana.PublicKey
		for _, r := range records {
			got = append(got, r.Mint)
		}
		for _, n := range c.want {
			want = append(want, mintOf(n))
		}
		if !slices.Equal(got, want) || total != figures.MaxRanked {
			t.Errorf("page %d of %d by %s: %v of %d, want %v", c.page, c.limit, c.by, got, total, want)
		}
	}
}

// TestNoOnesOwnTokensPushCurrenciesOut tests that currencies stay in the totals however many tokens
// pay out themselves.
func TestNoOnesOwnTokensPushCurrenciesOut(t *testing.T) {
	_, f := openFigures(t, 0)
	for n, asset := range terms.Currencies() {
		s := ofRun(n, n, 1)
		s.Paid[0].Asset, s.Paid = asset, s.Paid[:1]
		must.Do(t, f.Count(t.Context(), s))
	}
	own := ofRun(0, 0, 0)
	for n := range 120 { // more than a transaction has writes
		own.Paid = append(own.Paid[:n], figures.Paid{Asset: terms.Asset{1, byte(n)}, Amount: 1})
	}
	for n := range 6 { // in three parts, each with two runs
		own.Run, own.Mint = fmt.Sprintf("own-%d", n), mintOf(n/2)
		must.Do(t, f.Count(t.Context(), own))
	}
	_, err := f.Refresh(t.Context())
	must.Do(t, err)
	stats, err := f.Stats(t.Context())
	must.Do(t, err)
	for _, asset := range terms.Currencies() {
		if !slices.ContainsFunc(stats.Totals, func(of figures.Total) bool { return of.Asset == asset && of.Runs == 1 }) {
			t.Errorf("payments in %s are missing", asset)
		}
	}
	if len(stats.Totals) != figures.MaxTotals || !stats.Totals[0].Asset.IsSOL() {
		t.Errorf("%d assets, %s first", len(stats.Totals), stats.Totals[0].Asset)
	}
}
