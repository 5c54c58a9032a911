package settings_test

import (
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/settings"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// TestCreatorPartNeedsAnotherWallet tests that the distribution wallet is no wallet of the creator, because a
// transfer to itself moves nothing.
func TestCreatorPartNeedsAnotherWallet(t *testing.T) {
	own, other := solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey()
	record := token.Record{Wallet: token.Wallet{Address: own}, Settings: terms.Default(other)}
	for name, c := range map[string]struct {
		wallet solana.PublicKey
		code   string
	}{
		"its own":   {own, "invalid_wallet_address"},
		"another's": {other, ""},
	} {
		var got string
		for _, bad := range (settings.Wanted{Patch: terms.Patch{DeveloperWallet: &c.wallet}}).Check(record, time.Now()) {
			got = bad.Field + " " + bad.Code.String()
		}
		var split string
		splits := terms.NewSplits([]terms.Split{{Wallet: solana.NewWallet().PublicKey(), Bps: 1}, {Wallet: c.wallet, Bps: 9_999}})
		for _, bad := range (settings.Wanted{Patch: terms.Patch{CreatorSplits: &splits}}).Check(record, time.Now()) {
			split = bad.Field + " " + bad.Code.String()
		}
		if want := map[bool]string{true: "creatorSplits[1].wallet " + c.code}[c.code != ""]; split != want {
			t.Errorf("%s as one of several: %q, want %q", name, split, want)
		}
		if want := map[bool]string{true: "developerWallet " + c.code}[c.code != ""]; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
