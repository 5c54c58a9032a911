package venue_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/market/venue"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/terms"
)

// account is where a wallet has a coin.
func (c coin) account(t testing.TB) solana.PublicKey {
	t.Helper()
	address, err := token2022.AssociatedAddress(wallet, c.mint, c.program)
	must.Do(t, err)
	return address
}

// message puts a swap into a transaction that creates a receipt.
func message(t testing.TB, s exchange.Swap, receipt solana.PublicKey) wire.Message {
	t.Helper()
	m, err := wire.Compile(wallet, solana.Hash{}, append([]solana.Instruction{
		systemprogram.CreateAccountWithSeed{Payer: wallet, Account: receipt, Base: wallet, Seed: strings.Repeat("s", 22)}.Instruction(),
		computebudget.SetUnitLimit(computebudget.MaxUnitLimit), computebudget.SetUnitPrice(1),
	}, s.Instructions...))
	must.Do(t, err)
	return m
}

// step is the expectation of a test for an instruction.
type step struct {
	program solana.PublicKey
	// tag is how the data begins, and numbers are the u64 that follow it; mode is the
	// byte behind them, absent when it is negative.
	tag     []byte
	numbers []uint64
	mode    int
	// accounts are those at these places; nothing is said of others.
	accounts map[int]solana.PublicKey
}

func (s step) check(t *testing.T, in solana.Instruction) {
	t.Helper()
	data, err := in.Data()
	must.Do(t, err)
	want := slices.Clone(s.tag)
	for _, n := range s.numbers {
		want = binary.LittleEndian.AppendUint64(want, n)
	}
	if s.mode >= 0 {
		want = append(want, byte(s.mode))
	}
	if in.ProgramID() != s.program || !slices.Equal(data, want) {
		t.Errorf("%s %x, want %s %x", in.ProgramID(), data, s.program, want)
	}
	for i, a := range s.accounts {
		if got := in.Accounts()[i].PublicKey; got != a {
			t.Errorf("account %d of %s is %s, want %s", i, s.program, got, a)
		}
	}
}

var (
	baseInput  = []byte{143, 190, 90, 218, 196, 30, 51, 222}
	baseOutput = []byte{55, 217, 98, 86, 163, 74, 180, 173}
	swap2      = []byte{65, 75, 63, 76, 235, 91, 91, 136}
)

// Both programs, both ways, for SOL and for another token: the bytes of the swaps,
// that they are within what a wallet signs, and that they fit.
func TestSwaps(t *testing.T) {
	c, reward := taxed("token", 500, true), taxed("reward", 100, false)
	reward.program = solana.TokenProgramID
	wrapped := coin{mint: solana.WrappedSol, program: solana.TokenProgramID}.account(t)
	const amount = 10_000 * tokens
	open := func(mint, program, account solana.PublicKey) step {
		return step{solana.SPLAssociatedTokenAccountProgramID, []byte{1}, nil, -1, map[int]solana.PublicKey{
			0: wallet, 1: account, 2: wallet, 3: mint, 5: program,
		}}
	}
	cpmm := func(tag []byte, in, out solana.PublicKey, numbers ...uint64) step {
		return step{raydium.Mainnet.Program, tag, numbers, -1, map[int]solana.PublicKey{0: wallet, 4: in, 5: out}}
	}
	damm := func(mode int, in, out solana.PublicKey, numbers ...uint64) step {
		return step{meteora.Program, swap2, numbers, mode, map[int]solana.PublicKey{2: in, 3: out, 8: wallet}}
	}
	closing := step{solana.TokenProgramID, []byte{9}, nil, -1, map[int]solana.PublicKey{0: wrapped, 1: wallet, 2: wallet}}
	const exactIn, exactOut = 0, 2
	for _, test := range []struct {
		name      string
		sell, buy func(c coin, on *chain)
		programs  int
		// steps are given what is between, and the quote.
		steps func(between uint64, q exchange.Quote) []step
	}{
		{"Raydium for SOL", raydiums(t), nil, 1, func(_ uint64, q exchange.Quote) []step {
			return []step{cpmm(baseInput, c.account(t), wrapped, amount, q.MinimumOut)}
		}},
		{"Meteora for SOL", meteoras(t), nil, 1, func(_ uint64, q exchange.Quote) []step {
			return []step{damm(exactIn, c.account(t), wrapped, amount, q.MinimumOut)}
		}},
		{"Raydium and Raydium", raydiums(t), raydiums(t), 1, func(between uint64, q exchange.Quote) []step {
			return []step{
				cpmm(baseOutput, c.account(t), wrapped, amount, between), cpmm(baseInput, wrapped, reward.account(t), between, q.MinimumOut),
			}
		}},
		{"Raydium and Meteora", raydiums(t), meteoras(t), 2, func(between uint64, q exchange.Quote) []step {
			return []step{
				cpmm(baseOutput, c.account(t), wrapped, amount, between), damm(exactIn, wrapped, reward.account(t), between, q.MinimumOut),
			}
		}},
		{"Meteora and Raydium", meteoras(t), raydiums(t), 2, func(between uint64, q exchange.Quote) []step {
			return []step{
				damm(exactOut, c.account(t), wrapped, between, amount), cpmm(baseInput, wrapped, reward.account(t), between, q.MinimumOut),
			}
		}},
		{"Meteora and Meteora", meteoras(t), meteoras(t), 1, func(between uint64, q exchange.Quote) []step {
			return []step{
				damm(exactOut, c.account(t), wrapped, between, amount), damm(exactIn, wrapped, reward.account(t), between, q.MinimumOut),
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			on, pools := planted(t)
			c.plant(on)
			reward.plant(on)
			test.sell(c, on)
			o := c.order(amount, terms.SOL)
			sold, err := pools.Quote(t.Context(), o)
			must.Do(t, err)
			want := []step{open(solana.WrappedSol, solana.TokenProgramID, wrapped)}
			if test.buy != nil {
				test.buy(reward, on)
				o.Output = reward.asset()
				want = append(want, open(reward.mint, reward.program, reward.account(t)))
			}
			q, err := pools.Quote(t.Context(), o)
			must.Do(t, err)
			calls := on.calls
			s, err := pools.Swap(t.Context(), q)
			must.Do(t, err)
			if on.calls != calls {
				t.Error("the swap reads something")
			}
			want = append(append(want, test.steps(sold.Out-sold.Out*150/10_000, q)...), closing)
			if len(s.Instructions) != len(want) {
				t.Fatalf("%d instructions, want %d", len(s.Instructions), len(want))
			}
			for i, in := range s.Instructions {
				want[i].check(t, in)
			}
			if len(s.Programs) != test.programs || s.CoSign != nil || len(s.CoSigners) != 0 || s.Quote.Out != q.Out {
				t.Errorf("Swap() = %+v, want %d programs, no co-signer and the quoted amount", s, test.programs)
			}
			must.Do(t, s.Fits())
			receipt := key("receipt")
			m := message(t, s, receipt)
			must.Do(t, exchange.Check(m, exchange.NewPolicy(s, receipt)))
			t.Logf("%d bytes", len(m.Bytes())+1+solana.SignatureLength)
		})
	}
}

// raydiums and meteoras plant a pool of a coin.
func raydiums(t testing.TB) func(coin, *chain) {
	return func(c coin, on *chain) { c.cpmm(t, on, 800_000*tokens, 100*sol) }
}

func meteoras(t testing.TB) func(coin, *chain) {
	return func(c coin, on *chain) { c.damm(t, on, 800_000*tokens, 100*sol) }
}

// A swap needs a quote of these pools for exactly this order.
func TestForgedQuotes(t *testing.T) {
	on, pools := planted(t)
	c, reward := taxed("token", 500, true), taxed("reward", 0, false)
	for _, token := range []coin{c, reward} {
		token.plant(on)
		token.cpmm(t, on, 800_000*tokens, 100*sol)
	}
	one, err := pools.Quote(t.Context(), c.order(tokens, terms.SOL))
	must.Do(t, err)
	two, err := pools.Quote(t.Context(), c.order(tokens, reward.asset()))
	must.Do(t, err)
	detail := func(q exchange.Quote, old, now string) exchange.Quote {
		if !strings.Contains(string(q.Detail), old) {
			t.Fatalf("%s has no %s", q.Detail, old)
		}
		q.Detail = []byte(strings.ReplaceAll(string(q.Detail), old, now))
		return q
	}
	another := func(q exchange.Quote) exchange.Quote { q.Venue = "jupiter"; return q }
	swapped := func(q exchange.Quote, other []byte) exchange.Quote { q.Detail = other; return q }
	for name, q := range map[string]exchange.Quote{
		"another venue's":         another(one),
		"no detail":               swapped(one, nil),
		"one order's for another": swapped(one, two.Detail),
		"and the other way round": swapped(two, one.Detail),
		"a pool of no kind":       detail(one, "raydium-cpmm", "orca"),
		"a pool without a kind":   detail(two, `"kind":"raydium-cpmm"`, `"kind":""`),
		"no token program":        detail(one, solana.Token2022ProgramID.String(), solana.SystemProgramID.String()),
		"no address":              detail(one, solana.Token2022ProgramID.String(), "0"),
	} {
		if s, err := pools.Swap(t.Context(), q); err == nil {
			t.Errorf("Swap(), %s = %+v, want an error", name, s)
		}
	}
	must.Do(t, func() error { _, err := pools.Swap(t.Context(), one); return err }())
	if one.Venue != venue.Name {
		t.Errorf("the venue is %q", one.Venue)
	}
}
