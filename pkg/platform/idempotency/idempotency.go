// Package idempotency lets a caller retry a request safely: requests of one caller with the same
// key get the same response for a day.
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

// The header with the key, and the header that marks a response as the response to an earlier
// request.
const (
	Header         = "Idempotency-Key"
	ReplayedHeader = "Idempotency-Replayed"
)

const (
	// Lifetime is the retention of a response, from the request on.
	Lifetime = 24 * time.Hour
	// Lease is the time for which a request without a response holds the key. No function runs for
	// longer than 29 seconds, so an expired lease means a crash.
	Lease = time.Minute
	// MaxBody is the maximum size of a stored body, in bytes. An item of DynamoDB has at most 400
	// KB.
	MaxBody = 256 << 10
	// maxKey is the maximum length of a key, in characters.
	maxKey = 255
	// retryAfter is the pause for a caller that retries too early. Most requests take less time.
	retryAfter = time.Second
)

// Claim is a request that claims a key. Caller and Key identify the key. Holder identifies this
// attempt, and is new each time.
type Claim struct {
	Caller      string
	Key         string
	Fingerprint [sha256.Size]byte
	Holder      string
}

// Answer is the response to a request. Header has the headers of the response that do not depend on
// the time.
type Answer struct {
	Status int
	Header map[string]string
	Body   []byte
}

// Record is the stored state of a key. Answer is nil before the response.
type Record struct {
	Fingerprint [sha256.Size]byte
	Holder      string
	LeaseUntil  time.Time
	ValidUntil  time.Time
	Answer      *Answer
}

// Store stores keys and responses.
type Store interface {
	// Begin claims a key for Lease. It returns the response to an earlier request, if any. A nil
	// Answer means that the caller has the claim and must process the request. The error is the
	// error of Record.Decide, or an error of the store.
	Begin(ctx context.Context, c Claim, now time.Time) (*Answer, error)
	// Keep ends a claim with the response. It does nothing if the claim no longer holds.
	Keep(ctx context.Context, c Claim, a Answer) error
	// Release ends a claim without a response, so that the same request can be retried immediately.
	// It does nothing if the claim no longer holds.
	Release(ctx context.Context, c Claim) error
}

// Decide reports whether a claim may replace the record. Otherwise Decide returns the stored
// response or an error: 409 idempotency_key_reused for a key of another request, 409
// idempotency_in_progress while the first request has no response.
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

// CheckKey returns the key, or an error for an invalid key. given is all values of the header.
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

// Fingerprint returns a hash that distinguishes requests. The boundary of a multipart body is
// ignored, because clients choose a new boundary for each request.
func Fingerprint(method, path, contentType string, body []byte) [sha256.Size]byte {
	if kind, parameters, err := mime.ParseMediaType(contentType); err == nil && strings.HasPrefix(kind, "multipart/") {
		if boundary := parameters["boundary"]; boundary != "" {
			body = bytes.ReplaceAll(body, []byte("--"+boundary), []byte("--"))
		}
	}
	sum := sha256.New()
	for _, part := range []string{method, path} {
		sum.Write([]byte(part))
		sum.Write([]byte{0}) // method and path contain no zero byte
	}
	sum.Write(body)
	return [sha256.Size]byte(sum.Sum(nil))
}

// Final reports whether a response with this status is stored. An error of the service may be
// transient. 401 and 429 concern the caller's current state. 202 announces a later result, and a
// request with response 202 is idempotent without a key.
func Final(status int) bool {
	switch status {
	case 202, 401, 429:
		return false
	}
	return status >= 200 && status < 300 || status >= 400 && status < 500
}
