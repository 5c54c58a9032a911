package launch_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"sync"
	"testing"
	"time"

	"filippo.io/edwards25519"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/nonce"
	"tokenlaunch.example/service/pkg/launch/reconcile"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// signAnew signs as hardware that mixes chance into its signatures: each is
// valid, and the transaction has another id with each.
func signAnew(t *testing.T, created launch.Created, creator solana.PrivateKey) string {
	t.Helper()
	tx, err := wire.ParseTransaction(created.Fresh.Transaction)
	must.Do(t, err)
	message := tx.Message().Bytes()
	expanded := sha512.Sum512(ed25519.PrivateKey(creator).Seed())
	secret, err := edwards25519.NewScalar().SetBytesWithClamping(expanded[:32])
	must.Do(t, err)
	var chance [64]byte
	_, err = rand.Read(chance[:])
	must.Do(t, err)
	r, err := edwards25519.NewScalar().SetUniformBytes(chance[:])
	must.Do(t, err)
	commitment := new(edwards25519.Point).ScalarBaseMult(r).Bytes()
	public := creator.PublicKey()
	digest := sha512.Sum512(append(append(append([]byte(nil), commitment...), public[:]...), message...))
	k, err := edwards25519.NewScalar().SetUniformBytes(digest[:])
	must.Do(t, err)
	answer := edwards25519.NewScalar().MultiplyAdd(k, secret, r)
	must.Do(t, tx.SetSignature(public, [64]byte(append(commitment, answer.Bytes()...))))
	return base64.StdEncoding.EncodeToString(tx.Bytes())
}

// TestConcurrentSubmitsSendOnce lets many processes submit one launch, each with another valid
// signature of the creator: only one transaction is sent.
func TestConcurrentSubmitsSendOnce(t *testing.T) {
	on := newNonceEnv(t)
	for _, racers := range []int{2, 12} {
		t.Run(fmt.Sprint(racers), func(t *testing.T) {
			s := prepare(t, on, fate{})
			var all sync.WaitGroup
			start := make(chan struct{})
			for range racers {
				signed := signAnew(t, s.created, s.creator)
				service := s.Service(t, s.process(s.Watch))
				all.Go(func() {
					<-start
					// A submit whose simulation ran after the winner landed may get "try again".
					l, err := service.Submit(context.Background(), s.creator.PublicKey(), s.created.ID, signed)
					if err != nil && apperr.KindOf(err) != apperr.Unavailable {
						t.Errorf("Submit() = %s, %v; want no error or one of kind Unavailable", l.Status, err)
					}
				})
			}
			close(start)
			all.Wait()
			clientReturns(t, s)
			s.check(t, transaction.Confirmed)
		})
	}
}

func TestSubmitNodeDownChangesNothing(t *testing.T) {
	s := prepare(t, newNonceEnv(t), fate{})
	_, err := s.submit(t, s.process(func(p *fault.Process) { p.On(fault.Service(fault.Solana), fault.Down) }, s.Watch))
	wantCode(t, err, "upstream_unavailable")
	if status := s.status(t); status != transaction.Pending {
		t.Errorf("the launch is %s, want pending", status)
	}
	clientReturns(t, s)
	s.check(t, transaction.Confirmed)
}

// TestSubmitLaggingNode tests a node that forwards the launch and does not see it land.
func TestSubmitLaggingNode(t *testing.T) {
	s := prepare(t, newNonceEnv(t), fate{})
	var node fault.Behind
	node.Freeze()
	l, err := s.submit(t, s.process(func(p *fault.Process) { node.On(p) }, s.Watch))
	must.Do(t, err)
	if l.Status != transaction.Submitted {
		t.Fatalf("the launch is %s, want submitted", l.Status)
	}
	clientReturns(t, s)
	s.check(t, transaction.Confirmed)
}

// TestCreateLaggingNode tests a node that returns the nonce as it was before the last launch. A
// transaction on that value would never land, so the launch uses a blockhash.
func TestCreateLaggingNode(t *testing.T) {
	on := newNonceEnv(t)
	s := prepare(t, on, fate{})
	var node fault.Behind
	p := fault.NewProcess()
	node.On(p)
	_, _, err := s.Env.Node(t, p).Nonce(t.Context(), s.created.Nonce.Account)
	must.Do(t, err)
	node.Freeze()
	clientReturns(t, s)

	next := creating{Fixture: s.Fixture, creator: s.Creator(t)}
	next.draft = s.Draft(t, next.creator)
	created, err := next.create(t, p)
	must.Do(t, err)
	if created.OnNonce() {
		t.Errorf("it uses the nonce %s", created.Nonce.Account)
	}
	s.check(t, transaction.Confirmed)
}

// TestFailedLaunchIsDeadDespiteLaggingNode tests a node that returns a nonce value older than the
// launch's, which looks as if the nonce had advanced.
func TestFailedLaunchIsDeadDespiteLaggingNode(t *testing.T) {
	on := newNonceEnv(t)
	earlier := prepare(t, on, fate{})
	var node fault.Behind
	p := fault.NewProcess()
	node.On(p, fault.GetAccountInfo)
	_, _, err := earlier.Env.Node(t, p).Nonce(t.Context(), earlier.created.Nonce.Account)
	must.Do(t, err)
	node.Freeze()
	clientReturns(t, earlier)

	s := prepare(t, on, fate{always: impoverish})
	_, err = s.submit(t, s.process(func(p *fault.Process) { node.On(p, fault.GetAccountInfo) }, s.Watch))
	l, readErr := s.Launches.Launch(t.Context(), s.created.ID)
	must.Do(t, readErr)
	if l.Status == transaction.Failed {
		t.Errorf("the launch was called failed (%v) although its nonce was not seen to move on", err)
	}
	clientReturns(t, s)
	s.Ledger.Fund(t, s.creator.PublicKey().String(), solana.LAMPORTS_PER_SOL)
	_ = s.Node.Send(t.Context(), l.Messages[0].Signed)
	s.check(t, transaction.Failed)
}

// TestSubmitNodeOnFork lets the launch land on a fork that the network abandons.
func TestSubmitNodeOnFork(t *testing.T) {
	s := prepare(t, newNonceEnv(t), fate{})
	fork := &fault.Fork{Commitment: "processed", SignatureStatuses: 2}
	l, err := s.submit(t, s.process(fork.On, s.Watch))
	must.Do(t, err)
	if l.Status != transaction.Submitted {
		t.Fatalf("the launch is %s, want submitted", l.Status)
	}
	clientReturns(t, s)
	s.check(t, transaction.Confirmed)
}

// TestConfirmedLaunchSurvivesFork tests a launch that a node reported as confirmed on a fork that
// the network abandoned. The reconciler sends the launch again until it is finalized; until then no
// other launch gets its nonce.
func TestConfirmedLaunchSurvivesFork(t *testing.T) {
	s := prepare(t, newNonceEnv(t), fate{})
	fork := &fault.Fork{Commitment: "confirmed", SignatureStatuses: 1}
	l, err := s.submit(t, s.process(fork.On, s.Watch))
	must.Do(t, err)
	if _, found, err := s.Node.Account(t.Context(), s.created.Mint); err != nil || found || l.Status != transaction.Confirmed {
		t.Fatalf("the launch is %s, the mint there: %v, %v", l.Status, found, err)
	}
	other := creating{Fixture: s.Fixture, creator: s.Creator(t)}
	other.draft = s.Draft(t, other.creator)
	second, err := other.create(t, nil)
	must.Do(t, err)
	if second.OnNonce() {
		t.Errorf("another launch uses its nonce %s", second.Nonce.Account)
	}
	for _, want := range []reconcile.Report{{Unfinalized: 1}, {Finalized: 1}, {}} {
		s.Clock.Pass(time.Minute)
		got, err := s.Reconciler(t, s.process(s.Watch)).Run(t.Context())
		must.Do(t, err)
		got.Nonces = nonce.Filled{}
		if got != want {
			t.Errorf("the reconciler reports %+v, want %+v", got, want)
		}
		s.Ledger.PassSlots(t, finalizedAfter)
	}
	s.check(t, transaction.Confirmed)
	if sums := s.Log.Sum(t); sums["Launches"] != 1 || sums["RPCCalls"] == 0 {
		t.Errorf("measured %v, want one launch", sums)
	}
}
