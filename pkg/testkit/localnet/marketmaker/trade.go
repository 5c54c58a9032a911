package marketmaker

import (
	"context"
	"fmt"
	"math/bits"
	"time"

	"github.com/gagliardetto/solana-go"

	rfq "tokenlaunch.example/service/pkg/provider/marketmaker"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Compute units of a trade, with a margin (measured on the local chain: a two-sided transfer of
// Token-2022 uses under 20,000).
const (
	unitsOfTrade    = 60_000
	unitsOfCreation = 40_000
)

// trade is a requested trade.
type trade struct {
	wallet, input solana.PublicKey
	amount        uint64
	output        terms.Asset
}

// priced is a trade with its price.
type priced struct {
	out       uint64 // the amount that arrives
	impactBps int
	moves     []solana.Instruction
	units     uint32
}

// price creates the instructions of a trade: tokens in one direction, SOL or tokens in the other
// direction.
func (m *Maker) price(ctx context.Context, t trade) (priced, error) {
	m.mutex.Lock()
	p := m.prices[t.output]
	m.mutex.Unlock()
	if p.In == 0 || p.Out == 0 {
		return priced{}, refuse(rfq.CodeNoPrice, "no price in %s", t.output)
	}
	input, err := m.mint(ctx, t.input)
	if err != nil {
		return priced{}, err
	}
	arrives := t.amount - tax(input, t.amount)
	sent, impactBps := p.of(arrives)
	if sent == 0 {
		return priced{}, refuse(rfq.CodeNoPrice, "%d is worth nothing", t.amount)
	}
	out := priced{out: sent, impactBps: impactBps, units: unitsOfTrade}
	if err := m.take(ctx, t, input, &out); err != nil {
		return priced{}, err
	}
	if t.output.IsSOL() {
		err = m.payLamports(ctx, t, sent, &out)
	} else {
		err = m.payTokens(ctx, t, sent, &out)
	}
	return out, err
}

// of returns the proceeds of an amount of tokens, and the price impact.
func (p Price) of(amount uint64) (out uint64, impactBps int) {
	out = mulDiv(amount, p.Out, p.In)
	if p.Depth == 0 {
		return out, 0
	}
	pool, over := bits.Add64(p.Depth, amount, 0)
	if over != 0 {
		return 0, terms.FullBps
	}
	return mulDiv(out, p.Depth, pool), int(mulDiv(amount, terms.FullBps, pool)) //nolint:gosec // At most FullBps.
}

// mulDiv returns a*b/c rounded down, or zero if the result is over 2^64-1.
func mulDiv(a, b, c uint64) uint64 {
	high, low := bits.Mul64(a, b)
	if high >= c {
		return 0
	}
	quotient, _ := bits.Div64(high, low, c)
	return quotient
}

// tax returns the tax on a transfer, by the higher of the present and the next setting.
func tax(m token2022.Mint, amount uint64) uint64 {
	if m.TransferFee == nil {
		return 0
	}
	return max(m.TransferFee.Older.On(amount), m.TransferFee.Newer.On(amount))
}

// take adds the wallet's side. The maker pays for the maker's account.
func (m *Maker) take(ctx context.Context, t trade, mint token2022.Mint, out *priced) error {
	create := token2022.CreateAssociatedIdempotent{Payer: m.Address, Wallet: m.Address, Mint: t.input, Program: mint.Program}
	mine, err := m.open(ctx, create, out)
	if err != nil {
		return err
	}
	theirs, err := token2022.AssociatedAddress(t.wallet, t.input, mint.Program)
	if err != nil {
		return err
	}
	out.moves = append(out.moves, token2022.TransferChecked{
		Program: mint.Program, Source: theirs, Mint: t.input, Destination: mine, Owner: t.wallet,
		Amount: t.amount, Decimals: mint.Decimals,
	}.Instruction())
	return nil
}

func (m *Maker) payLamports(ctx context.Context, t trade, lamports uint64, out *priced) error {
	balance, err := m.chain.Balance(ctx, m.Address)
	if err != nil {
		return err
	}
	if balance < lamports {
		return refuse(rfq.CodeTooMuch, "the maker has %d lamports, not %d", balance, lamports)
	}
	out.moves = append(out.moves, systemprogram.Transfer{From: m.Address, To: t.wallet, Lamports: lamports}.Instruction())
	return nil
}

// payTokens adds the maker's side. The wallet pays for the wallet's account.
func (m *Maker) payTokens(ctx context.Context, t trade, amount uint64, out *priced) error {
	mint, err := m.mint(ctx, t.output.Mint())
	if err != nil {
		return err
	}
	source, err := token2022.AssociatedAddress(m.Address, t.output.Mint(), mint.Program)
	if err != nil {
		return err
	}
	stored, _, err := m.chain.Account(ctx, source)
	if err != nil {
		return err
	}
	account, err := token2022.DecodeAccount(stored.Owner, stored.Data)
	if err != nil || account.Amount < amount {
		return refuse(rfq.CodeTooMuch, "the maker has %d of %s, not %d", account.Amount, t.output, amount)
	}
	create := token2022.CreateAssociatedIdempotent{Payer: t.wallet, Wallet: t.wallet, Mint: t.output.Mint(), Program: mint.Program}
	theirs, err := m.open(ctx, create, out)
	if err != nil {
		return err
	}
	out.moves = append(out.moves, token2022.TransferChecked{
		Program: mint.Program, Source: source, Mint: t.output.Mint(), Destination: theirs, Owner: m.Address,
		Amount: amount, Decimals: mint.Decimals,
	}.Instruction())
	out.out = amount - tax(mint, amount)
	return nil
}

// open adds the creation of a token account unless the account exists, and returns its address.
func (m *Maker) open(ctx context.Context, create token2022.CreateAssociatedIdempotent, out *priced) (solana.PublicKey, error) {
	in, address, err := create.Instruction()
	if err != nil {
		return address, err
	}
	_, found, err := m.chain.Account(ctx, address)
	if err == nil && !found {
		out.moves = append(out.moves, in)
		out.units += unitsOfCreation
	}
	return address, err
}

func (m *Maker) mint(ctx context.Context, address solana.PublicKey) (token2022.Mint, error) {
	stored, _, err := m.chain.Account(ctx, address)
	if err != nil {
		return token2022.Mint{}, err
	}
	mint, err := token2022.DecodeMint(stored.Owner, stored.Data)
	if err != nil {
		return token2022.Mint{}, refuse(rfq.CodeBadInput, "%s: %v", address, err)
	}
	return mint, nil
}

// agreement is an issued quote.
type agreement struct {
	trade
	priced
	until time.Time
	// receipt is the receipt in the first signed message. The maker signs no message with another
	// receipt.
	receipt *solana.PublicKey
}

// agreed returns a valid quote.
func (m *Maker) agreed(id string) (*agreement, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	a, ok := m.quotes[id]
	if !ok || !m.Now().Before(a.until) {
		return nil, refuse(rfq.CodeExpired, "there is no such quote, or no more")
	}
	return a, nil
}

// refusal is a negative response.
type refusal struct{ code, message string }

func (r *refusal) Error() string { return r.code + ": " + r.message }

func refuse(code, format string, args ...any) error {
	return &refusal{code, fmt.Sprintf(format, args...)}
}
