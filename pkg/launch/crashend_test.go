package launch_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/launchtest"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
)

// check holds the record, the chain, the wallet, the lists, what was sent and the
// nonce against the end that the launch must have come to.
func (s submitting) check(t *testing.T, want transaction.Status) {
	t.Helper()
	if got := s.status(t); got != want {
		t.Errorf("the launch is %s, want %s", got, want)
	}
	checkEnd(t, s.Fixture, s.created, want)
	sends := 1
	if want == transaction.Pending {
		sends = 0
	}
	if n := s.Sent(s.creator.PublicKey()); n != sends {
		t.Errorf("%d different transactions were sent, want %d", n, sends)
	}
	s.Clock.Pass(transaction.Lifetime + time.Minute)
	if !s.created.OnNonce() {
		return
	}
	if next := nextLaunch(t, s.Fixture); next != s.created.Nonce.Account {
		t.Errorf("the next launch uses %s, want %s", next, s.created.Nonce.Account)
	}
}

func checkEnd(t *testing.T, w *launchtest.Fixture, created launch.Created, want transaction.Status) {
	t.Helper()
	ctx, launched := t.Context(), want == transaction.Confirmed
	_, onChain, err := w.Node.Account(ctx, created.Mint)
	must.Do(t, err)
	if onChain != launched {
		t.Errorf("the mint is on the chain: %v, and the launch %s", onChain, want)
	}
	record, err := w.Tokens.Token(ctx, created.Mint)
	switch {
	case want == transaction.Pending:
		if !errors.Is(err, token.ErrNotFound) {
			t.Errorf("the token's record: %v, want none", err)
		}
	case err != nil:
		t.Error(err)
	case record.Visible != launched || (record.Status == token.Confirmed) != launched:
		t.Errorf("the token's record is %s, visible %v; the launch %s", record.Status, record.Visible, want)
	}
	listed := int64(0)
	if launched {
		listed = 1
	}
	all, total, err := w.Tokens.List(ctx, 1, 10)
	must.Do(t, err)
	if total != listed || int64(len(all)) != listed {
		t.Errorf("the list has %d tokens, and a total of %d; want %d", len(all), total, listed)
	}
	if _, total, err = w.Tokens.ListOf(ctx, created.Caller, 1, 10); err != nil || total != listed {
		t.Errorf("the creator's list has %d tokens, %v; want %d", total, err, listed)
	}
	own, ended, err := w.Tokens.ListAllOf(ctx, created.Caller, 1, 10)
	must.Do(t, err)
	submitted := int64(1)
	if want == transaction.Pending {
		submitted = 0
	}
	if ended != submitted || int64(len(own)) != ended || ended > 0 && string(own[0].Status) != string(want) {
		t.Errorf("the creator's list of all has %+v; the launch is %s", own, want)
	}
	used, err := w.Wallets.Get(ctx, created.Token.Wallet.ID)
	must.Do(t, err)
	if used.Bound() != launched || launched && used.BoundMint != created.Mint {
		t.Errorf("the wallet is bound to %s; the launch is %s", used.BoundMint, want)
	}
}

// nextLaunch prepares another creator's token, of which the chain must say that it
// would land, and returns the nonce account that it uses.
func nextLaunch(t *testing.T, w *launchtest.Fixture) solana.PublicKey {
	t.Helper()
	created, _ := w.Prepare(t, w.Creator(t))
	if !created.Simulation.OK {
		t.Errorf("the next launch would fail: %s", created.Simulation.Detail)
	}
	return created.Nonce.Account
}

// creating is a launch that is to be prepared, on a chain that does not have the
// nonce account yet.
type creating struct {
	*launchtest.Fixture
	creator solana.PrivateKey
	draft   token.Draft
}

// creationNonces is the number of nonces in the pool: one for the creation that was
// broken, whose lease lives on, and one for the next try.
const creationNonces = 2

func plan(t *testing.T, on nonceEnv) creating {
	t.Helper()
	c := creating{Fixture: on.Fixture(t, "")}
	c.NoncePoolMax = creationNonces
	c.creator = c.Creator(t)
	c.draft = c.Draft(t, c.creator)
	return c
}

// create runs in a process; nil for one to which nothing happens.
func (c creating) create(t *testing.T, p *fault.Process) (created launch.Created, err error) {
	t.Helper()
	service, address := c.Service(t, p), launchtest.Address()
	if p == nil {
		return service.Create(t.Context(), c.creator.PublicKey(), address, c.draft)
	}
	err = errCrashed
	p.Run(func() {
		created, err = service.Create(context.Background(), c.creator.PublicKey(), address, c.draft)
	})
	return created, err
}

// TestCreateSurvivesCrashAtEveryCall breaks every call that a creation makes;
// then the client creates again, and launches.
func TestCreateSurvivesCrashAtEveryCall(t *testing.T) {
	var cases matrix
	recorded := fault.NewProcess()
	_, err := plan(t, newNonceEnv(t)).create(t, recorded)
	must.Do(t, err)
	cases.add("creation", recorded.Calls(), crashesAndFailures, func(t *testing.T, on nonceEnv, strike func(*fault.Process)) {
		c := plan(t, on)
		p := fault.NewProcess()
		strike(p)
		created, err := c.create(t, p)
		if err != nil {
			created, err = c.create(t, nil)
		}
		must.Do(t, err)
		l, err := c.Service(t, nil).Submit(t.Context(), created.Caller, created.ID, launchtest.Sign(t, created, c.creator))
		must.Do(t, err)
		if l.Status != transaction.Confirmed {
			t.Errorf("the launch is %s, want confirmed", l.Status)
		}
		checkEnd(t, c.Fixture, created, transaction.Confirmed)
		c.Clock.Pass(transaction.Lifetime + time.Minute)
		if a, b := nextLaunch(t, c.Fixture), nextLaunch(t, c.Fixture); a == b {
			t.Errorf("two launches use one nonce, %s", a)
		}
	})
	cases.run(t, "create-unsigned")
}
