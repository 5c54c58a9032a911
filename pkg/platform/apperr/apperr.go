// Package apperr defines the error that a domain package returns for the caller: a description in
// the caller's terms, and the cause, which is logged and never sent. Package apigw defines the
// format on the wire.
package apperr

import (
	"errors"
	"fmt"
	"time"
)

// Kind is the category of an error: the HTTP status of the response.
type Kind int

// The kinds, in the order of the checks of a request.
const (
	Unauthenticated  Kind = 401 // no valid access token
	RateLimited      Kind = 429 // come back after RetryAfter
	Invalid          Kind = 400 // the request itself is wrong
	TooLarge         Kind = 413 // the body exceeds the route's limit
	NotFound         Kind = 404
	MethodNotAllowed Kind = 405 // the path exists, with other methods
	Forbidden        Kind = 403 // known, but not allowed
	Conflict         Kind = 409 // valid, but in conflict with the stored state
	Unavailable      Kind = 503 // a dependency does not respond
	Internal         Kind = 500 // a bug of the service
)

// Code is a stable snake_case word that clients switch on. The OpenAPI document defines the codes.
// No other package can create a Code.
type Code struct {
	word string
	kind Kind
}

// String returns the word.
func (c Code) String() string { return c.word }

// Field is one invalid field of a request. Message is a sentence that describes a valid value.
type Field struct {
	Field   string
	Code    Code
	Message string
}

// Error is an error for the caller, of the kind of Code. Detail is a sentence for people. Fields is
// for Invalid, RetryAfter for RateLimited and Unavailable, Allow for MethodNotAllowed.
type Error struct {
	Code       Code
	Detail     string
	Fields     []Field
	Allow      []string
	RetryAfter time.Duration
	// Refresh replaces an expired value, in the format on the wire; nil if there is no replacement.
	Refresh any
	// Passing reports that the same request may get another response later, so the response is not
	// stored under an idempotency key.
	Transient bool
	Cause     error
}

// Error describes the error and the cause, for logs.
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

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Kind returns the kind of the code.
func (e *Error) Kind() Kind { return e.Code.kind }

// New returns an error with a code and a detail.
func New(code Code, detail string) *Error {
	return &Error{Code: code, Detail: detail}
}

// Validation returns an error for a request with invalid fields, or nil if fields is empty.
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

// Together joins errors of Validation into one error, so that the caller learns every invalid field
// at once. Any other error takes precedence. Together returns nil if all errs are nil.
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

// Upstream wraps the failure of a dependency that did not respond: the chain, IPFS, or a store.
// what names the dependency for the caller.
func Upstream(what string, cause error) *Error {
	return &Error{
		Code:       CodeUpstreamUnavailable,
		Detail:     what + " does not answer at the moment; try again shortly.",
		RetryAfter: 5 * time.Second, Cause: cause,
	}
}

// KindOf returns the kind of the first Error in err's chain, or Internal.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind()
	}
	return Internal
}

// CodeOf returns the code's word of the first Error in err's chain, or "internal".
func CodeOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Code.word
	}
	return CodeInternal.word
}
