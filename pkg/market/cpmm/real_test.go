package cpmm_test

import (
	"math"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/cpmm"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/localnet/dex"
)

// kinds are the mints that pools are made of: both orders, taxed or not.
var kinds = map[string]struct {
	first bool
	bps   int // negative: of the older Token program
}{
	"taxed, first":       {true, 500},
	"taxed, second":      {false, 500},
	"untaxed, first":     {true, 0},
	"older, second":      {false, -1},
	"taxed nearly whole": {true, 9_999},
}

// The program creates the promised pool, and charges the announced cost, to the lamport.
func TestRealPoolMatchesPrepared(t *testing.T) {
	w := newFixture(t, dex.Chain(t))
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			mint, caller := newMint(t, kind.first), w.funded(t, 20*sol)
			if kind.bps < 0 {
				w.plain(t, mint, caller)
			} else {
				w.taxed(t, mint, caller, uint16(kind.bps))
			}
			const tokens, lamports = 800_000_000 * base, 10 * sol
			created := w.create(t, caller, mint.PublicKey, tokens, lamports)
			if !created.Simulation.OK {
				t.Fatalf("simulation = %+v, want OK", created.Simulation)
			}
			t.Logf("%d bytes, %d compute units, cost %+v", len(created.Transaction), created.Simulation.ComputeUnits, created.Cost)
			before := w.balance(t, caller.PublicKey)
			w.landUnsigned(t, created.Unsigned, caller)
			if paid := before - w.balance(t, caller.PublicKey); paid != created.Cost.Total() {
				t.Errorf("the chain charged %d, announced were %d: %+v", paid, created.Cost.Total(), created.Cost)
			}
			state := w.state(t, created.Pool)
			if state.TokenVault != created.TokenAmountAfterTax || state.SOLVault != lamports {
				t.Errorf("the vaults have %d and %d, want %d and %d", state.TokenVault, state.SOLVault, created.TokenAmountAfterTax, uint64(lamports))
			}
			tax := created.TokenAmount - created.TokenAmountAfterTax
			if vault := w.tokens(t, created.Pool.TokenVault); vault.Withheld != tax || vault.Owner != created.Pool.Authority {
				t.Errorf("the vault: %+v, want %d withheld", vault, tax)
			}
			if state.Pool.LPMint != created.Pool.LPMint || state.Pool.Creator != caller.PublicKey {
				t.Errorf("the pool: %+v", state.Pool)
			}
			again := w.create(t, caller, mint.PublicKey, tokens/8, sol)
			if again.Pool.Address == created.Pool.Address || !again.Simulation.OK {
				t.Errorf("a second pool of the same mint: %s, %+v", again.Pool.Address, again.Simulation)
			}
		})
	}
}

// The least of which the service creates a pool is enough for the program.
func TestRealPoolOfMinimum(t *testing.T) {
	w := newFixture(t, dex.Chain(t))
	mint, caller := newMint(t, false), w.funded(t, 20*sol)
	w.taxed(t, mint, caller, 500)
	created := w.create(t, caller, mint.PublicKey, 106, 100)
	if !created.Simulation.OK {
		t.Fatalf("simulation = %+v, want OK", created.Simulation)
	}
	w.landUnsigned(t, created.Unsigned, caller)
	if state := w.state(t, created.Pool); state.TokenVault != 100 || state.Pool.LPSupply != raydium.LockedShares {
		t.Errorf("pool = %+v, want 100 units in the vault and the locked shares", state)
	}
}

// A caller with an account of wrapped SOL keeps it, and what is in it.
func TestRealPoolKeepsAnAccountOfWrappedSOL(t *testing.T) {
	w := newFixture(t, dex.Chain(t))
	mint, caller := newMint(t, false), w.funded(t, 20*sol)
	w.taxed(t, mint, caller, 500)
	wrap, err := market.WrapSteps(caller.PublicKey, 3*sol, false)
	if err != nil {
		t.Fatal(err)
	}
	w.execute(t, []wallet{caller}, wrap[0].Instruction, wrap[1].Instruction, wrap[2].Instruction)
	created := w.create(t, caller, mint.PublicKey, 800_000_000*base, 10*sol)
	before := w.balance(t, caller.PublicKey)
	w.landUnsigned(t, created.Unsigned, caller)
	if paid := before - w.balance(t, caller.PublicKey); paid != created.Cost.Total() {
		t.Errorf("the chain charged %d, announced were %d: %+v", paid, created.Cost.Total(), created.Cost)
	}
	account, err := market.WrappedAddress(caller.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	if left := w.tokens(t, account).Amount; left != 3*sol {
		t.Errorf("%d lamports of wrapped SOL are left", left)
	}
}

// The simulation names the missing amount.
func TestRealPoolNamesShortfall(t *testing.T) {
	w := newFixture(t, dex.Chain(t))
	mint, rich, poor := newMint(t, true), w.funded(t, 20*sol), w.funded(t, sol)
	w.taxed(t, mint, rich, 500)
	t.Run("SOL", func(t *testing.T) {
		create, account, err := token2022.CreateAssociatedIdempotent{Payer: w.payer.PublicKey, Wallet: poor.PublicKey, Mint: mint.PublicKey}.Instruction()
		if err != nil {
			t.Fatal(err)
		}
		w.execute(t, []wallet{w.payer}, create,
			token2022.MintTo{Mint: mint.PublicKey, Account: account, Authority: w.payer.PublicKey, Amount: 100 * base}.Instruction())
		created := w.create(t, poor, mint.PublicKey, 100*base, 10*sol)
		s := created.Simulation
		if s.OK || s.Reason != transaction.InsufficientFunds || s.MissingTokens != 0 {
			t.Errorf("simulation = %+v, want insufficient funds and no missing tokens", s)
		}
		w.Fund(t, poor.String(), s.MissingLamports)
		if s := w.create(t, poor, mint.PublicKey, 100*base, 10*sol).Simulation; !s.OK {
			t.Errorf("with the missing amount: %+v", s)
		}
	})
	t.Run("tokens", func(t *testing.T) {
		s := w.create(t, rich, mint.PublicKey, supply+7, sol).Simulation
		if s.OK || s.Reason != transaction.InsufficientTokens || s.MissingTokens != 7 || s.MissingLamports != 0 {
			t.Errorf("simulation = %+v, want 7 missing tokens", s)
		}
	})
	t.Run("no account of the token", func(t *testing.T) {
		created := w.create(t, w.payer, mint.PublicKey, 100*base, sol)
		s := created.Simulation
		if s.OK || s.Reason != transaction.InsufficientTokens || s.MissingTokens != 100*base || len(created.Transaction) == 0 {
			t.Errorf("simulation = %+v, want %d missing tokens and a transaction", s, 100*base)
		}
	})
}

// A quote on a state equals the program's result of a swap on the same state, both ways and both
// kinds, whatever the order of the mints, with and without a tax.
func TestRealSwapsMatchQuotes(t *testing.T) {
	w := newFixture(t, dex.Chain(t))
	opens := time.Now().AddDate(1, 0, 0)
	for name, kind := range kinds {
		t.Run(name, func(t *testing.T) {
			mint, caller := newMint(t, kind.first), w.funded(t, 50*sol)
			if kind.bps < 0 {
				w.plain(t, mint, caller)
			} else {
				w.taxed(t, mint, caller, uint16(kind.bps))
			}
			created := w.create(t, caller, mint.PublicKey, 400_000_000*base, 10*sol)
			w.landUnsigned(t, created.Unsigned, caller)
			wrap, err := market.WrapSteps(caller.PublicKey, 20*sol, false)
			if err != nil {
				t.Fatal(err)
			}
			w.execute(t, []wallet{caller}, wrap[0].Instruction, wrap[1].Instruction, wrap[2].Instruction)
			opens = opens.AddDate(0, 0, 1)
			w.TimeTravel(t, opens) // a pool opens a second after it was made
			trader := newTrader(t, w, caller, created.Pool)
			done := 0
			for _, amount := range []uint64{2, 333, 1_234_567, sol + 1, 3 * sol} {
				done += trader.swap(t, trade{"buy", cpmm.State.Buy, amount, false, false})
				// Builds of before November 2025 give nothing that costs less than a lamport.
				done += trader.swap(t, trade{"buy exactly", cpmm.State.BuyExactly, amount * 200_003, false, true})
				done += trader.swap(t, trade{"sell", cpmm.State.Sell, amount * 100_003, true, false})
				done += trader.swap(t, trade{"sell exactly", cpmm.State.SellExactly, amount / 2, true, true})
			}
			if done < 6 || kind.bps < 9_999 && done < 15 {
				t.Errorf("only %d swaps were executed", done)
			}
		})
	}
}

// trader swaps in a pool.
type trader struct {
	w             *fixture
	caller        wallet
	pool          token.Pool
	launched, sol raydium.Side
	shared        raydium.Swap
}

func newTrader(t *testing.T, w *fixture, caller wallet, p token.Pool) trader {
	t.Helper()
	state := w.state(t, p)
	account, err := token2022.AssociatedAddress(caller.PublicKey, p.Mint, state.Token.Program)
	if err != nil {
		t.Fatal(err)
	}
	wrapped, err := market.WrappedAddress(caller.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	a, err := raydium.Mainnet.AddressesAt(p.Mint, p.Address)
	if err != nil {
		t.Fatal(err)
	}
	launched, wsol := a.Sides(account, state.Token.Program, wrapped)
	return trader{w, caller, p, launched, wsol, raydium.Swap{
		Network: raydium.Mainnet, Trader: caller.PublicKey, Authority: a.Authority, Pool: a.Pool, Observation: a.Observation,
	}}
}

// trade is a swap to be tried.
type trade struct {
	name           string
	quote          func(cpmm.State, uint64) (cpmm.Quote, error)
	amount         uint64
	sale, exactOut bool
}

// instruction is a swap that takes a quote at its word.
func (t trade) instruction(shared raydium.Swap, q cpmm.Quote) solana.Instruction {
	if t.exactOut {
		return raydium.SwapBaseOutput{Swap: shared, MaximumIn: q.Sent, AmountOut: q.Received}.Instruction()
	}
	return raydium.SwapBaseInput{Swap: shared, AmountIn: q.Sent, MinimumOut: q.Received}.Instruction()
}

// swap quotes, executes with the quote as its limit, and compares. Without a quote the program must
// reject the swap, too. Amounts above the trader's balance are not tried.
func (r trader) swap(t *testing.T, want trade) (executed int) {
	t.Helper()
	name, amount := want.name, want.amount
	state := r.w.state(t, r.pool)
	shared := r.shared
	if shared.In, shared.Out = r.sol, r.launched; want.sale {
		shared.In, shared.Out = r.launched, r.sol
	}
	q, err := want.quote(state, amount)
	if err != nil {
		q = cpmm.Quote{Sent: amount}
		if want.exactOut {
			q = cpmm.Quote{Sent: math.MaxUint64, Received: amount}
		}
		if r.w.simulate(t, r.caller, want.instruction(shared, q)).OK {
			t.Errorf("%s %d: the program does it, and the quote is %v", name, amount, err)
		}
		return 0
	}
	if has := r.w.tokens(t, shared.In.Account).Amount; q.Sent > has {
		return 0
	}
	in, out := r.w.tokens(t, shared.In.Account).Amount, r.w.tokens(t, shared.Out.Account).Amount
	r.w.execute(t, []wallet{r.caller}, want.instruction(shared, q))
	sent, received := in-r.w.tokens(t, shared.In.Account).Amount, r.w.tokens(t, shared.Out.Account).Amount-out
	if sent != q.Sent || received != q.Received {
		t.Errorf("%s %d: sent %d and received %d, quoted %+v", name, amount, sent, received, q)
	}
	after := r.w.state(t, r.pool)
	fees := after.Pool.ProtocolFees[0] + after.Pool.ProtocolFees[1] + after.Pool.FundFees[0] + after.Pool.FundFees[1]
	was := state.Pool.ProtocolFees[0] + state.Pool.ProtocolFees[1] + state.Pool.FundFees[0] + state.Pool.FundFees[1]
	if fees-was != q.Swap.ProtocolFee+q.Swap.FundFee {
		t.Errorf("%s %d: the pool set %d aside, quoted %+v", name, amount, fees-was, q.Swap)
	}
	return 1
}
