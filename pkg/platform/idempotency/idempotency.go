// Package idempotency lets a caller send a request again without its being done
// again: requests of one caller with the same key have the same answer for a day.
package idempotency

import (
	"bytes"
	"context"
	"crypto/sha256"
	"mime"
	"strings"
	"time"

	"tokenlaunch.example/service/pkg/platform/apperr"
)

// The header that carries the key, and the one that marks an answer as that of
// an earlier request.
const (
	Header         = "Idempotency-Key"
	ReplayedHeader = "Idempotency-Replayed"
)

const (
	// Lifetime is how long an answer is kept from the request that it answers.
	Lifetime = 24 * time.Hour
	// Lease is how long a request may hold its key without an answer. No function
	// runs for longer than 29 seconds, so a lease that is over is that of a crash.
	Lease = time.Minute
	// MaxBody bounds the body of an answer that is kept, in bytes: DynamoDB takes
	// items of 400 KB.
	MaxBody = 256 << 10
	// maxKey is the longest key, in characters.
	maxKey = 255
	// retryAfter is told to who asks again too soon: most requests take less.
	retryAfter = time.Second
)

// Claim is one request that wants to be the one which is answered. Caller and
// Key name what is claimed, Holder this attempt at it: a new one each time.
type Claim struct {
	Caller      string
	Key         string
	Fingerprint [sha256.Size]byte
	Holder      string
}

// Answer is what a request was answered with. Header has what belongs to the
// answer itself, not to the moment.
type Answer struct {
	Status int
	Header map[string]string
	Body   []byte
}

// Record is what a store knows of a key. Answer is nil while there is none.
type Record struct {
	Fingerprint [sha256.Size]byte
	Holder      string
	LeaseUntil  time.Time
	ValidUntil  time.Time
	Answer      *Answer
}

// Store keeps keys and answers.
type Store interface {
	// Begin claims a key for Lease. It gives the answer of an earlier request
	// where there is one; nil means that the claim holds, and the request is to be
	// done. The error is that of Record.Decide, or says that the store fails.
	Begin(ctx context.Context, c Claim, now time.Time) (*Answer, error)
	// Keep ends a claim with its answer. It does nothing when the claim no longer
	// holds.
	Keep(ctx context.Context, c Claim, a Answer) error
	// Release ends a claim without an answer, so that the same request can be
	// tried again at once. It does nothing when the claim no longer holds.
	Release(ctx context.Context, c Claim) error
}

// Decide says whether a claim may replace the record, which answer it gets if it
// may not, or why it gets none: 409 idempotency_key_reused for a key of another
// request, 409 idempotency_in_progress while the first one has no answer yet.
func (r Record) Decide(c Claim, now time.Time) (free bool, replay *Answer, err error) {
	switch {
	case !now.Before(r.ValidUntil):
		return true, nil, nil
	case r.Fingerprint != c.Fingerprint:
		return false, nil, apperr.New(apperr.CodeIdempotencyKeyReused,
			"This "+Header+" was sent with another request. Send a new key with every new request.")
	case r.Answer != nil:
		return false, r.Answer, nil
	case r.Holder == c.Holder, !now.Before(r.LeaseUntil):
		return true, nil, nil
	default:
		return false, nil, &apperr.Error{
			Code:       apperr.CodeIdempotencyInProgress,
			Detail:     "A request with this " + Header + " is being answered. Send it again in a moment.",
			RetryAfter: retryAfter,
		}
	}
}

// CheckKey refuses what is no key: given is every value that the header has.
func CheckKey(given []string) (key string, err error) {
	if len(given) == 1 && len(given[0]) >= 1 && len(given[0]) <= maxKey &&
		strings.IndexFunc(given[0], func(r rune) bool { return r <= ' ' || r > '~' }) < 0 {
		return given[0], nil
	}
	return "", apperr.Validation([]apperr.Field{{
		Field: Header, Code: apperr.CodeInvalidFormat,
		Message: "Must be one value of 1 to 255 visible ASCII characters, such as a UUID.",
	}})
}

// Fingerprint tells requests apart. The boundary of a multipart body, which
// clients make up each time they send it, does not count.
func Fingerprint(method, path, contentType string, body []byte) [sha256.Size]byte {
	if kind, parameters, err := mime.ParseMediaType(contentType); err == nil && strings.HasPrefix(kind, "multipart/") {
		if boundary := parameters["boundary"]; boundary != "" {
			body = bytes.ReplaceAll(body, []byte("--"+boundary), []byte("--"))
		}
	}
	sum := sha256.New()
	for _, part := range []string{method, path} {
		sum.Write([]byte(part))
		sum.Write([]byte{0}) // neither has one
	}
	sum.Write(body)
	return [sha256.Size]byte(sum.Sum(nil))
}

// Final says whether an answer with this status is kept. Errors of ours may pass;
// 401 and 429 are about the caller at this moment; 202 says that there is more to
// come, and the request that got it is idempotent by itself.
func Final(status int) bool {
	switch status {
	case 202, 401, 429:
		return false
	}
	return status >= 200 && status < 300 || status >= 400 && status < 500
}
