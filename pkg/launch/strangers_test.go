package launch_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/nonce"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// simulated is the service over a node whose simulations are the test's own.
func (b *bench) simulated(simulate func(context.Context, []byte) (transaction.Simulation, error)) launch.Service {
	s := b.Service
	node := simulating{b.node, simulate}
	s.Chain, s.Preparer.Chain = node, node
	return s
}

// TestTransientNodeStatesAreNotFinal tests docs/attacks.md, "Launching": BlockhashNotFound,
// AccountInUse and their like are 503 with Retry-After, when a launch is prepared and when it is
// submitted. They use up neither a nonce nor the cap of the address, and the same call succeeds
// later.
func TestTransientNodeStatesAreNotFinal(t *testing.T) {
	for name, state := range map[string]transaction.Simulation{
		"BlockhashNotFound": {Reason: transaction.ProgramError, Detail: "The blockhash is not known.", Outdated: true, Busy: true},
		"AccountInUse":      {Reason: transaction.ProgramError, Detail: "The account is in use.", Busy: true},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.LeasesPerIP = 1
			busy := b.simulated(func(context.Context, []byte) (transaction.Simulation, error) { return state, nil })
			creator := b.creator(t)
			draft := b.draft(t, creator)
			passing := func(err error) {
				t.Helper()
				told, ok := errors.AsType[*apperr.Error](err)
				if !ok || told.Kind() != apperr.Unavailable || told.RetryAfter <= 0 {
					t.Errorf("%v, want 503 with Retry-After", err)
				}
			}
			for range 3 {
				_, err := busy.Create(t.Context(), creator.PublicKey(), "203.0.113.7", draft)
				passing(err)
			}
			created, err := b.Create(t.Context(), creator.PublicKey(), "203.0.113.7", draft)
			must.Do(t, err)
			if size, err := b.nonces.Size(t.Context()); err != nil || size-b.free(t) != 1 {
				t.Errorf("%d of %d nonces are free, %v; want all but the launch's", b.free(t), size, err)
			}
			_, err = busy.Submit(t.Context(), creator.PublicKey(), created.ID, sign(t, created, creator))
			passing(err)
			b.submit(t, created, sign(t, created, creator))
		})
	}
}

// TestPendingLaunchRejectionIsNotReplayed tests docs/attacks.md, "Launching": a caller who lacks
// SOL may top up and submit again, so an idempotency key does not replay this rejection. A failure
// on chain is replayed.
func TestPendingLaunchRejectionIsNotReplayed(t *testing.T) {
	b := newBench(t)
	poor := solana.NewWallet().PrivateKey
	b.ledger.Fund(t, poor.PublicKey().String(), 5_000_000)
	created := b.create(t, poor)
	signed := sign(t, created, poor)
	passing := func(s launch.Service, want bool) {
		t.Helper()
		_, err := s.Submit(t.Context(), poor.PublicKey(), created.ID, signed)
		wantCode(t, err, "transaction_failed")
		if told, ok := errors.AsType[*apperr.Error](err); !ok || told.Transient != want {
			t.Errorf("%v is passing: %v, want %v", err, !want, want)
		}
	}
	passing(b.Service, true)
	blind := b.simulated(func(context.Context, []byte) (transaction.Simulation, error) {
		return transaction.Simulation{OK: true}, nil
	})
	passing(blind, false)
}

// TestCreateWorksAfterOutage tests docs/attacks.md, "Launching": creations that fail while a node
// is away for a minute, one a second, lease no nonce and use no limit up.
func TestCreateWorksAfterOutage(t *testing.T) {
	const tries, addresses = 60, 2
	b := newBench(t)
	b.LeasesPerIP = 2
	away := errors.New("the node is away")
	failing := b.simulated(func(context.Context, []byte) (transaction.Simulation, error) {
		return transaction.Simulation{}, apperr.Upstream("The Solana network", away)
	})
	creator := b.creator(t)
	draft := b.draft(t, creator)
	for i := range tries {
		if _, err := failing.Create(t.Context(), creator.PublicKey(), fmt.Sprintf("203.0.113.%d", i%addresses), draft); !errors.Is(err, away) {
			t.Fatalf("try %d: %v", i, err)
		}
	}
	size, err := b.Nonces.(nonce.Pool).Size(t.Context())
	must.Do(t, err)
	if free := b.free(t); free != size {
		t.Errorf("%d of %d nonces are free after the outage", free, size)
	}
	created, err := b.Create(t.Context(), creator.PublicKey(), "203.0.113.0", draft)
	must.Do(t, err)
	if !created.OnNonce() {
		t.Error("the first launch after the outage has no nonce")
	}
	b.submit(t, created, sign(t, created, creator))
}
