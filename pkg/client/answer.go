package client

import (
	"context"
	"net/http"
	"strconv"
	"time"
)

// Limits are the figures of the rate limit that counted a request.
type Limits struct {
	// Limit is the number of requests that the window allows, Remaining the number left.
	Limit, Remaining int
	// Reset is the time at which the oldest counted request leaves the window.
	Reset time.Time
	// Window is the length of the window.
	Window time.Duration
}

// Answer is the metadata of a response, without the body.
type Answer struct {
	Status    int
	RequestID string
	Limits    Limits
	// Replayed reports that the response is the response to an earlier request with the same
	// idempotency key.
	Replayed bool
	// Attempts is the number of times that the client sent the request.
	Attempts int
}

type answerKey struct{}

// ReadAnswer returns a context for calls that store the metadata of the last response in into, such
// as the status and the rate limit. Use the context for one call at a time.
func ReadAnswer(ctx context.Context, into *Answer) context.Context {
	return context.WithValue(ctx, answerKey{}, into)
}

func noteAnswer(ctx context.Context, response *http.Response, attempts int) {
	into, ok := ctx.Value(answerKey{}).(*Answer)
	if !ok {
		return
	}
	*into = Answer{
		Status: response.StatusCode, RequestID: response.Header.Get("X-Request-Id"), Limits: readLimits(response.Header),
		Replayed: response.Header.Get("Idempotency-Replayed") == "true", Attempts: attempts,
	}
}

func readLimits(h http.Header) Limits {
	number := func(name string) int {
		n, err := strconv.Atoi(h.Get("X-RateLimit-" + name))
		if err != nil {
			return 0
		}
		return n
	}
	l := Limits{Limit: number("Limit"), Remaining: number("Remaining"), Window: time.Duration(number("Window")) * time.Second}
	if reset := number("Reset"); reset > 0 {
		l.Reset = time.Unix(int64(reset), 0).UTC()
	}
	return l
}

type idempotencyKey struct{}

// WithIdempotencyKey returns a context for a call that sends this key, if the operation accepts a
// key. After a restart, a program can then repeat the request, and the service does the work only
// once. Use the context for one call only. Without WithIdempotencyKey, each call has a fresh key,
// which the retries of the call share.
func WithIdempotencyKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, idempotencyKey{}, key)
}
