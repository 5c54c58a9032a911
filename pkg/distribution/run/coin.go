package run

import (
	"context"
	"fmt"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// coin returns the reward asset with the parameters of transfers. why is the reason, as a sentence,
// why holders cannot be paid in the asset; empty if holders can be paid.
func (m Machine) coin(ctx context.Context, settings terms.Settings) (coin Currency, why string, err error) {
	asset, err := settings.Reward()
	if err != nil {
		return Currency{}, "", fmt.Errorf("read the reward token: %w", err)
	}
	return m.currencyOf(ctx, asset)
}

func (m Machine) currencyOf(ctx context.Context, asset terms.Asset) (coin Currency, why string, err error) {
	coin = Currency{Asset: asset, Decimals: solDecimals}
	if asset.IsSOL() {
		return coin, "", nil
	}
	accounts, _, err := m.Chain.AccountsAt(ctx, 0, asset.Mint())
	if err != nil {
		return Currency{}, "", fmt.Errorf("read the reward token %s: %w", asset, err)
	}
	if accounts[0] == nil {
		return coin, "The reward token does not exist.", nil
	}
	why = terms.WhyNotReward(asset.Mint(), accounts[0].Owner, accounts[0].Data)
	mint, err := token2022.DecodeMint(accounts[0].Owner, accounts[0].Data)
	switch {
	case err != nil && why != "":
		return coin, why, nil
	case err != nil:
		return Currency{}, "", fmt.Errorf("read the reward token %s: %w", asset, err)
	}
	coin.Program, coin.Decimals = mint.Program, mint.Decimals
	if mint.TransferFee != nil {
		epoch, err := m.Chain.Epoch(ctx)
		if err != nil {
			return Currency{}, "", fmt.Errorf("read the epoch: %w", err)
		}
		fee := mint.TransferFee.At(epoch)
		coin.FeeBps, coin.MaximumFee = fee.BasisPoints, fee.MaximumFee
	}
	return coin, why, nil
}

// owedCoin is coinOf for an owed asset. The wallet has such an asset, so a node that does not know
// the mint is behind. The books need the coin's program even if holders cannot be paid in the
// asset.
func (m Machine) owedCurrency(ctx context.Context, asset terms.Asset) (coin Currency, sends bool, err error) {
	coin, why, err := m.currencyOf(ctx, asset)
	if err == nil && coin.Program.IsZero() && !asset.IsSOL() {
		err = apperr.Upstream("The Solana network", fmt.Errorf("what is owed in %s is not there: %s", asset, why))
	}
	return coin, why == "", err
}

// solDecimals is the number of decimals of an amount in SOL.
const solDecimals = 9
