package client

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/bonding"
	"tokenlaunch.example/service/pkg/solana/locker"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// The defaults of omitted fields, and the service's price, as in the OpenAPI document.
const (
	defaultMultiplier = 1600
	defaultTradeFee   = 100
	defaultSlippage   = 300
	dayOfPromotion    = 300_000_000 // lamports
)

// signed checks and signs a transaction.
func (c *Client) signed(ctx context.Context, check func(wallet solana.PublicKey) (wire.Transaction, error)) (string, error) {
	signed, _, err := c.signedAs(ctx, check)
	return signed, err
}

// signedAs is signed with a description of the wallet's changes.
func (c *Client) signedAs(ctx context.Context, check func(wallet solana.PublicKey) (wire.Transaction, error)) (signed string, changes []string, err error) {
	if c.signer == nil {
		return "", nil, ErrNoSigner
	}
	tx, err := check(c.signer.PublicKey())
	if err != nil {
		return "", nil, err
	}
	return c.sign(ctx, tx)
}

func (c *Client) sign(ctx context.Context, tx wire.Transaction) (signed string, changes []string, err error) {
	if whole, ok := c.signer.(WholeSigner); ok {
		returned, err := whole.SignWhole(ctx, tx.Bytes())
		if err != nil {
			return "", nil, fmt.Errorf("sign the transaction: %w", err)
		}
		done, changes, err := CheckSigned(c.signer.PublicKey(), tx, returned)
		if err != nil {
			return "", nil, err
		}
		return done.Base64(), changes, nil
	}
	signature, err := c.signer.SignTransaction(ctx, tx.Message().Bytes())
	if err != nil {
		return "", nil, fmt.Errorf("sign the transaction: %w", err)
	}
	done := tx.Clone()
	if err := done.SetSignature(c.signer.PublicKey(), signature); err != nil {
		return "", nil, err
	}
	return done.Base64(), nil, nil
}

// ErrWalletChanged is returned when a wallet changed a transaction that is valid only unchanged.
// The transaction was not sent.
var ErrWalletChanged = errors.New("the wallet changed the transaction")

// CheckSigned checks the transaction that a wallet returned. issued is the transaction that a Check
// function returned. CheckSigned returns the transaction to submit or send, with the signatures of
// other signers that the wallet dropped, and describes the wallet's changes. The signatures in the
// issued transaction decide which changes are allowed:
//   - if signatures of other signers are missing, as in a launch, the service signs last: the
//     wallet may set another priority fee and append Lighthouse assertions, which the service accepts;
//   - if other signers have signed, no change is allowed, because the signatures are for the issued
//     message and the keys no longer exist;
//   - if the wallet is the only signer, every change is allowed.
//
// Otherwise it returns an error that wraps ErrWalletChanged and names the change.
func CheckSigned(wallet solana.PublicKey, issued wire.Transaction, returned []byte) (wire.Transaction, []string, error) {
	back, err := wire.ParseTransaction(returned)
	if err != nil {
		return wire.Transaction{}, nil, fmt.Errorf("%w: %w", ErrWalletChanged, err)
	}
	changes, err := transaction.Changes(issued.Message(), back.Message())
	unchanged := err == nil && len(changes) == 0
	missing := issued.Missing()
	last := slices.ContainsFunc(missing, func(signer solana.PublicKey) bool { return signer != wallet })
	alone := len(issued.Message().Signers()) == 1
	switch {
	case err != nil && alone:
		changes = []string{err.Error()}
	case err != nil && last:
		return wire.Transaction{}, nil, fmt.Errorf("%w: %w", ErrWalletChanged, err)
	case err != nil:
		return wire.Transaction{}, nil, fmt.Errorf("%w: %w; %s", ErrWalletChanged, err, cosigned)
	case !unchanged && !last && !alone:
		return wire.Transaction{}, nil, fmt.Errorf("%w: %s; %s", ErrWalletChanged, strings.Join(changes, ", "), cosigned)
	}
	signature, ok := back.Signature(wallet)
	if !ok {
		return wire.Transaction{}, nil, errors.New("the wallet returned the transaction without its signature")
	}
	done := issued.Clone()
	if !back.Message().Equal(issued.Message()) {
		done = wire.NewTransaction(back.Message())
	}
	if err := done.SetSignature(wallet, signature); err != nil {
		return wire.Transaction{}, nil, err
	}
	return done, changes, nil
}

// cosigned is the reason why a changed message cannot be used.
const cosigned = "it has a signature of a key that was made for this transaction only and is gone, so it can be sent only as it was issued: switch off what changes it, or use another wallet"

// SignLaunch signs the transaction of a launch after CheckLaunch.
func (c *Client) SignLaunch(ctx context.Context, asked TokenCreation, wallet DistributionWallet, given UnsignedToken) (string, error) {
	signed, _, err := c.signLaunch(ctx, asked, wallet, given)
	return signed, err
}

func (c *Client) signLaunch(ctx context.Context, asked TokenCreation, wallet DistributionWallet, given UnsignedToken) (string, []string, error) {
	return c.signedAs(ctx, func(owner solana.PublicKey) (wire.Transaction, error) {
		return CheckLaunch(owner, asked, wallet, given)
	})
}

// SignPool signs the transaction of a pool after CheckPool.
func (c *Client) SignPool(ctx context.Context, asked PoolCreation, given UnsignedPool) (string, error) {
	return c.signed(ctx, func(wallet solana.PublicKey) (wire.Transaction, error) { return CheckPool(wallet, asked, given) })
}

// SignCurve signs the transaction of a curve after CheckCurve.
func (c *Client) SignCurve(ctx context.Context, asked CurveCreation, tax Percent, given UnsignedCurve) (string, error) {
	return c.signed(ctx, func(wallet solana.PublicKey) (wire.Transaction, error) { return CheckCurve(wallet, asked, tax, given) })
}

// SignBuy signs a purchase after CheckBuy.
func (c *Client) SignBuy(ctx context.Context, mint solana.PublicKey, asked CurvePurchase, maximum Lamports, given UnsignedPurchase) (string, error) {
	return c.signed(ctx, func(wallet solana.PublicKey) (wire.Transaction, error) {
		return CheckBuy(wallet, mint, asked, maximum, given)
	})
}

// SignSpend signs a purchase for lamports after CheckSpend.
func (c *Client) SignSpend(ctx context.Context, mint solana.PublicKey, asked CurvePurchase, minimum Amount, given UnsignedPurchase) (string, error) {
	return c.signed(ctx, func(wallet solana.PublicKey) (wire.Transaction, error) {
		return CheckSpend(wallet, mint, asked, minimum, given)
	})
}

// SignSell signs a sale after CheckSell.
func (c *Client) SignSell(ctx context.Context, mint solana.PublicKey, asked CurveSale, minimum Lamports, given UnsignedSale) (string, error) {
	return c.signed(ctx, func(wallet solana.PublicKey) (wire.Transaction, error) {
		return CheckSell(wallet, mint, asked, minimum, given)
	})
}

// SignCancel signs the cancellation of a curve after CheckCancel.
func (c *Client) SignCancel(ctx context.Context, mint solana.PublicKey, given UnsignedCancellation) (string, error) {
	return c.signed(ctx, func(wallet solana.PublicKey) (wire.Transaction, error) { return CheckCancel(wallet, mint, given) })
}

// SignFeeClaim signs a claim of fees after CheckFeeClaim.
func (c *Client) SignFeeClaim(ctx context.Context, mint solana.PublicKey, given UnsignedFeeClaim) (string, error) {
	return c.signed(ctx, func(wallet solana.PublicKey) (wire.Transaction, error) { return CheckFeeClaim(wallet, mint, given) })
}

// SignLock signs a lock over time after CheckLock.
func (c *Client) SignLock(ctx context.Context, mint solana.PublicKey, asked TokenLock, tax Percent, given UnsignedLock) (string, error) {
	return c.signed(ctx, func(wallet solana.PublicKey) (wire.Transaction, error) {
		return CheckLock(wallet, mint, asked, tax, given)
	})
}

// SignPromotion signs the payment of a promotion after CheckPromotion.
func (c *Client) SignPromotion(ctx context.Context, asked PromotionPurchase, given UnsignedPromotion) (string, error) {
	return c.signed(ctx, func(wallet solana.PublicKey) (wire.Transaction, error) { return CheckPromotion(wallet, asked, given) })
}

// SignTransferFee signs a change of the tax after CheckTransferFee.
func (c *Client) SignTransferFee(ctx context.Context, mint solana.PublicKey, tax Percent, given UnsignedTransferFee) (string, error) {
	return c.signed(ctx, func(wallet solana.PublicKey) (wire.Transaction, error) {
		return CheckTransferFee(wallet, mint, tax, given)
	})
}

// CheckPool checks the transaction of a pool. CheckPool composes the transaction a second time from
// the request, and compares the bytes. The pool may be at the address that is derived from the
// mint, or at a fresh key that signs and has no other role.
func CheckPool(wallet solana.PublicKey, asked PoolCreation, given UnsignedPool) (wire.Transaction, error) {
	r, err := given.offer().read(wallet, false)
	if err != nil {
		return wire.Transaction{}, err
	}
	if given.PoolAddress == wallet {
		return wire.Transaction{}, mismatch("it would make your wallet the pool's account")
	}
	var all [][]transaction.Step
	for _, network := range []raydium.Network{raydium.Mainnet, raydium.Devnet} {
		at, err := network.AddressesAt(asked.TokenMint, given.PoolAddress)
		if err != nil {
			return wire.Transaction{}, mismatch("%v", err)
		}
		list, err := ways(wallet, asked.TokenMint, func(s side) ([]transaction.Step, error) {
			return s.pool(at, network, asked.TokenAmount.Uint64(), asked.SOLAmount.Uint64())
		})
		if err != nil {
			return wire.Transaction{}, err
		}
		all = append(all, list...)
	}
	return r.is(all...)
}

// CheckCurve checks the transaction of a curve as CheckPool does. tax is the token's tax, which
// decides how many tokens arrive, and therefore the first price. A first purchase is checked to the
// unit: the wallet receives the curve's result for the first buyer, or the transaction fails.
func CheckCurve(wallet solana.PublicKey, asked CurveCreation, tax Percent, given UnsignedCurve) (wire.Transaction, error) {
	r, err := given.offer().read(wallet, false)
	if err != nil {
		return wire.Transaction{}, err
	}
	make, err := asked.plan(tax)
	if err != nil {
		return wire.Transaction{}, mismatch("no curve can be made of the request: %v", err)
	}
	initial, err := asked.first(make, tax)
	if err != nil {
		return wire.Transaction{}, mismatch("nothing can be bought first: %v", err)
	}
	if given.PositionNFTMint == wallet {
		return wire.Transaction{}, mismatch("it would make your wallet the mint of the position NFT")
	}
	if make.Accounts, err = meteora.Addresses(asked.TokenMint, solana.WrappedSol, given.PositionNFTMint); err != nil {
		return wire.Transaction{}, mismatch("%v", err)
	}
	list, err := ways(wallet, asked.TokenMint, func(s side) ([]transaction.Step, error) {
		return s.curve(make, asked.LockLiquidity == nil || *asked.LockLiquidity, initial)
	})
	if err != nil {
		return wire.Transaction{}, err
	}
	return r.is(list...)
}

// plan returns the parameters of a curve, with defaults for omitted fields.
func (r CurveCreation) plan(tax Percent) (make meteora.InitializeCustomizablePool, err error) {
	if tax.count > token2022.MaxBasisPoints {
		return make, fmt.Errorf("a tax of %s percent", tax)
	}
	target, err := r.target()
	if err != nil {
		return make, err
	}
	withheld := fee(tax).On(r.TokenAmount.Uint64())
	multiplier := or(r.PriceMultiplier.count, defaultMultiplier)
	plan, err := bonding.Plan(bonding.Request{
		Tokens: r.TokenAmount.Uint64() - withheld, TargetLamports: target, MultiplierBps: int64(min(multiplier, math.MaxInt32)) * 100,
	})
	if err != nil {
		return make, err
	}
	end := int(min(or(r.TradeFeePercent.count, defaultTradeFee), math.MaxInt32))
	if make.Fee, err = meteora.ConstantFee(end); r.AntiSniperFeePercent.count > 0 {
		const step = 10 * time.Second
		start := int(min(r.AntiSniperFeePercent.count, math.MaxInt32))
		make.Fee, err = meteora.DecayingFee(start, end, time.Duration(r.AntiSniperMinutes)*time.Minute, step)
	}
	if !r.StartsAt.IsZero() {
		make.ActivationPoint = new(uint64(max(0, r.StartsAt.Unix()))) // #nosec G115 -- not negative
	}
	make.MinSqrtPrice, make.SqrtPrice, make.MaxSqrtPrice, make.Liquidity = plan.StartSqrtPrice, plan.StartSqrtPrice, plan.MaxSqrtPrice, plan.Liquidity
	return make, err
}

// first quotes the first purchase of a curve; zero without a first purchase.
func (r CurveCreation) first(make meteora.InitializeCustomizablePool, tax Percent) (bonding.Quote, error) {
	if r.InitialBuyLamports.Uint64() == 0 {
		return bonding.Quote{}, nil
	}
	opening := bonding.Params{StartSqrtPrice: make.SqrtPrice, MaxSqrtPrice: make.MaxSqrtPrice, Liquidity: make.Liquidity}.Opening(make.Fee)
	return bonding.BuyIn(opening, r.InitialBuyLamports.Uint64(), fee(tax))
}

// fee returns the tax as an on-chain transfer fee, without a maximum.
func fee(tax Percent) token2022.TransferFee {
	return token2022.TransferFee{BasisPoints: uint16(min(tax.count, token2022.MaxBasisPoints)), MaximumFee: math.MaxUint64}
}

// target parses the target market cap, in lamports, by the service's rules.
func (r CurveCreation) target() (uint64, error) {
	const solDigits, milliDigits, ambiguous = 9, 6, 1000_000_000_000
	sol, err := ParseDecimal(string(r.TargetMarketCap), solDigits)
	switch {
	case r.TargetMarketCapUnit == "SOL", r.TargetMarketCapUnit == "" && err == nil && sol < ambiguous:
		return sol, err
	case r.TargetMarketCapUnit == "milliSOL", r.TargetMarketCapUnit == "":
		return ParseDecimal(string(r.TargetMarketCap), milliDigits)
	}
	return 0, fmt.Errorf("there is no unit %q", r.TargetMarketCapUnit)
}

// or returns value, or other if value is zero.
func or[T comparable](value, other T) T {
	var zero T
	if value == zero {
		return other
	}
	return value
}

// CheckBuy checks a purchase of an amount of tokens as CheckPool does. Exactly the requested amount
// arrives. The maximum price is at most most, and exceeds the current price in the response by at
// most the requested slippage. The unspent SOL returns to the wallet, or stays wrapped SOL if the
// wallet had an account of wrapped SOL. Use CheckSpend for a purchase for lamports.
func CheckBuy(wallet, mint solana.PublicKey, asked CurvePurchase, maximum Lamports, given UnsignedPurchase) (wire.Transaction, error) {
	r, err := given.offer().read(wallet, false)
	if err != nil {
		return wire.Transaction{}, err
	}
	if asked.Lamports.Uint64() > 0 || asked.TokenAmount.Uint64() == 0 {
		return wire.Transaction{}, mismatch("this is no purchase of an amount of tokens")
	}
	now, err := ParseDecimal(string(given.SOLCost), solDecimals)
	if err != nil {
		return wire.Transaction{}, mismatch("what it costs now: %v", err)
	}
	limit := given.MaximumLamports.Uint64()
	switch allowed := slipped(now, token2022.MaxBasisPoints+slippage(asked.SlippagePercent), token2022.MaxBasisPoints-1); {
	case given.MaximumLamports.Uint64() > maximum.Uint64():
		return wire.Transaction{}, mismatch("it costs up to %s, more than %s", given.MaximumLamports, maximum)
	case new(big.Int).SetUint64(limit).Cmp(allowed) > 0:
		return wire.Transaction{}, mismatch("it costs up to %s, more than the slippage allows above %s", given.MaximumLamports, LamportsOf(now))
	}
	list, err := ways(wallet, mint, func(s side) ([]transaction.Step, error) {
		return s.swap(meteora.Buy, meteora.ExactOut, asked.TokenAmount.Uint64(), limit)
	})
	if err != nil {
		return wire.Transaction{}, err
	}
	return r.is(list...)
}

// CheckSpend checks a purchase for lamports as CheckPool does. The wallet pays exactly the
// requested lamports. The minimum amount of tokens is at least least, and is below the current
// amount in the response by at most the requested slippage.
func CheckSpend(wallet, mint solana.PublicKey, asked CurvePurchase, minimum Amount, given UnsignedPurchase) (wire.Transaction, error) {
	r, err := given.offer().read(wallet, false)
	if err != nil {
		return wire.Transaction{}, err
	}
	limit := given.MinimumTokenAmount.Uint64()
	switch allowed := slipped(given.TokenAmount.Uint64(), token2022.MaxBasisPoints-slippage(asked.SlippagePercent), 0); {
	case asked.Lamports.Uint64() == 0 || asked.TokenAmount.Uint64() > 0:
		return wire.Transaction{}, mismatch("this is no purchase for an amount of lamports")
	case limit < max(1, minimum.Uint64()):
		return wire.Transaction{}, mismatch("%s base units arrive at least, fewer than %d", given.MinimumTokenAmount, max(1, minimum.Uint64()))
	case new(big.Int).SetUint64(limit).Cmp(allowed) < 0:
		return wire.Transaction{}, mismatch("%s base units arrive at least, fewer than the slippage allows below %s", given.MinimumTokenAmount, given.TokenAmount)
	}
	list, err := ways(wallet, mint, func(s side) ([]transaction.Step, error) {
		return s.swap(meteora.Buy, meteora.ExactIn, asked.Lamports.Uint64(), limit)
	})
	if err != nil {
		return wire.Transaction{}, err
	}
	return r.is(list...)
}

// CheckSell checks a sale as CheckPool does. Exactly the requested tokens leave the wallet. The
// minimum return is at least least, and is below the current return in the response by at most the
// requested slippage.
func CheckSell(wallet, mint solana.PublicKey, asked CurveSale, minimum Lamports, given UnsignedSale) (wire.Transaction, error) {
	r, err := given.offer().read(wallet, false)
	if err != nil {
		return wire.Transaction{}, err
	}
	now, err := ParseDecimal(string(given.SOLReceived), solDecimals)
	if err != nil {
		return wire.Transaction{}, mismatch("what it brings now: %v", err)
	}
	limit := given.MinimumLamports.Uint64()
	switch allowed := slipped(now, token2022.MaxBasisPoints-slippage(asked.SlippagePercent), 0); {
	case limit < max(1, minimum.Uint64()):
		return wire.Transaction{}, mismatch("it brings %s at least, less than %s", given.MinimumLamports, LamportsOf(max(1, minimum.Uint64())))
	case new(big.Int).SetUint64(limit).Cmp(allowed) < 0:
		return wire.Transaction{}, mismatch("it brings %s at least, less than the slippage allows below %s", given.MinimumLamports, LamportsOf(now))
	}
	list, err := ways(wallet, mint, func(s side) ([]transaction.Step, error) {
		return s.swap(meteora.Sell, meteora.ExactIn, asked.TokenAmount.Uint64(), limit)
	})
	if err != nil {
		return wire.Transaction{}, err
	}
	return r.is(list...)
}

const solDecimals = 9

// slippage returns the requested slippage or the default, in basis points, at most 100 %.
func slippage(asked *Percent) uint64 {
	if asked == nil {
		return defaultSlippage
	}
	return min(asked.count, token2022.MaxBasisPoints)
}

// slipped returns amount × bps / 10000. more is added before the division, to round up.
func slipped(amount, bps, more uint64) *big.Int {
	number := func(n uint64) *big.Int { return new(big.Int).SetUint64(n) }
	n := number(amount)
	n.Mul(n, number(bps)).Add(n, number(more))
	return n.Quo(n, big.NewInt(token2022.MaxBasisPoints))
}

// CheckCancel checks the cancellation of a curve as CheckPool does. The whole withdrawal goes to
// the wallet, and the position is in the pool of this token.
func CheckCancel(wallet, mint solana.PublicKey, given UnsignedCancellation) (wire.Transaction, error) {
	r, err := given.offer().read(wallet, false)
	if err != nil {
		return wire.Transaction{}, err
	}
	nft, err := closes(r.rest)
	if err != nil {
		return wire.Transaction{}, err
	}
	list, err := outOf(wallet, mint, nft, side.withdraw)
	if err != nil {
		return wire.Transaction{}, err
	}
	return r.is(list...)
}

// CheckFeeClaim checks a claim of fees as CheckPool does. The fees go to the wallet, and the
// position is the position in the response, in the pool of this token.
func CheckFeeClaim(wallet, mint solana.PublicKey, given UnsignedFeeClaim) (wire.Transaction, error) {
	r, err := given.offer().read(wallet, false)
	if err != nil {
		return wire.Transaction{}, err
	}
	list, err := outOf(wallet, mint, given.PositionNFTMint, side.claim)
	if err != nil {
		return wire.Transaction{}, err
	}
	return r.is(list...)
}

// CheckLock checks a lock over time as CheckPool does. The amounts, times and recipient of the
// releases are as requested, and no party can change the lock. tax is the token's tax, which
// decides how many tokens arrive. The address of the escrow is derived from a fresh key that signs
// and has no other role.
func CheckLock(wallet, mint solana.PublicKey, asked TokenLock, tax Percent, given UnsignedLock) (wire.Transaction, error) {
	r, err := given.offer().read(wallet, false)
	if err != nil {
		return wire.Transaction{}, err
	}
	if given.BaseAddress == wallet {
		return wire.Transaction{}, mismatch("it would use your wallet up as the key of the escrow")
	}
	escrow, err := locker.EscrowAddress(given.BaseAddress)
	if err != nil || escrow != given.EscrowAddress {
		return wire.Transaction{}, mismatch("the escrow %s is not that of its key", given.EscrowAddress)
	}
	if asked.Releases < 1 || (asked.Releases > 1) != (asked.PeriodSeconds > 0) || asked.FirstReleaseAt.Unix() <= 0 {
		return wire.Transaction{}, mismatch("there is no lock of %d releases with %d seconds between them", asked.Releases, asked.PeriodSeconds)
	}
	locked, _ := locker.Fit(fee(tax), asked.TokenAmount.Uint64())
	if locked == 0 {
		return wire.Transaction{}, mismatch("nothing of %s base units would arrive", asked.TokenAmount)
	}
	var list [][]transaction.Step
	for _, program := range []solana.PublicKey{solana.Token2022ProgramID, solana.TokenProgramID} {
		own, err := token2022.AssociatedAddress(wallet, mint, program)
		if err != nil {
			return wire.Transaction{}, mismatch("%v", err)
		}
		open, account, err := token2022.CreateAssociatedIdempotent{Payer: wallet, Wallet: escrow, Mint: mint, Program: program}.Instruction()
		if err != nil {
			return wire.Transaction{}, mismatch("%v", err)
		}
		list = append(list, []transaction.Step{
			{Instruction: open, Explanation: "opens the account of the escrow"},
			{Instruction: locker.CreateEscrow{
				Schedule: locker.Divide(locked, asked.FirstReleaseAt.Time, asked.Releases, asked.PeriodSeconds),
				Base:     given.BaseAddress, Escrow: escrow, EscrowToken: account, Sender: wallet, SenderToken: own,
				Recipient: or(asked.Recipient, wallet), Mint: mint, TokenProgram: program,
			}.Instruction(), Explanation: "locks the tokens"},
		})
	}
	return r.is(list...)
}

// outOf composes a withdrawal from a token's position, for both accounts that may hold the position
// NFT.
func outOf(
	wallet, mint, nft solana.PublicKey, compose func(side, meteora.Accounts) ([]transaction.Step, error),
) (all [][]transaction.Step, err error) {
	at, err := meteora.Addresses(mint, solana.WrappedSol, nft)
	if err != nil {
		return nil, mismatch("%v", err)
	}
	sent, err := token2022.AssociatedAddress(wallet, nft, solana.Token2022ProgramID)
	if err != nil {
		return nil, mismatch("%v", err)
	}
	for _, account := range []solana.PublicKey{at.PositionNFTAccount, sent} {
		at.PositionNFTAccount = account
		list, err := ways(wallet, mint, func(s side) ([]transaction.Step, error) { return compose(s, at) })
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// closes returns the mint of the position NFT whose position a transaction closes: the first
// account of the third instruction for the pool's program.
func closes(list []wire.Instruction) (solana.PublicKey, error) {
	const third = 3
	found := 0
	for _, i := range list {
		if i.ProgramID != meteora.Program {
			continue
		}
		if found++; found == third && len(i.Accounts) > 0 {
			return i.Accounts[0].PublicKey, nil
		}
	}
	return solana.PublicKey{}, mismatch("it closes no position")
}

// CheckPromotion checks the payment of a promotion as CheckPool does. Exactly the price of the
// requested days goes to the recipient in the response. The client does not know the service's
// treasury, so check the recipient.
func CheckPromotion(wallet solana.PublicKey, asked PromotionPurchase, given UnsignedPromotion) (wire.Transaction, error) {
	r, err := given.offer().read(wallet, false)
	if err != nil {
		return wire.Transaction{}, err
	}
	const maximum = 30
	if asked.DurationDays < 1 || asked.DurationDays > maximum {
		return wire.Transaction{}, mismatch("%d days are not sold", asked.DurationDays)
	}
	price := uint64(asked.DurationDays) * dayOfPromotion
	if given.Amount.Uint64() != price {
		return wire.Transaction{}, mismatch("it costs %s, and %d days are %s", given.Amount, asked.DurationDays, LamportsOf(price))
	}
	return r.is([]transaction.Step{{
		Instruction: systemprogram.Transfer{
			From: wallet, To: given.Recipient, Lamports: price, References: []solana.PublicKey{given.Reference},
		}.Instruction(),
		Explanation: "pays for the promotion",
	}})
}

// CheckTransferFee checks a change of the tax as CheckPool does. As at the launch, the tax of one
// transfer has no maximum.
func CheckTransferFee(wallet, mint solana.PublicKey, tax Percent, given UnsignedTransferFee) (wire.Transaction, error) {
	r, err := offer{given.Transaction, given.Explanation, given.Cost.NetworkFeeLamports, given.Cost.TotalLamports, nil}.read(wallet, false)
	if err != nil {
		return wire.Transaction{}, err
	}
	if tax.count > token2022.MaxBasisPoints {
		return wire.Transaction{}, mismatch("there is no tax of %s percent", tax)
	}
	return r.is([]transaction.Step{{
		Instruction: token2022.SetTransferFee{Mint: mint, Authority: wallet, BasisPoints: uint16(tax.count), MaximumFee: math.MaxUint64}.Instruction(),
		Explanation: "changes the tax",
	}})
}
