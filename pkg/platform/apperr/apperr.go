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

// Kind is the sort of a refusal: the HTTP status of the response.
type Kind int

// The kinds, in the order in which a request is checked.
const (
	Unauthenticated  Kind = 401 // no valid token
	RateLimited      Kind = 429 // come back after RetryAfter
	Invalid          Kind = 400 // the request itself is wrong
	TooLarge         Kind = 413 // the body is longer than the route takes
	NotFound         Kind = 404
	MethodNotAllowed Kind = 405 // the path exists, with other methods
	Forbidden        Kind = 403 // known, but not allowed
	Conflict         Kind = 409 // right in itself, at odds with what is stored
	Unavailable      Kind = 503 // something that we need does not answer
	Internal         Kind = 500 // our fault
)

// Code is a stable snake_case word that clients switch on. The codes are those of the API's
// document: no other package can create one.
type Code struct {
	word string
	kind Kind
}

// String returns the word.
func (c Code) String() string { return c.word }

// Field is one bad field of a request. Message is a sentence that says what would be right.
type Field struct {
	Field   string
	Code    Code
	Message string
}

// Error is a refusal, of the kind of its code. Detail is a sentence for a person. Fields is for
// Invalid, RetryAfter for RateLimited and Unavailable, Allow for MethodNotAllowed.
type Error struct {
	Code       Code
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

// Kind returns the kind of the code.
func (e *Error) Kind() Kind { return e.Code.kind }

// New makes a refusal.
func New(code Code, detail string) *Error {
	return &Error{Code: code, Detail: detail}
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
	return &Error{Code: CodeValidationFailed, Detail: detail, Fields: fields}
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
		Code:       CodeUpstreamUnavailable,
		Detail:     what + " does not answer at the moment; try again shortly.",
		RetryAfter: 5 * time.Second, Cause: cause,
	}
}

// KindOf gives the kind of the first Error in err's chain, Internal when there
// is none.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind()
	}
	return Internal
}

// CodeOf gives the word of the code of the first Error in err's chain, "internal" when
// there is none.
func CodeOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Code.word
	}
	return CodeInternal.word
}
