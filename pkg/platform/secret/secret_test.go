package secret_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/secret"
)

const hidden = "s3cr3t-value"

// vault holds a value that can change, be wrong and be away. Its tests run in a bubble
// of time (testing/synctest).
type vault struct {
	secret.Cached

	value string
	err   error
	calls int
	log   bytes.Buffer
}

func newVault(value string) *vault {
	v := &vault{value: value}
	v.Name, v.Now, v.Log = "the-name", time.Now, slog.New(slog.NewTextHandler(&v.log, nil))
	v.Fetch = func(context.Context) (string, error) {
		v.calls++
		return v.value, v.err
	}
	v.Check = func(value string) error {
		if strings.HasPrefix(value, "bad") {
			return errors.New("it is bad")
		}
		return nil
	}
	return v
}

func (v *vault) want(t *testing.T, value string, calls int) {
	t.Helper()
	got, err := v.Value(t.Context())
	if err != nil || got != value || v.calls != calls {
		t.Fatalf("%q after %d calls, %v; want %q after %d", got, v.calls, err, value, calls)
	}
}

// wantNone holds an error against what is to be in it and in the log.
func (v *vault) wantNone(t *testing.T, cause string) {
	t.Helper()
	got, err := v.Value(t.Context())
	if got != "" || apperr.KindOf(err) != apperr.Unavailable || !strings.Contains(err.Error(), "the-name") || !strings.Contains(err.Error(), cause) {
		t.Fatalf("Value() = %q, %v; want an error of kind Unavailable that names the secret and the cause", got, err)
	}
	v.wantHidden(t, err.Error())
}

func (v *vault) wantHidden(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range append(texts, v.log.String()) {
		if strings.Contains(text, hidden) {
			t.Errorf("the value shows: %s", text)
		}
	}
}

func TestRotatedValueWithinLifetime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVault(hidden + "-1")
		if v.calls != 0 {
			t.Fatal("it is read before the first request")
		}
		v.want(t, hidden+"-1", 1)
		v.value = hidden + "-2"
		time.Sleep(secret.Lifetime - time.Nanosecond)
		v.want(t, hidden+"-1", 1)
		time.Sleep(time.Nanosecond)
		v.want(t, hidden+"-2", 2)
		v.want(t, hidden+"-2", 2)
		if v.log.Len() != 0 {
			t.Errorf("log: %s", &v.log)
		}
	})
}

// The lifetime counts from when the value was asked for: it may have changed while the response was
// on its way.
func TestLifetimeBeginsWithRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVault(hidden)
		fetch := v.Fetch
		v.Fetch = func(ctx context.Context) (string, error) {
			value, err := fetch(ctx)
			time.Sleep(time.Second)
			return value, err
		}
		v.want(t, hidden, 1)
		v.value = hidden + "-2"
		time.Sleep(secret.Lifetime - time.Second)
		v.want(t, hidden+"-2", 2)
	})
}

func TestSourceKeepsValueDuringOutage(t *testing.T) {
	for name, fail := range map[string]func(*vault){
		"away": func(v *vault) { v.err = errors.New("away") },
		"bad":  func(v *vault) { v.value = "bad " + hidden },
		"hangs": func(v *vault) {
			v.Fetch = func(ctx context.Context) (string, error) {
				v.calls++
				<-ctx.Done()
				return "", ctx.Err()
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				v := newVault(hidden)
				fetch := v.Fetch
				v.want(t, hidden, 1)
				read := time.Now()
				time.Sleep(secret.Lifetime)
				fail(v)
				began := time.Now()
				v.want(t, hidden, 2)
				if took := time.Since(began); took > 5*time.Second {
					t.Errorf("it waited %v", took)
				}
				v.want(t, hidden, 2) // not asked again at once
				if lines := strings.Count(v.log.String(), "\n"); lines != 1 || !strings.Contains(v.log.String(), "name=the-name") {
					t.Errorf("log: %s", &v.log)
				}
				time.Sleep(30 * time.Second)
				v.want(t, hidden, 3)
				time.Sleep(secret.KeptFor - time.Since(read) - 1 - 5*time.Second)
				v.want(t, hidden, 4)
				time.Sleep(30 * time.Second)
				cause := map[string]string{"away": "away", "bad": "it is bad", "hangs": "deadline"}[name]
				v.wantNone(t, cause)
				v.wantNone(t, cause)
				v.wantHidden(t)
				// Once it can be read again, all is well.
				v.Fetch, v.err, v.value, v.calls = fetch, nil, hidden+"-new", 0
				v.want(t, hidden+"-new", 1)
				v.want(t, hidden+"-new", 1)
			})
		})
	}
}

func TestWithoutAValueTheErrorNamesTheSecret(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVault("bad " + hidden)
		v.wantNone(t, "it is bad")
		v.value, v.err = hidden, errors.New("AccessDenied")
		v.wantNone(t, "AccessDenied")
		v.err = nil
		v.want(t, hidden, 3) // a failure is not kept
	})
}

func TestConcurrentReadsShareOneCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVault(hidden)
		answer := make(chan error)
		fetch := v.Fetch
		v.Fetch = func(ctx context.Context) (string, error) {
			value, _ := fetch(ctx)
			return value, <-answer
		}
		for _, err := range []error{errors.New("away"), nil} {
			var all sync.WaitGroup
			for range 20 {
				all.Go(func() {
					if got, failed := v.Value(t.Context()); (failed == nil) != (err == nil) || err == nil && got != hidden {
						t.Errorf("Value() = %q, %v; want the result of the shared call", got, failed)
					}
				})
			}
			synctest.Wait() // all are waiting
			answer <- err
			all.Wait()
		}
		if v.calls != 2 {
			t.Errorf("%d calls, want one for each failure and value", v.calls)
		}
	})
}

// The first caller cancels; the call continues for the other callers.
func TestSecretAfterCallerCancels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVault(hidden)
		release := make(chan struct{})
		fetch := v.Fetch
		v.Fetch = func(ctx context.Context) (string, error) {
			select {
			case <-release:
				return fetch(ctx)
			case <-ctx.Done():
				return "", ctx.Err()
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		first := make(chan error)
		go func() { _, err := v.Value(ctx); first <- err }()
		synctest.Wait()
		second := make(chan string)
		go func() { value, err := v.Value(t.Context()); second <- fmt.Sprint(value, err) }()
		synctest.Wait()
		cancel()
		if err := <-first; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		close(release)
		if got := <-second; got != fmt.Sprint(hidden, nil) || v.calls != 1 {
			t.Errorf("%s after %d calls", got, v.calls)
		}
	})
}

func TestFixed(t *testing.T) {
	if got, err := secret.Fixed(hidden)(t.Context()); got != hidden || err != nil {
		t.Errorf("Fixed() = %q, %v; want the given value", got, err)
	}
}
