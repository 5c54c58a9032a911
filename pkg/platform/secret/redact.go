package secret

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
)

// Redactor removes from texts what addresses consist of. Make it with Redact.
type Redactor struct{ replacer *strings.Replacer }

// shortestSecret is the length, in bytes, from which a part of an address may
// be a key. Shorter ones ("v1", "rpc") would mar every text they occur in.
const shortestSecret = 6

// Redact makes a Redactor of addresses that may carry keys.
func Redact(urls ...*url.URL) Redactor {
	var secrets []string
	for _, u := range urls {
		secrets = append(secrets, u.String(), u.Redacted(), u.Host, u.Hostname(), u.User.Username(), u.RawQuery)
		if password, ok := u.User.Password(); ok {
			secrets = append(secrets, password)
		}
		secrets = append(secrets, strings.Split(u.Path, "/")...)
		for _, values := range u.Query() {
			secrets = append(secrets, values...)
		}
	}
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, s := range secrets {
		if len(s) >= shortestSecret {
			pairs = append(pairs, s, "[node]")
		}
	}
	return Redactor{strings.NewReplacer(pairs...)}
}

// Text returns a text without the parts of the addresses.
func (r Redactor) Text(s string) string { return r.replacer.Replace(s) }

// Error returns an error with the text of err, redacted. Of what err wraps only
// the context's errors stay, for a wrapped error would show the address where it is printed.
func (r Redactor) Error(err error) error {
	hidden := &redactedError{text: r.Text(err.Error())}
	for _, known := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, known) {
			hidden.cause = known
		}
	}
	return hidden
}

type redactedError struct {
	text  string
	cause error
}

func (e *redactedError) Error() string { return e.text }
func (e *redactedError) Unwrap() error { return e.cause }
