package payout

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// lanesAtOnce is how many lanes are made at once. Five fit into a transaction, each of
// which takes a quarter of a second, and distributor has minutes.
const lanesAtOnce = 256

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

// Lanes makes what the wallet lacks of lanes and accounts, several transactions at a
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
	var open []Intent
	for i, err := range e.Store.Intents(ctx, g.Run, Setup, 0) {
		if err != nil {
			return Next{}, fmt.Errorf("list what was made for the wallet: %w", err)
		}
		if !i.Status().Decided() {
			open = append(open, i)
		}
		id.Batch = i.ID.Batch + 1
	}
	if len(open) > 0 {
		return e.lookSetups(ctx, open)
	}
	has, err := e.has(ctx, g.Wallet.Address, terms.SOL)
	if err != nil {
		return Next{}, err
	}
	pieces, err := e.missing(ctx, g, *has)
	if err != nil {
		return Next{}, err
	}
	if len(pieces) == 0 {
		return Next{Done: true}, nil
	}
	return e.makePieces(ctx, g, id, *has, pieces)
}

// lookSetups looks at each of the transactions that are under way, and waits for the
// last of them.
func (e Engine) lookSetups(ctx context.Context, open []Intent) (latest Next, err error) {
	if next := e.early(ctx, open...); next != nil {
		return *next, nil
	}
	for _, i := range open {
		next, err := e.lookSetup(ctx, i)
		if err != nil {
			return Next{}, err
		}
		latest.After = max(latest.After, next.After)
	}
	return latest, nil
}

// piece is something that the wallet lacks.
type piece struct {
	instructions []solana.Instruction
	lamports     uint64
}

// missing lists what the wallet lacks: the first lane first, then accounts, then as
// many of the other lanes as are made at once. On the way it writes down lanes that
// have come to be, and looks whether those that are free are as the ledger has them.
func (e Engine) missing(ctx context.Context, g Ground, has own) ([]piece, error) {
	list, err := e.Store.Lanes(ctx, g.Mint)
	if err != nil {
		return nil, fmt.Errorf("list the lanes of %s: %w", g.Mint, err)
	}
	known := byNumber(list)
	rent, err := e.Chains[0].MinimumBalance(ctx, systemprogram.NonceAccountSize)
	if err != nil {
		return nil, err
	}
	// Those that were made are written down, and no more are planned than the wallet can
	// pay for, and one.
	made, fresh := lanesAtOnce, int(min(has.lamports/max(rent, 1)+1, lanesAtOnce))
	var free []Lane
	var lacking []int
	for number := range min(max(g.Lanes, 1), MostLanes) {
		lane, err := pickOf(known, g.Mint, number)
		switch {
		case errors.Is(err, errNoLane):
			room := &fresh
			if _, ok := known[lane.Number]; ok {
				room = &made
			}
			if *room > 0 {
				*room--
				lacking = append(lacking, lane.Number)
			}
		case err != nil:
			return nil, err
		case lane.Free():
			free = append(free, lane)
		}
	}
	if err := e.asKnown(ctx, free); err != nil {
		return nil, err
	}
	lanes, err := e.missingLanes(ctx, g, known, lacking)
	if err != nil {
		return nil, err
	}
	accounts, err := e.missingAccounts(ctx, g)
	if err != nil {
		return nil, err
	}
	first := 0
	if len(lanes) > 0 && lacking[0]%MostLanes == 0 {
		first = 1
	}
	return slices.Concat(lanes[:first], accounts, lanes[first:]), nil
}

// asKnown looks whether free lanes are as the ledger has them, many in a call. Of one
// that is not, agreed finds out what that means.
func (e Engine) asKnown(ctx context.Context, free []Lane) error {
	for part := range slices.Chunk(free, lanesAtOnce) {
		from := slices.MaxFunc(part, func(a, b Lane) int { return cmp.Compare(a.Slot, b.Slot) }).Slot
		values, _, err := e.nonces(ctx, from, addressesOf(part))
		if err != nil {
			return err
		}
		for n, lane := range part {
			if slices.ContainsFunc(values, func(node []solana.Hash) bool { return node[n] != lane.Value }) {
				if _, err := e.agreed(ctx, &lane); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// nonces reads accounts of all nodes; slot is the earliest of theirs.
func (e Engine) nonces(ctx context.Context, from uint64, addresses []solana.PublicKey) (values [][]solana.Hash, slot uint64, err error) {
	for n, chain := range e.Chains {
		list, at, err := chain.NoncesAt(ctx, from, addresses...)
		if err != nil {
			return nil, 0, fmt.Errorf("read %d lanes: %w", len(addresses), err)
		}
		if values = append(values, list); n == 0 || at < slot {
			slot = at
		}
	}
	return values, slot, nil
}

func addressesOf(lanes []Lane) []solana.PublicKey {
	addresses := make([]solana.PublicKey, len(lanes))
	for n, lane := range lanes {
		addresses[n] = lane.Address
	}
	return addresses
}

// missingLanes writes down the values of lanes that exist, and says how to make those
// that do not. A lane is known to the ledger before it is made; one that the ledger
// does not know and the chain has is from a later time than the ledger.
func (e Engine) missingLanes(ctx context.Context, g Ground, known map[int]Lane, numbers []int) ([]piece, error) {
	if len(numbers) == 0 {
		return nil, nil
	}
	lanes := make([]Lane, len(numbers))
	from := uint64(0)
	for n, number := range numbers {
		address, err := LaneAddress(g.Wallet.Address, number)
		if err != nil {
			return nil, err
		}
		lane, ok := known[number]
		if !ok {
			lane = Lane{Mint: g.Mint, Number: number, Address: address}
		}
		lanes[n], from = lane, max(from, lane.Slot)
	}
	values, slot, err := e.nonces(ctx, from, addressesOf(lanes))
	if err != nil {
		return nil, err
	}
	var lacking []Lane
	for n, lane := range lanes {
		for _, node := range values {
			if node[n] != values[0][n] {
				return nil, onchain.ErrBehind
			}
		}
		_, planned := known[lane.Number]
		switch lane.Value = values[0][n]; {
		case lane.Value.IsZero() && planned:
			lacking = append(lacking, lane)
		case lane.Value.IsZero():
			if err := e.Store.PutLane(ctx, lane); err != nil {
				return nil, err
			}
			lacking = append(lacking, lane)
		case !planned:
			lane.Slot = slot
			return nil, e.freeze(ctx, lane)
		default:
			lane.Slot = slot
			if err := e.unused(ctx, g, lane.Number); err != nil {
				return nil, err
			}
			if err := e.Store.PutLane(ctx, lane); err != nil {
				return nil, err
			}
		}
	}
	return e.lanePieces(ctx, g, lacking)
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

// lanePieces make lanes at their addresses, where anybody may have sent lamports
// before.
func (e Engine) lanePieces(ctx context.Context, g Ground, lanes []Lane) ([]piece, error) {
	if len(lanes) == 0 {
		return nil, nil
	}
	rent, err := e.Chains[0].MinimumBalance(ctx, systemprogram.NonceAccountSize)
	if err != nil {
		return nil, err
	}
	accounts, err := e.Chains[0].Holders(ctx, addressesOf(lanes)...)
	if err != nil {
		return nil, fmt.Errorf("read %d lanes: %w", len(lanes), err)
	}
	pieces := make([]piece, len(lanes))
	for n, lane := range lanes {
		p := &pieces[n]
		if a := accounts[n]; a == nil || a.Lamports < rent {
			p.lamports = rent
			if a != nil {
				p.lamports -= a.Lamports
			}
			p.instructions = append(p.instructions,
				systemprogram.Transfer{From: g.Wallet.Address, To: lane.Address, Lamports: p.lamports}.Instruction())
		}
		p.instructions = append(p.instructions,
			systemprogram.AllocateWithSeed{
				Account: lane.Address, Base: g.Wallet.Address, Seed: laneSeed(lane.Number),
				Space: systemprogram.NonceAccountSize, Owner: solana.SystemProgramID,
			}.Instruction(),
			systemprogram.InitializeNonceAccount{Nonce: lane.Address, Authority: g.Wallet.Address}.Instruction())
	}
	return pieces, nil
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
