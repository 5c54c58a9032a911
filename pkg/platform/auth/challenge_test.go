package auth_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/auth"
	"tokenlaunch.example/service/pkg/platform/auth/jwt"
	"tokenlaunch.example/service/pkg/platform/auth/siws"
	"tokenlaunch.example/service/pkg/testkit/authtest"
)

// tokens issues tokens that name their wallet, or fails while err is set.
type tokens struct{ err error }

func (i *tokens) Issue(_ context.Context, wallet string) (jwt.Token, error) {
	if i.err != nil {
		return jwt.Token{}, i.err
	}
	return jwt.Token{Raw: "token of " + wallet}, nil
}

// bench is a service whose clock and parts the test holds.
type bench struct {
	auth.Service

	now    time.Time
	store  *authtest.Memory
	tokens *tokens
}

func newBench(t *testing.T) *bench {
	t.Helper()
	sites, err := auth.NewSites("https://launch.example", "devnet", "https://page.example", "https://page.example:8443", "https://xn--80ak6aa92e.example")
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{
		now:   time.Date(2026, 3, 4, 5, 6, 7, 89_123_456, time.UTC),
		store: &authtest.Memory{}, tokens: &tokens{},
	}
	b.Service = auth.Service{
		Store: b.store, Tokens: b.tokens, Sites: sites,
		Now: func() time.Time { return b.now }, Rand: rand.Reader,
	}
	return b
}

func (b *bench) issue(t *testing.T, wallet solana.PublicKey) auth.Challenge {
	t.Helper()
	c, err := b.Issue(t.Context(), wallet, "")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// owner is a person with a wallet.
type owner struct {
	address solana.PublicKey
	key     ed25519.PrivateKey
}

func newOwner(t *testing.T) owner {
	t.Helper()
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return owner{solana.PublicKey(public), key}
}

func (o owner) sign(t *testing.T, message string) auth.Signature {
	t.Helper()
	return parse(t, solana.Signature(ed25519.Sign(o.key, []byte(message))).String())
}

func parse(t *testing.T, text string) auth.Signature {
	t.Helper()
	s, ok := auth.ParseSignature(text)
	if !ok {
		t.Fatalf("%q is not a signature", text)
	}
	return s
}

func TestIssue(t *testing.T) {
	b, o := newBench(t), newOwner(t)
	b.Rand = bytes.NewReader([]byte("0123456789abcdef"))
	c := b.issue(t, o.address)

	const nonce = "30313233343536373839616263646566"
	wantIssued := time.Date(2026, 3, 4, 5, 6, 7, 89e6, time.UTC)
	want := auth.Challenge{
		Wallet: o.address, Nonce: nonce, IssuedAt: wantIssued, ExpiresAt: wantIssued.Add(5 * time.Minute),
		Message: "launch.example wants you to sign in with your Solana account:\n" +
			o.address.String() + "\n\n" +
			"Sign in to launch and manage your tokens. This sends no transaction and costs nothing.\n\n" +
			"URI: https://launch.example\nVersion: 1\nChain ID: devnet\nNonce: " + nonce + "\n" +
			"Issued At: 2026-03-04T05:06:07.089Z\nExpiration Time: 2026-03-04T05:11:07.089Z",
	}
	if c != want {
		t.Errorf("Issue = %+v, want %+v", c, want)
	}
	if _, err := siws.Parse(c.Message); err != nil {
		t.Error(err)
	}
}

func TestIssueMakesEachChallengeNew(t *testing.T) {
	b, o := newBench(t), newOwner(t)
	if first, second := b.issue(t, o.address), b.issue(t, o.address); first.Nonce == second.Nonce || first.Message == second.Message {
		t.Errorf("two challenges of one moment are the same: %q", first.Message)
	}
}

func TestIssueFailsWithoutRandomness(t *testing.T) {
	b, o := newBench(t), newOwner(t)
	b.Rand = bytes.NewReader([]byte("short"))
	if c, err := b.Issue(t.Context(), o.address, ""); err == nil {
		t.Errorf("Issue = %+v, want an error", c)
	}
}

func TestVerify(t *testing.T) {
	b, o := newBench(t), newOwner(t)
	c := b.issue(t, o.address)
	b.now = c.ExpiresAt.Add(-time.Nanosecond)
	token, err := b.Verify(t.Context(), o.address, c.Message, o.sign(t, c.Message))
	if want := "token of " + o.address.String(); err != nil || token.Raw != want {
		t.Errorf("Verify = %q, %v; want %q", token.Raw, err, want)
	}
}

func TestVerifyRefuses(t *testing.T) {
	other := newOwner(t)
	for name, c := range map[string]struct {
		// attempt changes what is sent; it is given a good attempt.
		attempt func(b *bench, o owner, c auth.Challenge, a *attempt)
		code    string
	}{
		"not a challenge": {func(_ *bench, o owner, _ auth.Challenge, a *attempt) {
			a.message = "hello"
			a.signature = o.sign(t, a.message)
		}, "challenge_unknown"},
		"one that was never issued": {func(_ *bench, o owner, c auth.Challenge, a *attempt) {
			a.message = strings.Replace(c.Message, c.Nonce, strings.Repeat("0", 32), 1)
			a.signature = o.sign(t, a.message)
		}, "challenge_unknown"},
		"one whose statement was changed": {func(_ *bench, o owner, c auth.Challenge, a *attempt) {
			a.message = strings.Replace(c.Message, "costs nothing", "costs all", 1)
			a.signature = o.sign(t, a.message)
		}, "challenge_unknown"},
		"one that was made to last longer": {func(b *bench, o owner, c auth.Challenge, a *attempt) {
			a.message = strings.Replace(c.Message, "05:11:07", "05:59:07", 1)
			a.signature = o.sign(t, a.message)
			b.now = c.ExpiresAt
		}, "challenge_unknown"},
		"one of another domain": {func(_ *bench, o owner, c auth.Challenge, a *attempt) {
			a.message = strings.Replace(c.Message, "launch.example", "launch.examp1e", 1)
			a.signature = o.sign(t, a.message)
		}, "challenge_unknown"},
		"one with a line feed added": {func(_ *bench, o owner, c auth.Challenge, a *attempt) {
			a.message = c.Message + "\n"
			a.signature = o.sign(t, c.Message)
		}, "challenge_unknown"},
		"another wallet's": {func(_ *bench, _ owner, c auth.Challenge, a *attempt) {
			a.wallet, a.signature = other.address, other.sign(t, c.Message)
		}, "challenge_unknown"},
		"another wallet's, with the address changed": {func(_ *bench, o owner, c auth.Challenge, a *attempt) {
			a.message = strings.Replace(c.Message, o.address.String(), other.address.String(), 1)
			a.wallet, a.signature = other.address, other.sign(t, a.message)
		}, "challenge_unknown"},
		"one that was used": {func(b *bench, o owner, c auth.Challenge, _ *attempt) {
			if _, err := b.Verify(t.Context(), o.address, c.Message, o.sign(t, c.Message)); err != nil {
				t.Fatal(err)
			}
		}, "challenge_unknown"},
		"as it expires": {func(b *bench, _ owner, c auth.Challenge, _ *attempt) {
			b.now = c.ExpiresAt
		}, "challenge_expired"},
		"too late and wrongly signed": {func(b *bench, _ owner, c auth.Challenge, a *attempt) {
			b.now = c.ExpiresAt.Add(time.Hour)
			a.signature = other.sign(t, c.Message)
		}, "challenge_expired"},
		"signed by another": {func(_ *bench, _ owner, c auth.Challenge, a *attempt) {
			a.signature = other.sign(t, c.Message)
		}, "invalid_signature"},
		"a signature of something else": {func(_ *bench, o owner, _ auth.Challenge, a *attempt) {
			a.signature = o.sign(t, "hello")
		}, "invalid_signature"},
		"a signature of zeros": {func(_ *bench, _ owner, _ auth.Challenge, a *attempt) {
			a.signature = parse(t, strings.Repeat("1", 64))
		}, "invalid_signature"},
		"no signature": {func(_ *bench, _ owner, _ auth.Challenge, a *attempt) {
			a.signature = auth.Signature{}
		}, "invalid_signature"},
	} {
		t.Run(name, func(t *testing.T) {
			b, o := newBench(t), newOwner(t)
			issued := b.issue(t, o.address)
			a := attempt{o.address, issued.Message, o.sign(t, issued.Message)}
			c.attempt(b, o, issued, &a)
			token, err := b.Verify(t.Context(), a.wallet, a.message, a.signature)
			if apperr.KindOf(err) != apperr.Unauthenticated || apperr.CodeOf(err) != c.code || token != (jwt.Token{}) {
				t.Errorf("Verify = %+v, %v; want %s", token, err, c.code)
			}
		})
	}
}

type attempt struct {
	wallet    solana.PublicKey
	message   string
	signature auth.Signature
}

// TestRefusalKeepsChallenge tests that the right response still works after any failed attempt.
func TestRefusalKeepsChallenge(t *testing.T) {
	b, o, other := newBench(t), newOwner(t), newOwner(t)
	c := b.issue(t, o.address)
	refused := func(what string, err error) {
		t.Helper()
		if err == nil {
			t.Fatalf("%s: accepted", what)
		}
	}
	_, err := b.Verify(t.Context(), o.address, c.Message, other.sign(t, c.Message))
	refused("wrong signature", err)
	_, err = b.Verify(t.Context(), other.address, c.Message, other.sign(t, c.Message))
	refused("wrong wallet", err)
	b.tokens.err = apperr.Upstream("The key service", errors.New("down"))
	_, err = b.Verify(t.Context(), o.address, c.Message, o.sign(t, c.Message))
	refused("no key service", err)
	if apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("without a key service: %v, want it unavailable", err)
	}
	b.tokens.err = nil
	if _, err := b.Verify(t.Context(), o.address, c.Message, o.sign(t, c.Message)); err != nil {
		t.Errorf("the right attempt after three failed ones: %v", err)
	}
}

func TestVerifyWithFailingStore(t *testing.T) {
	b, o := newBench(t), newOwner(t)
	c := b.issue(t, o.address)
	b.store.Err = errors.New("down")
	if _, err := b.Verify(t.Context(), o.address, c.Message, o.sign(t, c.Message)); !errors.Is(err, b.store.Err) {
		t.Errorf("Verify = %v, want %v", err, b.store.Err)
	}
	if _, err := b.Issue(t.Context(), o.address, ""); !errors.Is(err, b.store.Err) {
		t.Errorf("Issue = %v, want %v", err, b.store.Err)
	}
}

func TestOneOfManyAtOnceGetsAToken(t *testing.T) {
	b, o := newBench(t), newOwner(t)
	c := b.issue(t, o.address)
	signature := o.sign(t, c.Message)
	var accepted atomic.Int64
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			_, err := b.Verify(t.Context(), o.address, c.Message, signature)
			switch {
			case err == nil:
				accepted.Add(1)
			case apperr.CodeOf(err) != "challenge_unknown":
				t.Errorf("Verify = %v, want %s", err, "challenge_unknown")
			}
		})
	}
	all.Wait()
	if accepted.Load() != 1 {
		t.Errorf("%d of 50 accepted, want one", accepted.Load())
	}
}

func TestNewSiteRefuses(t *testing.T) {
	for name, c := range map[string]struct{ url, network string }{
		"no URL":          {"", "devnet"},
		"no host":         {"https://", "devnet"},
		"relative":        {"/api", "devnet"},
		"not a URL":       {"https://launch example", "devnet"},
		"no network":      {"https://launch.example", ""},
		"unknown network": {"https://launch.example", "moon"},
	} {
		t.Run(name, func(t *testing.T) {
			if site, err := auth.NewSite(c.url, c.network); err == nil {
				t.Errorf("NewSite = %+v, want an error", site)
			}
		})
	}
}

func TestNewSite(t *testing.T) {
	for url, want := range map[string]auth.Site{
		"http://localhost:8080":             {Domain: "localhost:8080", URI: "http://localhost:8080", ChainID: "localnet"},
		"https://launch.example/":           {Domain: "launch.example", URI: "https://launch.example", ChainID: "localnet"},
		"https://api.launch.example/v1/api": {Domain: "api.launch.example", URI: "https://api.launch.example/v1/api", ChainID: "localnet"},
	} {
		if site, err := auth.NewSite(url, "localnet"); err != nil || site != want {
			t.Errorf("NewSite(%q) = %+v, %v; want %+v", url, site, err, want)
		}
	}
}

func TestEveryFormOfASignatureWorks(t *testing.T) {
	for name, form := range map[string]func([]byte) string{
		"base58":                 func(s []byte) string { return solana.Signature(s).String() },
		"base64":                 base64.StdEncoding.EncodeToString,
		"base64 without padding": base64.RawStdEncoding.EncodeToString,
		"base64url":              base64.URLEncoding.EncodeToString,
		"base64url, no padding":  base64.RawURLEncoding.EncodeToString,
	} {
		t.Run(name, func(t *testing.T) {
			b, o := newBench(t), newOwner(t)
			c := b.issue(t, o.address)
			signature := parse(t, form(ed25519.Sign(o.key, []byte(c.Message))))
			if _, err := b.Verify(t.Context(), o.address, c.Message, signature); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestChallengeNamesAllowedDomain tests that the challenge names the page's own domain if it is
// allowed, and the service's domain for every look-alike. A wallet compares the domain with the
// page.
func TestChallengeNamesAllowedDomain(t *testing.T) {
	b, o := newBench(t), newOwner(t)
	for origin, domain := range map[string]string{
		"https://page.example":                       "page.example",
		"https://page.example:8443":                  "page.example:8443",
		"https://xn--80ak6aa92e.example":             "xn--80ak6aa92e.example",
		"":                                           "launch.example", // no browser, or the service's own page
		"null":                                       "launch.example", // a frame without an origin, a file
		"http://page.example":                        "launch.example",
		"https://page.example:443":                   "launch.example",
		"https://page.example:444":                   "launch.example",
		"https://page.example.":                      "launch.example",
		"https://page.example/":                      "launch.example",
		"https://PAGE.example":                       "launch.example",
		"https://evil.page.example":                  "launch.example",
		"https://page.example.evil.test":             "launch.example",
		"https://page.example@evil.test":             "launch.example",
		"https://evil.test":                          "launch.example",
		"page.example":                               "launch.example",
		"https://page.example, https://evil.test":    "launch.example",
		"https://page.example\nwants you to sign in": "launch.example",
		"https://\u0440age.example":                  "launch.example",
		"https://аррӏе.example":                      "launch.example",
	} {
		c, err := b.Issue(t.Context(), o.address, origin)
		if err != nil {
			t.Fatal(err)
		}
		m, err := siws.Parse(c.Message)
		if err != nil || m.Domain != domain || m.URI != "https://"+domain {
			t.Errorf("Origin %q: domain %q, URI %q, %v; want %q", origin, m.Domain, m.URI, err, domain)
		}
		// The issued text is accepted, and no text with another domain.
		for _, other := range []string{"launch.example", "page.example", "evil.test"} {
			if other == domain {
				continue
			}
			changed := strings.Replace(c.Message, domain+" wants", other+" wants", 1)
			if _, err := b.Verify(t.Context(), o.address, changed, o.sign(t, changed)); apperr.CodeOf(err) != "challenge_unknown" {
				t.Errorf("Origin %q: with the domain %s it is %v", origin, other, err)
			}
		}
		if _, err := b.Verify(t.Context(), o.address, c.Message, o.sign(t, c.Message)); err != nil {
			t.Errorf("Origin %q: %v", origin, err)
		}
	}
}

func TestNewSiteRejectsOrigins(t *testing.T) {
	for _, origin := range []string{
		"", "*", "null", "page.example", "https://", "https://*.page.example", "https://page.example/", "https://page.example/path", "https://Page.example",
		"https://page.example.", "https://page.example:443", "http://localhost:80", "https://page.example:0", "https://user@page.example", "http://page.example",
		"http://localhost.page.example", "ftp://page.example", "https://аррӏе.example", "https://page.example?", "https://page.example https://other.example", "https://-page.example",
	} {
		if err := auth.CheckOrigin(origin); err == nil {
			t.Errorf("%q is allowed", origin)
		}
		if _, err := auth.NewSites("https://launch.example", "devnet", origin); err == nil {
			t.Errorf("%q makes a site", origin)
		}
	}
	for _, origin := range []string{"https://page.example", "https://page.example:8443", "http://localhost:3000", "http://127.0.0.1:5173", "https://xn--80ak6aa92e.example"} {
		if err := auth.CheckOrigin(origin); err != nil {
			t.Error(err)
		}
	}
}
