package venue

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// detail is the information that a swap needs in addition to the quote.
type detail struct {
	Sell leg `json:"sell"`
	// Buy is nil if tokens are sold for SOL. Otherwise Between is the exact amount of lamports that
	// the first swap pays and the second swap spends.
	Buy     *leg   `json:"buy,omitempty"`
	Between uint64 `json:"between,omitempty"`
}

// leg is a swap in a pool of a token and SOL.
type leg struct {
	Kind token.PoolKind   `json:"kind"`
	Pool solana.PublicKey `json:"pool"`
	// Program is the owner of the token's mint.
	Program solana.PublicKey `json:"program"`
}

// check returns an error if the leg is invalid.
func (l leg) check() error {
	if l.Program != solana.TokenProgramID && l.Program != solana.Token2022ProgramID {
		return fmt.Errorf("%s is no token program", l.Program)
	}
	return nil
}

// amounts is the amounts of a swap: an exact amount, and a limit on the other amount.
type amounts struct {
	direction direction
	// exactOut reports that amount is the amount that arrives, and limit is the maximum that leaves
	// the wallet. Otherwise amount leaves the wallet, and limit is the minimum that arrives.
	exactOut      bool
	amount, limit uint64
}

// Swap returns the instructions of a quote: open the wallet's account of wrapped SOL, swap, and
// close the account, so that the wrapped SOL becomes lamports of the wallet. Swap reads no account:
// addresses are derived, and amounts are from the quote.
func (p Pools) Swap(_ context.Context, q exchange.Quote) (exchange.Swap, error) {
	var d detail
	if q.Venue != Name {
		return exchange.Swap{}, fmt.Errorf("swap by a quote of %q: it is none of the pools", q.Venue)
	}
	if err := json.Unmarshal(q.Detail, &d); err != nil {
		return exchange.Swap{}, fmt.Errorf("swap by a quote of the pools: %w", err)
	}
	if q.Order.Output.IsSOL() != (d.Buy == nil) {
		return exchange.Swap{}, fmt.Errorf("swap by a quote of the pools: it is for another order")
	}
	s := maker{pools: p, quote: q}
	if err := s.make(d); err != nil {
		return exchange.Swap{}, fmt.Errorf("swap by a quote of the pools: %w", err)
	}
	return s.swap, s.swap.Fits()
}

// maker builds a swap.
type maker struct {
	pools   Pools
	quote   exchange.Quote
	wrapped solana.PublicKey // the wallet's account of wrapped SOL
	swap    exchange.Swap
}

func (s *maker) make(d detail) error {
	s.swap.Quote = s.quote
	o, q := s.quote.Order, s.quote
	var err error
	if s.wrapped, err = s.open(solana.WrappedSol, solana.TokenProgramID); err != nil {
		return err
	}
	if d.Buy == nil {
		if err := s.add(d.Sell, o.Input, amounts{direction: sell, amount: q.In, limit: q.MinimumOut}); err != nil {
			return err
		}
	} else {
		if _, err := s.open(o.Output.Mint(), d.Buy.Program); err != nil {
			return err
		}
		if err := s.add(d.Sell, o.Input, amounts{direction: sell, exactOut: true, amount: d.Between, limit: q.In}); err != nil {
			return err
		}
		if err := s.add(*d.Buy, o.Output.Mint(), amounts{direction: buy, amount: d.Between, limit: q.MinimumOut}); err != nil {
			return err
		}
	}
	s.swap.Instructions = append(s.swap.Instructions, token2022.CloseAccount{
		Program: solana.TokenProgramID, Account: s.wrapped, Destination: o.Wallet, Owner: o.Wallet,
	}.Instruction())
	return nil
}

// open adds an instruction that creates an account of the wallet, unless the account exists.
func (s *maker) open(mint, program solana.PublicKey) (solana.PublicKey, error) {
	wallet := s.quote.Order.Wallet
	in, account, err := token2022.CreateAssociatedIdempotent{Payer: wallet, Wallet: wallet, Mint: mint, Program: program}.Instruction()
	s.swap.Instructions = append(s.swap.Instructions, in)
	return account, err
}

// add adds the swap of a leg.
func (s *maker) add(l leg, mint solana.PublicKey, t amounts) error {
	if err := l.check(); err != nil {
		return err
	}
	account, err := token2022.AssociatedAddress(s.quote.Order.Wallet, mint, l.Program)
	if err != nil {
		return err
	}
	at, err := s.pools.place(l.Kind, mint, l.Pool)
	if err != nil {
		return err
	}
	in, program := s.damm(l, mint, account, at.meteora, t), meteora.Program
	if l.Kind == token.RaydiumCPMM {
		in, program = s.cpmm(l, account, at.raydium, t), s.pools.Raydium.Program
	}
	s.swap.Instructions = append(s.swap.Instructions, in)
	if !slices.Contains(s.swap.Programs, program) {
		s.swap.Programs = append(s.swap.Programs, program)
	}
	return nil
}

func (s *maker) cpmm(l leg, account solana.PublicKey, at raydium.Addresses, t amounts) solana.Instruction {
	launched, sol := at.Sides(account, l.Program, s.wrapped)
	swap := raydium.Swap{
		Network: s.pools.Raydium, Trader: s.quote.Order.Wallet, Authority: at.Authority,
		Pool: at.Pool, Observation: at.Observation, In: launched, Out: sol,
	}
	if t.direction == buy {
		swap.In, swap.Out = sol, launched
	}
	if t.exactOut {
		return raydium.SwapBaseOutput{Swap: swap, MaximumIn: t.limit, AmountOut: t.amount}.Instruction()
	}
	return raydium.SwapBaseInput{Swap: swap, AmountIn: t.amount, MinimumOut: t.limit}.Instruction()
}

func (s *maker) damm(l leg, mint, account solana.PublicKey, at dammAddresses, t amounts) solana.Instruction {
	swap := meteora.Swap2{
		Pool: at.pool, TokenVault: at.tokenVault, SOLVault: at.solVault,
		TokenMint: mint, TokenProgram: l.Program, Payer: s.quote.Order.Wallet, PayerToken: account, PayerSOL: s.wrapped,
		Direction: meteora.Sell, Mode: meteora.ExactIn, Amount: t.amount, Limit: t.limit,
	}
	if t.direction == buy {
		swap.Direction = meteora.Buy
	}
	if t.exactOut {
		swap.Mode = meteora.ExactOut
	}
	return swap.Instruction()
}
