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

// startsIn refuses a start that the program would: by the chain's clock it is to be later
// than now, by LatestStart at most.
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

// fee is the fee on trades.
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

// first quotes the creator's first purchase, up to the target as any other. It is in the
// transaction that makes the pool, so that no trade comes before it: the quote is what it
// buys, to the unit, at the fee with which the curve begins.
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

// firstPurchase is the instruction of a first purchase: for exactly its lamports, of no
// fewer tokens than were quoted.
func firstPurchase(mint solana.PublicKey, at meteora.Accounts, side side, q bonding.Quote) transaction.Step {
	return transaction.Step{
		Instruction: meteora.Swap2{
			Pool: at.Pool, TokenVault: at.TokenVault, SOLVault: at.SOLVault, TokenMint: mint, TokenProgram: side.mint.Program,
			Payer: side.owner, PayerToken: side.tokenAccount, PayerSOL: side.wrappedAccount,
			Direction: meteora.Buy, Mode: meteora.ExactIn, Amount: q.Lamports, Limit: q.Tokens,
		}.Instruction(),
		Explanation: fmt.Sprintf("Buys %d base units of the token for %s SOL, fee included, as the curve's first trade; that much arrives after tax.",
			q.Tokens, decimal.SOL(q.Lamports)),
	}
}
