package launchpad

import (
	"fmt"
	"math/bits"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/solana/bonding"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// startsIn rejects a start that the program would reject: a start in the past of the chain's clock,
// or more than LatestStart in the future.
func (d Draft) startsIn(now market.Clock) error {
	if d.StartsAt.IsZero() {
		return nil
	}
	if t := now.Time(); d.StartsAt.After(t) && !d.StartsAt.After(t.Add(LatestStart)) {
		return nil
	}
	return outOfRange(fieldStart, fmt.Sprintf("Must be in the future, and within %d days: the network's clock shows %s.",
		int(LatestStart.Hours()/24), now.Time().Format(time.RFC3339)))
}

// fee returns the fee on trades.
func (d Draft) fee() (fee meteora.BaseFee, err error) {
	if d.SniperBps > 0 {
		fee, err = meteora.DecayingFee(d.SniperBps, d.FeeBps, d.Window, sniperStep)
	} else {
		fee, err = meteora.ConstantFee(d.FeeBps)
	}
	if err != nil {
		return meteora.BaseFee{}, fmt.Errorf("the fee of a curve of %s: %w", d.Mint, err)
	}
	return fee, nil
}

// first quotes the creator's first purchase, at most up to the target. The purchase is in the
// transaction that creates the pool, so no trade can be earlier. The quote is therefore exact, at
// the opening fee of the curve.
func (d Draft) first(p bonding.Params, tax token2022.TransferFee) (bonding.Quote, error) {
	if d.InitialLamports == 0 {
		return bonding.Quote{}, nil
	}
	fee, err := d.fee()
	if err != nil {
		return bonding.Quote{}, err
	}
	q, err := Amount{Lamports: d.InitialLamports}.upTo(fieldInitial, p.TargetSqrtPrice, p.Opening(fee), tax)
	if err != nil {
		return bonding.Quote{}, err
	}
	if _, carry := bits.Add64(q.Lamports, proofOfQuote, 0); carry != 0 {
		return bonding.Quote{}, outOfRange(fieldInitial, "Must be less.")
	}
	return q, nil
}

// firstPurchase returns the instruction of the first purchase: exactly the quoted lamports, for at
// least the quoted tokens.
func firstPurchase(mint solana.PublicKey, at meteora.Accounts, side side, q bonding.Quote) transaction.Step {
	return transaction.Step{
		Instruction: meteora.Swap2{
			Pool: at.Pool, TokenVault: at.TokenVault, SOLVault: at.SOLVault, TokenMint: mint, TokenProgram: side.mint.Program,
			Payer: side.owner, PayerToken: side.tokenAccount, PayerSOL: side.wrappedAccount,
			Direction: meteora.Buy, Mode: meteora.ExactIn, Amount: q.Lamports, Limit: q.Tokens,
		}.Instruction(),
		Explanation: fmt.Sprintf("Buys %s of the token for %s SOL, fee included, as the curve's first trade; that much arrives after tax.",
			side.mint.Tokens(q.Tokens), decimal.SOL(q.Lamports)),
	}
}
