package launch_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	awskms "github.com/aws/aws-sdk-go-v2/service/kms"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/kms"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/nonce"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/launchtest"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
)

// answers counts how requests ended, and how long they took.
type answers struct {
	sync.Mutex
	took   []time.Duration
	failed int // 5xx
}

// ask repeats a request until it gets a response, as a patient client does.
func (a *answers) ask(t *testing.T, request func(context.Context) error) {
	const patience = 10
	for range patience {
		began := time.Now()
		err := request(t.Context())
		a.Lock()
		a.took = append(a.took, time.Since(began))
		if err != nil {
			a.failed++
		}
		a.Unlock()
		if err == nil {
			return
		}
		if apperr.KindOf(err) != apperr.Unavailable {
			t.Errorf("not an outage: %v", err)
			return
		}
	}
	t.Errorf("only 503 in %d requests", patience)
}

func (a *answers) slowest() time.Duration { return slices.Max(a.took) }

// through returns the service of a fixture with its nodes behind the addresses.
func through(t *testing.T, w *launchtest.Fixture, addresses string) launch.Service {
	t.Helper()
	node, err := solanarpc.New(addresses)
	must.Do(t, err)
	s := w.Service(t, nil)
	config := w.Config(nil)
	s.Chain, s.Preparer.Chain = node, node
	s.Nonces = nonce.Pool{
		Store: launchtable.Nonces{Client: dynamo.New(config), Table: w.Table}, Chain: node,
		Authority: &kms.Ed25519Signer{Client: awskms.NewFromConfig(config), KeyID: w.NonceKeyID},
		Max:       w.NoncePoolMax, Now: w.Clock.Now, Memory: &nonce.Memory{},
	}
	return s
}

// TestConcurrentLaunches launches tokens while a third of all calls fail at both providers. Few
// requests fail, no creator pays twice, and every launch is there once. Then both providers are
// away: requests end in time, and the first after their return succeeds.
func TestConcurrentLaunches(t *testing.T) {
	const launches = 8
	w := launchtest.NewEnv(t).Fixture(t, "")
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	addresses, both := fault.Providers(t, w.Ledger.RPCURL, seed)
	service := through(t, w, addresses)
	for _, s := range both {
		s.On.Store(true)
	}
	var requests answers
	var all sync.WaitGroup
	for range launches {
		creator := w.Creator(t)
		draft := w.Draft(t, creator)
		all.Go(func() {
			before, err := w.Node.Balance(t.Context(), creator.PublicKey())
			must.Do(t, err)
			var created launch.Created
			requests.ask(t, func(ctx context.Context) (err error) {
				created, err = service.Create(ctx, creator.PublicKey(), launchtest.Address(), draft)
				return err
			})
			signed := sign(t, created, creator)
			for status := transaction.Pending; status != transaction.Confirmed && !t.Failed(); {
				requests.ask(t, func(ctx context.Context) error {
					l, err := service.Submit(ctx, creator.PublicKey(), created.ID, signed)
					status = l.Status
					return err
				})
			}
			after, err := w.Node.Balance(t.Context(), creator.PublicKey())
			must.Do(t, err)
			if paid := before - after; paid != created.Cost.Total() {
				t.Errorf("the creator paid %d lamports, and the launch costs %d", paid, created.Cost.Total())
			}
		})
	}
	all.Wait()
	if _, total, err := w.Tokens.List(t.Context(), 1, 2*launches); err != nil || total != launches {
		t.Errorf("%d tokens are listed of %d launches, %v", total, launches, err)
	}
	if 5*requests.failed > len(requests.took) {
		t.Errorf("%d of %d requests failed, want one in five at most", requests.failed, len(requests.took))
	}

	creator := w.Creator(t)
	created, signed := w.Prepare(t, creator)
	for _, s := range both {
		s.On.Store(false)
		s.Away.Store(true)
	}
	away := time.Now()
	_, err := service.Submit(t.Context(), creator.PublicKey(), created.ID, signed)
	refused := time.Since(away)
	if apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("got %v without a node, want that it is not available", err)
	}
	for _, s := range both {
		s.Away.Store(false)
	}
	back := time.Now()
	requests.ask(t, func(ctx context.Context) error {
		_, err := service.Submit(ctx, creator.PublicKey(), created.ID, signed)
		return err
	})
	fmt.Printf("storm: %d launches by %d requests, %d answered 503, the slowest took %s; without a node 503 after %s; %s from its return to a launch\n",
		launches, len(requests.took), requests.failed, requests.slowest().Round(time.Millisecond),
		refused.Round(time.Millisecond), time.Since(back).Round(time.Millisecond))
	if record, err := w.Tokens.Token(t.Context(), created.Mint); err != nil || record.Status != token.Confirmed {
		t.Errorf("the launch after the outage is %s, %v", record.Status, err)
	}
}
