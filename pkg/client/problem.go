package client

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Problem is an answer that says no (RFC 9457). errors.As finds it in what the methods
// return, and errors.Is compares its code:
//
//	if errors.Is(err, client.TokenNotFound) { … }
type Problem struct {
	Type      string `json:"type"`
	Title     string `json:"title"`
	Status    int    `json:"status"`
	Detail    string `json:"detail"`
	Code      Code   `json:"code"`
	RequestID string `json:"requestId"`
	// Errors are the bad fields, all of them.
	Errors []FieldError `json:"errors,omitzero"`
	// RetryAfter is how many seconds to wait; zero when waiting does not help.
	RetryAfter int `json:"retryAfter,omitzero"`
	// Refresh takes the place of a transaction that has expired, while its order lives;
	// nil: nothing does.
	Refresh *Refresh `json:"refresh,omitzero"`

	// Call is the request, as in "POST /tokens/submit".
	Call string `json:"-"`
	// Limits are the rate limit's figures; zero when the gateway answered itself.
	Limits Limits `json:"-"`
}

// Error says what was asked, what was answered, and each bad field.
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

// Is says whether target is the problem's code.
func (p *Problem) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == p.Code
}

// Wait is RetryAfter as a duration.
func (p *Problem) Wait() time.Duration { return time.Duration(p.RetryAfter) * time.Second }

// Code is the stable word of a problem. It is an error for errors.Is alone.
type Code string

// Error is the word.
func (c Code) Error() string { return string(c) }

// CodeOf is the code of the problem in err; empty when there is none.
func CodeOf(err error) Code {
	var p *Problem
	if errors.As(err, &p) {
		return p.Code
	}
	return ""
}
