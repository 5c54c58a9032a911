package market_test

import (
	"crypto/ed25519"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

// wrapper is a wallet with money on a real chain.
type wrapper struct {
	*solanarpc.Client
	owner solana.PrivateKey
}

func newWrapper(t *testing.T) wrapper {
	t.Helper()
	ledger := localnet.Chain(t)
	client, err := solanarpc.New(ledger.RPCURL)
	if err != nil {
		t.Fatal(err)
	}
	w := wrapper{client, solana.NewWallet().PrivateKey}
	ledger.Fund(t, w.owner.PublicKey().String(), solana.LAMPORTS_PER_SOL)
	return w
}

// land carries steps out, each of which must say what it does.
func (w wrapper) land(t *testing.T, steps ...transaction.Step) {
	t.Helper()
	recent, err := w.RecentBlockhash(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	message, explanation, err := transaction.Draft{Caller: w.owner.PublicKey(), Steps: steps}.Compile(recent.Hash, 100_000, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, sentence := range explanation {
		if len(sentence) < 10 || sentence[len(sentence)-1] != '.' {
			t.Errorf("instruction %d is explained as %q", i, sentence)
		}
	}
	tx := wire.NewTransaction(message)
	if err := tx.Sign(ed25519.PrivateKey(w.owner)); err != nil {
		t.Fatal(err)
	}
	if err := w.Execute(t.Context(), tx.Bytes()); err != nil {
		t.Fatal(err)
	}
}

// wrapped returns the balance of the wallet's account of wrapped SOL; false without the account.
func (w wrapper) wrapped(t *testing.T) (uint64, bool) {
	t.Helper()
	address, err := market.WrappedAddress(w.owner.PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	stored, found, err := w.Account(t.Context(), address)
	if err != nil || !found {
		return 0, false
	}
	account, err := token2022.DecodeAccount(stored.Owner, stored.Data)
	if err != nil {
		t.Fatal(err)
	}
	if len(stored.Data) != market.WrappedAccountSize || account.Mint != solana.WrappedSol || account.Owner != w.owner.PublicKey() {
		t.Errorf("%d bytes: %+v", len(stored.Data), account)
	}
	return account.Amount, true
}

func (w wrapper) wrap(t *testing.T, lamports uint64, exists bool, instructions int) {
	t.Helper()
	steps, err := market.WrapSteps(w.owner.PublicKey(), lamports, exists)
	if err != nil {
		t.Fatal(err)
	}
	if len(steps) != instructions {
		t.Errorf("%d steps wrap %d lamports, account there %v; want %d", len(steps), lamports, exists, instructions)
	}
	if len(steps) > 0 {
		w.land(t, steps...)
	}
}

func TestWrappingAndUnwrapping(t *testing.T) {
	w := newWrapper(t)
	for i, c := range []struct {
		lamports     uint64
		exists       bool
		instructions int
		want         uint64
	}{
		{5_000_000, false, 3, 5_000_000},
		{1, true, 2, 5_000_001},
		{2, false, 3, 5_000_003}, // it was opened meanwhile
		{0, true, 0, 5_000_003},
		{0, false, 1, 5_000_003},
	} {
		w.wrap(t, c.lamports, c.exists, c.instructions)
		if got, found := w.wrapped(t); !found || got != c.want {
			t.Errorf("%d: %d lamports are wrapped, want %d", i, got, c.want)
		}
	}
	unwrap, err := market.UnwrapStep(w.owner.PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	w.land(t, unwrap)
	if got, found := w.wrapped(t); found {
		t.Errorf("%d lamports are still wrapped", got)
	}
	const transactions = 5 // each with one signature
	if got, err := w.Balance(t.Context(), w.owner.PublicKey()); err != nil || got != solana.LAMPORTS_PER_SOL-transactions*transaction.LamportsPerSignature {
		t.Errorf("the wallet has %d lamports, %v; all but the fees come back", got, err)
	}
}
