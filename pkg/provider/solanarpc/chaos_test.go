package solanarpc_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

// storms returns a client of two providers before one chain.
func storms(t *testing.T, ledger *localnet.Ledger, seed uint64) (*solanarpc.Client, [2]*fault.Injector) {
	t.Helper()
	addresses, both := fault.Providers(t, ledger.RPCURL, seed)
	client, err := solanarpc.New(addresses)
	if err != nil {
		t.Fatal(err)
	}
	client.HedgeAfter(200 * time.Millisecond)
	return client, both
}

// pay makes a signed payment.
func pay(ctx context.Context, c *solanarpc.Client, from ed25519.PrivateKey, to solana.PublicKey, lamports uint64) (wire.Transaction, error) {
	recent, err := c.LatestBlockhash(ctx)
	if err != nil {
		return wire.Transaction{}, err
	}
	payer := solana.PublicKeyFromBytes(from.Public().(ed25519.PublicKey)) //nolint:forcetypeassert // what it is
	message, err := wire.Compile(payer, recent, []solana.Instruction{
		systemprogram.Transfer{From: payer, To: to, Lamports: lamports}.Instruction(),
	})
	if err != nil {
		return wire.Transaction{}, err
	}
	tx := wire.NewTransaction(message)
	return tx, tx.Sign(from)
}

// TestProvidersFailTogether pays many times while a third of all calls fail at both providers.
// Every landed payment counts once, few calls fail permanently, and none after the outage.
func TestProvidersFailTogether(t *testing.T) {
	const workers, each = 4, 10
	ledger := localnet.Chain(t, localnet.WithClock(50*time.Millisecond))
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	client, both := storms(t, ledger, seed)
	to := solana.PublicKey{7}
	ledger.Fund(t, to.String(), 1_000_000)
	for _, s := range both {
		s.On.Store(true)
	}
	var calls, failed atomic.Int32
	var slowest atomic.Int64
	// do makes a call, and repeats it after a permanent failure.
	do := func(call func(context.Context) error) {
		for {
			began := time.Now()
			err := call(t.Context())
			calls.Add(1)
			slowest.Store(max(slowest.Load(), int64(time.Since(began))))
			if err == nil {
				return
			}
			if apperr.KindOf(err) != apperr.Unavailable || errors.Is(err, context.Canceled) {
				t.Errorf("not an outage: %v", err)
				return
			}
			failed.Add(1)
		}
	}
	var landed atomic.Uint64
	var all sync.WaitGroup
	for w := range workers {
		key := ed25519.NewKeyFromSeed(append(make([]byte, 31), byte(w+1)))
		ledger.Fund(t, solana.PublicKeyFromBytes(key[32:]).String(), 1_000_000_000)
		all.Go(func() {
			for n := range each {
				amount := uint64(1_000_000 + w*each + n)
				var tx wire.Transaction
				do(func(ctx context.Context) (err error) { tx, err = pay(ctx, client, key, to, amount); return err })
				signature, _ := tx.ID()
				for {
					do(func(ctx context.Context) error { return client.Send(ctx, tx.Bytes()) })
					var outcome transaction.Outcome
					do(func(ctx context.Context) (err error) {
						ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
						defer cancel()
						if outcome, err = client.Await(ctx, signature); ctx.Err() != nil {
							return nil // its time was over; it is asked again
						}
						return err
					})
					if outcome.State == transaction.Succeeded {
						landed.Add(amount)
						break
					}
					if outcome.State == transaction.Refused || t.Failed() {
						t.Errorf("payment %d of %d: %+v", n, w, outcome)
						return
					}
				}
			}
		})
	}
	all.Wait()
	for _, s := range both {
		s.On.Store(false)
	}
	got, err := client.Balance(t.Context(), to)
	if err != nil || got != 1_000_000+landed.Load() {
		t.Errorf("%d lamports arrived of %d, %v", got-1_000_000, landed.Load(), err)
	}
	t.Logf("%d payments, %d calls of the client, %d failed permanently, the slowest took %s",
		workers*each, calls.Load(), failed.Load(), time.Duration(slowest.Load()).Round(time.Millisecond))
	if failed.Load()*20 > calls.Load() {
		t.Errorf("%d of %d calls failed permanently, want at most one in twenty", failed.Load(), calls.Load())
	}
}

// TestProviderComesBack measures how long callers notice.
func TestProviderComesBack(t *testing.T) {
	client, both := storms(t, localnet.Chain(t), 1)
	read := func() time.Duration {
		began := time.Now()
		if _, err := client.Balance(t.Context(), solana.PublicKey{1}); err != nil {
			t.Errorf("a read fails while one provider is away: %v", err)
		}
		return time.Since(began)
	}
	read()
	both[0].Away.Store(true)
	var first, later time.Duration
	for range solanarpc.FailuresToLeaveOut {
		first = max(first, read())
	}
	for range 20 {
		later = max(later, read())
	}
	both[0].Away.Store(false)
	both[1].Away.Store(true)
	away := time.Now()
	for {
		if _, err := client.Balance(t.Context(), solana.PublicKey{1}); err == nil {
			break
		}
		if time.Since(away) > time.Minute {
			t.Fatal("the provider that came back is not used")
		}
	}
	fmt.Printf("chaos: slowest read %s when a provider goes away, %s once it is left out; %s until the one that came back is used\n",
		first.Round(time.Millisecond), later.Round(time.Millisecond), time.Since(away).Round(time.Millisecond))
}
