package launch_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
)

// TestValidateStoresNothing validates while an order waits, which must remain valid, and more often
// than creations would be allowed.
func TestValidateStoresNothing(t *testing.T) {
	b := newBench(t)
	kept := &files{}
	b.Files, b.LeasesPerIP = kept, 1
	creator := b.creator(t)
	waits := b.create(t, creator)
	d := b.draft(t, creator)
	before := b.items(t)
	for range 7 {
		cost, explanation, err := b.Validate(t.Context(), creator.PublicKey(), d)
		must.Do(t, err)
		if cost.Rent != waits.Cost.Rent || cost.Deposit != waits.Cost.Deposit || cost.NetworkFee == 0 {
			t.Fatalf("it would cost %+v, and a creation costs %+v", cost, waits.Cost)
		}
		if len(explanation) != len(waits.Explanation) {
			t.Fatalf("it explains %q, and a creation %q", explanation, waits.Explanation)
		}
		if text := strings.Join(explanation, " "); strings.Count(text, "(not made yet)") != 3 || strings.Contains(text, "ipfs://") {
			t.Fatalf("names a discarded change: %s", text)
		}
	}
	if after := b.items(t); !slices.Equal(after, before) {
		t.Errorf("the table has %q, and had %q", after, before)
	}
	if kept.saved != 1 {
		t.Errorf("%d files were saved, want that of the creation", kept.saved)
	}
	_, err := b.Submit(t.Context(), creator.PublicKey(), waits.ID, sign(t, waits, creator))
	must.Do(t, err)
}

// TestValidateAgreesWithCreate compares the rejections of both.
func TestValidateAgreesWithCreate(t *testing.T) {
	b := newBench(t)
	creator := b.creator(t)
	used := b.create(t, creator)
	_, err := b.Submit(t.Context(), creator.PublicKey(), used.ID, sign(t, used, creator))
	must.Do(t, err)
	for code, change := range map[string]func(*token.Draft){
		"unknown_wallet":           func(d *token.Draft) { d.WalletID = uuid.NewString() },
		"wallet_in_use":            func(d *token.Draft) { d.WalletID = used.Token.Wallet.ID },
		"unsupported_reward_token": func(d *token.Draft) { d.Settings.RewardToken = solana.NewWallet().PublicKey().String() },
		"unknown_image": func(d *token.Draft) {
			d.ImageURI = "ipfs://bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"
		},
	} {
		d := b.draft(t, creator)
		change(&d)
		_, _, refused := b.Validate(t.Context(), creator.PublicKey(), d)
		wantCode(t, refused, code)
		_, err := b.Create(t.Context(), creator.PublicKey(), uuid.NewString(), d)
		wantCode(t, err, code)
		if refused == nil || err == nil || refused.Error() != err.Error() {
			t.Errorf("validating returns %v, and a creation %v", refused, err)
		}
	}
}

// items are those of the launches' table, as they are.
func (b *bench) items(t *testing.T) (list []string) {
	t.Helper()
	out, err := dynamo.New(b.fixture.Config(nil)).Scan(t.Context(), &dynamodb.ScanInput{TableName: &b.fixture.Table})
	must.Do(t, err)
	for _, item := range out.Items {
		var decoded map[string]any
		must.Do(t, attributevalue.UnmarshalMap(item, &decoded))
		list = append(list, fmt.Sprint(decoded))
	}
	slices.Sort(list)
	return list
}
