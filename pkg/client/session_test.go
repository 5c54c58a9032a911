package client_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/platform/auth/siws"
)

// gate answers sign-ins, and what needs a token with the number of it.
type gate struct {
	t         *testing.T
	challenge func(siws.Message) string
	verified  atomic.Int32
	loseFirst atomic.Bool
	revoked   atomic.Int32 // tokens up to this number
}

func (g *gate) RoundTrip(r *http.Request) (*http.Response, error) {
	s := &service{answers: []func(http.ResponseWriter){g.answer(r)}}
	return s.RoundTrip(r)
}

func (g *gate) answer(r *http.Request) func(http.ResponseWriter) {
	switch r.URL.Path {
	case "/auth/challenge":
		var asked client.ChallengeRequest
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			g.t.Error(err)
		}
		now := time.Now().UTC().Truncate(time.Millisecond)
		text := g.challenge(siws.Message{
			Domain: "api.example", Address: asked.Wallet.String(), Statement: "Sign in.", URI: "https://api.example",
			ChainID: "localnet", Nonce: "0123456789abcdef", IssuedAt: now, ExpirationTime: now.Add(5 * time.Minute),
		})
		body, _ := json.Marshal(client.Challenge{Challenge: text})
		return good(string(body))
	case "/auth/verify":
		var asked client.VerifyRequest
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			g.t.Error(err)
		}
		n := g.verified.Add(1)
		if g.loseFirst.CompareAndSwap(true, false) {
			return lost
		}
		body, _ := json.Marshal(client.Session{
			Token: fmt.Sprintf("token%d", n), Wallet: asked.Wallet, ExpiresAt: client.Time{Time: time.Now().Add(time.Hour)},
		})
		return good(string(body))
	}
	var number int32
	_, _ = fmt.Sscanf(r.Header.Get("Authorization"), "Bearer token%d", &number)
	if number <= g.revoked.Load() {
		return refusal(http.StatusUnauthorized, "invalid_token", 0)
	}
	return good(`{"tokens":[],"pagination":{"hasNext":false}}`)
}

func (g *gate) client(t *testing.T) *client.Client {
	t.Helper()
	g.t = t
	if g.challenge == nil {
		g.challenge = func(m siws.Message) string {
			text, err := siws.Format(m)
			if err != nil {
				t.Error(err)
			}
			return text
		}
	}
	wallet, err := client.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.New("https://api.example/", client.WithSigner(wallet), client.WithHTTPClient(&http.Client{Transport: g}))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func mine(t *testing.T, c *client.Client) {
	t.Helper()
	if _, err := c.ListMyTokens(t.Context(), client.Page{}); err != nil {
		t.Error(err)
	}
}

// The access token is requested once, renewed before it expires, and requested again after a
// revocation.
func TestAccessTokenIsReusedAndRenewed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gate{}
		c := g.client(t)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() { mine(t, c) })
		}
		all.Wait()
		time.Sleep(54 * time.Minute)
		mine(t, c)
		if n := g.verified.Load(); n != 1 {
			t.Errorf("%d sign-ins, want 1", n)
		}
		time.Sleep(2 * time.Minute)
		mine(t, c)
		if n := g.verified.Load(); n != 2 {
			t.Errorf("%d sign-ins, want a second one before the token's end", n)
		}
		g.revoked.Store(2)
		mine(t, c)
		if n := g.verified.Load(); n != 3 {
			t.Errorf("%d sign-ins, want a third one for the token that was revoked", n)
		}
		g.revoked.Store(100)
		if _, err := c.ListMyTokens(t.Context(), client.Page{}); !errors.Is(err, client.InvalidToken) || g.verified.Load() != 4 {
			t.Errorf("%v after %d sign-ins, want one more try and the refusal", err, g.verified.Load())
		}
	})
}

// A challenge works once. If the response is lost, the client requests another challenge.
func TestSignInAfterLostResponse(t *testing.T) {
	g := &gate{}
	c := g.client(t)
	g.loseFirst.Store(true)
	if s, err := c.SignIn(t.Context()); err != nil || s.Token != "token2" {
		t.Errorf("SignIn() = %+v, %v; want token2", s, err)
	}
}

// Only a message for this wallet and this service is signed.
func TestOnlySignInMessagesAreSigned(t *testing.T) {
	for want, change := range map[string]func(siws.Message) string{
		"not a sign-in message": func(siws.Message) string { return "\x01\x00\x01\x03 bytes of a transaction" },
		"is for the wallet":     func(m siws.Message) string { m.Address = key(7).String(); text, _ := siws.Format(m); return text },
		`is for "other.example"`: func(m siws.Message) string {
			m.Domain = "other.example"
			text, _ := siws.Format(m)
			return text
		},
	} {
		g := &gate{challenge: change}
		_, err := g.client(t).SignIn(t.Context())
		if err == nil || !strings.Contains(err.Error(), want) || g.verified.Load() != 0 {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestWithoutASigner(t *testing.T) {
	c, err := client.New("https://api.example")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.ListMyTokens(t.Context(), client.Page{}); !errors.Is(err, client.ErrNoSigner) {
		t.Error(err)
	}
}
