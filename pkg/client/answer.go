package client

import (
	"context"
	"net/http"
	"strconv"
	"time"
)

// Limits are the figures of the rate limit that counted a request.
type Limits struct {
	// Limit is how many requests the window allows, Remaining how many are left.
	Limit, Remaining int
	// Reset is when the oldest counted request leaves the window.
	Reset time.Time
	// Window is how long the window is.
	Window time.Duration
}

// Answer is what came with an answer besides its body.
type Answer struct {
	Status    int
	RequestID string
	Limits    Limits
	// Replayed says that it is the answer of an earlier request with the same key.
	Replayed bool
	// Attempts is how often the request was sent.
	Attempts int
}

type answerKey struct{}

// ReadAnswer gives a context whose calls write what came with their last answer into
// into: the status, the rate limit. It is for one call at a time.
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

// WithIdempotencyKey gives a context whose call carries this key, where the operation
// takes one: then a program that was ended and started again can send the same request
// once more, and nothing is done again. It is for one call alone; without it each call
// has a key of its own, which its own repetitions share.
func WithIdempotencyKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, idempotencyKey{}, key)
}
