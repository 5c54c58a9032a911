package curve_test

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market/curve"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// market is a curve on the chain.
type market struct {
	world
	coin
	meteora.Accounts
	creator     solana.PrivateKey
	mint        solana.PublicKey
	params      curve.Params
	sol, tokens solana.PublicKey // the creator's accounts
}

// open makes a curve of 800 million tokens and 10 SOL.
func (w world) open(t *testing.T, c coin, fee meteora.BaseFee, locked bool) market {
	t.Helper()
	const sent = 800_000_000_000_000
	m := market{world: w, coin: c, creator: w.wallet(t)}
	owner := m.creator.PublicKey()
	m.mint = w.mint(t, c, m.creator)
	nft := solana.NewWallet().PrivateKey
	var err error
	if m.Accounts, err = meteora.Addresses(m.mint, solana.PublicKey{}, nft.PublicKey()); err != nil {
		t.Fatal(err)
	}
	m.params, err = curve.Plan(curve.Request{
		Tokens: sent - c.tax.On(sent), TargetLamports: 10 * solana.LAMPORTS_PER_SOL, MultiplierBps: 160_000,
	})
	if err != nil {
		t.Fatal(err)
	}
	openSOL, sol := associated(t, owner, solana.WrappedSol, solana.TokenProgramID)
	_, m.tokens = associated(t, owner, m.mint, c.program)
	m.sol = sol
	create, err := meteora.InitializeCustomizablePool{
		Accounts: m.Accounts, Creator: owner, Payer: owner, TokenMint: m.mint, TokenProgram: c.program,
		PayerToken: m.tokens, PayerSOL: sol, Fee: fee,
		MinSqrtPrice: m.params.StartSqrtPrice, MaxSqrtPrice: m.params.MaxSqrtPrice, SqrtPrice: m.params.StartSqrtPrice,
		Liquidity: m.params.Liquidity,
	}.Instruction()
	if err != nil {
		t.Fatal(err)
	}
	instructions := []solana.Instruction{
		openSOL, systemprogram.Transfer{From: owner, To: sol, Lamports: 1}.Instruction(),
		token2022.SyncNative{Program: solana.TokenProgramID, Account: sol}.Instruction(), create,
	}
	if locked {
		lock, err := meteora.PermanentLockPosition{
			Pool: m.Pool, Position: m.Position, PositionNFTAccount: m.PositionNFTAccount, Owner: owner, Liquidity: m.params.Liquidity,
		}.Instruction()
		if err != nil {
			t.Fatal(err)
		}
		instructions = append(instructions, lock)
	}
	instructions = append(instructions, token2022.CloseAccount{
		Program: solana.TokenProgramID, Account: sol, Destination: owner, Owner: owner,
	}.Instruction())
	before, had := w.account(t, owner).Lamports, w.holds(t, m.tokens)
	d := w.do(t, []solana.PrivateKey{m.creator, nft}, instructions...)
	t.Logf("create: %d bytes, %d CU, %d lamports", d.size, d.units, before-w.account(t, owner).Lamports)
	// Of a taxed token the program takes the least that lets the deposit arrive.
	gross, err := curve.Gross(c.tax, m.params.Deposit)
	if paid := had - w.holds(t, m.tokens); err != nil || paid != gross || paid > sent || sent-paid > 1 {
		t.Errorf("the program took %d base units, want %d (%v) of %d", paid, gross, err, sent)
	}
	return m
}

// equal checks that the pool on the chain is what we reckon.
func (m market) equal(t *testing.T, s curve.State) {
	t.Helper()
	p := m.pool(t, m.Pool)
	if p.SqrtPrice.Cmp(s.SqrtPrice) != 0 || p.Liquidity.Cmp(s.Liquidity) != 0 {
		t.Errorf("the pool is at %v with %v, want %v with %v", p.SqrtPrice, p.Liquidity, s.SqrtPrice, s.Liquidity)
	}
}

func (m market) state(t *testing.T) curve.State {
	t.Helper()
	s, err := curve.StateOf(m.pool(t, m.Pool), m.now(t))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// trade executes a quote, exactly as quoted, and checks what it did to the trader,
// the pool, and what its event says.
func (m market) trade(t *testing.T, s curve.State, trader solana.PrivateKey, mode meteora.SwapMode, q curve.Quote) curve.State {
	t.Helper()
	owner := trader.PublicKey()
	_, sol := associated(t, owner, solana.WrappedSol, solana.TokenProgramID)
	_, tokens := associated(t, owner, m.mint, m.program)
	in, out := q.Lamports, q.Tokens
	if q.Direction == meteora.Sell {
		in, out = out, in
	}
	amount, limit := in, out
	if mode == meteora.ExactOut {
		amount, limit = out, in
	}
	beforeSOL, beforeTokens, before := m.holds(t, sol), m.holds(t, tokens), m.pool(t, m.Pool)
	d := m.do(t, []solana.PrivateKey{trader}, meteora.Swap2{
		Pool: m.Pool, TokenVault: m.TokenVault, SOLVault: m.SOLVault, TokenMint: m.mint, TokenProgram: m.program,
		Payer: owner, PayerToken: tokens, PayerSOL: sol, Direction: q.Direction, Mode: mode, Amount: amount, Limit: limit,
	}.Instruction())
	// The differences wrap where something went out; both sides wrap alike.
	gotSOL, gotTokens := m.holds(t, sol)-beforeSOL, m.holds(t, tokens)-beforeTokens
	wantSOL, wantTokens := -q.Lamports, q.Tokens
	if q.Direction == meteora.Sell {
		wantSOL, wantTokens = -wantSOL, -wantTokens
	}
	if gotSOL != wantSOL || gotTokens != wantTokens {
		t.Errorf("the trade brought %d lamports and %d base units, want %d and %d", int64(gotSOL), int64(gotTokens), int64(wantSOL), int64(wantTokens))
	}
	after := s.After(q)
	m.equal(t, after)
	p := m.pool(t, m.Pool)
	earned := p.ProtocolFeesB - before.ProtocolFeesB + p.LPFeesB.Uint64() - before.LPFeesB.Uint64()
	if earned != q.Fee {
		t.Errorf("the pool earned %d lamports, want %d", earned, q.Fee)
	}
	if len(d.events) != 1 {
		t.Fatalf("%d events", len(d.events))
	}
	e, ok := meteora.DecodeSwap(d.events[0])
	if !ok {
		t.Fatalf("the event is not understood: %x", d.events[0])
	}
	want := meteora.Swap{
		Pool: m.Pool, Direction: q.Direction, Mode: mode, AmountIn: in, AmountOut: out,
		Tokens: q.PoolTokens, Lamports: q.CurveLamports, Fee: q.Fee, NextSqrtPrice: e.NextSqrtPrice,
		Timestamp: int64(s.Now), ReserveTokens: p.ReserveA, ReserveLamports: p.ReserveB, CollectFeeMode: meteora.CollectOnlyB,
	}
	if e != want || e.NextSqrtPrice.Cmp(q.NextSqrtPrice) != 0 {
		t.Errorf("the event says %+v, want %+v", e, want)
	}
	t.Logf("%d bytes, %d CU: %+v", d.size, d.units, q)
	return after
}

func coins() map[string]coin {
	tax := token2022.TransferFee{BasisPoints: 500, MaximumFee: math.MaxUint64}
	return map[string]coin{
		"taxed, below wrapped SOL":   {program: solana.Token2022ProgramID, tax: tax, below: true},
		"taxed, above wrapped SOL":   {program: solana.Token2022ProgramID, tax: tax},
		"untaxed, below wrapped SOL": {program: solana.Token2022ProgramID, below: true},
		"legacy, above wrapped SOL":  {program: solana.TokenProgramID},
	}
}

func constant(t *testing.T, bps int) meteora.BaseFee {
	t.Helper()
	fee, err := meteora.ConstantFee(bps)
	if err != nil {
		t.Fatal(err)
	}
	return fee
}

// Ten purchases, of both modes, and a sale do what was quoted, to the lamport; the
// tenth passes the target.
func TestRealTradesAreAsQuoted(t *testing.T) {
	w := newWorld(t)
	for name, c := range coins() {
		t.Run(name, func(t *testing.T) {
			m := w.open(t, c, constant(t, 100), true)
			p := m.params
			buyer := w.wallet(t)
			w.wrap(t, buyer, 100*solana.LAMPORTS_PER_SOL, m.mint, c.program)
			s := m.state(t)
			for i := range 10 {
				var q curve.Quote
				var err error
				mode := meteora.ExactOut
				if i%2 == 0 {
					q, err = curve.Buy(s, 59_999_999_999_999+uint64(i), c.tax)
				} else {
					mode = meteora.ExactIn
					q, err = curve.BuyIn(s, 123_456_789*uint64(i), c.tax)
				}
				if err != nil {
					t.Fatal(err)
				}
				s = m.trade(t, s, buyer, mode, q)
			}
			q, err := curve.Sell(s, 7_654_321_987_654, c.tax)
			if err != nil {
				t.Fatal(err)
			}
			s = m.trade(t, s, buyer, meteora.ExactIn, q)

			// What is left to the target, and one more lamport for the price's rounding.
			// The pool counts what came in; each trade leaves it up to a lamport.
			raised, err := curve.Raised(p.Liquidity, p.StartSqrtPrice, s.SqrtPrice)
			if has := m.pool(t, m.Pool).ReserveB; err != nil || has-raised > 11 {
				t.Errorf("raised %d (%v), the pool says %d", raised, err, has)
			}
			left := 10*solana.LAMPORTS_PER_SOL - raised + 1
			if q, err = curve.BuyIn(s, left*100/99+1, c.tax); err != nil {
				t.Fatal(err)
			}
			if s = m.trade(t, s, buyer, meteora.ExactIn, q); s.SqrtPrice.Cmp(p.TargetSqrtPrice) < 0 {
				t.Errorf("the target is not reached at %v, want %v", s.SqrtPrice, p.TargetSqrtPrice)
			}
			sold, err := curve.Sold(p.Liquidity, p.StartSqrtPrice, s.SqrtPrice)
			if gone := p.Deposit - m.pool(t, m.Pool).ReserveA; err != nil || sold-gone > 12 {
				t.Errorf("sold %d (%v), the pool gave out %d", sold, err, gone)
			}
			// 1 - 1/√16 of the tokens are sold at the target.
			if part := float64(sold) / float64(p.Deposit); math.Abs(part-0.75) > 1e-6 {
				t.Errorf("%v of the tokens are sold", part)
			}
		})
	}
}

// What the program creates has the sizes for which rent is reckoned.
func TestRealAccountsHaveTheirSizes(t *testing.T) {
	w := newWorld(t)
	for name, c := range coins() {
		t.Run(name, func(t *testing.T) {
			m := w.open(t, c, constant(t, 100), true)
			vault := meteora.VaultSize
			if c.tax.BasisPoints != 0 {
				vault = meteora.TaxedVaultSize
			}
			for what, account := range map[string]struct {
				address solana.PublicKey
				size    int
			}{
				"pool": {m.Pool, meteora.PoolSize}, "position": {m.Position, meteora.PositionSize},
				"NFT mint": {m.NFTMint, meteora.NFTMintSize}, "NFT account": {m.PositionNFTAccount, meteora.NFTAccountSize},
				"token vault": {m.TokenVault, vault}, "SOL vault": {m.SOLVault, meteora.VaultSize},
			} {
				got := w.account(t, account.address)
				var rent uint64
				w.Call(t, &rent, "getMinimumBalanceForRentExemption", account.size)
				if what == "SOL vault" {
					rent++ // the lamport of wrapped SOL
				}
				if len(got.Data) != account.size || got.Lamports != rent {
					t.Errorf("the %s has %d bytes and %d lamports, want %d and %d", what, len(got.Data), got.Lamports, account.size, rent)
				}
				t.Logf("%s: %d bytes, %d lamports", what, len(got.Data), got.Lamports)
			}
		})
	}
}

// withdraw gives the instruction that takes out all unlocked liquidity.
func (m market) withdraw(least uint64) solana.Instruction {
	return meteora.RemoveAllLiquidity{PositionSide: m.side(), MinTokens: least}.Instruction()
}

func (m market) side() meteora.PositionSide {
	return meteora.PositionSide{
		Accounts: m.Accounts, Owner: m.creator.PublicKey(), OwnerToken: m.tokens, OwnerSOL: m.sol,
		TokenMint: m.mint, TokenProgram: m.program,
	}
}

// Liquidity that was locked cannot be taken out again, even by the creator; its fees
// can.
func TestRealLockedLiquidityStays(t *testing.T) {
	w := newWorld(t)
	c := coins()["taxed, above wrapped SOL"]
	m := w.open(t, c, constant(t, 100), true)
	buyer := w.wallet(t)
	w.wrap(t, buyer, 20*solana.LAMPORTS_PER_SOL, m.mint, c.program)
	w.wrap(t, m.creator, 1, m.mint, c.program)
	q, err := curve.BuyIn(m.state(t), 5*solana.LAMPORTS_PER_SOL, c.tax)
	if err != nil {
		t.Fatal(err)
	}
	m.trade(t, m.state(t), buyer, meteora.ExactIn, q)

	creator := []solana.PrivateKey{m.creator}
	const insufficientLiquidity = "custom program error: 0x1787" // 6023
	d, _ := w.attempt(t, creator, m.withdraw(0))
	if d.failed == nil || !strings.Contains(strings.Join(d.logs, "\n"), insufficientLiquidity) {
		t.Errorf("withdrawing locked liquidity: %s %q", d.failed, d.logs)
	}
	account := w.account(t, m.Position)
	position, err := meteora.DecodePosition(solana.MustPublicKeyFromBase58(account.Owner), account.Data)
	if err != nil || position.Locked.Cmp(m.params.Liquidity) != 0 || position.Unlocked.Sign() != 0 || position.Pool != m.Pool {
		t.Errorf("the position is %+v, %v", position, err)
	}
	if locked := m.pool(t, m.Pool).LockedLiquidity; locked.Cmp(m.params.Liquidity) != 0 {
		t.Errorf("%v is locked of %v", locked, m.params.Liquidity)
	}

	before := w.holds(t, m.sol)
	d = w.do(t, creator, meteora.ClaimPositionFee{PositionSide: m.side()}.Instruction())
	// The program keeps 20 percent, and its sums by liquidity round down.
	if got := w.holds(t, m.sol) - before; got+1 < q.Fee-q.Fee/5 || got > q.Fee-q.Fee/5 {
		t.Errorf("claimed %d of a fee of %d", got, q.Fee)
	}
	t.Logf("claim: %d bytes, %d CU", d.size, d.units)
}

// Liquidity that was not locked comes back with what it earned, and the rents of
// the position.
func TestRealUnlockedLiquidityComesBack(t *testing.T) {
	w := newWorld(t)
	for name, c := range coins() {
		t.Run(name, func(t *testing.T) {
			m := w.open(t, c, constant(t, 100), false)
			buyer := w.wallet(t)
			w.wrap(t, buyer, 20*solana.LAMPORTS_PER_SOL, m.mint, c.program)
			w.wrap(t, m.creator, 1, m.mint, c.program)
			q, err := curve.Buy(m.state(t), 100_000_000_000_000, c.tax)
			if err != nil {
				t.Fatal(err)
			}
			s := m.trade(t, m.state(t), buyer, meteora.ExactOut, q)

			tokens, lamports, err := curve.Withdrawable(s)
			if err != nil {
				t.Fatal(err)
			}
			beforeTokens, beforeSOL := w.holds(t, m.tokens), w.holds(t, m.sol)
			creator := []solana.PrivateKey{m.creator}
			d := w.do(t, creator, m.withdraw(tokens-c.tax.On(tokens)),
				meteora.ClaimPositionFee{PositionSide: m.side()}.Instruction(),
				meteora.ClosePosition{Accounts: m.Accounts, Owner: m.creator.PublicKey()}.Instruction())
			t.Logf("cancel: %d bytes, %d CU", d.size, d.units)
			if got := w.holds(t, m.tokens) - beforeTokens; got != tokens-c.tax.On(tokens) {
				t.Errorf("%d base units came back, want %d less tax", got, tokens)
			}
			fees := q.Fee - q.Fee/5
			if got := w.holds(t, m.sol) - beforeSOL; got != lamports+fees && got != lamports+fees-1 {
				t.Errorf("%d lamports came back, want %d and fees of %d", got, lamports, fees)
			}
			for _, gone := range []solana.PublicKey{m.Position, m.NFTMint, m.PositionNFTAccount} {
				if len(w.account(t, gone).Data) != 0 {
					t.Errorf("%s is still there", gone)
				}
			}
			empty := m.pool(t, m.Pool)
			if empty.Liquidity.Sign() != 0 || empty.Positions != 0 {
				t.Errorf("the pool keeps %v of %d positions", empty.Liquidity, empty.Positions)
			}
			if _, err := curve.Buy(m.state(t), 1, c.tax); err == nil {
				t.Error("an empty pool is quoted")
			}
		})
	}
}

// A fee that decays is what the chain's clock says.
func TestRealDecayingFee(t *testing.T) {
	w := newWorld(t)
	c := coins()["taxed, above wrapped SOL"]
	fee, err := meteora.DecayingFee(5_000, 100, 10*time.Minute, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	m := w.open(t, c, fee, true)
	if got := m.pool(t, m.Pool).Fee; got != fee {
		t.Errorf("the pool's fee is %+v, want %+v", got, fee)
	}
	buyer := w.wallet(t)
	w.wrap(t, buyer, 20*solana.LAMPORTS_PER_SOL, m.mint, c.program)
	activated := time.Unix(int64(m.pool(t, m.Pool).ActivationPoint), 0)
	var last uint64 = math.MaxUint64
	for _, after := range []time.Duration{0, 9 * time.Second, 5*time.Minute + 5*time.Second, 10 * time.Minute, time.Hour} {
		if after > 0 { // The clock goes forwards only.
			w.TimeTravel(t, activated.Add(after))
		}
		s := m.state(t)
		numerator, err := s.FeeNumerator()
		if err != nil || numerator > last {
			t.Errorf("after %v the fee is %d, %v", after, numerator, err)
		}
		last = numerator
		q, err := curve.Buy(s, 1_000_000_000_000, c.tax)
		if err != nil {
			t.Fatal(err)
		}
		s = m.trade(t, s, buyer, meteora.ExactOut, q)
		if q, err = curve.Sell(s, 500_000_000_000, c.tax); err != nil {
			t.Fatal(err)
		}
		m.trade(t, s, buyer, meteora.ExactIn, q)
	}
	if last != 10_000_000 {
		t.Errorf("it ends at %d, want 1 percent", last)
	}
}

// A purchase that is more than was offered for it, or a sale for less, is refused.
func TestRealLimitsHold(t *testing.T) {
	w := newWorld(t)
	c := coins()["taxed, below wrapped SOL"]
	m := w.open(t, c, constant(t, 100), true)
	buyer := w.wallet(t)
	sol, tokens := w.wrap(t, buyer, 20*solana.LAMPORTS_PER_SOL, m.mint, c.program)
	q, err := curve.Buy(m.state(t), 1_000_000_000_000, c.tax)
	if err != nil {
		t.Fatal(err)
	}
	swap := meteora.Swap2{
		Pool: m.Pool, TokenVault: m.TokenVault, SOLVault: m.SOLVault, TokenMint: m.mint, TokenProgram: c.program,
		Payer: buyer.PublicKey(), PayerToken: tokens, PayerSOL: sol,
		Direction: meteora.Buy, Mode: meteora.ExactOut, Amount: q.Tokens, Limit: q.Lamports - 1,
	}
	const exceededSlippage = "custom program error: 0x1772" // 6002
	d, _ := w.attempt(t, []solana.PrivateKey{buyer}, swap.Instruction())
	if d.failed == nil || !strings.Contains(strings.Join(d.logs, "\n"), exceededSlippage) {
		t.Errorf("a lamport too few: %s %q", d.failed, d.logs)
	}
	if bytes.Compare(m.mint[:], solana.WrappedSol[:]) > 0 {
		t.Error("the mint is not below wrapped SOL")
	}
}
