package run_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/token/terms"
)

// What is signed goes to the wallets that the run's settings name, in their order, and to no
// other, whatever the ledger says of the parts.
func TestOnlyTheSettingsWalletsArePaid(t *testing.T) {
	t.Parallel()
	a, b, thief := solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey()
	of := func(wallets ...solana.PublicKey) run.Run {
		leg := run.Leg{Creator: 10}
		for _, wallet := range wallets {
			leg.Parts = append(leg.Parts, run.CreatorPart{Wallet: wallet, Bps: 5_000, Share: 5})
		}
		return run.Run{
			ID: "r", Settings: terms.Settings{DeveloperWallet: thief, CreatorSplits: terms.NewSplits([]terms.Split{{Wallet: a, Bps: 5_000}, {Wallet: b, Bps: 5_000}})},
			Payment: &run.Payment{Legs: []run.Leg{leg}},
		}
	}
	for name, c := range map[string]struct {
		run   run.Run
		batch int
		ok    bool
	}{
		"the first": {of(a, b), 0, true}, "the second": {of(a, b), 1, true}, "one too many": {of(a, b), 2, false}, "none": {of(a, b), -1, false},
		"another wallet": {of(a, thief), 1, false}, "exchanged": {of(b, a), 0, false}, "one more": {of(a, b, thief), 2, false},
		"one more, the first": {of(a, b, thief), 0, false}, "one alone": {of(a), 0, false}, "without parts": {of(), 0, false},
	} {
		_, asset, amount, err := c.run.Fixed(payout.ID{Run: "r", Kind: payout.Creator, Batch: c.batch})
		if (err == nil) != c.ok || c.ok && (amount != 5 || !asset.IsSOL()) {
			t.Errorf("%s: %d %s, %v", name, amount, asset, err)
		}
	}
	if _, _, _, err := of(a, b).Fixed(payout.ID{Run: "r", Kind: payout.Creator, Part: "0"}); err == nil {
		t.Error("half a payment is one")
	}
}
