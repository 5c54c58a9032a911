package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/testkit/fault"
)

// service answers without a network, so that time can be that of a test.
type service struct {
	answers []func(http.ResponseWriter)
	times   []time.Time
	keys    []string
	bodies  []string
}

func refusal(status int, code string, retryAfter int) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/problem+json")
		w.Header().Set("X-RateLimit-Limit", "5")
		w.Header().Set("X-RateLimit-Remaining", "0")
		w.Header().Set("X-RateLimit-Window", "3600")
		w.Header().Set("X-RateLimit-Reset", "1772447400")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(client.Problem{Status: status, Code: client.Code(code), Detail: "No.", RequestID: "r1", RetryAfter: retryAfter})
	}
}

func good(body string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-RateLimit-Remaining", "4")
		_, _ = io.WriteString(w, body)
	}
}

// lost is a response that never arrives.
func lost(http.ResponseWriter) { panic(fault.ErrDown) }

// RoundTrip returns the answers in turn, the last one again and again.
func (s *service) RoundTrip(r *http.Request) (response *http.Response, err error) {
	s.times = append(s.times, time.Now())
	s.keys = append(s.keys, r.Header.Get("Idempotency-Key"))
	body, _ := io.ReadAll(r.Body)
	s.bodies = append(s.bodies, string(body))
	answer := s.answers[0]
	if len(s.answers) > 1 {
		s.answers = s.answers[1:]
	}
	defer func() {
		if down := recover(); down != nil {
			response, err = nil, fault.ErrDown
		}
	}()
	w := httptest.NewRecorder()
	answer(w)
	return w.Result(), nil
}

// waits are the pauses between the attempts.
func (s *service) waits() (list []time.Duration) {
	for i := 1; i < len(s.times); i++ {
		list = append(list, s.times[i].Sub(s.times[i-1]))
	}
	return list
}

func (s *service) client(t *testing.T, options ...client.Option) *client.Client {
	t.Helper()
	options = append(options, client.WithHTTPClient(&http.Client{Transport: s, Timeout: time.Minute}),
		client.WithSession(client.Session{Token: bearer, ExpiresAt: client.Time{Time: time.Now().Add(time.Hour)}}))
	c, err := client.New("https://api.example", options...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const healthy = `{"status":"ok","stage":"test","network":"localnet","version":"1","time":"2026-03-02T10:15:00.000Z"}`

// A wait that the service asks for is kept to, and is not longer.
func TestRetryAfterIsHonored(t *testing.T) {
	for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
		synctest.Test(t, func(t *testing.T) {
			s := &service{answers: []func(http.ResponseWriter){refusal(status, "busy", 7), refusal(status, "busy", 2), good(healthy)}}
			var told []time.Duration
			var a client.Answer
			c := s.client(t, client.WithRetryNotice(func(r client.Retry) {
				if r.Call != "GET /health" || !errors.Is(r.Err, client.Code("busy")) {
					t.Errorf("reported %+v", r)
				}
				told = append(told, r.Wait)
			}))
			if _, err := c.GetHealth(client.ReadAnswer(t.Context(), &a)); err != nil {
				t.Fatal(err)
			}
			want := []time.Duration{7 * time.Second, 2 * time.Second}
			if !slices.Equal(s.waits(), want) || !slices.Equal(told, want) {
				t.Errorf("waited %v and reported %v, want %v", s.waits(), told, want)
			}
			if a.Status != http.StatusOK || a.Attempts != 3 || a.Limits.Remaining != 4 {
				t.Errorf("the response is %+v", a)
			}
		})
	}
}

// The client does not sleep through a long Retry-After: it returns an error with all details.
func TestLongRetryAfterIsReturned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{answers: []func(http.ResponseWriter){refusal(http.StatusTooManyRequests, "rate_limit_exceeded", 31)}}
		_, err := s.client(t).CreateUnsignedToken(t.Context(), client.TokenCreation{})
		var p *client.Problem
		if !errors.As(err, &p) || !errors.Is(err, client.RateLimitExceeded) || errors.Is(err, client.Internal) || len(s.times) != 1 {
			t.Fatalf("%v after %d attempts", err, len(s.times))
		}
		limits := client.Limits{Limit: 5, Reset: time.Unix(1772447400, 0).UTC(), Window: time.Hour}
		if p.Wait() != 31*time.Second || p.Limits != limits || p.Call != "POST /tokens/create-unsigned" || client.CodeOf(err) != client.RateLimitExceeded {
			t.Errorf("the problem is %+v", p)
		}
	})
}

// Without a word of the service the pauses grow, differ, and end.
func TestPausesGrow(t *testing.T) {
	first := map[time.Duration]bool{}
	for range 5 {
		synctest.Test(t, func(t *testing.T) {
			s := &service{answers: []func(http.ResponseWriter){lost}}
			if _, err := s.client(t, client.WithAttempts(8)).GetStatus(t.Context()); !errors.Is(err, fault.ErrDown) {
				t.Error(err)
			}
			waits := s.waits()
			if len(waits) != 7 {
				t.Fatalf("it waited %v", waits)
			}
			first[waits[0]] = true
			for i, wait := range waits {
				mean := min(250*time.Millisecond<<i, 5*time.Second)
				if wait < mean/2 || wait > mean*3/2 {
					t.Errorf("pause %d is %s", i, wait)
				}
			}
		})
	}
	if len(first) == 1 {
		t.Error("all begin with the same pause")
	}
}

// Which requests are repeated with the same key and body, and which are sent once.
func TestRetries(t *testing.T) {
	read := func(ctx context.Context, c *client.Client) error { _, err := c.GetHealth(ctx); return err }
	submit := func(ctx context.Context, c *client.Client) error {
		_, err := c.SubmitToken(ctx, client.Submission{TransactionID: "t", SignedTransaction: "s"})
		return err
	}
	upload := func(ctx context.Context, c *client.Client) error {
		_, err := c.UploadImage(ctx, []byte("a picture"))
		return err
	}
	generate := func(ctx context.Context, c *client.Client) error {
		_, err := c.GenerateDistributionWallet(ctx)
		return err
	}
	verify := func(ctx context.Context, c *client.Client) error {
		_, err := c.VerifyChallenge(ctx, client.VerifyRequest{})
		return err
	}
	for _, test := range []struct {
		name     string
		call     func(context.Context, *client.Client) error
		answer   func(http.ResponseWriter)
		attempts int
	}{
		{"a read with a lost response", read, lost, 5},
		{"a rejected read", read, refusal(http.StatusNotFound, "not_found", 0), 1},
		{"a read that fails inside", read, refusal(http.StatusInternalServerError, "internal", 0), 1},
		{"a read while the gateway fails", read, refusal(http.StatusBadGateway, "", 0), 5},
		{"a submit with a lost response", submit, lost, 5},
		{"a submit while the service fails", submit, refusal(http.StatusServiceUnavailable, "upstream_unavailable", 1), 5},
		{"a rejected submit", submit, refusal(http.StatusBadRequest, "transaction_expired", 0), 1},
		{"a submit that runs already", submit, refusal(http.StatusConflict, "idempotency_in_progress", 1), 5},
		{"a submit that conflicts", submit, refusal(http.StatusConflict, "wallet_in_use", 0), 1},
		{"an upload with a lost response", upload, lost, 5},
		{"a new wallet with a lost response", generate, lost, 5},
		{"a challenge's use with a lost response", verify, lost, 1},
		{"a challenge's use before Retry-After", verify, refusal(http.StatusTooManyRequests, "rate_limit_exceeded", 1), 5},
		{"a response that is not JSON", read, good("<html>"), 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &service{answers: []func(http.ResponseWriter){test.answer}}
			if err := test.call(t.Context(), s.client(t)); err == nil {
				t.Errorf("%s: no error", test.name)
			}
			if len(s.times) != test.attempts {
				t.Errorf("%s: %d attempts, want %d", test.name, len(s.times), test.attempts)
			}
			if len(slices.Compact(s.keys)) != 1 || len(slices.Compact(s.bodies)) != 1 {
				t.Errorf("%s: with the keys %q and %d bodies", test.name, s.keys, len(slices.Compact(s.bodies)))
			}
		})
	}
}

// Each call has a separate key, unless its caller sets one.
func TestKeysAreOfOneCall(t *testing.T) {
	s := &service{answers: []func(http.ResponseWriter){good(`{"imageCid":"c"}`)}}
	c := s.client(t)
	for _, ctx := range []context.Context{t.Context(), t.Context(), client.WithIdempotencyKey(t.Context(), "mine")} {
		if _, err := c.UploadImage(ctx, []byte("a picture")); err != nil {
			t.Fatal(err)
		}
	}
	if s.keys[0] == "" || s.keys[0] == s.keys[1] || s.keys[2] != "mine" {
		t.Errorf("the keys are %q", s.keys)
	}
}

// The context ends a wait.
func TestContextEndsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{answers: []func(http.ResponseWriter){refusal(http.StatusTooManyRequests, "rate_limit_exceeded", 20)}}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		began := time.Now()
		_, err := s.client(t).GetHealth(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 5*time.Second || len(s.times) != 1 {
			t.Errorf("%v after %s and %d attempts", err, time.Since(began), len(s.times))
		}
	})
}

// Errors of the gateway itself become problems, too.
func TestGatewayErrorsAreProblems(t *testing.T) {
	s := &service{answers: []func(http.ResponseWriter){func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		_, _ = io.WriteString(w, `{"message":"Request Entity Too Large"}`)
	}}}
	_, err := s.client(t).UploadImage(t.Context(), []byte("a picture"))
	if err == nil || !strings.Contains(err.Error(), "POST /tokens/upload-image answers 413: Request Entity Too Large") {
		t.Error(err)
	}
}

// CloudFront responds in the service's form, with another content type.
func TestFrontErrorsAreProblems(t *testing.T) {
	s := &service{answers: []func(http.ResponseWriter){func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, `{"type":"/docs#direct_call","title":"Direct call","status":403,"detail":"No.","code":"direct_call","requestId":"1"}`)
	}}}
	if _, err := s.client(t).GetHealth(t.Context()); !errors.Is(err, client.DirectCall) {
		t.Error(err)
	}
}
