package curves_test

import (
	"context"
	"errors"
	"math/big"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/launchtable/curves"
	"tokenlaunch.example/service/pkg/aws/launchtable/issued"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
)

func openCurves(t *testing.T) (curves.Store, issued.Store, launchtable.Tokens) {
	t.Helper()
	stack := localnet.AWS(t)
	store := curves.Store{Client: dynamo.New(stack.Config(t.Context())), Table: stack.CreateTable(t, schema.Launch)}
	return store, issued.Store(store), launchtable.Tokens(store)
}

func key() solana.PublicKey { return solana.NewWallet().PublicKey() }

// launched puts the record of a token into the table, as a launch leaves the record.
func launched(t *testing.T, tokens launchtable.Tokens, mint, creator solana.PublicKey) {
	t.Helper()
	item := launchtable.TokenKey(mint)
	item["mint"], item["creator"], item["status"] = dynamo.Binary(mint[:]), dynamo.Binary(creator[:]), dynamo.Text(string(token.Confirmed))
	_, err := tokens.Client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &tokens.Table, Item: item})
	must.Do(t, err)
}

// candidate is a prepared curve with its transaction.
func candidate(mint solana.PublicKey, at time.Time) (transaction.Issued, market.Curve) {
	i := transaction.Issued{
		ID: uuid.NewString(), Kind: transaction.KindCurve, Caller: key(), Mint: mint, Subject: key(), Message: []byte{1},
		CreatedAt: at, ExpiresAt: at.Add(30 * time.Second), Fate: transaction.Open, DueAt: at.Add(20 * time.Second),
	}
	large := func(n int64) *big.Int { return new(big.Int).Lsh(big.NewInt(n), 100) }
	return i, market.Curve{
		Pool: token.Pool{
			Kind: token.MeteoraDAMMv2, Address: i.Subject, Mint: mint, Creator: i.Caller, TokenVault: key(), SOLVault: key(), Authority: key(),
		},
		ID: i.ID, Position: key(), NFTMint: key(), Decimals: 9, TokenProgram: solana.Token2022ProgramID,
		Tokens: 1<<64 - 1, TargetLamports: 1<<63 + 1, StartSqrtPrice: large(3), TargetSqrtPrice: large(12), Liquidity: large(1 << 40),
		MultiplierBps: 160_000, Locked: true, FeeBps: 100, State: token.CurvePrepared, PreparedAt: at,
	}
}

var prepared = time.Date(2026, 11, 22, 1, 2, 3, 456_000_000, time.UTC)

// TestCandidateBecomesCurve tests that a candidate becomes the curve once, together with its
// token's record and the end of its transaction.
func TestCandidateBecomesCurve(t *testing.T) {
	store, transactions, tokens := openCurves(t)
	mint := key()
	creator := key()
	launched(t, tokens, mint, creator)
	if _, err := store.Curve(t.Context(), mint); !errors.Is(err, market.ErrNotFound) {
		t.Errorf("before: %v", err)
	}
	first, older := candidate(mint, prepared)
	second, newer := candidate(mint, prepared.Add(time.Second))
	older.Creator, newer.Creator, older.Official, newer.Official = creator, creator, true, true
	must.Do(t, store.Issue(t.Context(), second, newer))
	must.Do(t, store.Issue(t.Context(), first, older))
	if got, err := store.Candidates(t.Context(), mint); err != nil || !reflect.DeepEqual(got, []market.Curve{newer, older}) {
		t.Errorf("candidates %+v, %v", got, err)
	}
	if got, found, err := readIssued(t.Context(), transactions, first.ID); err != nil || !found || !reflect.DeepEqual(got, first) {
		t.Errorf("issued %+v, %v", got, err)
	}
	if err := store.Deploy(t.Context(), older, first.ID); err == nil {
		t.Error("deployed at no time")
	}
	older.CreatedAt = prepared.Add(time.Minute)
	newer.CreatedAt = older.CreatedAt
	must.Do(t, store.Deploy(t.Context(), older, first.ID))
	must.Do(t, store.Deploy(t.Context(), older, first.ID)) // again
	if err := store.Deploy(t.Context(), newer, second.ID); !errors.Is(err, market.ErrConflict) {
		t.Errorf("another curve of the mint: %v", err)
	}
	want := older
	want.State = token.CurveActive
	if got, err := store.Curve(t.Context(), mint); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("the curve is %+v, want %+v (%v)", got, want, err)
	}
	if got, err := store.Candidates(t.Context(), mint); err != nil || len(got) != 1 || got[0].ID != newer.ID {
		t.Errorf("candidates left: %+v, %v", got, err)
	}
	if got, _, err := readIssued(t.Context(), transactions, first.ID); err != nil || got.Fate != transaction.Seen || !got.DueAt.IsZero() {
		t.Errorf("its transaction: %+v, %v", got, err)
	}
	if got, _, err := readIssued(t.Context(), transactions, second.ID); err != nil || got.Fate != transaction.Open {
		t.Errorf("the other's transaction: %+v, %v", got, err)
	}
	after, err := tokens.Token(t.Context(), mint)
	must.Do(t, err)
	if len(after.Pools) != 1 || after.Pools[0] != older.Pool || after.Launchpad == nil || *after.Launchpad != (token.Launchpad{Pool: older.Address, State: token.CurveActive}) {
		t.Errorf("its token: %+v %+v", after.Pools, after.Launchpad)
	}
}

func TestDeployConcurrentlyOnce(t *testing.T) {
	store, _, _ := openCurves(t)
	i, c := candidate(key(), prepared) // of a token that was not launched here
	must.Do(t, store.Issue(t.Context(), i, c))
	c.CreatedAt = prepared.Add(time.Minute)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			// A transaction conflict may require a retry.
			for try := 0; ; try++ {
				err := store.Deploy(t.Context(), c, i.ID)
				if err == nil {
					return
				}
				if try == 20 {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	page, next, err := store.Page(t.Context(), "", 10)
	if err != nil || next != "" || len(page) != 1 {
		t.Errorf("%d curves are listed, %q, %v", len(page), next, err)
	}
}

// TestPagesOfCurves come newest first, each by one query and one batch.
func TestPagesOfCurves(t *testing.T) {
	store, _, _ := openCurves(t)
	var want []string
	for n := range 7 {
		i, c := candidate(key(), prepared)
		must.Do(t, store.Issue(t.Context(), i, c))
		c.CreatedAt = prepared.Add(time.Duration(n/2) * time.Hour) // two at a time
		must.Do(t, store.Deploy(t.Context(), c, i.ID))
		want = append(want, c.ID)
	}
	seen := map[string]bool{}
	var last time.Time
	after := ""
	for pages := 1; ; pages++ {
		page, next, err := store.Page(t.Context(), after, 3)
		must.Do(t, err)
		for _, c := range page {
			if !last.IsZero() && c.CreatedAt.After(last) {
				t.Errorf("%s of %v comes after %v", c.ID, c.CreatedAt, last)
			}
			last, seen[c.ID] = c.CreatedAt, true
		}
		if next == "" {
			if pages != 3 || len(page) != 1 {
				t.Errorf("%d pages, %d on the last", pages, len(page))
			}
			break
		}
		after = next
	}
	if len(seen) != len(want) {
		t.Errorf("%d curves of %d", len(seen), len(want))
	}
	if page, next, err := store.Page(t.Context(), "", 7); err != nil || next != "" || len(page) != 7 {
		t.Errorf("all at once: %d, %q, %v", len(page), next, err)
	}
}

// TestMedianOfCompletedCurves counts each pool once.
func TestMedianOfCompletedCurves(t *testing.T) {
	store, _, _ := openCurves(t)
	if _, known, err := store.MedianTime(t.Context()); err != nil || known {
		t.Errorf("before any: %v, %v", known, err)
	}
	for _, took := range []time.Duration{time.Hour, 3 * time.Hour, 100 * time.Hour, 2 * time.Hour} {
		pool := solana.PublicKey{31: byte(took / time.Hour)}
		for range 2 {
			_, err := store.Client.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
				TransactItems: curves.Completion(store.Table, pool, took),
			})
			must.Do(t, err)
		}
	}
	if took, known, err := store.MedianTime(t.Context()); err != nil || !known || took != 2*time.Hour {
		t.Errorf("median %v, %v, %v", took, known, err)
	}
}

// readIssued returns the record of a transaction that its caller sends, as the record is stored.
func readIssued(ctx context.Context, s issued.Store, id string) (transaction.Issued, bool, error) {
	var item issued.Item
	found, err := dynamo.Get(ctx, s.Client, s.Table, issued.Key(id), &item)
	return item.Issued(), found, err
}
