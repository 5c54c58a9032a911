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

// FullBps is all of a target, in ten-thousandths.
const FullBps = 10_000

// farthest bounds an expected completion: what takes longer is not known.
const farthest = 100 * 365 * 24 * time.Hour

// Status says how the curve of a mint stands, at most two seconds ago. It fails with
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

// viewOf is look, kept for two seconds.
func (s Service) viewOf(ctx context.Context, mint solana.PublicKey) (view, error) {
	return s.Kept.get(mint, s.Now(), func() (view, error) { return s.look(ctx, mint) })
}

// List says how up to limit curves stand, the newest first, as Store.Page pages them.
// Their pools are read at once, and then their positions. limit is at most 100.
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

// status derives how a curve stands from its pool.
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
		out.ProgressBps = FullBps // and the index is about to record so
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

// collected gives what a curve has raised and sold, without fees. While all of the
// pool's liquidity is the curve's, that is what the pool counts, to the last unit.
// Others may add liquidity of their own, and what is withdrawn leaves the pool: then
// the price tells it, which stays where trades have brought it.
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

// begins is when a curve that is made at a time takes its first trade.
func begins(c market.Curve, made time.Time) time.Time {
	if c.StartsAt.After(made) {
		return c.StartsAt
	}
	return made
}

// expected is when the target is reached if SOL comes in as it has since the curve
// began; zero when nothing has come in, or when that is a hundred years from now.
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
