package bonding_test

import (
	"math"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/bonding"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// market is a curve on the chain.
type market struct {
	fixture
	coin
	meteora.Accounts
	creator     solana.PrivateKey
	mint        solana.PublicKey
	params      bonding.Params
	sol, tokens solana.PublicKey // the creator's accounts
}

// open creates a curve of 800 million tokens and 10 SOL.
func (w fixture) open(t *testing.T, c coin, fee meteora.BaseFee, locked bool) market {
	t.Helper()
	const sent = 800_000_000_000_000
	return w.openAs(t, c, fee, locked, sent, bonding.Request{
		Tokens: sent - c.tax.On(sent), TargetLamports: 10 * solana.LAMPORTS_PER_SOL, MultiplierBps: 160_000,
	})
}

// openAs creates a curve out of the given base units that the creator sends.
func (w fixture) openAs(t *testing.T, c coin, fee meteora.BaseFee, locked bool, sent uint64, r bonding.Request) market {
	t.Helper()
	m := market{fixture: w, coin: c, creator: w.wallet(t)}
	owner := m.creator.PublicKey()
	m.mint = w.mint(t, c, m.creator)
	nft := solana.NewWallet().PrivateKey
	var err error
	if m.Accounts, err = meteora.Addresses(m.mint, solana.PublicKey{}, nft.PublicKey()); err != nil {
		t.Fatal(err)
	}
	if m.params, err = bonding.Plan(r); err != nil {
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
	// For a taxed token the program charges the minimum that delivers the deposit.
	gross, err := bonding.Gross(c.tax, m.params.Deposit)
	if paid := had - w.holds(t, m.tokens); err != nil || paid != gross || paid > sent || sent-paid > 1 {
		t.Errorf("the program charged %d base units, want %d (%v) of %d", paid, gross, err, sent)
	}
	return m
}

// equal compares the pool on the chain with the computed pool.
func (m market) equal(t *testing.T, s bonding.State) {
	t.Helper()
	p := m.pool(t, m.Pool)
	if p.SqrtPrice.Cmp(s.SqrtPrice) != 0 || p.Liquidity.Cmp(s.Liquidity) != 0 {
		t.Errorf("the pool is at %v with %v, want %v with %v", p.SqrtPrice, p.Liquidity, s.SqrtPrice, s.Liquidity)
	}
}

func (m market) state(t *testing.T) bonding.State {
	t.Helper()
	s, err := bonding.StateOf(m.pool(t, m.Pool), m.now(t))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// trade executes a quote, exactly as quoted, and checks what it did to the trader,
// the pool, and what its event says.
func (m market) trade(t *testing.T, s bonding.State, trader solana.PrivateKey, mode meteora.SwapMode, q bonding.Quote) bonding.State {
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
		t.Errorf("the event has %+v, want %+v", e, want)
	}
	t.Logf("%d bytes, %d CU: %+v", d.size, d.units, q)
	return after
}

// withdraw returns the instruction that takes out all unlocked liquidity.
func (m market) withdraw(least uint64) solana.Instruction {
	return meteora.RemoveAllLiquidity{PositionSide: m.side(), MinTokens: least}.Instruction()
}

func (m market) side() meteora.PositionSide {
	return meteora.PositionSide{
		Accounts: m.Accounts, Owner: m.creator.PublicKey(), OwnerToken: m.tokens, OwnerSOL: m.sol,
		TokenMint: m.mint, TokenProgram: m.program,
	}
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
