package launchpad

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/venue"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/bonding"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// view is a curve with what the chain says of it, all read in one slot.
type view struct {
	curve market.Curve
	// pool is the pool's state; where the chain has none, what follows from the record.
	pool meteora.Pool
	// allLocked is Status.AllLocked.
	allLocked bool
	// creator is what the curve's creator has of the token; nil while it is not known.
	creator *Share
	// absent says that the chain has no pool, and position is the account of the curve's
	// own one; nil: there is none, or not any more.
	absent   bool
	position *onchain.Account
	mint     *onchain.Account
	now      market.Clock
}

// clockOf reads the chain's clock.
func clockOf(a *onchain.Account) (market.Clock, error) {
	now, err := venue.ClockOf(a)
	if err != nil {
		return market.Clock{}, apperr.Upstream("The Solana network", err)
	}
	return now, nil
}

// tax is the token's tax now. The mint of a curve was taken when that was made.
func (v view) tax() (token2022.TransferFee, error) {
	m, err := v.checkMint()
	if err != nil || m.Fee == nil {
		return token2022.TransferFee{}, err
	}
	return m.Fee.At(v.now.Epoch), nil
}

func (v view) checkMint() (market.Mint, error) {
	if v.mint == nil {
		return market.Mint{}, apperr.Upstream("The Solana network", fmt.Errorf("the mint %s of a curve is missing", v.curve.Mint))
	}
	return market.CheckMint(v.curve.Mint, v.mint.Owner, v.mint.Data)
}

// maxAccounts is how many accounts a node reads at once (Solana, getMultipleAccounts).
const maxAccounts = 100

// The accounts that each look begins with, and how many they are.
const (
	atProgram = iota
	atClock
	atMint
	atPool
	fixed
)

// keepCandidates is how long a curve that was prepared counts, where nothing tells whether it
// was made; the store may have it a while longer.
const keepCandidates = 7 * 24 * time.Hour

// look gives a mint's curve with its pool, as it is now. It fails with
// launchpad_not_found when it has none that was prepared here.
func (s Service) look(ctx context.Context, mint solana.PublicKey) (view, error) {
	v, err := s.lookOnce(ctx, mint)
	if !errors.Is(err, errNotFound) {
		return v, err
	}
	// A candidate that becomes the curve just now is in neither place for a reader who
	// looks for the curve first.
	if _, now := s.Store.Curve(ctx, mint); now == nil {
		return s.lookOnce(ctx, mint)
	}
	return v, err
}

func (s Service) lookOnce(ctx context.Context, mint solana.PublicKey) (view, error) {
	pool, err := meteora.PoolAddress(mint, solana.WrappedSol)
	if err != nil {
		return view{}, err
	}
	recorded, err := s.Store.Curve(ctx, mint)
	var candidates []market.Curve
	switch {
	case errors.Is(err, market.ErrNotFound):
		if candidates, err = s.Store.Candidates(ctx, mint); err != nil {
			return view{}, err
		}
		candidates = slices.DeleteFunc(candidates, func(c market.Curve) bool { return s.Now().Sub(c.PreparedAt) > keepCandidates })
		if len(candidates) == 0 {
			return view{}, errNotFound
		}
		// Its creator's first: anyone may have prepared any number.
		slices.SortStableFunc(candidates, func(a, b market.Curve) int { return rank(a) - rank(b) })
		candidates = candidates[:min(len(candidates), maxAccounts-fixed)]
	case err != nil:
		return view{}, err
	}
	addresses := []solana.PublicKey{atProgram: meteora.Program, atClock: solana.SysVarClockPubkey, atMint: mint, atPool: pool}
	if len(candidates) == 0 {
		held, err := token2022.AssociatedAddress(recorded.Creator, mint, recorded.TokenProgram)
		if err != nil {
			return view{}, err
		}
		addresses = append(addresses, recorded.Position, held)
	}
	for _, c := range candidates {
		addresses = append(addresses, c.Position)
	}
	accounts, err := s.Chain.Accounts(ctx, addresses...)
	if err != nil {
		return view{}, fmt.Errorf("read the curve of %s: %w", mint, err)
	}
	v := view{curve: recorded, mint: accounts[atMint]}
	if v.now, err = clockOf(accounts[atClock]); err != nil {
		return view{}, err
	}
	if len(candidates) == 0 {
		v.creator = shareOf(v.mint, accounts[fixed+1])
	}
	there := accounts[atPool]
	if !taken(there) {
		there = nil
	}
	v.absent = there == nil
	switch {
	case there == nil && len(candidates) == 0:
		v.allLocked = recorded.Locked
		v.pool, err = fromRecord(recorded)
	case there == nil && accounts[atProgram] == nil:
		// Nothing tells whether it was sent; it is answered as if it had been.
		v.curve = candidates[0]
		v.curve.State, v.curve.CreatedAt = token.CurveActive, v.curve.PreparedAt
		v.allLocked = v.curve.Locked
		v.pool, err = fromRecord(v.curve)
	case there == nil:
		return view{}, errNotFound
	default:
		if v.pool, err = meteora.DecodePool(there.Owner, there.Data); err == nil && len(candidates) > 0 {
			v.curve, err = landed(v.pool, pool, candidates, accounts[fixed:])
		}
		// A curve that landed is one of those whose positions were read.
		for i, a := range accounts[fixed:] {
			if addresses[fixed+i] == v.curve.Position {
				v.position, v.allLocked = a, locked(v.curve, a)
			}
		}
	}
	if err != nil {
		return view{}, fmt.Errorf("read the curve of %s: %w", mint, err)
	}
	return v, nil
}

func rank(c market.Curve) int {
	if c.Official {
		return 0
	}
	return 1
}

// locked says whether a is the curve's own position and has all of the curve's
// liquidity permanently locked. The pool's sum does not tell that: anyone may lock
// liquidity of their own in the pool.
func locked(c market.Curve, a *onchain.Account) bool {
	if a == nil {
		return false
	}
	p, err := meteora.DecodePosition(a.Owner, a.Data)
	return err == nil && p.Pool == c.Address && p.NFTMint == c.NFTMint && p.Locked.Cmp(c.Liquidity) >= 0
}

// landed finds the candidate that a pool was made by, before the reconciler has. A
// pool that was made without the service is none of its curves.
func landed(p meteora.Pool, address solana.PublicKey, candidates []market.Curve, positions []*onchain.Account) (market.Curve, error) {
	for i, c := range candidates {
		if positions[i] == nil || p.Creator != c.Creator || p.InitSqrtPrice.Cmp(c.StartSqrtPrice) != 0 {
			continue
		}
		position, err := meteora.DecodePosition(positions[i].Owner, positions[i].Data)
		if errors.Is(err, onchain.ErrUnreadable) {
			return market.Curve{}, fmt.Errorf("read the position %s: %w", c.Position, err)
		}
		if err != nil || position.Pool != address || position.NFTMint != c.NFTMint {
			continue
		}
		c.State, c.CreatedAt = token.CurveActive, c.PreparedAt
		if at, ok := p.OpenedAt(); ok && c.StartsAt.IsZero() {
			c.CreatedAt = at
		}
		return c, nil
	}
	return market.Curve{}, errNotFound
}

// fromRecord gives the pool that follows from what is recorded of a curve, where the
// chain has none: a local one, offline, lacks the program.
func fromRecord(c market.Curve) (meteora.Pool, error) {
	fee, err := meteora.ConstantFee(c.FeeBps)
	if err != nil {
		return meteora.Pool{}, err
	}
	raised := c.Index.Paid - min(c.Index.Paid, c.Index.Received)
	price := new(big.Int).Lsh(new(big.Int).SetUint64(raised), 128)
	price.Add(price.Quo(price, c.Liquidity), c.StartSqrtPrice)
	var opens uint64
	if !c.StartsAt.IsZero() {
		opens = uint64(c.StartsAt.Unix()) //nolint:gosec // after 1970
	}
	return meteora.Pool{
		Fee: fee, ActivationPoint: opens, CollectFeeMode: meteora.CollectOnlyB, ActivationType: meteora.ActivationByTime, Customizable: true,
		InitSqrtPrice: c.StartSqrtPrice, MinSqrtPrice: c.StartSqrtPrice, MaxSqrtPrice: meteora.MaxSqrtPrice(), SqrtPrice: price,
		Liquidity: c.Liquidity, Creator: c.Creator,
		ReserveA: c.Tokens - min(c.Tokens, c.Index.Bought-min(c.Index.Bought, c.Index.Sold)), ReserveB: raised,
	}, nil
}

// state is the pool as the arithmetic wants it.
func (v view) state() (bonding.State, error) { return bonding.StateOf(v.pool, v.now.Time()) }
