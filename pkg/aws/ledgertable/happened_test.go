package ledgertable_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

// The write that ends a run is an event, once; writes before and after are not.
func TestEndedRunIsEvent(t *testing.T) {
	stack := localnet.AWS(t)
	client, table := dynamo.New(stack.Config(t.Context())), stack.CreateTable(t, schema.Ledger)
	mint, slot := solana.PublicKey{1}, time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	runs := ledgertable.Runs{Client: client, Table: table, Now: time.Now}
	stored := func() map[string]types.AttributeValue {
		t.Helper()
		out, err := client.Query(t.Context(), dynamo.Beginning(table, "MINT#"+mint.String(), "RUN#"))
		if err != nil || len(out.Items) != 1 {
			t.Fatalf("%d items, %v", len(out.Items), err)
		}
		return out.Items[0]
	}
	head := run.Head{Mint: mint, Active: slot, LastSlot: slot}
	if err := runs.Open(t.Context(), head, run.Run{ID: "r", Mint: mint, Slot: slot, OpenedAt: slot}); err != nil {
		t.Fatal(err)
	}
	opened := stored()
	r, err := runs.Run(t.Context(), mint, slot)
	if err != nil {
		t.Fatal(err)
	}
	if head, err = runs.Head(t.Context(), mint); err != nil {
		t.Fatal(err)
	}
	head.Active = time.Time{}
	r.End = &run.End{At: slot, Failed: true, Code: run.CodeSnapshot, Detail: "It does not add up."}
	if err := runs.End(t.Context(), r, head); err != nil {
		t.Fatal(err)
	}
	ended := stored()
	for name, c := range map[string]struct {
		change dynamo.Change
		events int
	}{
		"opened":            {dynamo.Change{After: opened}, 0},
		"ended":             {dynamo.Change{Before: opened, After: ended}, 1},
		"opened and ended":  {dynamo.Change{After: ended}, 1},
		"ended, and after":  {dynamo.Change{Before: ended, After: ended}, 0},
		"removed":           {dynamo.Change{Before: ended}, 0},
		"of something else": {dynamo.Change{After: dynamo.Key("RUN#1", "x")}, 0},
	} {
		got, err := ledgertable.Happened(c.change)
		if err != nil || len(got) != c.events {
			t.Errorf("%s: %d events, %v", name, len(got), err)
		}
		if len(got) == 1 && (got[0].Kind != event.RunFailed || got[0].Key != "r" || got[0].Token.Mint != mint || got[0].Run.End.Detail != "It does not add up.") {
			t.Errorf("%s: event %+v, want run.failed with its detail", name, got[0])
		}
	}
	ended["doc"] = dynamo.Text("{")
	if _, err := ledgertable.Happened(dynamo.Change{After: ended}); err == nil {
		t.Error("a run that cannot be read causes no error")
	}
}
