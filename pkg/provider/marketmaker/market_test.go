package marketmaker_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/provider/marketmaker"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	local "tokenlaunch.example/service/pkg/testkit/localnet/marketmaker"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/terms"
)

const (
	lamportsPerSOL = 1_000_000_000
	supply         = 1_000_000_000
	taxBps         = 500
)

type key struct {
	solana.PublicKey
	private ed25519.PrivateKey
}

func newKey(t *testing.T) key {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	must.Do(t, err)
	return key{solana.PublicKeyFromBytes(public), private}
}

func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// market is a chain with a maker on it, and a distribution wallet that has all of
// a token with a tax.
type market struct {
	*localnet.Ledger
	*solanarpc.Client
	maker  *local.Maker
	venue  *marketmaker.Client
	wallet key
	mint   solana.PublicKey // taxed
	// receipt is the account that messages create, from seed, until the test calls renew; rent is the
	// amount that they lend it.
	receipt solana.PublicKey
	seed    string
	rent    uint64
}

func newMarket(t *testing.T) *market {
	t.Helper()
	m := &market{Ledger: localnet.Chain(t), wallet: newKey(t)}
	var err error
	m.Client, err = solanarpc.New(m.RPCURL)
	must.Do(t, err)
	m.maker, err = local.New(m.RPCURL)
	must.Do(t, err)
	server := httptest.NewServer(m.maker)
	t.Cleanup(server.Close)
	m.venue, err = marketmaker.New(server.URL)
	must.Do(t, err)
	m.Fund(t, m.wallet.String(), lamportsPerSOL)
	m.Fund(t, m.maker.Address.String(), 100*lamportsPerSOL)
	m.mint = m.taxedMint(t, m.wallet)
	m.rent, err = m.MinimumBalance(within(t), 0)
	must.Do(t, err)
	m.renew(t)
	return m
}

// renew replaces the receipt of the messages from here on: they make another payment.
func (m *market) renew(t *testing.T) {
	t.Helper()
	m.seed = rand.Text()[:22]
	var err error
	m.receipt, err = systemprogram.AddressWithSeed(m.wallet.PublicKey, m.seed, solana.SystemProgramID)
	must.Do(t, err)
}

// taxedMint makes a Token-2022 mint with a tax whose whole supply a wallet has.
func (m *market) taxedMint(t *testing.T, owner key) solana.PublicKey {
	t.Helper()
	const space = 278 // a mint with a transfer fee: 166, 4 and 108 bytes
	mint := newKey(t)
	rent, err := m.MinimumBalance(within(t), space)
	must.Do(t, err)
	open, account, err := token2022.CreateAssociatedIdempotent{Payer: owner.PublicKey, Wallet: owner.PublicKey, Mint: mint.PublicKey}.Instruction()
	must.Do(t, err)
	m.execute(t, []key{owner, mint},
		systemprogram.CreateAccount{
			Payer: owner.PublicKey, Account: mint.PublicKey, Lamports: rent, Space: space, Owner: solana.Token2022ProgramID,
		}.Instruction(),
		token2022.InitializeTransferFeeConfig{
			Mint: mint.PublicKey, WithdrawWithheldAuthority: owner.PublicKey, BasisPoints: taxBps, MaximumFee: supply,
		}.Instruction(),
		token2022.InitializeMint2{Mint: mint.PublicKey, Decimals: 6, MintAuthority: owner.PublicKey}.Instruction(),
		open,
		token2022.MintTo{Mint: mint.PublicKey, Account: account, Authority: owner.PublicKey, Amount: supply}.Instruction())
	return mint.PublicKey
}

func (m *market) execute(t *testing.T, signers []key, instructions ...solana.Instruction) {
	t.Helper()
	recent, err := m.LatestBlockhash(within(t))
	must.Do(t, err)
	message, err := wire.Compile(signers[0].PublicKey, recent, instructions)
	must.Do(t, err)
	tx := wire.NewTransaction(message)
	for _, s := range signers {
		must.Do(t, tx.Sign(s.private))
	}
	must.Do(t, m.Execute(within(t), tx.Bytes()))
}

func (m *market) order(amount uint64, output terms.Asset) exchange.Order {
	return exchange.Order{Wallet: m.wallet.PublicKey, Input: m.mint, Amount: amount, Output: output, SlippageBps: 300}
}

// swap asks for a quote and its swap.
func (m *market) swap(t *testing.T, o exchange.Order) exchange.Swap {
	t.Helper()
	q, err := m.venue.Quote(within(t), o)
	must.Do(t, err)
	must.Do(t, exchange.DefaultLimits().Accept(q, nil, time.Now()))
	s, err := m.venue.Swap(within(t), q)
	must.Do(t, err)
	return s
}

// compose creates the message that the payout engine would.
func (m *market) compose(t *testing.T, s exchange.Swap, microLamports uint64) wire.Message {
	t.Helper()
	recent, err := m.LatestBlockhash(within(t))
	must.Do(t, err)
	message, err := wire.Compile(m.wallet.PublicKey, recent, append([]solana.Instruction{
		m.creating(m.rent, m.receipt),
		computebudget.SetUnitLimit(s.ComputeUnits), computebudget.SetUnitPrice(microLamports),
	}, s.Instructions...))
	must.Do(t, err)
	return message
}

// creating makes a receipt of the wallet.
func (m *market) creating(rent uint64, receipt solana.PublicKey) solana.Instruction {
	return systemprogram.CreateAccountWithSeed{
		Payer: m.wallet.PublicKey, Account: receipt, Base: m.wallet.PublicKey, Seed: m.seed, Lamports: rent, Owner: solana.SystemProgramID,
	}.Instruction()
}

// sign returns the transaction with the wallet's and the maker's signature.
func (m *market) sign(t *testing.T, s exchange.Swap, message wire.Message) []byte {
	t.Helper()
	tx := wire.NewTransaction(message)
	must.Do(t, tx.Sign(m.wallet.private))
	signatures, err := s.CoSign(within(t), message.Bytes())
	must.Do(t, err)
	for signer, signature := range signatures {
		must.Do(t, tx.SetSignature(signer, signature))
	}
	if missing := tx.Missing(); len(missing) > 0 {
		t.Fatalf("%v have not signed", missing)
	}
	return tx.Bytes()
}

// balances reads the watched accounts from the chain.
func (m *market) balances(t *testing.T, o exchange.Order) []exchange.Balance {
	t.Helper()
	watched, err := exchange.Watched(o)
	must.Do(t, err)
	var list []exchange.Balance
	for _, address := range watched {
		a, found, err := m.Account(within(t), address)
		must.Do(t, err)
		b := exchange.Balance{Address: address}
		if found {
			b = exchange.ReadBalance(address, a.Owner, a.Lamports, a.Data)
		}
		list = append(list, b)
	}
	return list
}

// tokens returns the balance of a token account of the owner.
func (m *market) tokens(t *testing.T, owner, mint, program solana.PublicKey) uint64 {
	t.Helper()
	address, err := token2022.AssociatedAddress(owner, mint, program)
	must.Do(t, err)
	stored, found, err := m.Account(within(t), address)
	must.Do(t, err)
	if !found {
		return 0
	}
	account, err := token2022.DecodeAccount(stored.Owner, stored.Data)
	must.Do(t, err)
	return account.Amount
}
