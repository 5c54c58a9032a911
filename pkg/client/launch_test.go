package client_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"tokenlaunch.example/service/pkg/client"
)

// A submission that was rejected is not launched; every other end is uncertain.
func TestOnlyRejectionIsCertain(t *testing.T) {
	token := func(status string) string {
		return `{"success":true,"status":"submitted","mintAddress":"93mCveArZRPXZqVkPmHBnNrmP27tyed2H5geuJkskxsp","token":{"status":"` + status + `"}}`
	}
	for name, test := range map[string]struct {
		answers   []func(http.ResponseWriter)
		uncertain bool
	}{
		"expired":              {[]func(http.ResponseWriter){refusal(400, "transaction_expired", 0)}, false},
		"failed immediately":   {[]func(http.ResponseWriter){refusal(400, "transaction_failed", 0)}, false},
		"another wallet's":     {[]func(http.ResponseWriter){refusal(409, "wallet_in_use", 0)}, false},
		"lost":                 {[]func(http.ResponseWriter){lost}, true},
		"lost, then rejected":  {[]func(http.ResponseWriter){lost, refusal(401, "invalid_token", 0)}, true},
		"still being answered": {[]func(http.ResponseWriter){refusal(409, "idempotency_in_progress", 1)}, true},
		"out of order":         {[]func(http.ResponseWriter){refusal(500, "internal", 0)}, true},
		"unavailable":          {[]func(http.ResponseWriter){refusal(503, "upstream_unavailable", 1)}, true},
		"a limit after a loss": {[]func(http.ResponseWriter){lost, refusal(429, "rate_limit_exceeded", 3000)}, true},
		"not understood":       {[]func(http.ResponseWriter){good("<html>")}, true},
		"sent, then a limit":   {[]func(http.ResponseWriter){good(token("submitted")), refusal(429, "rate_limit_exceeded", 800)}, true},
		"sent, then failed":    {[]func(http.ResponseWriter){good(token("submitted")), good(`{"status":"failed"}`)}, false},
		"never decided":        {[]func(http.ResponseWriter){good(token("submitted")), good(`{"status":"submitted"}`)}, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &service{answers: test.answers}
			kept := client.Submission{TransactionID: "t", SignedTransaction: "s"}
			_, err := s.client(t).FinishLaunch(t.Context(), kept, client.LaunchHooks{})
			var unknown *client.UncertainError
			if err == nil || errors.As(err, &unknown) != test.uncertain || unknown != nil && unknown.Submission != kept {
				t.Errorf("Launch(), %s: %v, want uncertain %t with the submission", name, err, test.uncertain)
			}
		})
	}
}

// A submitted launch without a decision is submitted again after the life of a blockhash: then the
// service reports whether the launch was lost.
func TestLaunchResubmitsUndecided(t *testing.T) {
	taken := `{"success":true,"status":"submitted","mintAddress":"93mCveArZRPXZqVkPmHBnNrmP27tyed2H5geuJkskxsp","token":{"status":"submitted"}}`
	synctest.Test(t, func(t *testing.T) {
		submits := 0
		c, err := client.New("https://api.example", client.WithHTTPClient(&http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			answer := good(`{"status":"submitted"}`)
			switch {
			case r.URL.Path == "/tokens/submit":
				answer = good(taken)
				if submits++; submits == 3 {
					answer = refusal(429, "rate_limit_exceeded", 3000)
				}
			case submits == 3:
				answer = good(`{"status":"confirmed"}`)
			}
			s := &service{answers: []func(http.ResponseWriter){answer}}
			return s.RoundTrip(r)
		})}), client.WithSession(client.Session{Token: bearer, ExpiresAt: client.Time{Time: time.Now().Add(time.Hour)}}))
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.FinishLaunch(t.Context(), client.Submission{TransactionID: "t", SignedTransaction: "s"}, client.LaunchHooks{})
		if err != nil || got.Status != client.TokenConfirmed || submits != 3 {
			t.Errorf("%s, %v after %d submissions", got.Status, err, submits)
		}
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil {
		r.Body = http.NoBody
	}
	return f(r)
}

// The client waits for the chain, at most as long as a transaction can take.
func TestWaitForChain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		waiting := good(`{"status":"submitted"}`)
		s := &service{answers: []func(http.ResponseWriter){waiting, waiting, good(`{"status":"confirmed"}`)}}
		began := time.Now()
		got, err := s.client(t).AwaitToken(t.Context(), key(1))
		if err != nil || got.Status != client.TokenConfirmed || time.Since(began) != 6*time.Second {
			t.Errorf("%s, %v after %s", got.Status, err, time.Since(began))
		}
		s = &service{answers: []func(http.ResponseWriter){waiting}}
		began = time.Now()
		_, err = s.client(t).AwaitToken(t.Context(), key(1))
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 8*time.Minute {
			t.Errorf("%v after %s", err, time.Since(began))
		}
		if reads := len(s.times); reads > 40 {
			t.Errorf("a wait makes %d reads: two launches from one address must fit into 100 in 15 minutes", reads)
		}
	})
}
