package payout

import (
	"context"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token"
)

// TokenAccount is an associated account that a wallet is to have of its own: of a
// mint, which Program owns.
type TokenAccount struct{ Mint, Program solana.PublicKey }

// Ground is what a wallet needs for a run.
type Ground struct {
	Run      string // whose cost it is
	Mint     solana.PublicKey
	Wallet   token.Wallet
	Lanes    int // at most MostLanes
	Accounts []TokenAccount
}

// Lanes makes what the wallet lacks of lanes and accounts, one transaction at a
// time, and says done when nothing is lacking, or the wallet has not the SOL for
// more. Work for lanes that are missing is done on those that exist. It fails with
// ErrRestored when the chain shows movements that the ledger does not have.
func (e Engine) Lanes(ctx context.Context, g Ground) (Next, error) {
	next, err := e.ground(ctx, g)
	if err != nil {
		id := ID{Run: g.Run, Kind: Setup}
		if next, ok := e.passes(ctx, err, id); ok {
			return next, nil
		}
		return Next{}, fmt.Errorf("prepare the wallet %s: %w", g.Wallet.Address, err)
	}
	return next, nil
}

func (e Engine) ground(ctx context.Context, g Ground) (Next, error) {
	id := ID{Run: g.Run, Kind: Setup}
	for i, err := range e.Store.Intents(ctx, g.Run, Setup, 0) {
		if err != nil {
			return Next{}, fmt.Errorf("list what was made for the wallet: %w", err)
		}
		if !i.Status().Decided() {
			return e.lookSetup(ctx, i)
		}
		id.Batch = i.ID.Batch + 1
	}
	pieces, err := e.missing(ctx, g)
	if err != nil {
		return Next{}, err
	}
	if len(pieces) == 0 {
		return Next{Done: true}, nil
	}
	return e.makePieces(ctx, g, id, pieces)
}

// piece is something that the wallet lacks.
type piece struct {
	instructions []solana.Instruction
	lamports     uint64
}

// missing lists what the wallet lacks: the first lane first, then accounts, then
// the other lanes. On the way it writes down lanes that have come to be, and looks
// whether those that are free are as the ledger has them.
func (e Engine) missing(ctx context.Context, g Ground) ([]piece, error) {
	var pieces []piece
	for number := range min(max(g.Lanes, 1), MostLanes) {
		lane, err := e.pick(ctx, g.Mint, number)
		if errors.Is(err, errNoLane) {
			p, err := e.missingLane(ctx, g, lane.Number)
			if err != nil {
				return nil, err
			}
			pieces = append(pieces, p...)
		} else if err != nil {
			return nil, err
		} else if lane.Free() {
			if _, err := e.agreed(ctx, &lane); err != nil {
				return nil, err
			}
		}
		if number > 0 {
			continue
		}
		accounts, err := e.missingAccounts(ctx, g)
		if err != nil {
			return nil, err
		}
		pieces = append(pieces, accounts...)
	}
	return pieces, nil
}

// missingLane writes down the value of a lane that exists, and says how to make one
// that does not. A lane is known to the ledger before it is made; one that the
// ledger does not know and the chain has is from a later time than the ledger.
func (e Engine) missingLane(ctx context.Context, g Ground, number int) ([]piece, error) {
	address, err := LaneAddress(g.Wallet.Address, number)
	if err != nil {
		return nil, err
	}
	lane, err := e.Store.Lane(ctx, g.Mint, number)
	known := err == nil
	if errors.Is(err, ErrNotFound) {
		lane = Lane{Mint: g.Mint, Number: number, Address: address}
	} else if err != nil {
		return nil, fmt.Errorf("read lane %d: %w", number, err)
	}
	for n, chain := range e.Chains {
		value, slot, err := chain.NonceAt(ctx, address, lane.Slot)
		if err != nil {
			return nil, fmt.Errorf("read lane %d: %w", number, err)
		}
		switch {
		case n == 0:
			lane.Value, lane.Slot = value, slot
		case value != lane.Value:
			return nil, ErrBehind
		default:
			lane.Slot = min(lane.Slot, slot)
		}
	}
	switch {
	case lane.Value.IsZero() && known:
	case lane.Value.IsZero():
		lane.Slot = 0
		return e.newLane(ctx, g, lane)
	case !known:
		return nil, e.freeze(ctx, lane)
	default:
		if err := e.unused(ctx, g, number); err != nil {
			return nil, err
		}
		return nil, e.Store.PutLane(ctx, lane)
	}
	return e.laneInstructions(ctx, g, number, address)
}

func (e Engine) newLane(ctx context.Context, g Ground, lane Lane) ([]piece, error) {
	if err := e.Store.PutLane(ctx, lane); err != nil {
		return nil, err
	}
	return e.laneInstructions(ctx, g, lane.Number, lane.Address)
}

// unused makes sure that a lane which the ledger has only planned was not used: the
// journal would know. A ledger that has a lane with a value already has another
// way to see that it is old.
func (e Engine) unused(ctx context.Context, g Ground, number int) error {
	if number != 0 {
		return nil
	}
	for i, err := range e.Journal.All(ctx, g.Mint) {
		if err != nil {
			return fmt.Errorf("read the journal: %w", err)
		}
		if i.ID.Kind != Setup {
			lane, err := e.Store.Lane(ctx, g.Mint, number)
			if err != nil {
				return fmt.Errorf("read lane %d: %w", number, err)
			}
			return e.freeze(ctx, lane)
		}
	}
	return nil
}

// laneInstructions make a lane at its address, where anybody may have sent lamports
// before.
func (e Engine) laneInstructions(ctx context.Context, g Ground, number int, address solana.PublicKey) ([]piece, error) {
	rent, err := e.Chains[0].MinimumBalance(ctx, systemprogram.NonceAccountSize)
	if err != nil {
		return nil, err
	}
	accounts, err := e.Chains[0].Holders(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("read lane %d: %w", number, err)
	}
	var p piece
	if a := accounts[0]; a == nil || a.Lamports < rent {
		p.lamports = rent
		if a != nil {
			p.lamports -= a.Lamports
		}
		p.instructions = append(p.instructions,
			systemprogram.Transfer{From: g.Wallet.Address, To: address, Lamports: p.lamports}.Instruction())
	}
	p.instructions = append(p.instructions,
		systemprogram.AllocateWithSeed{
			Account: address, Base: g.Wallet.Address, Seed: laneSeed(number),
			Space: systemprogram.NonceAccountSize, Owner: solana.SystemProgramID,
		}.Instruction(),
		systemprogram.InitializeNonceAccount{Nonce: address, Authority: g.Wallet.Address}.Instruction())
	return []piece{p}, nil
}

// missingAccounts says how to make those of the wallet's own accounts that do not
// exist.
func (e Engine) missingAccounts(ctx context.Context, g Ground) ([]piece, error) {
	var addresses []solana.PublicKey
	var makers []solana.Instruction
	for _, a := range g.Accounts {
		in, address, err := token2022.CreateAssociatedIdempotent{
			Payer: g.Wallet.Address, Wallet: g.Wallet.Address, Mint: a.Mint, Program: a.Program,
		}.Instruction()
		if err != nil {
			return nil, fmt.Errorf("find the wallet's account of %s: %w", a.Mint, err)
		}
		addresses, makers = append(addresses, address), append(makers, in)
	}
	if len(addresses) == 0 {
		return nil, nil
	}
	found, err := e.Chains[0].Holders(ctx, addresses...)
	if err != nil {
		return nil, fmt.Errorf("read the wallet's accounts: %w", err)
	}
	rent, err := e.Chains[0].MinimumBalance(ctx, token2022.AssociatedAccountSize)
	if err != nil {
		return nil, err
	}
	var pieces []piece
	for n, a := range found {
		if a == nil || len(a.Data) == 0 {
			pieces = append(pieces, piece{instructions: makers[n : n+1], lamports: rent})
		}
	}
	return pieces, nil
}
