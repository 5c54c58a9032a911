package windowtable_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/windowtable"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/testkit/authtest"
	"tokenlaunch.example/service/pkg/testkit/must"
)

func challenges(t *testing.T) (windowtable.Challenges, *wire) {
	t.Helper()
	client, table, hand := windowTable(t)
	return windowtable.Challenges{Client: client, Table: table}, hand
}

func TestChallengesKeepTheContract(t *testing.T) {
	store, _ := challenges(t)
	authtest.Contract(t, store)
}

func TestChallengeForgottenHourAfterExpiry(t *testing.T) {
	store, _ := challenges(t)
	issued := time.Date(2026, 3, 4, 5, 6, 7, 89e6, time.UTC)
	must.Do(t, store.Put(t.Context(), auth.Challenge{
		Wallet: solana.PublicKey{1}, Nonce: "n", Message: "m", IssuedAt: issued, ExpiresAt: issued.Add(auth.ChallengeLifetime),
	}))
	out, err := store.Client.Scan(t.Context(), &dynamodb.ScanInput{TableName: &store.Table})
	if err != nil || len(out.Items) != 1 {
		t.Fatalf("%d items, %v; want one", len(out.Items), err)
	}
	got, _ := out.Items[0][schema.ExpiresAt].(*types.AttributeValueMemberN)
	want := strconv.FormatInt(issued.Add(auth.ChallengeLifetime+time.Hour).Unix(), 10)
	if got == nil || got.Value != want {
		t.Errorf("%s = %v, want %s, in Unix seconds", schema.ExpiresAt, got, want)
	}
}

func TestIssueAfterLostAnswer(t *testing.T) {
	store, hand := challenges(t)
	hand.lose.Store(1)
	now := time.Now().UTC().Truncate(time.Millisecond)
	c := auth.Challenge{Wallet: solana.PublicKey{1}, Nonce: "n", Message: "m", IssuedAt: now, ExpiresAt: now.Add(time.Minute)}
	must.Do(t, store.Put(t.Context(), c))
	if got, err := store.Get(t.Context(), "n"); err != nil || got != c {
		t.Errorf("Get = %+v, %v; want %+v", got, err, c)
	}
}

func TestChallengesSayWhenTheStoreIsDown(t *testing.T) {
	store, hand := challenges(t)
	hand.lose.Store(1 << 30)
	if err := store.Put(t.Context(), auth.Challenge{Nonce: "n"}); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("Put = %v, want it unavailable", err)
	}
	if _, err := store.Get(t.Context(), "n"); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("Get = %v, want it unavailable", err)
	}
	if err := store.Use(t.Context(), "n", time.Now()); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("Use = %v, want it unavailable", err)
	}
	hand.lose.Store(0)
}
