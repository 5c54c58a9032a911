package windowtable_test

import (
	"bytes"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/windowtable"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/idempotency"
	"tokenlaunch.example/service/pkg/testkit/idempotencytest"
	"tokenlaunch.example/service/pkg/testkit/must"
)

func answers(t *testing.T) (windowtable.Answers, *wire) {
	t.Helper()
	client, table, hand := windowTable(t)
	return windowtable.Answers{Client: client, Table: table}, hand
}

func TestAnswersKeepTheContract(t *testing.T) {
	store, _ := answers(t)
	idempotencytest.Contract(t, store)
}

func TestAnswersTakeOneCallEach(t *testing.T) {
	store, hand := answers(t)
	c := idempotency.Claim{Caller: "caller", Key: "key", Holder: "1"}
	now := time.Now()
	for _, step := range []func() error{
		func() error { _, err := store.Begin(t.Context(), c, now); return err },
		func() error {
			return store.Keep(t.Context(), c, idempotency.Answer{Status: 200, Body: bytes.Repeat([]byte{1}, idempotency.MaxBody)})
		},
		func() error { _, err := store.Begin(t.Context(), c, now); return err },
	} {
		before := hand.sent.Load()
		must.Do(t, step())
		if calls := hand.sent.Load() - before; calls != 1 {
			t.Errorf("%d calls, want 1", calls)
		}
	}
}

func TestClaimAfterLostAnswer(t *testing.T) {
	store, hand := answers(t)
	c := idempotency.Claim{Caller: "caller", Key: "key", Holder: "1"}
	hand.lose.Store(1)
	if replay, err := store.Begin(t.Context(), c, time.Now()); replay != nil || err != nil {
		t.Errorf("Begin = %v, %v; want the claim to hold", replay, err)
	}
	hand.lose.Store(1)
	must.Do(t, store.Keep(t.Context(), c, idempotency.Answer{Status: 404}))
	c.Holder = "2"
	if replay, err := store.Begin(t.Context(), c, time.Now()); err != nil || replay == nil || replay.Status != 404 {
		t.Errorf("Begin = %v, %v; want the stored response", replay, err)
	}
}

func TestAnswersExpireAfterADay(t *testing.T) {
	store, _ := answers(t)
	now := time.Date(2026, 3, 4, 5, 6, 7, 89e6, time.UTC)
	_, err := store.Begin(t.Context(), idempotency.Claim{Caller: "caller", Key: "key", Holder: "1"}, now)
	must.Do(t, err)
	out, err := store.Client.Scan(t.Context(), &dynamodb.ScanInput{TableName: &store.Table})
	if err != nil || len(out.Items) != 1 {
		t.Fatalf("%d items, %v; want one", len(out.Items), err)
	}
	got, _ := out.Items[0][schema.ExpiresAt].(*types.AttributeValueMemberN)
	if want := strconv.FormatInt(now.Add(idempotency.Lifetime).Unix()+1, 10); got == nil || got.Value != want {
		t.Errorf("%s = %v, want %s, in Unix seconds, not before the response's end", schema.ExpiresAt, got, want)
	}
}

func TestAnswersSayWhenTheStoreIsDown(t *testing.T) {
	store, hand := answers(t)
	hand.lose.Store(1 << 30)
	c := idempotency.Claim{Caller: "caller", Key: "key", Holder: "1"}
	if _, err := store.Begin(t.Context(), c, time.Now()); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("Begin = %v, want it unavailable", err)
	}
	if err := store.Keep(t.Context(), c, idempotency.Answer{}); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("Keep = %v, want it unavailable", err)
	}
	hand.lose.Store(0)
}
