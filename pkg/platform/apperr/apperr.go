// Package apperr holds the error that a domain package returns when the caller
// should learn about it: what went wrong, in the caller's words, and the cause,
// which is logged and never sent. How it looks on the wire is the business of
// package apigw.
package apperr

import (
	"errors"
	"fmt"
	"time"
)

// Kind says what sort of refusal an error is. Each kind has one HTTP status.
type Kind string

// The kinds, in the order in which a request is checked.
const (
	Unauthenticated  Kind = "unauthenticated"    // 401: no valid token
	RateLimited      Kind = "rate_limited"       // 429: come back after RetryAfter
	Invalid          Kind = "invalid"            // 400: the request itself is wrong
	TooLarge         Kind = "too_large"          // 413: the body is longer than the route takes
	NotFound         Kind = "not_found"          // 404
	MethodNotAllowed Kind = "method_not_allowed" // 405: the path exists, with other methods
	Forbidden        Kind = "forbidden"          // 403: known, but not allowed
	Conflict         Kind = "conflict"           // 409: right in itself, at odds with what is stored
	Unavailable      Kind = "unavailable"        // 503: something that we need does not answer
	Internal         Kind = "internal"           // 500: our fault
)

// Field is one bad field of a request. Code is a stable snake_case word,
// Message a sentence that says what would be right.
type Field struct {
	Field   string
	Code    string
	Message string
}

// Field codes that more than one package uses.
const (
	CodeRequired             = "required"
	CodeUnknownField         = "unknown_field"
	CodeOutOfRange           = "out_of_range"
	CodeInvalidFormat        = "invalid_format"
	CodeInvalidType          = "invalid_type"
	CodeInvalidInterval      = "invalid_interval"
	CodeInvalidPercentage    = "invalid_percentage"
	CodeInvalidWalletAddress = "invalid_wallet_address"
)

// Error is a refusal. Code is a stable snake_case word that clients switch on;
// Detail is a sentence for a person. Fields is for Invalid, RetryAfter for
// RateLimited and Unavailable, Allow for MethodNotAllowed.
type Error struct {
	Kind       Kind
	Code       string
	Detail     string
	Fields     []Field
	Allow      []string
	RetryAfter time.Duration
	// Refresh takes the place of what has expired, as the wire has it; nil: nothing does.
	Refresh any
	// Passing: the same request may be answered otherwise later, so this answer is not kept
	// under an idempotency key.
	Passing bool
	Cause   error
}

// Error describes the refusal and its cause, for logs.
func (e *Error) Error() string {
	s := fmt.Sprintf("%s: %s", e.Code, e.Detail)
	for _, f := range e.Fields {
		s += fmt.Sprintf("; %s: %s", f.Field, f.Code)
	}
	if e.Cause != nil {
		s += ": " + e.Cause.Error()
	}
	return s
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

// New makes a refusal of the given kind.
func New(kind Kind, code, detail string) *Error {
	return &Error{Kind: kind, Code: code, Detail: detail}
}

// Validation makes the refusal of a request with bad fields, or returns nil
// when there are none.
func Validation(fields []Field) error {
	if len(fields) == 0 {
		return nil
	}
	detail := "One field is not valid."
	if len(fields) > 1 {
		detail = fmt.Sprintf("%d fields are not valid.", len(fields))
	}
	return &Error{Kind: Invalid, Code: "validation_failed", Detail: detail, Fields: fields}
}

// Together makes one refusal of those of Validation, so that a caller is told of every bad field
// at once; another error among them goes before. Without any error it is nil.
func Together(errs ...error) error {
	var bad []Field
	for _, err := range errs {
		if err == nil {
			continue
		}
		var refusal *Error
		if !errors.As(err, &refusal) || len(refusal.Fields) == 0 {
			return err
		}
		bad = append(bad, refusal.Fields...)
	}
	return Validation(bad)
}

// Upstream wraps the failure of something that we need and that did not
// answer: the chain, IPFS, or a store. what names it for the caller.
func Upstream(what string, cause error) *Error {
	return &Error{
		Kind: Unavailable, Code: "upstream_unavailable",
		Detail:     what + " does not answer at the moment; try again shortly.",
		RetryAfter: 5 * time.Second, Cause: cause,
	}
}

// KindOf gives the kind of the first Error in err's chain, Internal when there
// is none.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}

// CodeOf gives the code of the first Error in err's chain, "internal" when
// there is none.
func CodeOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return "internal"
}
