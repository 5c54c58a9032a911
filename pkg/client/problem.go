package client

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Problem is an error response (RFC 9457). errors.As finds the Problem in a method's error, and
// errors.Is compares the code:
//
//	if errors.Is(err, client.TokenNotFound) { … }
type Problem struct {
	Type      string `json:"type"`
	Title     string `json:"title"`
	Status    int    `json:"status"`
	Detail    string `json:"detail"`
	Code      Code   `json:"code"`
	RequestID string `json:"requestId"`
	// Errors are all invalid fields.
	Errors []FieldError `json:"errors,omitzero"`
	// RetryAfter is the number of seconds to wait; zero if waiting does not help.
	RetryAfter int `json:"retryAfter,omitzero"`
	// Refresh is the replacement of an expired transaction, until the order expires. Refresh is nil
	// without a replacement.
	Refresh *Refresh `json:"refresh,omitzero"`
	// Message is the error in one text, only from the operations of Solana Actions.
	Message string `json:"message,omitzero"`

	// Call is the request, as in "POST /tokens/submit".
	Call string `json:"-"`
	// Limits are the rate limit's figures; zero if the gateway itself responded.
	Limits Limits `json:"-"`
}

// Error formats the call, the response and each invalid field.
func (p *Problem) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s answers %d", p.Call, p.Status)
	if p.Code != "" {
		fmt.Fprintf(&text, " %s", p.Code)
	}
	detail, before := p.Detail, ": "
	if len(p.Errors) > 0 {
		detail = strings.TrimSuffix(detail, ".")
	}
	if detail != "" {
		fmt.Fprintf(&text, ": %s", detail)
	}
	for _, e := range p.Errors {
		fmt.Fprintf(&text, "%s%s: %s", before, e.Field, e.Message)
		before = "; "
	}
	if p.RetryAfter > 0 {
		fmt.Fprintf(&text, " (try again in %s)", p.Wait())
	}
	return text.String()
}

// Is reports whether target is the problem's code.
func (p *Problem) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == p.Code
}

// Wait is RetryAfter as a duration.
func (p *Problem) Wait() time.Duration { return time.Duration(p.RetryAfter) * time.Second }

// Code is the stable code of a problem. Code implements error only for errors.Is.
type Code string

// Error returns the code.
func (c Code) Error() string { return string(c) }

// CodeOf returns the code of the problem in err, or an empty code without a problem.
func CodeOf(err error) Code {
	var p *Problem
	if errors.As(err, &p) {
		return p.Code
	}
	return ""
}
