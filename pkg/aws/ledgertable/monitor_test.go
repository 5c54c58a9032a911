package ledgertable_test

import (
	"reflect"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/distribution/status"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/terms"
)

// The monitor finds runs at work by what they do, and tokens with undecided money.
func TestMonitorReadsLedger(t *testing.T) {
	aws := localnet.AWS(t)
	slot := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	now := slot.Add(time.Minute)
	runs := ledgertable.Runs{
		Client: dynamo.New(aws.Config(t.Context())), Table: aws.CreateTable(t, schema.Ledger), Now: func() time.Time { return now },
	}
	first, second := key(), key()
	opened(t, runs, first, slot)
	opened(t, runs, second, slot.Add(-5*time.Minute))
	head, err := runs.Head(t.Context(), second)
	must.Do(t, err)
	head.Reserved = map[terms.Asset]uint64{terms.SOL: 7}
	head.Frozen = "an operator looks into it"
	must.Do(t, runs.SaveHead(t.Context(), head))
	// The other token has set tokens aside, and no SOL.
	other, err := runs.Head(t.Context(), first)
	must.Do(t, err)
	other.Reserved = map[terms.Asset]uint64{terms.Asset(key()): 9}
	must.Do(t, runs.SaveHead(t.Context(), other))

	want := status.Runs{
		Doing: map[string]int{string(run.Opened): 2}, OldestSlot: slot.Add(-5 * time.Minute), NewestSlot: slot,
		Frozen: 1, Reserved: 2, ReservedLamports: 7,
	}
	got, err := runs.Active(t.Context(), now)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	got, err = runs.Active(t.Context(), now.Add(run.OverdueAfter))
	if err != nil || got.Overdue != 2 {
		t.Errorf("%+v, %v, want two overdue", got, err)
	}
	// Once it is decided, it is off the list.
	if head, err = runs.Head(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	head.Reserved, head.Frozen = nil, ""
	must.Do(t, runs.SaveHead(t.Context(), head))
	if got, err = runs.Active(t.Context(), now); err != nil || got.Frozen != 0 || got.Reserved != 1 || got.ReservedLamports != 0 {
		t.Errorf("%+v, %v, want only the other's undecided payments", got, err)
	}
}
