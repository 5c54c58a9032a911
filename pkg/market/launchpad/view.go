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

// view is a curve with its state on the chain, read in one slot.
type view struct {
	curve market.Curve
	// pool is the pool's state. If the chain has no pool, the state follows from the record.
	pool meteora.Pool
	// allLocked is Status.AllLocked.
	allLocked bool
	// creator is the creator's share of the token. Nil means unknown.
	creator *Share
	// absent reports whether the chain has no pool. position is the account of the curve's
	// position, or nil if the account is missing or closed.
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

// tax returns the token's present tax. The creation of the curve has already checked the mint.
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

// maxAccounts is the maximum number of accounts in one request (Solana, getMultipleAccounts).
const maxAccounts = 100

// The accounts at the start of each request, and the number of these accounts.
const (
	atProgram = iota
	atClock
	atMint
	atPool
	fixed
)

// keepCandidates is the lifetime of a prepared curve if the chain cannot show the creation. The
// store may keep the candidate longer.
const keepCandidates = 7 * 24 * time.Hour

// look reads a mint's curve with the pool. It returns launchpad_not_found if the mint has no curve
// of the service.
func (s Service) look(ctx context.Context, mint solana.PublicKey) (view, error) {
	v, err := s.lookOnce(ctx, mint)
	if !errors.Is(err, errNotFound) {
		return v, err
	}
	// The candidate may have become the curve between the two reads. Read the curve again.
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
		// The creator's candidates are first, because anyone can prepare any number of candidates.
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
		// The chain cannot show whether the transaction was sent. Assume the transaction was sent.
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
		// The positions of all possible curves were read.
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

// locked reports whether a is the curve's position with all of the curve's liquidity permanently
// locked. The pool's total does not show this, because anyone may lock additional liquidity in the
// pool.
func locked(c market.Curve, a *onchain.Account) bool {
	if a == nil {
		return false
	}
	p, err := meteora.DecodePosition(a.Owner, a.Data)
	return err == nil && p.Pool == c.Address && p.NFTMint == c.NFTMint && p.Locked.Cmp(c.Liquidity) >= 0
}

// landed returns the candidate that created a pool, before the reconciler has recorded the curve.
// It returns errNotFound for a pool that was created without the service.
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

// fromRecord computes the pool from a curve's record, for a chain without the pool, such as a
// local, offline chain without the program.
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

// state returns the pool's state for quotes.
func (v view) state() (bonding.State, error) { return bonding.StateOf(v.pool, v.now.Time()) }
