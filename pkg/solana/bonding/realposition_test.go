package bonding_test

import (
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/bonding"
	"tokenlaunch.example/service/pkg/solana/meteora"
)

// Liquidity that was locked cannot be taken out again, even by the creator; its fees
// can.
func TestRealLockedLiquidityStays(t *testing.T) {
	w := newFixture(t)
	c := coins()["taxed, above wrapped SOL"]
	m := w.open(t, c, constant(t, 100), true)
	buyer := w.wallet(t)
	w.wrap(t, buyer, 20*solana.LAMPORTS_PER_SOL, m.mint, c.program)
	w.wrap(t, m.creator, 1, m.mint, c.program)
	q, err := bonding.BuyIn(m.state(t), 5*solana.LAMPORTS_PER_SOL, c.tax)
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
	w := newFixture(t)
	for name, c := range coins() {
		t.Run(name, func(t *testing.T) {
			m := w.open(t, c, constant(t, 100), false)
			buyer := w.wallet(t)
			w.wrap(t, buyer, 20*solana.LAMPORTS_PER_SOL, m.mint, c.program)
			w.wrap(t, m.creator, 1, m.mint, c.program)
			q, err := bonding.Buy(m.state(t), 100_000_000_000_000, c.tax)
			if err != nil {
				t.Fatal(err)
			}
			s := m.trade(t, m.state(t), buyer, meteora.ExactOut, q)

			tokens, lamports, err := bonding.Withdrawable(s)
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
			if _, err := bonding.Buy(m.state(t), 1, c.tax); err == nil {
				t.Error("an empty pool is quoted")
			}
		})
	}
}
