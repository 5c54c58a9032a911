package authtest

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/auth"
)

// racers is the number of callers that use a challenge concurrently.
const racers = 50

// Contract checks that a store meets the contract of auth.ChallengeStore. The store is initially
// empty.
func Contract(t *testing.T, store auth.ChallengeStore) {
	t.Helper()
	issued := time.UnixMilli(1_772_600_767_089).UTC()
	challenge := func(nonce string) auth.Challenge {
		return auth.Challenge{
			Wallet: solana.PublicKey{1, 2, 3}, Nonce: nonce, Message: "line\nline “" + nonce + "”",
			IssuedAt: issued, ExpiresAt: issued.Add(auth.ChallengeLifetime),
		}
	}
	put := func(t *testing.T, nonce string) auth.Challenge {
		t.Helper()
		c := challenge(nonce)
		if err := store.Put(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		return c
	}

	t.Run("what was put is got", func(t *testing.T) {
		want := put(t, "got")
		if got, err := store.Get(t.Context(), "got"); err != nil || got != want {
			t.Errorf("Get = %+v, %v; want %+v", got, err, want)
		}
	})
	t.Run("putting twice is putting once", func(t *testing.T) {
		put(t, "twice")
		want := put(t, "twice")
		if got, err := store.Get(t.Context(), "twice"); err != nil || got != want {
			t.Errorf("Get = %+v, %v; want %+v", got, err, want)
		}
	})
	t.Run("what was never put is unknown", func(t *testing.T) {
		if _, err := store.Get(t.Context(), "never"); !errors.Is(err, auth.ErrNoChallenge) {
			t.Errorf("Get = %v, want ErrNoChallenge", err)
		}
		if err := store.Use(t.Context(), "never", issued); !errors.Is(err, auth.ErrNoChallenge) {
			t.Errorf("Use = %v, want ErrNoChallenge", err)
		}
	})
	t.Run("a used one is unknown, another is not", func(t *testing.T) {
		put(t, "used")
		put(t, "unused")
		if err := store.Use(t.Context(), "used", issued); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Get(t.Context(), "used"); !errors.Is(err, auth.ErrNoChallenge) {
			t.Errorf("Get = %v, want ErrNoChallenge", err)
		}
		if err := store.Use(t.Context(), "used", issued); !errors.Is(err, auth.ErrNoChallenge) {
			t.Errorf("Use = %v, want ErrNoChallenge", err)
		}
		if _, err := store.Get(t.Context(), "unused"); err != nil {
			t.Errorf("Get of another: %v", err)
		}
	})
	t.Run("an expired one is still known and cannot be used", func(t *testing.T) {
		c := put(t, "expired")
		if err := store.Use(t.Context(), "expired", c.ExpiresAt); !errors.Is(err, auth.ErrNoChallenge) {
			t.Errorf("Use at the expiry = %v, want ErrNoChallenge", err)
		}
		if got, err := store.Get(t.Context(), "expired"); err != nil || got != c {
			t.Errorf("Get = %+v, %v; want %+v", got, err, c)
		}
		if err := store.Use(t.Context(), "expired", c.ExpiresAt.Add(-time.Millisecond)); err != nil {
			t.Errorf("Use just before its end: %v", err)
		}
	})
	t.Run("of many at once, one uses it", func(t *testing.T) {
		put(t, "raced")
		var used atomic.Int64
		var all sync.WaitGroup
		for range racers {
			all.Go(func() {
				switch err := store.Use(t.Context(), "raced", issued); {
				case err == nil:
					used.Add(1)
				case !errors.Is(err, auth.ErrNoChallenge):
					t.Errorf("Use = %v, want nil or ErrNoChallenge", err)
				}
			})
		}
		all.Wait()
		if used.Load() != 1 {
			t.Errorf("%d of %d used it, want one", used.Load(), racers)
		}
	})
}
