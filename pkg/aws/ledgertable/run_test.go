package ledgertable_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/runtest"
)

func TestRuns(t *testing.T) {
	runtest.Contract(t, func(t *testing.T, now func() time.Time) runtest.Ledger {
		aws := localnet.AWS(t)
		return ledgertable.Runs{Client: dynamo.New(aws.Config(t.Context())), Table: aws.CreateTable(t, schema.Ledger), Now: now}
	})
}

// TestAdvance tests that a restored ledger accepts only newer versions, as they are. A run that the
// head does not name as active cannot end.
func TestAdvance(t *testing.T) {
	aws := localnet.AWS(t)
	slot := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	runs := ledgertable.Runs{
		Client: dynamo.New(aws.Config(t.Context())), Table: aws.CreateTable(t, schema.Ledger),
		Now: func() time.Time { return slot },
	}
	mint := key()
	opened(t, runs, mint, slot)
	other := runtest.New(mint, slot.Add(-time.Hour))
	other.Version = 7
	other.Burn = &run.Movement{Amount: 5, Signature: solana.Signature{1}, ChainSlot: 3, At: slot}
	must.Do(t, runs.Advance(t.Context(), other))
	got, err := runs.RunByID(t.Context(), mint, other.ID)
	if err != nil || !reflect.DeepEqual(got, other) {
		t.Errorf("%+v, %v, want %+v", got, err, other)
	}
	page, _, _, err := ledgertable.Burns{Client: runs.Client, Table: runs.Table}.Page(t.Context(), mint, "", 10)
	if err != nil || len(page) != 1 || page[0].Amount != 5 || page[0].Run != other.ID {
		t.Errorf("burns %+v, %v", page, err)
	}
	for version := range int64(8) {
		other.Version = version
		if err := runs.Advance(t.Context(), other); !errors.Is(err, run.ErrConflict) {
			t.Errorf("version %d over 7: %v", version, err)
		}
	}
	head, err := runs.Head(t.Context(), mint)
	must.Do(t, err)
	if err := runs.AdvanceHead(t.Context(), head); !errors.Is(err, run.ErrConflict) {
		t.Errorf("the same head: %v", err)
	}
	ended := got
	ended.End, head.Active = &run.End{At: slot}, time.Time{}
	if err := runs.End(t.Context(), ended, head); !errors.Is(err, run.ErrConflict) {
		t.Errorf("a run that is not active ends: %v", err)
	}
	head.Version += 3
	must.Do(t, runs.AdvanceHead(t.Context(), head))
	if stored, err := runs.Head(t.Context(), mint); err != nil || stored.Version != head.Version || !stored.Active.IsZero() {
		t.Errorf("Head() = %+v, %v; want version %d, inactive", stored, err, head.Version)
	}
}
