package payouttest

import (
	"context"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// Unchecked signs any message, for engines whose payments have no run for package signing to read.
// Fixtures of runs (package runworld) have the real signer.
type Unchecked struct{ Signer wallet.Signer }

// Sign implements payout.Wallet.
func (u Unchecked) Sign(ctx context.Context, o payout.Order) (solana.Signature, error) {
	return u.Signer.Sign(ctx, o.Wallet, o.Message)
}

// Seed implements payout.Wallet.
func (u Unchecked) Seed(ctx context.Context, o payout.SeedOrder) (string, error) {
	key, err := u.Signer.Open(ctx, o.Wallet)
	if err != nil {
		return "", err
	}
	defer key.Close()
	return key.Seed(o.Text()), nil
}
