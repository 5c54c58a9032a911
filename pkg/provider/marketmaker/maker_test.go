package marketmaker_test

import (
	"errors"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	local "tokenlaunch.example/service/pkg/testkit/localnet/marketmaker"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/terms"
)

// maxCost is more than the fee of a swap here and the rent of an account, in lamports.
const maxCost = 3_000_000

func reasonOf(t *testing.T, err error) exchange.Reason {
	t.Helper()
	deferred, ok := errors.AsType[*exchange.Deferred](err)
	if !ok {
		t.Fatalf("%v is not a deferral", err)
	}
	return deferred.Reason
}

// trade swaps as a run would, and returns the changes of the wallet's balances.
func (m *market) trade(t *testing.T, o exchange.Order) (s exchange.Swap, sold, received uint64) {
	t.Helper()
	m.renew(t)
	s = m.swap(t, o)
	message := m.compose(t, s, 1_000)
	must.Do(t, exchange.Check(message, exchange.NewPolicy(s, m.receipt)))
	signed := m.sign(t, s, message)

	watched, err := exchange.Watched(o)
	must.Do(t, err)
	sim, before, after, err := m.SimulateBalances(within(t), signed, watched)
	must.Do(t, err)
	if !sim.OK {
		t.Fatalf("simulation: %s, logs %q", sim.Detail, sim.Logs)
	}
	if uint64(s.ComputeUnits) < sim.ComputeUnits || s.ComputeUnits == 0 {
		t.Errorf("%d compute units are announced, %d are needed", s.ComputeUnits, sim.ComputeUnits)
	}
	must.Do(t, exchange.CheckBalances(s.Quote, before, after, maxCost+m.rent))

	before = m.balances(t, o)
	must.Do(t, m.Execute(within(t), signed))
	after = m.balances(t, o)
	fee := 2*5_000 + m.rent
	fee += (uint64(s.ComputeUnits)*1_000 + 999_999) / 1_000_000
	sold, received, err = exchange.Proceeds(o, before, after, fee)
	must.Do(t, err)
	return s, sold, received
}

func TestTokensForSOL(t *testing.T) {
	m := newMarket(t)
	m.maker.SetPrice(terms.SOL, local.Price{In: 1_000, Out: 3_000}) // 3 lamports for a unit
	for _, amount := range []uint64{100_000_001, 50_000_000} {      // the first opens the maker's account
		s, sold, received := m.trade(t, m.order(amount, terms.SOL))
		arrives := amount - (amount*taxBps+9_999)/10_000
		if sold != amount || received != 3*arrives || s.Quote.Out != received || s.Quote.MinimumOut != received {
			t.Errorf("sold %d for %d; want %d for %d; quoted %+v", sold, received, amount, 3*arrives, s.Quote)
		}
	}
	if got, want := m.tokens(t, m.wallet.PublicKey, m.mint, solana.Token2022ProgramID), uint64(supply-150_000_001); got != want {
		t.Errorf("the wallet has %d, want %d", got, want)
	}
}

func TestTokensForATokenOfTheOldProgram(t *testing.T) {
	m := newMarket(t)
	m.CreateMints(t)
	usdc := solana.MustPublicKeyFromBase58(surfpool.USDC)
	m.FundToken(t, m.maker.Address.String(), surfpool.USDC, 1_000_000, surfpool.TokenProgram)
	m.maker.SetPrice(terms.Asset(usdc), local.Price{In: 1_000, Out: 1})
	for range 2 { // the first opens the wallet's account, whose rent is no loss
		_, sold, received := m.trade(t, m.order(10_000_000, terms.Asset(usdc)))
		if sold != 10_000_000 || received != 9_500 {
			t.Errorf("sold %d for %d", sold, received)
		}
	}
	if got := m.tokens(t, m.wallet.PublicKey, usdc, solana.TokenProgramID); got != 19_000 {
		t.Errorf("the wallet has %d", got)
	}
}

// The quote accounts for the reward token's own tax.
func TestTokensForATaxedToken(t *testing.T) {
	m := newMarket(t)
	issuer := newKey(t)
	m.Fund(t, issuer.String(), lamportsPerSOL)
	reward := m.taxedMint(t, issuer)
	open, theirs, err := token2022.CreateAssociatedIdempotent{Payer: issuer.PublicKey, Wallet: m.maker.Address, Mint: reward}.Instruction()
	must.Do(t, err)
	mine, err := token2022.AssociatedAddress(issuer.PublicKey, reward, solana.Token2022ProgramID)
	must.Do(t, err)
	m.execute(t, []key{issuer}, open, token2022.TransferChecked{
		Source: mine, Mint: reward, Destination: theirs, Owner: issuer.PublicKey, Amount: supply / 2, Decimals: 6,
	}.Instruction())
	m.maker.SetPrice(terms.Asset(reward), local.Price{In: 1, Out: 2})
	s, sold, received := m.trade(t, m.order(1_000_000, terms.Asset(reward)))
	// 950,000 arrive, 1,900,000 are sent, 95,000 of them withheld.
	if sold != 1_000_000 || received != 1_805_000 || s.Quote.Out != received {
		t.Errorf("sold %d for %d, quoted %d", sold, received, s.Quote.Out)
	}
}

// If the maker cannot pay in the end, the wallet keeps its tokens.
func TestSettlementIsAtomic(t *testing.T) {
	m := newMarket(t)
	m.maker.SetPrice(terms.SOL, local.Price{In: 1, Out: 90})
	s := m.swap(t, m.order(supply, terms.SOL)) // 85.5 SOL of the maker's 100
	signed := m.sign(t, s, m.compose(t, s, 0))
	other := m.swap(t, m.order(supply/2, terms.SOL))
	before := m.balances(t, s.Quote.Order)
	must.Do(t, m.Execute(within(t), m.sign(t, other, m.compose(t, other, 0)))) // with the same receipt, and first
	must.Do(t, m.Send(within(t), signed))                                      // it fails, and takes its fee
	m.PassSlots(t, 2)
	sold, received, err := exchange.Proceeds(s.Quote.Order, before, m.balances(t, s.Quote.Order), 20_000+m.rent)
	must.Do(t, err)
	if sold != supply/2 || received != other.Quote.Out {
		t.Errorf("sold %d for %d, want %d for %d", sold, received, supply/2, other.Quote.Out)
	}

	m.renew(t)
	m.maker.SetPrice(terms.SOL, local.Price{In: 1, Out: 100}) // 47.5 of the 57.25 that the maker has left
	s = m.swap(t, m.order(supply/2, terms.SOL))
	signed = m.sign(t, s, m.compose(t, s, 0))
	drain := m.swap(t, m.order(supply/4, terms.SOL))
	before = m.balances(t, s.Quote.Order)
	recent, err := m.LatestBlockhash(within(t))
	must.Do(t, err)
	message, err := wire.Compile(m.wallet.PublicKey, recent, drain.Instructions)
	must.Do(t, err)
	must.Do(t, m.Execute(within(t), m.sign(t, drain, message)))
	watched, err := exchange.Watched(s.Quote.Order)
	must.Do(t, err)
	sim, _, after, err := m.SimulateBalances(within(t), signed, watched)
	if err != nil || sim.OK || after != nil {
		t.Fatalf("the simulation is %+v, %v", sim, err)
	}
	if err := m.Execute(within(t), signed); err == nil {
		t.Fatal("the maker paid more than they had")
	}
	sold, _, err = exchange.Proceeds(s.Quote.Order, before, m.balances(t, s.Quote.Order), 20_000)
	must.Do(t, err)
	if sold != supply/4 {
		t.Errorf("the wallet lost %d of its tokens, %d by the trade before", sold, supply/4)
	}
}

func TestDishonestMakerIsCaught(t *testing.T) {
	m := newMarket(t)
	m.maker.SetPrice(terms.SOL, local.Price{In: 1, Out: 1})
	thief := newKey(t).PublicKey
	account, err := token2022.AssociatedAddress(m.wallet.PublicKey, m.mint, solana.Token2022ProgramID)
	must.Do(t, err)
	stolen, err := token2022.AssociatedAddress(thief, m.mint, solana.Token2022ProgramID)
	must.Do(t, err)
	mine, err := token2022.AssociatedAddress(m.maker.Address, m.mint, solana.Token2022ProgramID)
	must.Do(t, err)
	take := func(amount uint64, destination solana.PublicKey) solana.Instruction {
		return token2022.TransferChecked{
			Source: account, Mint: m.mint, Destination: destination, Owner: m.wallet.PublicKey, Amount: amount, Decimals: 6,
		}.Instruction()
	}
	pay := systemprogram.Transfer{From: m.maker.Address, To: m.wallet.PublicKey, Lamports: 950_000}.Instruction()
	tests := map[string][]solana.Instruction{
		"pays too little": {take(1_000_000, mine), systemprogram.Transfer{From: m.maker.Address, To: m.wallet.PublicKey, Lamports: 949_999}.Instruction()},
		"pays another":    {take(1_000_000, mine), systemprogram.Transfer{From: m.maker.Address, To: thief, Lamports: 950_000}.Instruction()},
		"takes too much":  {take(1_000_000, mine), take(1, mine), pay},
		"sends elsewhere": {take(1_000_000, stolen), pay},
		"takes lamports":  {take(1_000_000, mine), pay, systemprogram.Transfer{From: m.wallet.PublicKey, To: thief, Lamports: 1}.Instruction()},
		"takes the account": {take(1_000_000, mine), pay, token2022.SetAuthority{
			Account: account, Current: m.wallet.PublicKey, Type: 2, New: thief,
		}.Instruction()},
		"takes the tax": {take(1_000_000, mine), pay, token2022.WithdrawWithheldFromMint{
			Mint: m.mint, Destination: mine, Authority: m.wallet.PublicKey,
		}.Instruction()},
		"creates it again": {take(1_000_000, mine), pay, m.creating(1, m.receipt)},
		"creates another":  {take(1_000_000, mine), pay, m.creating(1, thief)},
		"calls a program": {take(1_000_000, mine), pay, solana.NewInstruction(thief, solana.AccountMetaSlice{
			solana.NewAccountMeta(m.wallet.PublicKey, true, true),
		}, nil)},
	}
	for name, moves := range tests {
		t.Run(name, func(t *testing.T) {
			m.maker.Tamper = func([]solana.Instruction) []solana.Instruction { return moves }
			defer func() { m.maker.Tamper = nil }()
			s := m.swap(t, m.order(1_000_000, terms.SOL))
			err := exchange.Check(m.compose(t, s, 0), exchange.NewPolicy(s, m.receipt))
			if reason := reasonOf(t, err); reason != exchange.Unsafe {
				t.Errorf("Check(): reason %q, %v; want Unsafe", reason, err)
			}
		})
	}
}

func TestMakerSignature(t *testing.T) {
	m := newMarket(t)
	m.maker.SetPrice(terms.SOL, local.Price{In: 1, Out: 1})
	s := m.swap(t, m.order(1_000_000, terms.SOL))
	refused := func(s exchange.Swap, message wire.Message) {
		t.Helper()
		_, err := s.CoSign(within(t), message.Bytes())
		if reason := reasonOf(t, err); reason != exchange.Refused {
			t.Errorf("CoSign(): reason %q, %v; want Refused", reason, err)
		}
	}
	less := s
	less.Instructions = s.Instructions[1:]
	refused(less, m.compose(t, less, 0))
	more := s
	more.Instructions = append([]solana.Instruction{s.Instructions[len(s.Instructions)-1]}, s.Instructions...)
	refused(more, m.compose(t, more, 0))

	m.sign(t, s, m.compose(t, s, 0))
	m.sign(t, s, m.compose(t, s, 5_000)) // a higher fee, with the same receipt
	recent, err := m.LatestBlockhash(within(t))
	must.Do(t, err)
	without, err := wire.Compile(m.wallet.PublicKey, recent, s.Instructions)
	must.Do(t, err)
	refused(s, without)
	m.renew(t) // or both could land
	refused(s, m.compose(t, s, 0))

	s = m.swap(t, m.order(1_000_000, terms.SOL))
	m.maker.Refuse = true
	refused(s, m.compose(t, s, 0))
}

func TestMakerQuoteRejections(t *testing.T) {
	m := newMarket(t)
	m.maker.SetPrice(terms.SOL, local.Price{In: 1, Out: 1_000})
	tests := []struct {
		name   string
		order  exchange.Order
		reason exchange.Reason
	}{
		{"no price", m.order(1, terms.Asset(m.mint)), exchange.NoRoute},
		{"more than they have", m.order(supply, terms.SOL), exchange.NoRoute},
		{"nothing", m.order(0, terms.SOL), exchange.NoRoute},
		{"no mint", exchange.Order{Wallet: m.wallet.PublicKey, Input: m.wallet.PublicKey, Amount: 1}, exchange.Refused},
	}
	for _, test := range tests {
		_, err := m.venue.Quote(within(t), test.order)
		if reason := reasonOf(t, err); reason != test.reason {
			t.Errorf("%s: %s, want %s", test.name, reason, test.reason)
		}
	}
	// More than the maker has is no reason to sell nothing.
	q, err := exchange.LargestThatFits(within(t), m.venue, m.order(supply, terms.SOL), exchange.DefaultLimits(), nil, 8, time.Now)
	must.Do(t, err)
	if q.Out < 90*lamportsPerSOL || q.Out > 100*lamportsPerSOL {
		t.Errorf("%d lamports of the maker's 100 SOL", q.Out)
	}

	q, err = m.venue.Quote(within(t), m.order(100, terms.SOL))
	must.Do(t, err)
	m.maker.Now = func() time.Time { return time.Now().Add(time.Hour) }
	_, err = m.venue.Swap(within(t), q)
	if reason := reasonOf(t, err); reason != exchange.Expired {
		t.Errorf("Swap(): reason %q, %v; want Expired", reason, err)
	}
}
