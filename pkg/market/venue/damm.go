package venue

import (
	"math"
	"math/big"

	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/solana/bonding"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// concentrated is a Meteora pool of the launchpad's kind: the token is token A, and fees are taken
// in SOL.
type concentrated struct {
	bonding.State

	at    solana.PublicKey
	mint  market.Mint
	epoch uint64
}

// readConcentrated decodes a Meteora pool for Pools.pool. A pool of another kind is nil.
func readConcentrated(where place, mint market.Mint, a *onchain.Account, now market.Clock) (pool, error) {
	if a == nil {
		return nil, nil
	}
	at := where.meteora
	state, err := meteora.DecodePool(a.Owner, a.Data)
	if err != nil || state.MintA != mint.Address || state.MintB != solana.WrappedSol ||
		state.VaultA != at.tokenVault || state.VaultB != at.solVault ||
		state.ActivationType == meteora.ActivationBySlot && now.Slot < state.ActivationPoint {
		return nil, err
	}
	s, err := bonding.StateOf(state, now.Time())
	if err != nil {
		return nil, err
	}
	return concentrated{State: s, at: at.pool, mint: mint, epoch: now.Epoch}, nil
}

func (c concentrated) place() (token.PoolKind, solana.PublicKey) { return token.MeteoraDAMMv2, c.at }

func (c concentrated) tax() (fee token2022.TransferFee) {
	if c.mint.Fee != nil {
		fee = c.mint.Fee.At(c.epoch)
	}
	return fee
}

func (c concentrated) swap(d direction, amount uint64) (swapped, bool) {
	if d == buy {
		q, err := bonding.BuyIn(c.State, amount, c.tax())
		return swapped{given: q.Lamports, left: q.PoolTokens, out: q.Tokens}, err == nil
	}
	q, err := bonding.Sell(c.State, amount, c.tax())
	return swapped{given: q.PoolTokens, left: q.Lamports, out: q.Lamports}, err == nil
}

// priceBits is the number of fractional bits of a price: twice the number for the square root.
const priceBits = 128

func (c concentrated) price(d direction) (out, in *big.Int) {
	lamports, tokens := new(big.Int).Mul(c.SqrtPrice, c.SqrtPrice), new(big.Int).Lsh(big.NewInt(1), priceBits)
	out, in = lamports, tokens
	if d == buy {
		out, in = tokens, lamports
	}
	fee, err := c.lastingFee()
	if err != nil { // the program could not continue with this fee
		return new(big.Int), in
	}
	return lessFee(out, in, fee, meteora.FeeDenominator)
}

// lastingFee returns the fee after the additional fee for early traders has decayed.
func (c concentrated) lastingFee() (uint64, error) {
	lasting := c.State
	lasting.Now = math.MaxUint64
	return lasting.FeeNumerator()
}

func (c concentrated) harmlessBps() int {
	fee, err := c.lastingFee()
	if err != nil {
		return 0
	}
	return harmlessBps(c.mint, c.epoch, fee, meteora.FeeDenominator)
}
