package launch_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/launchtest"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// fate is the network's treatment of a launch, and who brings it to its end.
type fate struct {
	name string
	// always runs for every process, first only for the one that
	// crashes.
	always func(*testing.T, submitting) func(*fault.Process)
	first  func(*fault.Process)
	// end runs after the crash.
	end func(*testing.T, submitting)
	// want is the end of a launch; wantUnrecorded that of one which was not recorded
	// as submitted when the process crashed.
	want, wantUnrecorded transaction.Status
	hits                 []hit
}

var sending = fault.Operation(fault.Solana, fault.SendTransaction)

const (
	confirmed = transaction.Confirmed
	failed    = transaction.Failed
	pending   = transaction.Pending
)

var fates = []fate{
	{name: "landed", want: confirmed, wantUnrecorded: confirmed, end: clientReturns, hits: crashesAndFailures},
	{name: "not landed", want: confirmed, wantUnrecorded: confirmed, end: clientReturns, first: drop, hits: crashes},
	{name: "reply lost", want: confirmed, wantUnrecorded: confirmed, end: clientReturns, first: loseReplies, hits: crashes},
	{name: "failed on chain", want: failed, wantUnrecorded: failed, end: clientReturns, always: impoverish, hits: crashes},
	{name: "landed, client late", want: confirmed, wantUnrecorded: pending, end: clientReturnsLate, hits: crashes},
	{name: "landed, client gone", want: confirmed, wantUnrecorded: pending, end: reconcilerRuns, hits: crashes},
	{name: "not landed, client gone", want: confirmed, wantUnrecorded: pending, end: reconcilerRuns, first: drop, hits: crashes},
	{name: "failed on chain, client gone", want: failed, wantUnrecorded: pending, end: reconcilerRuns, always: impoverish, hits: crashes},
	{name: "never lands, client gone", want: failed, wantUnrecorded: pending, end: reconcilerRuns, always: neverLands, hits: crashes},
}

func drop(p *fault.Process)        { p.On(sending, fault.Dropped) }
func loseReplies(p *fault.Process) { p.On(sending, fault.ReplyLost) }

// neverLands drops only the transactions that the creator sent.
func neverLands(_ *testing.T, s submitting) func(*fault.Process) {
	return func(p *fault.Process) {
		p.On(sending, s.ofCreator(func(c fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
			return fault.Dropped(c, r, send)
		}))
	}
}

// impoverish takes the creator's money between the simulation and the sending,
// except for the fee: so the launch fails on the chain.
func impoverish(t *testing.T, s submitting) func(*fault.Process) {
	var done atomic.Bool
	return func(p *fault.Process) {
		p.On(sending, s.ofCreator(func(_ fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
			if done.CompareAndSwap(false, true) {
				s.Ledger.SetAccount(t, s.created.Caller.String(), surfpool.Account{Lamports: 1_000_000})
			}
			return send(r)
		}))
	}
}

// submitting is a launch that was prepared, and what happens to it.
type submitting struct {
	*launchtest.Fixture
	creator solana.PrivateKey
	created launch.Created
	signed  string
	always  func(*fault.Process)
	// again counts what the wallet signed: each submission has another version of the message, at
	// another price.
	again *uint64
}

// prepare makes one in a fixture whose pool has one nonce.
func prepare(t *testing.T, on nonceEnv, f fate) submitting {
	t.Helper()
	return prepareOn(t, on, launch.OnNonce, f)
}

func prepareOn(t *testing.T, on nonceEnv, lifetime launch.Lifetime, f fate) submitting {
	t.Helper()
	s := submitting{Fixture: on.Fixture(t, on.nonceKeyID), always: func(*fault.Process) {}, again: new(uint64)}
	s.Lifetime = lifetime
	s.NoncePoolMax = 1
	s.Clock.Pass(time.Since(s.Clock.Now())) // a real process has no other clock
	s.creator = s.Creator(t)
	s.created, s.signed = s.Prepare(t, s.creator)
	if f.always != nil {
		s.always = f.always(t, s)
	}
	return s
}

// ofCreator restricts a fault to the creator's transactions.
func (s submitting) ofCreator(f fault.Fault) fault.Fault {
	return func(c fault.Call, r *http.Request, send fault.Send) (*http.Response, error) {
		if payer, err := launchtest.Payer(r); err != nil || payer != s.creator.PublicKey() {
			return send(r)
		}
		return f(c, r, send)
	}
}

// process starts one; the last fault comes first.
func (s submitting) process(faults ...func(*fault.Process)) *fault.Process {
	p := fault.NewProcess()
	for _, f := range slices.Concat([]func(*fault.Process){s.always}, faults) {
		if f != nil {
			f(p)
		}
	}
	return p
}

var errCrashed = errors.New("crashed")

func (s submitting) submit(t *testing.T, p *fault.Process) (l launch.Launch, err error) {
	t.Helper()
	service := s.Service(t, p)
	signed := launchtest.SignChanged(t, s.created.Fresh.Transaction, s.creator, launchtest.Priced(20_000+*s.again))
	*s.again++
	err = errCrashed
	p.Run(func() {
		l, err = service.Submit(context.Background(), s.creator.PublicKey(), s.created.ID, signed)
	})
	return l, err
}

func (s submitting) status(t *testing.T) transaction.Status {
	t.Helper()
	l, err := s.Launches.Launch(t.Context(), s.created.ID)
	must.Do(t, err)
	return l.Status
}

// clientReturns lets the client submit again until it gets the final status.
func clientReturns(t *testing.T, s submitting) {
	t.Helper()
	var l launch.Launch
	var err error
	for range 20 {
		l, err = s.submit(t, s.process(s.Watch))
		if err == nil && l.Status == transaction.Confirmed || apperr.KindOf(err) == apperr.Invalid {
			return
		}
	}
	t.Errorf("the client does not get the end: %s, %v", l.Status, err)
}

func clientReturnsLate(t *testing.T, s submitting) {
	t.Helper()
	s.Clock.Pass(10 * time.Minute)
	clientReturns(t, s)
}

// finalizedAfter is the number of slots by which the local chain's finalized state lags.
const finalizedAfter = 32

// reconcilerRuns lets the reconciler run every minute until the launch is at an
// end; the client stays away.
func reconcilerRuns(t *testing.T, s submitting) {
	t.Helper()
	for range 8 {
		if s.status(t) != transaction.Submitted {
			return
		}
		s.Clock.Pass(time.Minute)
		p := s.process(s.Watch)
		r := s.Reconciler(t, p)
		p.Run(func() {
			if _, err := r.Run(context.Background()); err != nil {
				t.Errorf("reconcile: %v", err)
			}
		})
		if s.status(t) == transaction.Submitted {
			s.Ledger.PassSlots(t, finalizedAfter)
		}
	}
	t.Error("the reconciler leaves it undecided")
}

// TestSubmitSurvivesCrashAtEveryCall breaks every call of a submit, for every outcome of the
// launch, and compares the end with the expected one. A caller who submits again has another
// version of the message, and still only one transaction is sent.
func TestSubmitSurvivesCrashAtEveryCall(t *testing.T) {
	submitSurvives(t, launch.OnNonce, fates)
}

// The same on a blockhash, while the blockhash is valid. Expired launches are left to the
// reconciler, which has tests of its own.
func TestBlockhashSubmitSurvivesCrashAtEveryCall(t *testing.T) {
	var living []fate
	for _, f := range fates {
		if f.want == confirmed {
			living = append(living, f)
		}
	}
	submitSurvives(t, launch.OnBlockhash, living)
}

func submitSurvives(t *testing.T, lifetime launch.Lifetime, fates []fate) {
	t.Helper()
	var cases matrix
	on := newNonceEnv(t)
	for _, f := range fates {
		s := prepareOn(t, on, lifetime, f)
		p := s.process(f.first)
		_, _ = s.submit(t, p)
		cases.add(f.name, p.Calls(), f.hits, func(t *testing.T, on nonceEnv, strike func(*fault.Process)) {
			s := prepareOn(t, on, lifetime, f)
			_, _ = s.submit(t, s.process(f.first, s.Watch, strike))
			want := f.want
			if s.status(t) == transaction.Pending {
				want = f.wantUnrecorded
			}
			f.end(t, s)
			s.check(t, want)
		})
	}
	cases.run(t, "submit on a "+string(lifetime))
}
