package launchtable_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// walletBench is a store with one wallet, issued at the start of its clock.
type walletBench struct {
	launchtable.Wallets

	now    time.Time
	wallet wallet.Wallet
}

func newWalletBench(t *testing.T) *walletBench {
	t.Helper()
	stack := localnet.AWS(t)
	start := time.Date(2026, 3, 4, 5, 6, 7, 89e6, time.UTC)
	b := &walletBench{now: start, wallet: wallet.Wallet{
		ID: uuid.NewString(), Address: key(), Root: 2, CreatedAt: start, ValidUntil: start.Add(wallet.Lifetime),
	}}
	b.Wallets = launchtable.Wallets{
		Client: dynamo.New(stack.Config(t.Context())), Table: stack.CreateTable(t, schema.Launch),
		Now: func() time.Time { return b.now },
	}
	must.Do(t, b.Put(t.Context(), b.wallet))
	return b
}

func (b *walletBench) write(t *testing.T, w types.TransactWriteItem) error {
	t.Helper()
	_, err := b.Client.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
		TransactItems: []types.TransactWriteItem{w},
	})
	return err
}

func (b *walletBench) bind(t *testing.T, mint solana.PublicKey) error {
	t.Helper()
	return b.write(t, launchtable.BindWallet(b.Table, b.wallet.ID, mint.String(), b.now))
}

func (b *walletBench) unbind(t *testing.T, mint solana.PublicKey) error {
	t.Helper()
	return b.write(t, launchtable.UnbindWallet(b.Table, b.wallet.ID, mint.String(), b.now))
}

// expect checks the result of Get; the zero wallet means ErrNotFound.
func (b *walletBench) expect(t *testing.T, want wallet.Wallet) {
	t.Helper()
	got, err := b.Get(t.Context(), b.wallet.ID)
	if want == (wallet.Wallet{}) {
		if !errors.Is(err, wallet.ErrNotFound) {
			t.Errorf("Get = %+v, %v; want ErrNotFound", got, err)
		}
		return
	}
	if err != nil || got != want {
		t.Errorf("Get = %+v, %v; want %+v", got, err, want)
	}
}

func refused(t *testing.T, what string, err error) {
	t.Helper()
	var canceled *types.TransactionCanceledException
	if !errors.As(err, &canceled) {
		t.Errorf("%s: %v, want it rejected", what, err)
	}
}

func TestUnboundWalletExpiresAfterDay(t *testing.T) {
	b := newWalletBench(t)
	b.now = b.now.Add(wallet.Lifetime - time.Millisecond)
	b.expect(t, b.wallet)
	b.now = b.now.Add(time.Millisecond)
	b.expect(t, wallet.Wallet{})

	// A token that was prepared in the last minute may still be submitted.
	b.now = b.wallet.ValidUntil.Add(5 * time.Minute)
	mint := key()
	must.Do(t, b.bind(t, mint))
	bound := b.wallet
	bound.BoundMint = mint
	b.expect(t, bound)
}

func TestBindRejectsExpiredWallet(t *testing.T) {
	b := newWalletBench(t)
	b.now = b.wallet.ValidUntil.Add(11 * time.Minute)
	refused(t, "bind", b.bind(t, key()))
	b.expect(t, wallet.Wallet{})
}

func TestUnknownWallet(t *testing.T) {
	b := newWalletBench(t)
	b.wallet.ID = uuid.NewString()
	b.expect(t, wallet.Wallet{})
	refused(t, "bind", b.bind(t, key()))
	refused(t, "unbind", b.unbind(t, key()))
	b.expect(t, wallet.Wallet{}) // a refused write leaves no item behind
}

func TestBoundWalletStaysWithToken(t *testing.T) {
	b := newWalletBench(t)
	mint := key()
	bound := b.wallet
	bound.BoundMint = mint
	must.Do(t, b.bind(t, mint))
	must.Do(t, b.bind(t, mint)) // again: nothing changes
	refused(t, "bind to another token", b.bind(t, key()))
	refused(t, "unbind from another token", b.unbind(t, key()))
	b.now = b.now.Add(1000 * wallet.Lifetime)
	b.expect(t, bound)

	out, err := b.Client.Scan(t.Context(), &dynamodb.ScanInput{TableName: &b.Table})
	must.Do(t, err)
	if _, expires := out.Items[0][schema.ExpiresAt]; expires {
		t.Errorf("the item of a bound wallet would be deleted: %v", out.Items[0])
	}
}

func TestUnboundWalletWaitsAnotherDay(t *testing.T) {
	b := newWalletBench(t)
	mint := key()
	must.Do(t, b.bind(t, mint))
	b.now = b.now.Add(100 * time.Hour)
	must.Do(t, b.unbind(t, mint))
	free := b.wallet
	free.ValidUntil = b.now.Add(wallet.Lifetime)
	b.expect(t, free)
	refused(t, "unbind twice", b.unbind(t, mint))
	must.Do(t, b.bind(t, key()))
}

func TestPutReplacesNoOtherWallet(t *testing.T) {
	b := newWalletBench(t)
	must.Do(t, b.Put(t.Context(), b.wallet)) // the SDK's second try
	rival := b.wallet
	rival.Address = key()
	if err := b.Put(t.Context(), rival); err == nil {
		t.Error("a wallet with the same id was stored")
	}
	b.expect(t, b.wallet)
}

func TestConcurrentBindsOneWins(t *testing.T) {
	b := newWalletBench(t)
	var got atomic.Int64
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if b.bind(t, key()) == nil {
				got.Add(1)
			}
		})
	}
	all.Wait()
	if got.Load() != 1 {
		t.Errorf("%d tokens have the wallet, want one", got.Load())
	}
}
