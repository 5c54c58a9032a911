package ledgertable_test

import (
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/terms"
)

// TestBurnsAreReadAsTheyWereWritten writes burns as the writer of runs does, and reads them newest
// first, page by page, with their sum.
func TestBurnsAreReadAsTheyWereWritten(t *testing.T) {
	aws := localnet.AWS(t)
	table := aws.CreateTable(t, schema.Ledger)
	client := dynamo.New(aws.Config(t.Context()))
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	runs := ledgertable.Runs{Client: client, Table: table, Now: func() time.Time { return now }}
	burns := ledgertable.Burns{Client: client, Table: table}
	mint := key()
	if page, total, next, err := burns.Page(t.Context(), mint, "", 10); err != nil || len(page) != 0 || total != 0 || next != "" {
		t.Errorf("before any burn: %v %d %q, %v", page, total, next, err)
	}
	var want []run.Burn
	total := uint64(0)
	for i := range 5 {
		slot := now.Add(time.Duration(i) * time.Hour)
		head, err := runs.Head(t.Context(), mint)
		must.Do(t, err)
		head.Active, head.LastSlot = slot, slot
		opened := run.Run{ID: terms.RunID(mint, slot), Mint: mint, Slot: slot, OpenedAt: slot}
		must.Do(t, runs.Open(t.Context(), head, opened))
		opened, err = runs.Run(t.Context(), mint, slot)
		must.Do(t, err)
		burn := run.Burn{
			Mint: mint, Run: opened.ID, Amount: 1<<61 + uint64(i), Signature: solana.Signature{byte(i + 1)},
			ChainSlot: 400_000_000 + uint64(i), At: slot.Add(time.Minute),
		}
		total += burn.Amount
		opened.Burn = &run.Movement{Amount: burn.Amount, Signature: burn.Signature, ChainSlot: burn.ChainSlot, At: burn.At}
		must.Do(t, runs.SaveBurn(t.Context(), opened, burn))
		want = append([]run.Burn{burn}, want...)
		opened, err = runs.Run(t.Context(), mint, slot)
		must.Do(t, err)
		head, err = runs.Head(t.Context(), mint)
		must.Do(t, err)
		head.Active, opened.End = time.Time{}, &run.End{At: slot}
		must.Do(t, runs.End(t.Context(), opened, head))
	}
	var got []run.Burn
	after := ""
	for pages := 1; ; pages++ {
		page, sum, next, err := burns.Page(t.Context(), mint, after, 2)
		must.Do(t, err)
		if sum != total {
			t.Errorf("page %d: %d burned in all, want %d", pages, sum, total)
		}
		got = append(got, page...)
		if after = next; next == "" {
			if pages != 3 {
				t.Errorf("%d pages", pages)
			}
			break
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%d burns, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("burn %d is %+v, want %+v", i, got[i], want[i])
		}
	}
}
