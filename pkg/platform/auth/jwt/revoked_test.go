package jwt_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/platform/auth/jwt"
)

// revoked counts how often it is read, and fails while err is set.
type revoked struct {
	list jwt.Revocations
	err  error
	read int
}

func (r *revoked) fetch(context.Context) (jwt.Revocations, error) {
	r.read++
	return r.list, r.err
}

// A revocation ends the access tokens of only that wallet that were issued until then: later
// sign-ins are valid.
func TestRevokedTokenIsRefused(t *testing.T) {
	issuer, verifier, _ := setUp(t, newKey(t))
	token := issue(t, issuer)
	issued := now.Truncate(time.Second)
	for _, test := range []struct {
		name     string
		list     jwt.Revocations
		accepted bool
	}{
		{"no revocation", nil, true},
		{"another wallet's are", jwt.Revocations{"another": now.Add(time.Hour)}, true},
		{"those before it are", jwt.Revocations{wallet: issued.Add(-time.Second)}, true},
		{"those of its second are", jwt.Revocations{wallet: issued}, false},
		{"it is", jwt.Revocations{wallet: issued.Add(time.Minute)}, false},
	} {
		verifier.Revoked = &jwt.CachedRevocations{Fetch: (&revoked{list: test.list}).fetch, Now: at(now)}
		got, err := verifier.Verify(t.Context(), token.Raw)
		if (err == nil) != test.accepted || err != nil && !errors.Is(err, jwt.ErrInvalid) || err == nil && got != wallet {
			t.Errorf("Verify(), %s = %q, %v; want accepted %t", test.name, got, err, test.accepted)
		}
	}
}

// A revocation takes effect within RevokedWithin, with one read for all access tokens in that time.
func TestRevocationsAreReadAgain(t *testing.T) {
	issuer, verifier, _ := setUp(t, newKey(t))
	token := issue(t, issuer)
	clock, source := now, &revoked{}
	verifier.Revoked = &jwt.CachedRevocations{Fetch: source.fetch, Now: func() time.Time { return clock }}
	verify := func(want error) {
		t.Helper()
		if _, err := verifier.Verify(t.Context(), token.Raw); !errors.Is(err, want) {
			t.Errorf("after %s: %v, want %v", clock.Sub(now), err, want)
		}
	}
	verify(nil)
	source.list = jwt.Revocations{wallet: now}
	clock = now.Add(jwt.RevokedWithin - time.Second)
	verify(nil)
	if source.read != 1 {
		t.Errorf("read %d times", source.read)
	}
	clock = now.Add(jwt.RevokedWithin)
	verify(jwt.ErrInvalid)
	// While they cannot be read, the last ones hold for five minutes; then nothing is known
	// of any token.
	source.err = errors.New("the table is away")
	clock = clock.Add(5 * time.Minute)
	verify(jwt.ErrInvalid)
	clock = clock.Add(5 * time.Second)
	verify(source.err)
	if _, err := verifier.Verify(t.Context(), token.Raw); errors.Is(err, jwt.ErrInvalid) {
		t.Errorf("%v blames the token", err)
	}
	source.err, source.list = nil, nil
	verify(nil)
}

func TestVerifyFailsWithoutRevocations(t *testing.T) {
	issuer, verifier, _ := setUp(t, newKey(t))
	away := errors.New("the table is away")
	verifier.Revoked = &jwt.CachedRevocations{Fetch: (&revoked{err: away}).fetch, Now: at(now)}
	if _, err := verifier.Verify(t.Context(), issue(t, issuer).Raw); !errors.Is(err, away) || errors.Is(err, jwt.ErrInvalid) {
		t.Errorf("Verify() = %v, want the store's error", err)
	}
}
