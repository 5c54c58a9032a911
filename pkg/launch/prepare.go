package launch

import (
	"context"
	"crypto/ed25519"

	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/content"
)

// Compute unit limits. The creation takes about 35,000 (design, chain.md).
const (
	simulationUnits = 200_000
	defaultUnits    = 60_000
)

// prepare makes the transaction that creates a token, on a nonce that is leased for
// it. mintKey is the token's own.
func (s Service) prepare(ctx context.Context, id string, t token.Record, nonce transaction.NonceUse, mintKey ed25519.PrivateKey) (Created, error) {
	plan := creation.Creation{
		Payer: t.Creator, Mint: t.Mint, DistributionWallet: t.Wallet.Address,
		Name: t.Name, Symbol: t.Symbol, URI: content.Scheme + t.MetadataCID,
		Decimals: uint8(t.Decimals), Supply: t.Supply, TransferFeeBps: uint16(t.TransferFeeBps), //nolint:gosec // validated: 6 or 9; at most 10,000
		FeeAdjustable: t.FeeAdjustable, ImmutableMetadata: t.Immutable, FundingLamports: s.FundingLamports,
	}
	var err error
	if plan.MintRentLamports, err = s.Chain.MinimumBalance(ctx, token2022.MintSize(plan.Name, plan.Symbol, plan.URI)); err != nil {
		return Created{}, err
	}
	accountRent, err := s.Chain.MinimumBalance(ctx, token2022.AssociatedAccountSize)
	if err != nil {
		return Created{}, err
	}
	steps, err := plan.Steps()
	if err != nil {
		return Created{}, err
	}
	u, err := s.Preparer.Prepare(ctx, id, transaction.Draft{
		Kind: transaction.KindLaunch, Caller: t.Creator, Mint: t.Mint, Steps: steps, Nonce: &nonce,
		Signers: []ed25519.PrivateKey{mintKey}, MostUnits: simulationUnits, DefaultUnits: defaultUnits,
		Cost: transaction.Cost{Rent: plan.MintRentLamports + accountRent, Deposit: s.FundingLamports},
	})
	if err != nil {
		return Created{}, err
	}
	return Created{
		Launch:      Launch{Prepared: u.Pending(nonce.Nonce), Token: t},
		Transaction: u.Transaction, Cost: u.Cost, Explanation: u.Explanation, Simulation: u.Simulation,
	}, nil
}
