package payouttest

import (
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Decimals is the number of decimals of the tests' tokens.
const Decimals = 6

// Coin is a token on the environment's chain.
type Currency struct {
	Mint, Program solana.PublicKey
	FeeBps        uint16
}

// USDC returns the legacy token at USDC's address.
func (g *Env) USDC(t testing.TB) Currency {
	t.Helper()
	g.Ledger.CreateMints(t)
	return Currency{Mint: solana.MustPublicKeyFromBase58(surfpool.USDC), Program: solana.TokenProgramID}
}

// Taxed creates a Token-2022 token with a tax, which the wallet may collect. The environment's
// payer owns the supply.
func (g *Env) Taxed(t testing.TB, wallet solana.PublicKey, feeBps uint16, supply uint64) Currency {
	t.Helper()
	mint := solana.NewWallet().PrivateKey
	c := Currency{Mint: mint.PublicKey(), Program: solana.Token2022ProgramID, FeeBps: feeBps}
	node, err := solanarpc.New(g.Ledger.RPCURL)
	must.Do(t, err)
	const space = 166 + 4 + 108 // with the extension of the tax
	rent, err := node.MinimumBalance(t.Context(), space)
	must.Do(t, err)
	payer := g.Payer.PublicKey()
	create, account, err := token2022.CreateAssociatedIdempotent{Payer: payer, Wallet: payer, Mint: c.Mint}.Instruction()
	must.Do(t, err)
	g.Do(t, []solana.PrivateKey{mint},
		systemprogram.CreateAccount{Payer: payer, Account: c.Mint, Lamports: rent, Space: space, Owner: c.Program}.Instruction(),
		token2022.InitializeTransferFeeConfig{
			Mint: c.Mint, ConfigAuthority: payer, WithdrawWithheldAuthority: wallet, BasisPoints: feeBps, MaximumFee: supply,
		}.Instruction(),
		token2022.InitializeMint2{Mint: c.Mint, Decimals: Decimals, MintAuthority: payer, FreezeAuthority: payer}.Instruction(),
		create,
		token2022.MintTo{Mint: c.Mint, Account: account, Authority: payer, Amount: supply}.Instruction(),
	)
	return c
}

// Account returns the address of an owner's account of a coin.
func (c Currency) Account(t testing.TB, owner solana.PublicKey) solana.PublicKey {
	t.Helper()
	address, err := token2022.AssociatedAddress(owner, c.Mint, c.Program)
	must.Do(t, err)
	return address
}

// Asset returns the coin as a reward asset.
func (c Currency) Asset() terms.Asset { return terms.Asset(c.Mint) }

// Own returns the wallet's account of the coin.
func (c Currency) Own() payout.TokenAccount {
	return payout.TokenAccount{Mint: c.Mint, Program: c.Program}
}

// Phase returns a phase that pays in the coin.
func (c Currency) Phase(batch uint32) payout.Phase {
	return payout.Phase{
		Kind: payout.Pay, Asset: c.Asset(), Program: c.Program, Decimals: Decimals, FeeBps: c.FeeBps, MaximumFee: ^uint64(0),
		BatchSize: batch,
	}
}

// Send creates an owner's account and transfers tokens of the environment's payer. The tax stays
// withheld in the account.
func (g *Env) Send(t testing.TB, c Currency, owner solana.PublicKey, amount uint64) {
	t.Helper()
	payer := g.Payer.PublicKey()
	create, to, err := token2022.CreateAssociatedIdempotent{Payer: payer, Wallet: owner, Mint: c.Mint, Program: c.Program}.Instruction()
	must.Do(t, err)
	g.Do(t, nil, create, token2022.TransferChecked{
		Program: c.Program, Source: c.Account(t, payer), Mint: c.Mint, Destination: to, Owner: payer, Amount: amount, Decimals: Decimals,
	}.Instruction())
}

// Open creates an empty account for each owner.
func (g *Env) Open(t testing.TB, c Currency, owners ...solana.PublicKey) {
	t.Helper()
	for _, owner := range owners {
		create, _, err := token2022.CreateAssociatedIdempotent{Payer: g.Payer.PublicKey(), Wallet: owner, Mint: c.Mint, Program: c.Program}.Instruction()
		must.Do(t, err)
		g.Do(t, nil, create)
	}
}

// Freeze freezes an account of a taxed coin.
func (g *Env) Freeze(t testing.TB, c Currency, owner solana.PublicKey) { g.setFrozen(t, c, owner, 10) }

// Thaw reverts Freeze.
func (g *Env) Thaw(t testing.TB, c Currency, owner solana.PublicKey) { g.setFrozen(t, c, owner, 11) }

// setFrozen executes FreezeAccount, 10, or ThawAccount, 11 (spl-token, TokenInstruction).
func (g *Env) setFrozen(t testing.TB, c Currency, owner solana.PublicKey, tag byte) {
	t.Helper()
	g.Do(t, nil, solana.NewInstruction(c.Program, solana.AccountMetaSlice{
		solana.Meta(c.Account(t, owner)).WRITE(), solana.Meta(c.Mint), solana.Meta(g.Payer.PublicKey()).SIGNER(),
	}, []byte{tag}))
}

// Holding reads an owner's account of a coin.
func (w *Fixture) Holding(t testing.TB, c Currency, owner solana.PublicKey) token2022.Account {
	t.Helper()
	found, err := w.Chain.Holders(t.Context(), c.Account(t, owner))
	must.Do(t, err)
	if found[0] == nil {
		return token2022.Account{}
	}
	state, err := token2022.DecodeAccount(found[0].Owner, found[0].Data)
	must.Do(t, err)
	return state
}
