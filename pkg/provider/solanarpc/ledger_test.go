package solanarpc_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

// ledger is a fresh chain, a client of it, and a wallet with SOL.
type ledger struct {
	*localnet.Ledger
	*solanarpc.Client
	payer wallet
}

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

const lamportsPerSOL = 1_000_000_000

func newLedger(t *testing.T) ledger {
	t.Helper()
	local := localnet.Chain(t)
	client, err := solanarpc.New(local.RPCURL)
	if err != nil {
		t.Fatal(err)
	}
	l := ledger{local, client, newWallet(t)}
	l.fund(t, l.payer, 100*lamportsPerSOL)
	return l
}

func (l ledger) fund(t *testing.T, w wallet, lamports uint64) {
	t.Helper()
	l.Fund(t, w.String(), lamports)
}

func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// sign compiles and signs a transaction that the first signer pays for.
func sign(t *testing.T, recent solana.Hash, signers []wallet, instructions ...solana.Instruction) []byte {
	t.Helper()
	message, err := wire.Compile(signers[0].PublicKey, recent, instructions)
	if err != nil {
		t.Fatal(err)
	}
	tx := wire.NewTransaction(message)
	for _, s := range signers {
		if err := tx.Sign(s.key); err != nil {
			t.Fatal(err)
		}
	}
	return tx.Bytes()
}

// execute carries instructions out with a recent blockhash.
func (l ledger) execute(t *testing.T, signers []wallet, instructions ...solana.Instruction) {
	t.Helper()
	ctx := within(t)
	recent, err := l.LatestBlockhash(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Execute(ctx, sign(t, recent, signers, instructions...)); err != nil {
		t.Fatal(err)
	}
}

// nonceAccount creates the nonce account that belongs to a seed.
func (l ledger) nonceAccount(t *testing.T, authority wallet, seed string) solana.PublicKey {
	t.Helper()
	address, err := systemprogram.AddressWithSeed(authority.PublicKey, seed, solana.SystemProgramID)
	if err != nil {
		t.Fatal(err)
	}
	rent, err := l.MinimumBalance(within(t), systemprogram.NonceAccountSize)
	if err != nil {
		t.Fatal(err)
	}
	l.execute(t, []wallet{authority},
		systemprogram.CreateAccountWithSeed{
			Payer: authority.PublicKey, Account: address, Base: authority.PublicKey, Seed: seed,
			Lamports: rent, Space: systemprogram.NonceAccountSize, Owner: solana.SystemProgramID,
		}.Instruction(),
		systemprogram.InitializeNonceAccount{Nonce: address, Authority: authority.PublicKey}.Instruction())
	return address
}

func (l ledger) nonce(t *testing.T, address solana.PublicKey) systemprogram.Nonce {
	t.Helper()
	state, found, err := l.Nonce(within(t), address)
	if err != nil || !found {
		t.Fatalf("nonce %s: found %v, %v", address, found, err)
	}
	return state
}
