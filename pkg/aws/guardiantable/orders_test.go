package guardiantable_test

import (
	"errors"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/guardiantable"
	"tokenlaunch.example/service/pkg/distribution/guardian"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/token/handover"
)

// TestOrdersAreWrittenByVersion stores an order, and rejects a writer who read an older version.
func TestOrdersAreWrittenByVersion(t *testing.T) {
	aws := localnet.AWS(t)
	orders := guardiantable.Orders{Client: dynamo.New(aws.Config(t.Context())), Table: aws.CreateTable(t, schema.Guardian)}
	mint := solana.NewWallet().PublicKey()
	if got, err := orders.Newest(t.Context(), mint); err != nil || got != (guardian.Noted{}) {
		t.Fatalf("Newest() = %+v, %v; want no order", got, err)
	}
	now := time.Date(2026, 11, 30, 12, 0, 0, int(250*time.Millisecond), time.UTC)
	want := guardian.Noted{
		Order: handover.Order{Number: 3, To: solana.NewWallet().PublicKey(), EffectiveAt: now.Truncate(time.Second), Signature: solana.Signature{1, 2}}, At: now,
	}
	for range 3 {
		if err := orders.Save(t.Context(), mint, want); err != nil {
			t.Fatal(err)
		}
		if err := orders.Save(t.Context(), mint, want); !errors.Is(err, guardian.ErrConflict) {
			t.Errorf("Save() of version %d again = %v; want ErrConflict", want.Version, err)
		}
		want.Version++
		if got, err := orders.Newest(t.Context(), mint); err != nil || got != want {
			t.Errorf("Newest() = %+v, %v; want %+v", got, err, want)
		}
		want.CancelledAt, want.SignedAt = now.Add(time.Hour), now.Add(time.Minute)
	}
}
