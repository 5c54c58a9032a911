package ledgertable_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
)

func TestOrdersOfClaims(t *testing.T) {
	stack := localnet.AWS(t)
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	db, table := dynamo.New(stack.Config(t.Context())), stack.CreateTable(t, schema.Ledger)
	claims := ledgertable.Claims{Client: db, Table: table}
	runs := ledgertable.Runs{Client: db, Table: table, Now: func() time.Time { return now }}
	mint, other := solana.PublicKey{1}, solana.PublicKey{2}
	order := func(mint, owner solana.PublicKey, at time.Duration) {
		t.Helper()
		if err := claims.Order(t.Context(), mint, owner, now.Add(at)); err != nil {
			t.Fatal(err)
		}
	}
	waiting := func(at time.Duration, limit int, want ...solana.PublicKey) {
		t.Helper()
		got, err := claims.Waiting(t.Context(), mint, now.Add(at-run.ClaimLasts), limit)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("at %s there wait %v, %v; want %v", at, got, err, want)
		}
	}
	first, second, third := solana.PublicKey{9}, solana.PublicKey{8}, solana.PublicKey{7}
	order(mint, first, 0)
	order(mint, second, time.Second)
	order(mint, third, 2*time.Second)
	order(mint, first, 3*time.Second) // keeps the turn
	order(other, first, 4*time.Second)
	waiting(time.Minute, 10, first, second, third)
	waiting(time.Minute, 2, first, second)
	waiting(run.ClaimLasts, 10, second, third)
	order(mint, first, run.ClaimLasts) // the one before is over
	waiting(run.ClaimLasts, 10, second, third, first)

	due := func(at time.Duration, want ...solana.PublicKey) {
		t.Helper()
		got, err := runs.ClaimsDue(t.Context(), now.Add(at), 10)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("at %s there are due %v, %v; want %v", at, got, err, want)
		}
	}
	due(time.Minute)
	due(time.Minute+time.Second, mint)
	due(time.Minute+4*time.Second, mint, other)
	due(3 * run.ClaimLasts) // those that are over ask no more

	// A claim takes the orders that it pays, in the write that opens it.
	slot := now.Add(-time.Minute)
	opened := run.Run{ID: "a-claim", Mint: mint, Slot: slot, OpenedAt: now, Claim: &run.Claim{Owners: []solana.PublicKey{second, third}}}
	if err := runs.Open(t.Context(), run.Head{Mint: mint, Active: slot, LastSlot: slot}, opened); err != nil {
		t.Fatal(err)
	}
	waiting(run.ClaimLasts, 10, first)
	again := run.Head{Mint: mint, Active: slot.Add(time.Second), LastSlot: slot.Add(time.Second)}
	opened.ID, opened.Slot, opened.Claim = "another", again.LastSlot, &run.Claim{Owners: []solana.PublicKey{first}}
	if err := runs.Open(t.Context(), again, opened); err == nil {
		t.Fatal("two claims are at work")
	}
	waiting(run.ClaimLasts, 10, first) // what is not opened takes nothing
}

// TestManyOrdersHideNoToken tests a token whose wallets give more orders than a sweep queues,
// before all others.
func TestManyOrdersHideNoToken(t *testing.T) {
	stack := localnet.AWS(t)
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	db, table := dynamo.New(stack.Config(t.Context())), stack.CreateTable(t, schema.Ledger)
	claims, runs := ledgertable.Claims{Client: db, Table: table}, ledgertable.Runs{Client: db, Table: table}
	crowds, other, third := solana.PublicKey{1}, solana.PublicKey{2}, solana.PublicKey{3}
	const maximum = 2
	for i := range byte(10 * maximum) {
		if err := claims.Order(t.Context(), crowds, solana.PublicKey{9, i}, now.Add(time.Duration(i))); err != nil {
			t.Fatal(err)
		}
	}
	for i, mint := range []solana.PublicKey{other, third} {
		if err := claims.Order(t.Context(), mint, solana.PublicKey{8}, now.Add(time.Duration(i+1)*time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := runs.ClaimsDue(t.Context(), now.Add(5*time.Minute), maximum); err != nil || !slices.Equal(got, []solana.PublicKey{crowds, other}) {
		t.Errorf("there are due %v, %v; want %v", got, err, []solana.PublicKey{crowds, other})
	}
}

// TestForgedOrdersHideNothing plays a function that may write any item whose partition begins with
// CLAIMS#, on any list of due items.
func TestForgedOrdersHideNothing(t *testing.T) {
	stack := localnet.AWS(t)
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	db, table := dynamo.New(stack.Config(t.Context())), stack.CreateTable(t, schema.Ledger)
	claims, runs := ledgertable.Claims{Client: db, Table: table}, ledgertable.Runs{Client: db, Table: table, Now: func() time.Time { return now }}
	mint, owner := key(), key()
	must.Do(t, claims.Order(t.Context(), mint, owner, now))
	slot := opened(t, runs, mint, now.Add(-time.Minute)).Slot
	forge := func(partition, sort, list string) {
		item := dynamo.Key("CLAIMS#"+partition, sort)
		item["at"], item["duePk"], item["dueAt"] = dynamo.Number(now.UnixMilli()), dynamo.Text(list), dynamo.Number(now.UnixMilli())
		_, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item})
		must.Do(t, err)
	}
	forge(mint.String(), "no wallet", "CLAIM")
	forge("no mint", owner.String(), "CLAIM")
	for shard := range 16 {
		for n := range 3 {
			forge(mint.String(), fmt.Sprintf("RUN#%d-%d", shard, n), fmt.Sprintf("RUN#%d", shard))
		}
	}
	forge("no mint", "RUN", "UNDECIDED")
	item := dynamo.Key("CLAIMS#"+mint.String(), key().String())
	item["at"] = dynamo.Text("noon")
	_, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item})
	must.Do(t, err)

	later := now.Add(10 * time.Minute)
	if got, err := claims.Waiting(t.Context(), mint, now.Add(-time.Minute), 10); err != nil || !slices.Equal(got, []solana.PublicKey{owner}) {
		t.Errorf("there wait %v, %v", got, err)
	}
	if got, err := runs.ClaimsDue(t.Context(), later, 10); err != nil || !slices.Equal(got, []solana.PublicKey{mint}) {
		t.Errorf("claims are due of %v, %v", got, err)
	}
	if got, err := runs.Overdue(t.Context(), later, 2); err != nil || len(got) != 1 || got[0].Mint != mint || !got[0].Slot.Equal(slot) {
		t.Errorf("overdue are %v, %v", got, err)
	}
	if got, err := runs.Active(t.Context(), later); err != nil || got.Overdue != 1 {
		t.Errorf("at work are %+v, %v", got, err)
	}
	if got, _, err := runs.Undecided(t.Context()); err != nil || len(got) != 0 {
		t.Errorf("undecided are %v, %v", got, err)
	}
}
