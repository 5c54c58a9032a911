package venue

import (
	"math/big"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/cpmm"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// constantProduct is a pool of Raydium.
type constantProduct struct {
	cpmm.State

	at solana.PublicKey
}

// constantProduct decodes a Raydium pool for Pools.pool. The pool's creator field is reliable,
// because the program requires the creator's signature.
func (p Pools) constantProduct(where place, mint market.Mint, own []*onchain.Account, config *onchain.Account, now market.Clock) (pool, error) {
	at := where.raydium
	if own[0] == nil || own[1] == nil || own[2] == nil || config == nil {
		return nil, nil
	}
	state, err := p.Raydium.DecodePool(own[0].Owner, own[0].Data)
	if err != nil || !state.Swaps(now.Unix) {
		return nil, err
	}
	rates, err := p.Raydium.DecodeConfig(config.Owner, config.Data)
	if err != nil {
		return nil, err
	}
	launched := 1
	if at.TokenFirst {
		launched = 0
	}
	if state.Creator != where.creator || state.Config != p.Raydium.Config || state.Observation != at.Observation || state.Mints[launched] != mint.Address ||
		state.Vaults[launched] != at.TokenVault || state.Vaults[1-launched] != at.SOLVault {
		return nil, nil
	}
	tokens, err := token2022.DecodeAccount(own[1].Owner, own[1].Data)
	if err != nil {
		return nil, err
	}
	sol, err := token2022.DecodeAccount(own[2].Owner, own[2].Data)
	if err != nil {
		return nil, err
	}
	return constantProduct{cpmm.State{
		Pool: state, Config: rates, Token: mint, TokenVault: tokens.Amount, SOLVault: sol.Amount,
		Epoch: now.Epoch, Now: now.Time(),
	}, at.Pool}, nil
}

func (c constantProduct) place() (token.PoolKind, solana.PublicKey) { return token.RaydiumCPMM, c.at }

func (c constantProduct) swap(d direction, amount uint64) (swapped, bool) {
	make := c.Sell
	if d == buy {
		make = c.Buy
	}
	q, err := make(amount)
	return swapped{given: q.Swap.In, left: q.Swap.Out, out: q.Received}, err == nil
}

// price returns the price of the reserves, without the amounts that the vaults owe. A pool that
// owes more than the pool has does not trade.
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
	return lessFee(out, in, c.fee(), raydium.RateDenominator)
}

// fee returns the pool's fee, which is less than the whole.
func (c constantProduct) fee() uint64 {
	if c.Pool.HasCreatorFee {
		return c.Config.TradeFeeRate + c.Config.CreatorFeeRate
	}
	return c.Config.TradeFeeRate
}

func (c constantProduct) harmlessBps() int {
	return harmlessBps(c.Token, c.Epoch, c.fee(), raydium.RateDenominator)
}
