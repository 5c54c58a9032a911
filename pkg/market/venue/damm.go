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

// concentrated is a pool of Meteora's of the launchpad's kind: the token is token A,
// and fees are taken in SOL.
type concentrated struct {
	bonding.State

	tax token2022.TransferFee
}

// readConcentrated decodes one; ok is false when there is none that trades, or it is
// of another kind, or its accounts are not those that the addresses say.
func readConcentrated(at addresses, mint market.Mint, a *onchain.Account, now market.Clock) (c concentrated, ok bool) {
	if a == nil {
		return c, false
	}
	state, err := meteora.DecodePool(a.Owner, a.Data)
	if err != nil || state.MintA != mint.Address || state.MintB != solana.WrappedSol ||
		state.VaultA != at.meteoraVault || state.VaultB != at.solVault ||
		state.ActivationType == meteora.ActivationBySlot && now.Slot < state.ActivationPoint {
		return c, false
	}
	s, err := bonding.StateOf(state, now.Time())
	if err != nil {
		return c, false
	}
	c = concentrated{State: s}
	if mint.Fee != nil {
		c.tax = mint.Fee.At(now.Epoch)
	}
	return c, true
}

func (concentrated) kind() token.PoolKind { return token.MeteoraDAMMv2 }

func (c concentrated) swap(d direction, amount uint64) (swapped, bool) {
	if d == buy {
		q, err := bonding.BuyIn(c.State, amount, c.tax)
		return swapped{given: q.Lamports, left: q.PoolTokens, out: q.Tokens}, err == nil
	}
	q, err := bonding.Sell(c.State, amount, c.tax)
	return swapped{given: q.PoolTokens, left: q.Lamports, out: q.Lamports}, err == nil
}

// priceBits is how many bits are behind the point of a price: twice those of its
// square root.
const priceBits = 128

func (c concentrated) price(d direction) (out, in *big.Int) {
	lamports, tokens := new(big.Int).Mul(c.SqrtPrice, c.SqrtPrice), new(big.Int).Lsh(big.NewInt(1), priceBits)
	out, in = lamports, tokens
	if d == buy {
		out, in = tokens, lamports
	}
	lasting := c.State
	lasting.Now = math.MaxUint64
	fee, err := lasting.FeeNumerator()
	if err != nil { // the program could not go on with it
		return new(big.Int), in
	}
	return lessFee(out, in, fee, meteora.FeeDenominator)
}
