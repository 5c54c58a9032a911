package secret

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
)

// Redactor removes the parts of addresses from texts. Create a Redactor with Redact.
type Redactor struct{ replacer *strings.Replacer }

// shortestSecret is the minimum length, in bytes, of a part that may be a key. Removing shorter
// parts ("v1", "rpc") would damage unrelated texts.
const shortestSecret = 6

// Redact returns a Redactor for addresses that may contain keys.
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

// Error returns an error with the redacted text of err. The error wraps only the context's errors,
// because any other wrapped error would show the address when printed.
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
