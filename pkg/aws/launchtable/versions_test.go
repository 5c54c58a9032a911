package launchtable_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/terms"
)

// rewrite does to a token's record what a function can that may write the launch table.
func (b *books) rewrite(t *testing.T, mint solana.PublicKey, what string, value types.AttributeValue) {
	t.Helper()
	b.set(t, mint, "settings."+what, value)
}

func (b *books) set(t *testing.T, mint solana.PublicKey, what string, value types.AttributeValue) {
	t.Helper()
	_, err := b.tokens.Client.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: &b.tokens.Table, Key: dynamo.Key("TOKEN#"+mint.String(), "TOKEN"),
		UpdateExpression: new("SET " + what + " = :forged"), ConditionExpression: new("attribute_exists(pk)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":forged": value},
	})
	must.Do(t, err)
}

// TestRewrittenRecordRedirectsNothing tests docs/attacks.md, "Inside": a function that may write
// the launch table is taken over, and rewrites the settings in a token's record.
func TestRewrittenRecordRedirectsNothing(t *testing.T) {
	b := openBooks(t)
	l, thief := b.launch(t, key()), key()
	later := b.now.Add(24 * time.Hour)
	must.Do(t, b.change(t.Context(), l.Mint, terms.Patch{DeveloperFeeBps: new(500)}))
	b.rewrite(t, l.Mint, "g", dynamo.Binary(thief[:]))
	record, err := b.settings.TokenAt(t.Context(), l.Mint, later)
	must.Do(t, err)
	if record.Settings.DeveloperWallet != l.Caller || record.Settings.DeveloperFeeBps != 500 {
		t.Errorf("a run pays %s", record.Settings.DeveloperWallet)
	}
	// The next change is merged into what was ordered, and not into what was planted.
	must.Do(t, b.change(t.Context(), l.Mint, terms.Patch{DeveloperFeeBps: new(600)}))
	record, err = b.settings.TokenAt(t.Context(), l.Mint, later)
	must.Do(t, err)
	if record.Settings.DeveloperWallet != l.Caller {
		t.Errorf("after a change a run pays %s", record.Settings.DeveloperWallet)
	}
	// A change before which the record was rewritten, by the creator or by who passes for
	// one: the run sees what the change found.
	asked := b.launch(t, key())
	b.rewrite(t, asked.Mint, "g", dynamo.Binary(thief[:]))
	must.Do(t, b.change(t.Context(), asked.Mint, terms.Patch{DeveloperFeeBps: new(500)}))
	record, err = b.settings.TokenAt(t.Context(), asked.Mint, later)
	must.Do(t, err)
	if record.LaunchTerms == terms.OrderHash(asked.Mint, terms.LaunchVersion, asked.Token.Settings) {
		t.Error("a change of settings that were planted looks like one of the launch's")
	}
	record, err = b.settings.TokenAt(t.Context(), l.Mint, later)
	must.Do(t, err)
	if record.LaunchTerms != terms.OrderHash(l.Mint, terms.LaunchVersion, l.Token.Settings) {
		t.Error("changes of a record that was not rewritten do not look so")
	}
	b.set(t, l.Mint, "creator", dynamo.Binary(thief[:]))
	if _, err := b.settings.Current(t.Context(), l.Mint); err == nil {
		t.Error("another creator may change settings")
	}
	if _, err := b.settings.TokenAt(t.Context(), l.Mint, later); err == nil {
		t.Error("a run accepts another creator's signature")
	}
	// A record by which its settings were changed, though they were not.
	other := b.launch(t, key())
	b.rewrite(t, other.Mint, "version", dynamo.Number(2))
	if record, err := b.settings.TokenAt(t.Context(), other.Mint, later); err == nil {
		t.Errorf("settings from nowhere hold: %+v", record.Settings)
	}
}

// TestSplitsAreKept tests that the launch, the token's record and every version store the splits,
// and the reward basis.
func TestSplitsAreKept(t *testing.T) {
	b := openBooks(t)
	l := b.lease(t, key())
	split := terms.NewSplits([]terms.Split{{Wallet: key(), Bps: 9_999}, {Wallet: key(), Bps: 1}})
	l.Token.Settings.CreatorSplits, l.Token.Settings.RewardBasis = split, terms.BasisHeld
	must.Do(t, b.launches.Issue(t.Context(), l, nil, b.now))
	kept, err := b.launches.Launch(t.Context(), l.ID)
	must.Do(t, err)
	l = signedOff(l)
	must.Do(t, b.launches.Submit(t.Context(), l, b.now))
	must.Do(t, b.launches.Settle(t.Context(), settled(l, transaction.Confirmed, ""), b.now))
	record, err := b.tokens.Token(t.Context(), l.Mint)
	must.Do(t, err)
	other := terms.NewSplits([]terms.Split{{Wallet: key(), Bps: 1}, {Wallet: key(), Bps: 9_999}})
	before := b.now.Add(time.Second)
	b.now = b.now.Add(time.Minute)
	must.Do(t, b.change(t.Context(), l.Mint, terms.Patch{CreatorSplits: &other, RewardBasis: new(terms.BasisSnapshot)}))
	then, err := b.settings.TokenAt(t.Context(), l.Mint, before)
	must.Do(t, err)
	now, err := b.settings.TokenAt(t.Context(), l.Mint, b.now.Add(time.Minute))
	must.Do(t, err)
	for where, c := range map[string]struct{ got, want terms.Basis }{
		"the launch":     {kept.Token.Settings.RewardBasis, terms.BasisHeld},
		"the token":      {record.Settings.RewardBasis, terms.BasisHeld},
		"a run before":   {then.Settings.RewardBasis, terms.BasisHeld},
		"a run after it": {now.Settings.RewardBasis, terms.BasisSnapshot},
	} {
		if c.got != c.want {
			t.Errorf("the reward basis of %s: %q, want %q", where, c.got, c.want)
		}
	}
	for where, c := range map[string]struct{ got, want terms.Splits }{
		"the launch":        {kept.Token.Settings.CreatorSplits, split},
		"the token":         {record.Settings.CreatorSplits, split},
		"a run before":      {then.Settings.CreatorSplits, split},
		"a run after it":    {now.Settings.CreatorSplits, other},
		"its wallets":       {terms.NewSplits(now.Settings.Creators()), other},
		"what is no split":  {terms.NewSplits(nil), ""},
		"wallets as a list": {terms.NewSplits(split.List()), split},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", where, c.got, c.want)
		}
	}
}
