package launchpad

import (
	"context"
	"fmt"
	"math/big"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/solana/bonding"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/token"
)

// Fees returns the earnings of the position of a mint's curve, claimable and claimed, at most two
// seconds old. It returns launchpad_not_found, or launchpad_cancelled if the position is closed.
func (s Service) Fees(ctx context.Context, mint solana.PublicKey) (Fees, error) {
	v, err := s.viewOf(ctx, mint)
	if err != nil {
		return Fees{}, err
	}
	return v.fees()
}

// fees computes the earnings from the pool and the position, which were read in one slot. If the
// chain has no pool, the earnings follow from the recorded trades.
func (v view) fees() (f Fees, err error) {
	switch {
	case v.absent && v.curve.State == token.CurveCancelled:
		return Fees{}, errFeesPaid
	case v.absent:
		return Fees{ClaimableLamports: recordedFees(v.curve)}, nil
	case !taken(v.position):
		return Fees{}, errFeesPaid
	}
	p, err := meteora.DecodePosition(v.position.Owner, v.position.Data)
	if err != nil {
		return Fees{}, fmt.Errorf("read the position of the curve of %s: %w", v.curve.Mint, err)
	}
	f.ClaimableTokens, f.ClaimableLamports = bonding.Earned(v.pool, p)
	f.ClaimedTokens, f.ClaimedLamports = p.ClaimedA, p.ClaimedB
	return f, nil
}

// programKeeps is the program's share of each fee, in ten-thousandths.
const programKeeps = 2_000

// recordedFees returns the earnings from a curve's recorded trades, for a chain without the
// program. The fee of a purchase is a share of the amount paid including the fee. The fee of a sale
// is a share of the pool's output.
func recordedFees(c market.Curve) uint64 {
	bps := big.NewInt(int64(c.FeeBps))
	bought := new(big.Int).SetUint64(c.Index.Paid)
	bought.Quo(bought.Mul(bought, bps), big.NewInt(FullBps-int64(c.FeeBps)))
	sold := new(big.Int).SetUint64(c.Index.Received)
	sold.Quo(sold.Mul(sold, bps), big.NewInt(FullBps))
	sum := bought.Add(bought, sold)
	return sum.Quo(sum.Mul(sum, big.NewInt(FullBps-programKeeps)), big.NewInt(FullBps)).Uint64()
}

// ClaimFees prepares and records the payment of all fees of a curve's position, for the holder of
// the position NFT. Locked liquidity earns fees, too, and so does a completed curve. It returns
// launchpad_not_found, not_curve_creator, launchpad_cancelled or nothing_to_claim.
func (s Service) ClaimFees(ctx context.Context, caller, mint solana.PublicKey) (FeeClaim, error) {
	v, err := s.look(ctx, mint)
	if err != nil {
		return FeeClaim{}, err
	}
	nft, err := s.holder(ctx, caller, v.curve)
	if err != nil {
		return FeeClaim{}, err
	}
	due, err := v.fees()
	if err != nil {
		return FeeClaim{}, err
	}
	out := FeeClaim{Tokens: due.ClaimableTokens, Lamports: due.ClaimableLamports, NFTMint: v.curve.NFTMint}
	if out.Tokens == 0 && out.Lamports == 0 {
		return FeeClaim{}, errNothingToClaim
	}
	side, err := s.sideOf(ctx, caller, mint, v.curve.Address)
	if err != nil {
		return FeeClaim{}, err
	}
	// The program requires an account for the token, even if all fees are SOL.
	steps, rent, err := s.openTokens(ctx, side)
	if err != nil {
		return FeeClaim{}, err
	}
	wrap, err := market.WrapSteps(caller, 0, side.wrapped)
	if err != nil {
		return FeeClaim{}, err
	}
	steps = append(append(steps, wrap...), transaction.Step{
		Instruction: meteora.ClaimPositionFee{PositionSide: positionSide(v.curve, side, nft)}.Instruction(),
		Explanation: explainClaim(v.curve, out, side.wrapped),
	})
	out.Unsigned, err = s.prepare(ctx, side, transaction.Draft{Kind: transaction.KindFees, Cost: transaction.Cost{Rent: rent}}, steps, claimUnits)
	if err != nil {
		return FeeClaim{}, err
	}
	return out, s.Issued.Record(ctx, out.Issue(solana.PublicKey{}, time.Time{}))
}

// explainClaim describes a claim. Trades before the landing increase the payout.
func explainClaim(c market.Curve, out FeeClaim, wrapped bool) string {
	text := fmt.Sprintf("Claims the trading fees that the position of the bonding curve %s has earned you, now %s SOL", c.Address, decimal.SOL(out.Lamports))
	if out.Tokens > 0 {
		text += fmt.Sprintf(" and %d base units of the token, of which its tax is taken", out.Tokens)
	}
	if wrapped {
		return text + ". The SOL stays in your account of wrapped SOL."
	}
	return text + "."
}
