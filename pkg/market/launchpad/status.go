package launchpad

import (
	"context"
	"fmt"
	"math/big"
	"time"

	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/solana/bonding"
	"tokenlaunch.example/service/pkg/solana/meteora"
)

// FullBps is 100 % in ten-thousandths.
const FullBps = 10_000

// farthest is the maximum time until an expected completion. A later completion is reported as
// unknown.
const farthest = 100 * 365 * 24 * time.Hour

// Status returns the state of a mint's curve, at most two seconds old. It returns
// launchpad_not_found.
func (s Service) Status(ctx context.Context, mint solana.PublicKey) (Status, error) {
	v, err := s.viewOf(ctx, mint)
	if err != nil {
		return Status{}, err
	}
	out, err := s.status(v.curve, v.pool, v.allLocked)
	out.CreatorShare = v.creator
	return out, err
}

// viewOf returns the result of look, cached for two seconds.
func (s Service) viewOf(ctx context.Context, mint solana.PublicKey) (view, error) {
	return s.Kept.get(mint, s.Now(), func() (view, error) { return s.look(ctx, mint) })
}

// List returns the states of up to limit curves, the newest first. The pages are the pages of
// Store.Page. limit is at most 100.
func (s Service) List(ctx context.Context, after string, limit int) (page []Status, next string, err error) {
	curves, next, err := s.Store.Page(ctx, after, limit)
	if err != nil || len(curves) == 0 {
		return nil, "", err
	}
	pools, own := make([]solana.PublicKey, len(curves)), make([]solana.PublicKey, len(curves))
	for i, c := range curves {
		pools[i], own[i] = c.Address, c.Position
	}
	accounts, err := s.Chain.Accounts(ctx, pools...)
	if err != nil {
		return nil, "", fmt.Errorf("read the pools of %d curves: %w", len(curves), err)
	}
	positions, err := s.Chain.Accounts(ctx, own...)
	if err != nil {
		return nil, "", fmt.Errorf("read the positions of %d curves: %w", len(curves), err)
	}
	for i, c := range curves {
		var p meteora.Pool
		allLocked := locked(c, positions[i])
		if a := accounts[i]; !taken(a) {
			allLocked = c.Locked
			p, err = fromRecord(c)
		} else {
			p, err = meteora.DecodePool(a.Owner, a.Data)
		}
		if err != nil {
			return nil, "", fmt.Errorf("read the curve of %s: %w", c.Mint, err)
		}
		one, err := s.status(c, p, allLocked)
		if err != nil {
			return nil, "", err
		}
		page = append(page, one)
	}
	return page, next, nil
}

// status derives the state of a curve from the pool.
func (s Service) status(c market.Curve, p meteora.Pool, allLocked bool) (Status, error) {
	out := Status{Curve: c, SqrtPrice: p.SqrtPrice, AllLocked: allLocked}
	var err error
	if out.Raised, out.Sold, err = collected(c, p); err != nil {
		return Status{}, fmt.Errorf("compute the curve of %s: %w", c.Mint, err)
	}
	switch {
	case c.State == token.CurveCompleted:
		out.ProgressBps = FullBps
	case out.Raised >= c.TargetLamports:
		out.ProgressBps = FullBps // the index has not yet recorded the completion
	default:
		part := new(big.Int).SetUint64(out.Raised)
		part.Mul(part, big.NewInt(FullBps))
		out.ProgressBps = part.Quo(part, new(big.Int).SetUint64(c.TargetLamports)).Int64()
	}
	if c.State == token.CurveActive {
		out.Expected = expected(c, out.Raised, s.Now())
	}
	return out, nil
}

// collected returns the raised and sold amounts of a curve, without fees. If the curve has all of
// the pool's liquidity, the pool's reserves are exact, to the last unit. Otherwise other users have
// added liquidity, or liquidity was withdrawn. Then the amounts follow from the price, which only
// trades change.
func collected(c market.Curve, p meteora.Pool) (raised, sold uint64, err error) {
	if p.Liquidity.Cmp(c.Liquidity) == 0 && p.ReserveA <= c.Tokens {
		return p.ReserveB, c.Tokens - p.ReserveA, nil
	}
	if raised, err = bonding.Raised(c.Liquidity, c.StartSqrtPrice, p.SqrtPrice); err != nil {
		return 0, 0, err
	}
	sold, err = bonding.Sold(c.Liquidity, c.StartSqrtPrice, p.SqrtPrice)
	return raised, sold, err
}

// begins returns the time of the first possible trade of a curve that is created at a given time.
func begins(c market.Curve, made time.Time) time.Time {
	if c.StartsAt.After(made) {
		return c.StartsAt
	}
	return made
}

// expected returns the time of reaching the target at the average rate since the curve's start. It
// returns zero if the curve has raised no SOL, or if the time is more than a hundred years away.
func expected(c market.Curve, raised uint64, now time.Time) time.Time {
	passed := now.Sub(begins(c, c.CreatedAt)).Milliseconds()
	if raised == 0 || raised >= c.TargetLamports || passed <= 0 {
		return time.Time{}
	}
	left := new(big.Int).SetUint64(c.TargetLamports - raised)
	left.Mul(left, big.NewInt(passed))
	left.Quo(left, new(big.Int).SetUint64(raised))
	if !left.IsInt64() || left.Int64() > farthest.Milliseconds() {
		return time.Time{}
	}
	return now.Add(time.Duration(left.Int64()) * time.Millisecond).Truncate(time.Millisecond)
}
