package solanarpc_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// named is a source of addresses that can change and fail.
type named struct {
	addresses atomic.Pointer[string]
	err       atomic.Pointer[error]
}

func (n *named) set(addresses string) { n.addresses.Store(&addresses); n.err.Store(nil) }

func (n *named) value(context.Context) (string, error) {
	if err := n.err.Load(); err != nil {
		return "", *err
	}
	return *n.addresses.Load(), nil
}

func follow(addresses string) (*named, *solanarpc.Client) {
	n := &named{}
	n.set(addresses)
	client := solanarpc.From(n.value)
	client.Pause = noPause
	return n, client
}

func noPause(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// listing is the response for a mint without accounts.
var listing = result(`{"context":{"slot":9},"value":[]}`)

func TestRosterFollowsSource(t *testing.T) {
	first, second := newPeer(t, balanceAt("5000", "1")), newPeer(t, balanceAt("9", "2"))
	source, client := follow(first.server.URL)
	wantBalance(t, client, 1)
	source.set(second.server.URL)
	wantBalance(t, client, 2)
	second.set(listing)
	if _, err := client.TokenAccounts(t.Context(), solana.PublicKey{1}, token2022.Mint{Program: solana.Token2022ProgramID}, 0, func(snapshot.Account) error { return nil }); err != nil {
		t.Error(err)
	}
	if first.calls.Load() != 1 || second.calls.Load() != 2 {
		t.Errorf("%d and %d calls", first.calls.Load(), second.calls.Load())
	}
	// Also a client with another transport follows.
	second.set(balanceAt("9", "2"))
	other := client.WithTransport(http.DefaultTransport)
	wantBalance(t, other, 2)
	source.set(first.server.URL)
	wantBalance(t, other, 1)
}

// TestCallEndsOnItsRoster tests that a call ends on the node that it began with if the addresses
// change, even after several attempts, and that no error shows the key.
func TestCallEndsOnItsRoster(t *testing.T) {
	asked, release := make(chan struct{}), make(chan struct{})
	var failures atomic.Int32
	failures.Store(2)
	first := newPeer(t, func(w http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-release
		if failures.Add(-1) >= 0 {
			broken(w, r)
			return
		}
		balanceAt("9", "1")(w, r)
	})
	second := newPeer(t, balanceAt("9", "2"))
	source, client := follow(first.server.URL + "/" + secret)
	answer := make(chan error, 1)
	go func() {
		got, err := client.Balance(t.Context(), solana.PublicKey{1})
		if err == nil && got != 1 {
			err = errors.New("another node answered")
		}
		answer <- err
	}()
	<-asked
	source.set(second.server.URL)
	wantBalance(t, client, 2)
	release <- struct{}{}
	<-asked
	release <- struct{}{}
	<-asked
	release <- struct{}{}
	if err := <-answer; err != nil {
		t.Error(err)
	}

	source.set(first.server.URL + "/" + secret)
	go func() {
		_, err := client.Balance(t.Context(), solana.PublicKey{1})
		answer <- err
	}()
	<-asked
	source.set("http://127.0.0.1:1/other")
	first.set(refusal(-32602, "no such key: "+secret))
	first.server.CloseClientConnections()
	close(release)
	err := <-answer
	if err == nil {
		t.Fatal("no error")
	}
	noSecret(t, err)
}

// TestRosterKeepsNodeState tests that a skipped node stays skipped however often the source is
// read, and is new if it is named again.
func TestRosterKeepsNodeState(t *testing.T) {
	first, second := newPeer(t, broken), newPeer(t, balanceAt("9", "7"))
	both := first.server.URL + " " + second.server.URL
	source, client := follow(both)
	for range 2 * solanarpc.FailuresToLeaveOut {
		wantBalance(t, client, 7)
		source.set(both)
	}
	if asked := first.calls.Load(); asked != solanarpc.FailuresToLeaveOut {
		t.Errorf("%d calls of the node that fails, want %d", asked, solanarpc.FailuresToLeaveOut)
	}
	source.set(first.server.URL + "/ " + second.server.URL)
	wantBalance(t, client, 7)
	if asked := first.calls.Load(); asked != solanarpc.FailuresToLeaveOut+1 {
		t.Errorf("%d calls of the node that fails after it was named again", asked)
	}
}

func TestWithoutAddressesNoNodeIsCalled(t *testing.T) {
	only := newPeer(t, balanceAt("9", "7"))
	source, client := follow(only.server.URL)
	wantBalance(t, client, 7)
	for _, bad := range []string{"", secret, "ftp://" + secret, only.server.URL + " http://a b" + secret} {
		source.set(bad)
		_, err := client.Balance(t.Context(), solana.PublicKey{1})
		if apperr.KindOf(err) != apperr.Unavailable {
			t.Errorf("Balance() with addresses %q: %v, want an error of kind Unavailable", bad, err)
		}
		noSecret(t, err)
		if check := solanarpc.CheckAddresses(bad); check == nil || strings.Contains(check.Error(), secret) {
			t.Errorf("CheckAddresses(%q) = %v, want an error without the secret", bad, check)
		}
	}
	gone := error(apperr.Upstream("The store of secrets", errors.New("away")))
	source.err.Store(&gone)
	if _, err := client.Balance(t.Context(), solana.PublicKey{1}); apperr.KindOf(err) != apperr.Unavailable || !errors.Is(err, gone) {
		t.Error(err)
	}
	if _, err := client.TokenAccounts(t.Context(), solana.PublicKey{1}, token2022.Mint{Program: solana.Token2022ProgramID}, 0, nil); apperr.KindOf(err) != apperr.Unavailable {
		t.Error(err)
	}
	if only.calls.Load() != 1 {
		t.Errorf("%d calls", only.calls.Load())
	}
	source.set(only.server.URL)
	wantBalance(t, client, 7)
}
