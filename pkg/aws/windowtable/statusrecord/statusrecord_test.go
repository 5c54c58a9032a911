package statusrecord_test

import (
	"reflect"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/windowtable/statusrecord"
	"tokenlaunch.example/service/pkg/distribution/status"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
)

func TestStatusReadsBack(t *testing.T) {
	aws := localnet.AWS(t)
	store := statusrecord.Store{Client: dynamo.New(aws.Config(t.Context())), Table: aws.CreateTable(t, schema.Window)}
	if got, err := store.Status(t.Context()); err != nil || !got.At.IsZero() {
		t.Errorf("%+v, %v before the first", got, err)
	}
	want := status.Record{At: time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC), Chain: &status.Chain{Slot: 9, LagSeconds: 3}}
	must.Do(t, store.PutStatus(t.Context(), want))
	if got, err := store.Status(t.Context()); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}
