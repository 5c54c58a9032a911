package payout

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/logctx"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
)

// MostLanes is how many lanes of a wallet may be at work. A lane that is frozen for
// a payment that nobody can decide is replaced by the one whose number is this
// much larger. It was 16 once, and numbers went up to 512: a lane that took the place
// of another then is one of the first by its number now, and is used as such.
const MostLanes = 2048

// mostNumber bounds the numbers of lanes, replaced ones included.
const mostNumber = 32 * MostLanes

// errNoLane: there is no lane of the number, and none in its place, yet.
var errNoLane = errors.New("the wallet does not have the lane")

func laneSeed(number int) string { return fmt.Sprintf("lane/v1/%d", number) }

// LaneAddress gives the address of a wallet's lane, which follows from the two.
func LaneAddress(wallet solana.PublicKey, number int) (solana.PublicKey, error) {
	address, err := systemprogram.AddressWithSeed(wallet, laneSeed(number), solana.SystemProgramID)
	if err != nil {
		return solana.PublicKey{}, fmt.Errorf("derive lane %d: %w", number, err)
	}
	return address, nil
}

// pick gives the lane that serves in the place of a number.
func (e Engine) pick(ctx context.Context, mint solana.PublicKey, number int) (Lane, error) {
	return pickFrom(mint, number, func(n int) (Lane, error) { return e.Store.Lane(ctx, mint, n) })
}

// pickOf is pick among lanes that were read already.
func pickOf(known map[int]Lane, mint solana.PublicKey, number int) (Lane, error) {
	return pickFrom(mint, number, func(n int) (Lane, error) {
		lane, ok := known[n]
		if !ok {
			return Lane{}, ErrNotFound
		}
		return lane, nil
	})
}

func pickFrom(mint solana.PublicKey, number int, read func(number int) (Lane, error)) (Lane, error) {
	for n := number; n < mostNumber; n += MostLanes {
		lane, err := read(n)
		switch {
		case errors.Is(err, ErrNotFound), err == nil && lane.Value.IsZero() && lane.Frozen == "":
			return Lane{Mint: mint, Number: n}, errNoLane
		case err != nil:
			return Lane{}, fmt.Errorf("read lane %d: %w", n, err)
		case lane.Frozen == Restored:
			return Lane{}, ErrRestored
		case lane.Frozen == "":
			return lane, nil
		}
	}
	return Lane{}, fmt.Errorf("lane %d has been replaced too often", number)
}

// lane gives the free lane that an intent may be bound to, with a value that all
// nodes agree on; nil when it has to wait. A wallet that could not pay for all its
// lanes has fewer, and they serve for the missing ones.
func (e Engine) lane(ctx context.Context, m movement, i Intent) (*Lane, Next, error) {
	lane, err := e.pick(ctx, i.Mint, m.lane)
	if errors.Is(err, errNoLane) {
		lane, err = e.standIn(ctx, i.Mint, m.lane)
	}
	if errors.Is(err, errNoLane) {
		return e.replace(ctx, m, i)
	}
	if err != nil {
		return nil, Next{}, err
	}
	if lane.Intent != (ID{}) {
		return nil, Next{After: e.Pace.Look}, e.occupant(ctx, m, lane, i)
	}
	next, err := e.agreed(ctx, &lane)
	if err != nil || next != nil {
		return nil, deref(next), err
	}
	return &lane, Next{}, nil
}

// standIn gives the lane that serves for one which is missing.
func (e Engine) standIn(ctx context.Context, mint solana.PublicKey, number int) (Lane, error) {
	list, err := e.Store.Lanes(ctx, mint)
	if err != nil {
		return Lane{}, fmt.Errorf("list the lanes of %s: %w", mint, err)
	}
	known := byNumber(list)
	err = errNoLane
	for n := number - 1; errors.Is(err, errNoLane) && n >= 0; n-- {
		if _, err = pickOf(known, mint, n); err == nil {
			return pickOf(known, mint, number%(n+1))
		}
	}
	return Lane{}, err
}

func byNumber(list []Lane) map[int]Lane {
	known := make(map[int]Lane, len(list))
	for _, lane := range list {
		known[lane.Number] = lane
	}
	return known
}

// replace makes the lane that an intent needs and that is not there, because the
// one in its place was frozen.
func (e Engine) replace(ctx context.Context, m movement, i Intent) (*Lane, Next, error) {
	next, err := e.Lanes(ctx, Ground{Run: i.ID.Run, Mint: i.Mint, Wallet: m.wallet, Lanes: 1})
	if err == nil && next.Done {
		if _, err = e.pick(ctx, i.Mint, 0); errors.Is(err, errNoLane) {
			return nil, Next{}, &Refusal{Reason: ReasonFunds, Detail: "The wallet has too little SOL for a nonce account."}
		}
		next = Next{}
		if err == nil {
			err = ErrConflict // it is there now
		}
	}
	return nil, next, err
}

// agreed reads the value of a lane that has nothing signed on it. It gives nil when
// all nodes have read the recorded one, and how long to wait when they have not
// come as far or are at odds. When all show another value, something moved that
// the ledger does not know of: all lanes are frozen.
func (e Engine) agreed(ctx context.Context, lane *Lane) (*Next, error) {
	var slots []uint64
	same := 0
	for _, chain := range e.Chains {
		value, slot, err := chain.NonceAt(ctx, lane.Address, lane.Slot)
		if err != nil {
			return nil, fmt.Errorf("read lane %d: %w", lane.Number, err)
		}
		slots = append(slots, slot)
		if value == lane.Value {
			same++
		}
	}
	switch same {
	case len(e.Chains):
		// Every node has read it at the earliest of the slots, or later.
		lane.Slot = max(lane.Slot, slices.Min(slots))
		return nil, nil
	case 0:
		// Somebody may have bound, sent and settled since the ledger was read.
		stored, err := e.Store.Lane(ctx, lane.Mint, lane.Number)
		if err != nil {
			return nil, fmt.Errorf("read lane %d: %w", lane.Number, err)
		}
		if stored.Version != lane.Version {
			return nil, ErrConflict
		}
		if stored.Intent != (ID{}) {
			if i, err := e.Store.Intent(ctx, stored.Intent); err != nil || i.Status() != Bound {
				return nil, errors.Join(ErrConflict, err)
			}
		}
		return nil, e.freeze(ctx, stored)
	}
	return &Next{After: e.Pace.Look}, nil
}

// freeze stops everything of a mint, beginning with the lane that shows that the
// ledger is older than the chain.
func (e Engine) freeze(ctx context.Context, seen Lane) error {
	seen.Frozen = Restored
	if err := e.Store.PutLane(ctx, seen); err != nil {
		return err
	}
	e.alarm(ctx, "the chain shows movements that the ledger does not have; the mint is frozen until it is rebuilt",
		slog.String(logctx.Mint, seen.Mint.String()), slog.Int("lane", seen.Number))
	lanes, err := e.Store.Lanes(ctx, seen.Mint)
	if err != nil {
		return fmt.Errorf("list the lanes of %s: %w", seen.Mint, err)
	}
	for _, lane := range lanes {
		for err = nil; err == nil && lane.Frozen == ""; lane, err = e.Store.Lane(ctx, lane.Mint, lane.Number) {
			lane.Frozen = Restored
			if err := e.Store.PutLane(ctx, lane); err != nil && !errors.Is(err, ErrConflict) {
				return err
			}
		}
		if err != nil {
			return fmt.Errorf("read a lane of %s: %w", seen.Mint, err)
		}
	}
	return ErrRestored
}

// occupant looks after the intent that a lane is bound to, for whoever was at it
// may be gone. One that has nothing signed gives way after a while.
func (e Engine) occupant(ctx context.Context, m movement, lane Lane, waiting Intent) error {
	i, err := e.Store.Intent(ctx, lane.Intent)
	if err != nil {
		return fmt.Errorf("read intent %s, which lane %d is bound to: %w", lane.Intent, lane.Number, err)
	}
	if i.ID == waiting.ID {
		return ErrConflict
	}
	switch {
	case i.Status() == Sent:
		_, _, err = e.look(ctx, movement{wallet: m.wallet, plan: i}, i)
	case i.Status() == Bound && e.Now().Sub(i.BoundAt) >= abandoned:
		lane.Intent = ID{}
		i.Refused, i.Detail = ReasonAbandoned, "It was bound, and nothing was signed for it."
		_, _, err = e.end(ctx, i, &lane)
	}
	return err
}
