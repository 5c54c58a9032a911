package venue

import (
	"math/big"

	"tokenlaunch.example/service/pkg/token"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/cpmm"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// constantProduct is a pool of Raydium's.
type constantProduct struct{ cpmm.State }

// constantProduct decodes one; ok is false when there is none that trades, or its
// accounts are not those that the addresses say.
func (p Pools) constantProduct(at raydium.Addresses, mint market.Mint, own []*onchain.Account, config *onchain.Account, now market.Clock) (c constantProduct, ok bool) {
	if own[0] == nil || own[1] == nil || own[2] == nil || config == nil {
		return c, false
	}
	state, err := p.Raydium.DecodePool(own[0].Owner, own[0].Data)
	if err != nil || !state.Swaps(now.Unix) {
		return c, false
	}
	rates, err := p.Raydium.DecodeConfig(config.Owner, config.Data)
	if err != nil {
		return c, false
	}
	launched := 1
	if at.TokenFirst {
		launched = 0
	}
	if state.Config != p.Raydium.Config || state.Observation != at.Observation || state.Mints[launched] != mint.Address ||
		state.Vaults[launched] != at.TokenVault || state.Vaults[1-launched] != at.SOLVault {
		return c, false
	}
	tokens, err := token2022.DecodeAccount(own[1].Owner, own[1].Data)
	if err != nil {
		return c, false
	}
	sol, err := token2022.DecodeAccount(own[2].Owner, own[2].Data)
	if err != nil {
		return c, false
	}
	return constantProduct{cpmm.State{
		Pool: state, Config: rates, Token: mint, TokenVault: tokens.Amount, SOLVault: sol.Amount,
		Epoch: now.Epoch, Now: now.Time(),
	}}, true
}

func (constantProduct) kind() token.PoolKind { return token.RaydiumCPMM }

func (c constantProduct) swap(d direction, amount uint64) (swapped, bool) {
	make := c.Sell
	if d == buy {
		make = c.Buy
	}
	q, err := make(amount)
	return swapped{given: q.Swap.In, left: q.Swap.Out, out: q.Received}, err == nil
}

// price is that of the reserves, without what the vaults owe: a pool that owes more
// than it has does not trade.
func (c constantProduct) price(d direction) (out, in *big.Int) {
	launched := 0
	if c.Pool.Mints[1] == c.Token.Address {
		launched = 1
	}
	reserve := func(vault int, has uint64) *big.Int {
		owed, _ := c.Pool.Owed(vault)
		return new(big.Int).SetUint64(has - min(owed, has))
	}
	out, in = reserve(1-launched, c.SOLVault), reserve(launched, c.TokenVault)
	if d == buy {
		out, in = in, out
	}
	fee := c.Config.TradeFeeRate // the sum of both is less than the whole
	if c.Pool.HasCreatorFee {
		fee += c.Config.CreatorFeeRate
	}
	return lessFee(out, in, fee, raydium.RateDenominator)
}
