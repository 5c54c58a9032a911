package runworld

import (
	"log/slog"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/venue"
	"tokenlaunch.example/service/pkg/solana/bonding"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/localnet/dex"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// NewRealEnv is NewEnv on a chain that has the exchanges' programs. Without the programs the test
// is skipped; see package dex.
func NewRealEnv(t testing.TB) *Env {
	t.Helper()
	return newEnv(t, dex.Chain(t))
}

// Pools returns the venue that swaps in the pools of the chain.
func (w *Fixture) Pools() venue.Pools {
	return w.pools(w.Clock.Now)
}

func (g *Env) pools(now func() time.Time) venue.Pools {
	return venue.Pools{Chain: g.Node, Tokens: &g.markets, Raydium: raydium.Mainnet, Now: now, Log: slog.New(slog.DiscardHandler)}
}

// SellInPools lets every worker sell in the pools, and returns the list of quotes for which swaps
// are created.
func (w *Fixture) SellInPools() *Quotes {
	made := &Quotes{Venue: w.Pools()}
	w.Prepare = func(worker *Worker) { worker.Machine.Venue = made }
	return made
}

// Own returns the token itself as a coin. The creator has the undistributed tokens.
func (w *Fixture) Own() Currency {
	return Currency{Mint: w.Token.Mint, Program: solana.Token2022ProgramID, FeeBps: FeeBps}
}

// instructions returns the instructions of a trade with its steps for wrapped SOL.
func instructions(t testing.TB, owner solana.PublicKey, lamports uint64, trade solana.Instruction) []solana.Instruction {
	t.Helper()
	steps, err := market.WrapSteps(owner, lamports, false)
	must.Do(t, err)
	unwrap, err := market.UnwrapStep(owner)
	must.Do(t, err)
	list := []solana.Instruction{computebudget.SetUnitLimit(computebudget.MaxUnitLimit)}
	for _, s := range steps {
		list = append(list, s.Instruction)
	}
	return append(list, trade, unwrap.Instruction)
}

// Raydium creates the pool of a coin and SOL on Raydium with the owner's coins. The bank supplies
// the SOL.
func (g *Env) Raydium(t testing.TB, owner solana.PrivateKey, c Currency, tokens, lamports uint64) raydium.Addresses {
	t.Helper()
	const overhead = solana.LAMPORTS_PER_SOL
	who := owner.PublicKey()
	g.Ledger.Fund(t, who.String(), lamports+overhead)
	at, err := raydium.Mainnet.Addresses(c.Mint)
	must.Do(t, err)
	shares, err := token2022.AssociatedAddress(who, at.LPMint, solana.TokenProgramID)
	must.Do(t, err)
	g.Execute(t, []solana.PrivateKey{owner}, instructions(t, who, lamports, raydium.Initialize{
		Network: raydium.Mainnet, Addresses: at, Creator: who, TokenProgram: c.Program,
		TokenAccount: c.Account(t, who), SOLAccount: wrapped(t, who), LPAccount: shares,
		TokenAmount: tokens, Lamports: lamports,
	}.Instruction())...)
	// The pool opens a second after its creation, and the chain's clock does not advance.
	pool, found, err := g.Node.Account(t.Context(), at.Pool)
	must.Do(t, err)
	if !found {
		t.Fatalf("there is no pool %s", at.Pool)
	}
	state, err := raydium.Mainnet.DecodePool(pool.Owner, pool.Data)
	must.Do(t, err)
	g.Ledger.TimeTravel(t, time.Unix(int64(state.OpenTime), 0)) //nolint:gosec // the chain's own seconds
	g.markets.pooled(token.Pool{Kind: token.RaydiumCPMM, Address: at.Pool, Mint: c.Mint, Creator: who})
	return at
}

// Curve creates a curve of a coin on Meteora with the owner's coins. At the target, targetLamports
// are raised and the price is 16 times the first price. The fee is 1 percent.
func (g *Env) Curve(t testing.TB, owner solana.PrivateKey, c Currency, tokens, targetLamports uint64) meteora.Accounts {
	t.Helper()
	const multiplier, feeBps = 160_000, 100
	who, nft := owner.PublicKey(), solana.NewWallet().PrivateKey
	g.Ledger.Fund(t, who.String(), solana.LAMPORTS_PER_SOL)
	at, err := meteora.Addresses(c.Mint, solana.WrappedSol, nft.PublicKey())
	must.Do(t, err)
	tax := (tokens*uint64(c.FeeBps) + token2022.MaxBasisPoints - 1) / token2022.MaxBasisPoints
	p, err := bonding.Plan(bonding.Request{Tokens: tokens - tax, TargetLamports: targetLamports, MultiplierBps: multiplier})
	must.Do(t, err)
	create, err := meteora.InitializeCustomizablePool{
		Accounts: at, Creator: who, Payer: who, TokenMint: c.Mint, TokenProgram: c.Program,
		PayerToken: c.Account(t, who), PayerSOL: wrapped(t, who), Fee: meteora.BaseFee{Cliff: feeBps * meteora.FeeNumeratorPerBps},
		MinSqrtPrice: p.StartSqrtPrice, MaxSqrtPrice: p.MaxSqrtPrice, SqrtPrice: p.StartSqrtPrice, Liquidity: p.Liquidity,
	}.Instruction()
	must.Do(t, err)
	g.Execute(t, []solana.PrivateKey{owner, nft}, instructions(t, who, 1, create)...)
	g.markets.pooled(token.Pool{Kind: token.MeteoraDAMMv2, Address: at.Pool, Mint: c.Mint, Creator: who})
	return at
}

// Buy buys a coin on its curve for lamports, which the bank supplies, and returns the coins that
// arrived in the owner's account.
func (g *Env) Buy(t testing.TB, owner solana.PrivateKey, c Currency, lamports uint64) uint64 {
	t.Helper()
	who := owner.PublicKey()
	g.Ledger.Fund(t, who.String(), lamports+solana.LAMPORTS_PER_SOL)
	g.Open(t, c, who)
	at, err := meteora.Addresses(c.Mint, solana.WrappedSol, solana.PublicKey{})
	must.Do(t, err)
	before := g.Tokens(t, who, c.Mint, c.Program)
	g.Execute(t, []solana.PrivateKey{owner}, instructions(t, who, lamports, meteora.Swap2{
		Pool: at.Pool, TokenVault: at.TokenVault, SOLVault: at.SOLVault, TokenMint: c.Mint, TokenProgram: c.Program,
		Payer: who, PayerToken: c.Account(t, who), PayerSOL: wrapped(t, who),
		Direction: meteora.Buy, Mode: meteora.ExactIn, Amount: lamports,
	}.Instruction())...)
	return g.Tokens(t, who, c.Mint, c.Program) - before
}

// Trade lets an owner, to whom the bank sends the costs, sell a coin for SOL or another coin in the
// pools, at any price.
func (g *Env) Trade(t testing.TB, owner solana.PrivateKey, from solana.PublicKey, amount uint64, into terms.Asset) {
	t.Helper()
	who := owner.PublicKey()
	g.Ledger.Fund(t, who.String(), solana.LAMPORTS_PER_SOL)
	pools := g.pools(time.Now)
	q, err := pools.Quote(t.Context(), exchange.Order{Wallet: who, Input: from, Amount: amount, Output: into, SlippageBps: exchange.MaxSlippageBps})
	must.Do(t, err)
	s, err := pools.Swap(t.Context(), q)
	must.Do(t, err)
	limit := computebudget.SetUnitLimit(computebudget.MaxUnitLimit)
	g.Execute(t, []solana.PrivateKey{owner}, append([]solana.Instruction{limit}, s.Instructions...)...)
}

// BuyBack lets an owner, to whom the bank sends the costs, buy a coin in a Raydium pool until
// exactly arrives coins have arrived. It returns the owner's payment in lamports.
func (g *Env) BuyBack(t testing.TB, owner solana.PrivateKey, c Currency, at raydium.Addresses, arrives, most uint64) uint64 {
	t.Helper()
	who := owner.PublicKey()
	g.Ledger.Fund(t, who.String(), most+solana.LAMPORTS_PER_SOL)
	before := g.Lamports(t, who)
	launched, sol := at.Sides(c.Account(t, who), c.Program, wrapped(t, who))
	g.Execute(t, []solana.PrivateKey{owner}, instructions(t, who, most, raydium.SwapBaseOutput{
		Swap: raydium.Swap{
			Network: raydium.Mainnet, Trader: who, Authority: at.Authority, Pool: at.Pool, Observation: at.Observation, In: sol, Out: launched,
		}, MaximumIn: most, AmountOut: arrives,
	}.Instruction())...)
	return before - g.Lamports(t, who)
}

func wrapped(t testing.TB, owner solana.PublicKey) solana.PublicKey {
	t.Helper()
	address, err := market.WrappedAddress(owner)
	must.Do(t, err)
	return address
}
