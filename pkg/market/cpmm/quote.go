package cpmm

import (
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/solana/raydium"
)

// State is the state of a pool of a token and SOL, and the other inputs of a quote.
type State struct {
	Pool   raydium.Pool
	Config raydium.Config
	Token  market.Mint
	// TokenVault and SOLVault are the balances of the vaults, in base units and lamports.
	TokenVault, SOLVault uint64
	// Epoch is the network's epoch, which decides the tax.
	Epoch uint64
	// Now is the network's time, which decides whether the pool is open.
	Now time.Time
}

// Quote is the result of a trade, as the program would execute the trade on the same state. Amounts
// are in base units of the token and lamports.
type Quote struct {
	// Sent leaves the trader, and TaxIn of Sent is withheld. Received reaches the trader, after
	// TaxOut was withheld.
	Sent, TaxIn      uint64
	Received, TaxOut uint64
	Swap             Swap // between the vaults
}

// Buy quotes a purchase for lamports.
func (s State) Buy(lamports uint64) (Quote, error) { return s.exactIn(s.sides(false), lamports) }

// BuyExactly quotes a purchase in which tokens reach the trader.
func (s State) BuyExactly(tokens uint64) (Quote, error) { return s.exactOut(s.sides(false), tokens) }

// Sell quotes a sale of tokens.
func (s State) Sell(tokens uint64) (Quote, error) { return s.exactIn(s.sides(true), tokens) }

// SellExactly quotes a sale in which lamports reach the trader.
func (s State) SellExactly(lamports uint64) (Quote, error) {
	return s.exactOut(s.sides(true), lamports)
}

// direction is the direction of a trade: the program's number of the incoming token, and the mints
// and vaults of both sides.
type direction struct {
	in       int
	tax      [2]market.Mint // mints of the incoming and the outgoing token; zero for wrapped SOL, which has no tax
	reserves [2]uint64      // vaults of the incoming and the outgoing token
}

// sides returns the direction of a sale or a purchase of tokens.
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

// curve returns the pool's curve in a direction. It returns ErrNoQuote if the pool does not trade
// now, or has other mints.
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

// onInput reports whether the creator's fee is taken from the input. in is the program's number of
// the input token.
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
