package cpmm

import (
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/solana/raydium"
)

// State is a pool of a token and SOL as it stands, and what else a quote depends on.
type State struct {
	Pool   raydium.Pool
	Config raydium.Config
	Token  market.Mint
	// TokenVault and SOLVault are what lies in the vaults, in base units and lamports.
	TokenVault, SOLVault uint64
	// Epoch is the network's: it decides on the tax.
	Epoch uint64
	// Now is the network's time: a pool opens at one.
	Now time.Time
}

// Quote is what a trade brings, as the program would execute it on the same state.
// Amounts are in base units of the token and lamports.
type Quote struct {
	// Sent leaves the trader, of which TaxIn is withheld; Received reaches them, after
	// TaxOut was withheld.
	Sent, TaxIn      uint64
	Received, TaxOut uint64
	Swap             Swap // between the vaults
}

// Buy says what lamports buy.
func (s State) Buy(lamports uint64) (Quote, error) { return s.exactIn(s.sides(false), lamports) }

// BuyExactly says what it costs that so many base units reach the trader.
func (s State) BuyExactly(tokens uint64) (Quote, error) { return s.exactOut(s.sides(false), tokens) }

// Sell says what the sale of base units brings.
func (s State) Sell(tokens uint64) (Quote, error) { return s.exactIn(s.sides(true), tokens) }

// SellExactly says how many base units must be sent so that so many lamports reach
// the trader.
func (s State) SellExactly(lamports uint64) (Quote, error) {
	return s.exactOut(s.sides(true), lamports)
}

// direction is which of the program's tokens comes in, and which mint is taxed on
// the way in and out.
type direction struct {
	in       int
	tax      [2]market.Mint // of what comes in and goes out; wrapped SOL has none
	reserves [2]uint64      // vaults of what comes in and goes out
}

// sides is the direction of a sale of tokens, or of a purchase.
func (s State) sides(sale bool) direction {
	token := 0
	if s.Pool.Mints[1] == s.Token.Address {
		token = 1
	}
	if sale {
		return direction{token, [2]market.Mint{s.Token, {}}, [2]uint64{s.TokenVault, s.SOLVault}}
	}
	return direction{1 - token, [2]market.Mint{{}, s.Token}, [2]uint64{s.SOLVault, s.TokenVault}}
}

func (s State) exactIn(d direction, amount uint64) (Quote, error) {
	curve, err := s.curve(d)
	if err != nil {
		return Quote{}, err
	}
	tax := d.tax[0].TaxOn(s.Epoch, amount)
	if tax >= amount {
		return Quote{}, ErrTooSmall
	}
	swap, err := curve.ExactIn(amount - tax)
	if err != nil {
		return Quote{}, err
	}
	taxOut := d.tax[1].TaxOn(s.Epoch, swap.Out)
	if taxOut >= swap.Out {
		return Quote{}, ErrTooSmall
	}
	return Quote{Sent: amount, TaxIn: tax, Received: swap.Out - taxOut, TaxOut: taxOut, Swap: swap}, nil
}

func (s State) exactOut(d direction, amount uint64) (Quote, error) {
	curve, err := s.curve(d)
	if err != nil {
		return Quote{}, err
	}
	if amount == 0 {
		return Quote{}, ErrTooSmall
	}
	taxOut, ok := d.tax[1].TaxFor(s.Epoch, amount)
	if !ok {
		return Quote{}, ErrTooLarge
	}
	swap, err := curve.ExactOut(amount + taxOut)
	if err != nil {
		return Quote{}, err
	}
	tax, ok := d.tax[0].TaxFor(s.Epoch, swap.In)
	if !ok {
		return Quote{}, ErrTooLarge
	}
	return Quote{Sent: swap.In + tax, TaxIn: tax, Received: amount, TaxOut: taxOut, Swap: swap}, nil
}

// curve is the pool in a direction. It fails with ErrNoQuote when it does not trade,
// or not yet, or is another token's.
func (s State) curve(d direction) (Curve, error) {
	now := uint64(max(s.Now.Unix(), 0))
	if !s.Pool.Swaps(now) {
		return Curve{}, fmt.Errorf("%w: it is stopped, or opens later", ErrNoQuote)
	}
	if s.Pool.Mints[d.in] != mintOf(d.tax[0]) || s.Pool.Mints[1-d.in] != mintOf(d.tax[1]) {
		return Curve{}, fmt.Errorf("%w: it is not one of %s and wrapped SOL", ErrNoQuote, s.Token.Address)
	}
	c := Curve{
		TradeFeeRate: s.Config.TradeFeeRate, ProtocolFeeRate: s.Config.ProtocolFeeRate, FundFeeRate: s.Config.FundFeeRate,
		CreatorFeeOnInput: onInput(s.Pool.CreatorFeeOn, d.in),
	}
	if s.Pool.HasCreatorFee {
		c.CreatorFeeRate = s.Config.CreatorFeeRate
	}
	for side, reserve := range []*uint64{&c.In, &c.Out} {
		vault := d.in
		if side == 1 {
			vault = 1 - d.in
		}
		owed, ok := s.Pool.Owed(vault)
		if !ok || owed > d.reserves[side] {
			return Curve{}, fmt.Errorf("%w: it owes more than it has", ErrNoQuote)
		}
		*reserve = d.reserves[side] - owed
	}
	return c, nil
}

func mintOf(m market.Mint) solana.PublicKey {
	if m.Address.IsZero() {
		return solana.WrappedSol
	}
	return m.Address
}

// onInput says whether the creator's fee is taken of what comes in, which is the
// program's token in.
func onInput(on raydium.CreatorFeeOn, in int) bool {
	switch on {
	case raydium.CreatorFeeOnToken0:
		return in == 0
	case raydium.CreatorFeeOnToken1:
		return in == 1
	case raydium.CreatorFeeOnInput:
	}
	return true
}
