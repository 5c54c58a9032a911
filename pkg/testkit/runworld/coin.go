package runworld

import (
	"encoding/binary"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/localnet/localchain"
	"tokenlaunch.example/service/pkg/testkit/localnet/marketmaker"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Coin is a token that can be a reward. The environment's bank issues the coin.
type Currency struct {
	Mint, Program solana.PublicKey
	FeeBps        uint16
}

// Asset returns the coin as a reward asset.
func (c Currency) Asset() terms.Asset { return terms.Asset(c.Mint) }

// CoinDecimals is the number of decimals of every coin.
const CoinDecimals = 6

const (
	mintSize = 82
	// taxedSize is the size of a mint with a transfer fee: padding, type, and the extension behind
	// its header.
	taxedSize = 166 + 4 + 108
	// makersCoins is the maker's balance of each coin.
	makersCurrencies = 1_000_000_000_000
)

// Coin issues a Token-2022 token, with a tax unless feeBps is zero. The maker pays one unit of the
// coin for a thousand units of any other token.
func (g *Env) Currency(t testing.TB, feeBps uint16) Currency {
	t.Helper()
	mint := solana.NewWallet().PrivateKey
	c := Currency{Mint: mint.PublicKey(), Program: solana.Token2022ProgramID, FeeBps: feeBps}
	space := uint64(mintSize)
	var tax []solana.Instruction
	if feeBps > 0 {
		space = taxedSize
		tax = append(tax, token2022.InitializeTransferFeeConfig{
			Mint: c.Mint, ConfigAuthority: g.Bank.PublicKey(), BasisPoints: feeBps, MaximumFee: makersCurrencies,
		}.Instruction())
	}
	g.Make(t, mint, solana.PublicKey{}, space, tax...)
	g.issue(t, c)
	return c
}

// Make creates a Token-2022 mint with extensions. space must suffice for the extensions. freezer
// may freeze accounts, unless freezer is zero.
func (g *Env) Make(t testing.TB, mint solana.PrivateKey, freezer solana.PublicKey, space uint64, extensions ...solana.Instruction) {
	t.Helper()
	g.make(t, solana.Token2022ProgramID, mint, freezer, space, extensions...)
}

func (g *Env) make(t testing.TB, program solana.PublicKey, mint solana.PrivateKey, freezer solana.PublicKey, space uint64, extensions ...solana.Instruction) {
	t.Helper()
	rent, err := g.Node.MinimumBalance(t.Context(), space)
	must.Do(t, err)
	address := mint.PublicKey()
	steps := []solana.Instruction{systemprogram.CreateAccount{
		Payer: g.Bank.PublicKey(), Account: address, Lamports: rent, Space: space, Owner: program,
	}.Instruction()}
	steps = append(steps, extensions...)
	initialize := token2022.InitializeMint2{
		Mint: address, Decimals: CoinDecimals, MintAuthority: g.Bank.PublicKey(), FreezeAuthority: freezer,
	}.Instruction()
	data, err := initialize.Data()
	must.Do(t, err)
	steps = append(steps, solana.NewInstruction(program, initialize.Accounts(), data))
	g.Execute(t, []solana.PrivateKey{g.Bank, mint}, steps...)
}

// Legacy issues a token of the Token program. If listed, the token has the address of USDC, and the
// bank may freeze accounts.
func (g *Env) Legacy(t testing.TB, listed bool) Currency {
	t.Helper()
	mint := solana.NewWallet().PrivateKey
	c := Currency{Mint: mint.PublicKey(), Program: solana.TokenProgramID}
	if listed {
		c.Mint = solana.MustPublicKeyFromBase58(localchain.USDC)
		// A validator has the mint in its genesis.
		g.Ledger.SetAccount(t, localchain.USDC, localchain.Stablecoins(g.Bank.PublicKey(), 0)[localchain.USDC])
	} else {
		g.make(t, c.Program, mint, solana.PublicKey{}, mintSize)
	}
	g.issue(t, c)
	return c
}

// issue mints coins to the maker for payments.
func (g *Env) issue(t testing.TB, c Currency) {
	t.Helper()
	g.Issue(t, c, g.Maker.Address, makersCurrencies)
	g.Maker.SetPrice(c.Asset(), marketmaker.Price{In: 1_000, Out: 1})
}

// Issue creates an owner's account and mints new coins into the account.
func (g *Env) Issue(t testing.TB, c Currency, to solana.PublicKey, amount uint64) {
	t.Helper()
	g.Open(t, c, to)
	mint := token2022.MintTo{Mint: c.Mint, Account: c.Account(t, to), Authority: g.Bank.PublicKey(), Amount: amount}.Instruction()
	data, err := mint.Data()
	must.Do(t, err)
	g.Execute(t, nil, solana.NewInstruction(c.Program, mint.Accounts(), data))
}

// Open creates an account for an owner, at the bank's cost.
func (g *Env) Open(t testing.TB, c Currency, owner solana.PublicKey) {
	t.Helper()
	create, _, err := token2022.CreateAssociatedIdempotent{Payer: g.Bank.PublicKey(), Wallet: owner, Mint: c.Mint, Program: c.Program}.Instruction()
	must.Do(t, err)
	g.Execute(t, nil, create)
}

// Account returns the address of an owner's account of the coin.
func (c Currency) Account(t testing.TB, owner solana.PublicKey) solana.PublicKey {
	t.Helper()
	address, err := token2022.AssociatedAddress(owner, c.Mint, c.Program)
	must.Do(t, err)
	return address
}

// Tags of instructions of the token programs (spl-token, TokenInstruction).
const (
	tagSetAuthority = 6
	tagCloseAccount = 9
	tagFreeze       = 10
	tagThaw         = 11
	tagReallocate   = 29
	tagMemo         = 30
)

// Freeze freezes an owner's account of a listed coin.
func (g *Env) Freeze(t testing.TB, c Currency, owner solana.PublicKey) {
	g.state(t, c, owner, tagFreeze)
}

// Unpayable lets the bank freeze accounts of a coin, past the rules of the token programs: a mint without a
// freeze authority can never get one. Holders cannot be paid in the coin any more.
func (g *Env) Unpayable(t testing.TB, c Currency) {
	t.Helper()
	const freezer = 46 // spl-token, Mint: the freeze authority
	mint := g.sample(t, c.Mint)
	copy(mint.Data[freezer:], append([]byte{1, 0, 0, 0}, g.Bank.PublicKey().Bytes()...))
	g.Ledger.SetAccount(t, c.Mint.String(), mint)
}

// Thaw reverts Freeze.
func (g *Env) Thaw(t testing.TB, c Currency, owner solana.PublicKey) { g.state(t, c, owner, tagThaw) }

func (g *Env) state(t testing.TB, c Currency, owner solana.PublicKey, tag byte) {
	t.Helper()
	g.Execute(t, nil, solana.NewInstruction(c.Program, solana.AccountMetaSlice{
		solana.Meta(c.Account(t, owner)).WRITE(), solana.Meta(c.Mint), solana.Meta(g.Bank.PublicKey()).SIGNER(),
	}, []byte{tag}))
}

// Close closes an owner's empty account. The bank receives the rent.
func (g *Env) Close(t testing.TB, c Currency, owner solana.PrivateKey) {
	t.Helper()
	g.Execute(t, []solana.PrivateKey{g.Bank, owner}, solana.NewInstruction(c.Program, solana.AccountMetaSlice{
		solana.Meta(c.Account(t, owner.PublicKey())).WRITE(), solana.Meta(g.Bank.PublicKey()).WRITE(), solana.Meta(owner.PublicKey()).SIGNER(),
	}, []byte{tagCloseAccount}))
}

// HandOver transfers an owner's account of the Token program to another wallet. The account's
// address does not change.
func (g *Env) HandOver(t testing.TB, c Currency, account solana.PublicKey, from solana.PrivateKey, to solana.PublicKey) {
	t.Helper()
	const accountOwner = 2 // spl-token, AuthorityType
	data := append([]byte{tagSetAuthority, accountOwner, 1}, to[:]...)
	g.Execute(t, []solana.PrivateKey{g.Bank, from}, solana.NewInstruction(c.Program, solana.AccountMetaSlice{
		solana.Meta(account).WRITE(), solana.Meta(from.PublicKey()).SIGNER(),
	}, data))
}

// AskForMemos sets whether an owner's Token-2022 account rejects transfers without a memo.
func (g *Env) AskForMemos(t testing.TB, c Currency, owner solana.PrivateKey, on bool) {
	t.Helper()
	account, bank := c.Account(t, owner.PublicKey()), g.Bank.PublicKey()
	grow := binary.LittleEndian.AppendUint16([]byte{tagReallocate}, uint16(token2022.ExtensionMemoTransfer))
	set := []byte{tagMemo, 1}
	if on {
		set[1] = 0
	}
	g.Execute(t, []solana.PrivateKey{g.Bank, owner},
		solana.NewInstruction(c.Program, solana.AccountMetaSlice{
			solana.Meta(account).WRITE(), solana.Meta(bank).WRITE().SIGNER(), solana.Meta(solana.SystemProgramID), solana.Meta(owner.PublicKey()).SIGNER(),
		}, grow),
		solana.NewInstruction(c.Program, solana.AccountMetaSlice{
			solana.Meta(account).WRITE(), solana.Meta(owner.PublicKey()).SIGNER(),
		}, set))
}
