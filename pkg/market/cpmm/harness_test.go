package cpmm_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/binary"
	"math"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/token"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/cpmm"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/raydium"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
)

const (
	sol      = 1_000_000_000 // lamports
	supply   = 1_000_000_000 * base
	base     = 1_000_000 // base units in a whole token
	decimals = 6
)

// wallet is a key of a test.
type wallet struct {
	solana.PublicKey
	key ed25519.PrivateKey
}

func newWallet(t *testing.T) wallet {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return wallet{solana.PublicKeyFromBytes(public), private}
}

// newMint returns a key for a mint that sorts before wrapped SOL, or after it.
func newMint(t *testing.T, first bool) wallet {
	t.Helper()
	for {
		w := newWallet(t)
		if bytes.Compare(w.PublicKey[:], solana.WrappedSol[:]) < 0 == first {
			return w
		}
	}
}

// issue is the input of a store.
type issue struct {
	transaction.Issued
	token.Pool
}

// memory keeps what it is given.
type memory struct {
	issues []issue
	err    error // what it answers
}

func (m *memory) Issue(_ context.Context, i transaction.Issued, p token.Pool) error {
	m.issues = append(m.issues, issue{i, p})
	return m.err
}

// fixture is a chain, and the service over it.
type fixture struct {
	*localnet.Ledger
	client  *solanarpc.Client
	store   *memory
	service cpmm.Service
	payer   wallet // has 1,000 SOL, and mints tokens
}

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func newFixture(t *testing.T, ledger *localnet.Ledger) *fixture {
	t.Helper()
	client, err := solanarpc.New(ledger.RPCURL)
	if err != nil {
		t.Fatal(err)
	}
	w := &fixture{Ledger: ledger, client: client, store: &memory{}, payer: newWallet(t)}
	w.service = cpmm.Service{
		Chain: client, Store: w.store, Network: raydium.Mainnet, Random: rand.Reader,
		Preparer: transaction.Preparer{
			Chain: client, Price: computebudget.Bounds{Floor: 1_000, Cap: 1_000_000}, Now: func() time.Time { return noon }, NewID: uuid.NewString,
		},
	}
	ledger.Fund(t, w.payer.String(), 1_000*sol)
	return w
}

// funded is a new wallet with lamports.
func (w *fixture) funded(t *testing.T, lamports uint64) wallet {
	t.Helper()
	one := newWallet(t)
	w.Fund(t, one.String(), lamports)
	return one
}

// execute has the payer carry instructions out.
func (w *fixture) execute(t *testing.T, signers []wallet, instructions ...solana.Instruction) {
	t.Helper()
	recent, err := w.client.LatestBlockhash(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	message, err := wire.Compile(signers[0].PublicKey, recent, instructions)
	if err != nil {
		t.Fatal(err)
	}
	w.land(t, wire.NewTransaction(message), signers...)
}

// land signs a transaction and waits until it is confirmed.
func (w *fixture) land(t *testing.T, tx wire.Transaction, signers ...wallet) {
	t.Helper()
	for _, s := range signers {
		if err := tx.Sign(s.key); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.client.Execute(t.Context(), tx.Bytes()); err != nil {
		t.Fatal(err)
	}
}

// simulate returns the simulation of an instruction of the caller's.
func (w *fixture) simulate(t *testing.T, caller wallet, instruction solana.Instruction) transaction.Simulation {
	t.Helper()
	recent, err := w.client.LatestBlockhash(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	message, err := wire.Compile(caller.PublicKey, recent, []solana.Instruction{instruction})
	if err != nil {
		t.Fatal(err)
	}
	simulation, err := w.client.Simulate(t.Context(), wire.NewTransaction(message).Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return simulation
}

// landUnsigned has a caller sign what the service made for them.
func (w *fixture) landUnsigned(t *testing.T, u transaction.Unsigned, caller wallet) {
	t.Helper()
	tx, err := wire.ParseTransaction(u.Transaction)
	if err != nil {
		t.Fatal(err)
	}
	w.land(t, tx, caller)
}

func (w *fixture) rent(t *testing.T, size uint64) uint64 {
	t.Helper()
	lamports, err := w.client.MinimumBalance(t.Context(), size)
	if err != nil {
		t.Fatal(err)
	}
	return lamports
}

// taxed makes a Token-2022 mint with a transfer fee, and mints the whole supply to the owner.
func (w *fixture) taxed(t *testing.T, mint, owner wallet, bps uint16) {
	t.Helper()
	const space = 166 + 4 + 108
	w.execute(t, []wallet{w.payer, mint},
		systemprogram.CreateAccount{
			Payer: w.payer.PublicKey, Account: mint.PublicKey, Lamports: w.rent(t, space), Space: space, Owner: solana.Token2022ProgramID,
		}.Instruction(),
		token2022.InitializeTransferFeeConfig{Mint: mint.PublicKey, BasisPoints: bps, MaximumFee: math.MaxUint64}.Instruction(),
		token2022.InitializeMint2{Mint: mint.PublicKey, Decimals: decimals, MintAuthority: w.payer.PublicKey}.Instruction())
	create, account, err := token2022.CreateAssociatedIdempotent{
		Payer: w.payer.PublicKey, Wallet: owner.PublicKey, Mint: mint.PublicKey,
	}.Instruction()
	if err != nil {
		t.Fatal(err)
	}
	w.execute(t, []wallet{w.payer}, create,
		token2022.MintTo{Mint: mint.PublicKey, Account: account, Authority: w.payer.PublicKey, Amount: supply}.Instruction())
}

// plain creates a mint of the older Token program, and mints the whole supply to the owner.
func (w *fixture) plain(t *testing.T, mint, owner wallet) {
	t.Helper()
	data := make([]byte, 82)
	binary.LittleEndian.PutUint64(data[36:], supply)
	data[44], data[45] = decimals, 1
	w.SetAccount(t, mint.String(), surfpool.Account{Lamports: w.rent(t, 82), Owner: surfpool.TokenProgram, Data: data})
	w.FundToken(t, owner.String(), mint.String(), supply, surfpool.TokenProgram)
}

// create asks the service for a pool.
func (w *fixture) create(t *testing.T, caller wallet, mint solana.PublicKey, tokens, lamports uint64) cpmm.Created {
	t.Helper()
	created, err := w.service.Create(t.Context(), caller.PublicKey, mint, tokens, lamports)
	if err != nil {
		t.Fatal(err)
	}
	return created
}

func (w *fixture) balance(t *testing.T, address solana.PublicKey) uint64 {
	t.Helper()
	lamports, err := w.client.Balance(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	return lamports
}

// tokens returns the state of a token account; the zero value without the account.
func (w *fixture) tokens(t *testing.T, account solana.PublicKey) token2022.Account {
	t.Helper()
	stored, found, err := w.client.Account(t.Context(), account)
	if err != nil || !found {
		t.Fatalf("token account %s: found %v, %v", account, found, err)
	}
	decoded, err := token2022.DecodeAccount(stored.Owner, stored.Data)
	if err != nil {
		t.Fatal(err)
	}
	return decoded
}

// state reads the present state of a pool.
func (w *fixture) state(t *testing.T, p token.Pool) cpmm.State {
	t.Helper()
	stored, _, err := w.client.Account(t.Context(), p.Address)
	if err != nil {
		t.Fatal(err)
	}
	pool, err := raydium.Mainnet.DecodePool(stored.Owner, stored.Data)
	if err != nil {
		t.Fatal(err)
	}
	config, err := cpmm.ReadConfig(t.Context(), w.client, raydium.Mainnet)
	if err != nil {
		t.Fatal(err)
	}
	mint, err := market.ReadMint(t.Context(), w.client, p.Mint)
	if err != nil {
		t.Fatal(err)
	}
	epoch, err := w.client.Epoch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return cpmm.State{
		Pool: pool, Config: config, Token: mint, Epoch: epoch, Now: time.Unix(math.MaxInt32, 0),
		TokenVault: w.tokens(t, p.TokenVault).Amount, SOLVault: w.tokens(t, p.SOLVault).Amount,
	}
}
