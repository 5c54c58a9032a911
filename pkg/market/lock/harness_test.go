package lock_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/lock"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
	"tokenlaunch.example/service/pkg/testkit/must"
)

const (
	sol    = 1_000_000_000
	supply = 1_000_000_000_000_000
)

// memory keeps what it is given.
type memory struct{ issued []transaction.Issued }

func (m *memory) Record(_ context.Context, i transaction.Issued) error {
	m.issued = append(m.issued, i)
	return nil
}

// fixture is the service over a chain.
type fixture struct {
	*localnet.Ledger

	node    *solanarpc.Client
	store   *memory
	service lock.Service
}

func newFixture(t *testing.T, ledger *localnet.Ledger) *fixture {
	t.Helper()
	node, err := solanarpc.New(ledger.RPCURL)
	must.Do(t, err)
	w := &fixture{Ledger: ledger, node: node, store: &memory{}}
	w.service = lock.Service{
		Issued: w.store, Chain: node, Random: rand.Reader,
		Preparer: transaction.Preparer{Chain: node, Price: computebudget.Bounds{Floor: 1_000, Cap: 1_000_000}, Now: time.Now, NewID: uuid.NewString},
	}
	return w
}

// refused checks that a call failed with a code, and names the field.
func refused(t *testing.T, what string, err error, code, field string) {
	t.Helper()
	var e *apperr.Error
	if !errors.As(err, &e) || e.Code.String() != code || field != "" && (len(e.Fields) != 1 || e.Fields[0].Field != field) {
		t.Errorf("%s: %v %+v, want %s of %q", what, err, e, code, field)
	}
}

func (w *fixture) wallet(t *testing.T) solana.PrivateKey {
	t.Helper()
	key := solana.NewWallet().PrivateKey
	w.Fund(t, key.PublicKey().String(), 100*sol)
	return key
}

// kind is a mint: its tax, or of the older Token program.
type kind struct {
	bps     uint16
	largest uint64 // of the tax of one transfer
	older   bool
}

func (k kind) program() solana.PublicKey {
	if k.older {
		return solana.TokenProgramID
	}
	return solana.Token2022ProgramID
}

// mint creates a token, all of it the owner's.
func (w *fixture) mint(t *testing.T, owner solana.PrivateKey, k kind) solana.PublicKey {
	t.Helper()
	key, wallet := solana.NewWallet().PrivateKey, owner.PublicKey()
	mint := key.PublicKey()
	if k.older {
		data := make([]byte, 82)
		binary.LittleEndian.PutUint64(data[36:], supply)
		data[44], data[45] = 6, 1
		w.SetAccount(t, mint.String(), surfpool.Account{Lamports: 10_000_000, Owner: surfpool.TokenProgram, Data: data})
		w.FundToken(t, wallet.String(), mint.String(), supply, surfpool.TokenProgram)
		return mint
	}
	open, account, err := token2022.CreateAssociatedIdempotent{Payer: wallet, Wallet: wallet, Mint: mint}.Instruction()
	must.Do(t, err)
	space, list := uint64(82), []solana.Instruction{}
	if k.bps > 0 {
		space = 166 + 4 + 108
		list = append(list, token2022.InitializeTransferFeeConfig{Mint: mint, BasisPoints: k.bps, MaximumFee: k.largest}.Instruction())
	}
	list = append([]solana.Instruction{systemprogram.CreateAccount{
		Payer: wallet, Account: mint, Lamports: 10_000_000, Space: space, Owner: solana.Token2022ProgramID,
	}.Instruction()}, append(list,
		token2022.InitializeMint2{Mint: mint, Decimals: 6, MintAuthority: wallet}.Instruction(), open,
		token2022.MintTo{Mint: mint, Account: account, Authority: wallet, Amount: supply}.Instruction())...)
	w.execute(t, list, owner, key)
	return mint
}

func (w *fixture) compile(t *testing.T, list []solana.Instruction, signers ...solana.PrivateKey) wire.Transaction {
	t.Helper()
	recent, err := w.node.LatestBlockhash(t.Context())
	must.Do(t, err)
	message, err := wire.Compile(signers[0].PublicKey(), recent, list)
	must.Do(t, err)
	tx := wire.NewTransaction(message)
	for _, s := range signers {
		must.Do(t, tx.Sign(ed25519.PrivateKey(s)))
	}
	return tx
}

// execute lands instructions; the first signer pays.
func (w *fixture) execute(t *testing.T, list []solana.Instruction, signers ...solana.PrivateKey) {
	t.Helper()
	must.Do(t, w.node.Execute(t.Context(), w.compile(t, list, signers...).Bytes()))
}

// land has a caller sign what was prepared for them.
func (w *fixture) land(t *testing.T, u transaction.Unsigned, caller solana.PrivateKey) {
	t.Helper()
	tx, err := wire.ParseTransaction(u.Transaction)
	must.Do(t, err)
	must.Do(t, tx.Sign(ed25519.PrivateKey(caller)))
	must.Do(t, w.node.Execute(t.Context(), tx.Bytes()))
}

func (w *fixture) lamports(t *testing.T, address solana.PublicKey) uint64 {
	t.Helper()
	n, err := w.node.Balance(t.Context(), address)
	must.Do(t, err)
	return n
}

// tokens is a wallet's associated account; or empty if none exists.
func (w *fixture) tokens(t *testing.T, owner, mint, program solana.PublicKey) token2022.Account {
	t.Helper()
	address, err := token2022.AssociatedAddress(owner, mint, program)
	must.Do(t, err)
	stored, found, err := w.node.Account(t.Context(), address)
	must.Do(t, err)
	if !found {
		return token2022.Account{}
	}
	account, err := token2022.DecodeAccount(stored.Owner, stored.Data)
	must.Do(t, err)
	return account
}

// now returns the time of the chain's clock.
func (w *fixture) now(t *testing.T) time.Time {
	t.Helper()
	stored, _, err := w.node.Account(t.Context(), solana.SysVarClockPubkey)
	must.Do(t, err)
	clock, err := market.DecodeClock(stored.Data)
	must.Do(t, err)
	return clock.Time()
}
