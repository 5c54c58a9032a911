// Package siws formats and parses Sign-In With Solana messages. A wallet shows the text to the
// owner and signs the text.
//
// The format is the format of the wallet standard (which follows EIP-4361), with exactly the fields
// of this service. A message has exactly one text, and a text has exactly one message.
package siws

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// MaxLength is the maximum length of a text for Parse, in bytes. The service's messages have about
// 400 bytes.
const MaxLength = 2048

// version is the only version of the format.
const version = "1"

// timeForm is RFC 3339 in UTC with milliseconds.
const timeForm = "2006-01-02T15:04:05.000Z"

const header = " wants you to sign in with your Solana account:"

// Message is the content of a sign-in message. Times have whole milliseconds and are UTC.
type Message struct {
	Domain         string // the requesting service: a host, with a port if any
	Address        string // the wallet, base58
	Statement      string // one line for the reader
	URI            string // absolute: the purpose of the signature
	ChainID        string // mainnet, devnet, testnet or localnet
	Nonce          string // at least 8 letters and digits
	IssuedAt       time.Time
	ExpirationTime time.Time
}

// ErrMalformed is returned for a text in another format, or a message that has no text in the
// format.
var ErrMalformed = errors.New("not a sign-in message")

// Format returns the text of the message. It returns an error for a message that Parse would not
// restore.
func Format(m Message) (string, error) {
	if err := m.check(); err != nil {
		return "", err
	}
	return m.Domain + header + "\n" +
		m.Address + "\n\n" +
		m.Statement + "\n\n" +
		"URI: " + m.URI + "\n" +
		"Version: " + version + "\n" +
		"Chain ID: " + m.ChainID + "\n" +
		"Nonce: " + m.Nonce + "\n" +
		"Issued At: " + m.IssuedAt.Format(timeForm) + "\n" +
		"Expiration Time: " + m.ExpirationTime.Format(timeForm), nil
}

// Parse parses a text that Format could have returned, and returns ErrMalformed for any different
// text.
func Parse(text string) (Message, error) {
	if len(text) > MaxLength {
		return Message{}, malformed("longer than %d bytes", MaxLength)
	}
	lines := strings.Split(text, "\n")
	if len(lines) != 11 {
		return Message{}, malformed("%d lines, not 11", len(lines))
	}
	r := reader{lines: lines}
	m := Message{Domain: r.until(header), Address: r.line()}
	r.empty()
	m.Statement = r.line()
	r.empty()
	m.URI = r.field("URI")
	if v := r.field("Version"); v != version {
		r.fail("version %q", v)
	}
	m.ChainID = r.field("Chain ID")
	m.Nonce = r.field("Nonce")
	m.IssuedAt = r.time("Issued At")
	m.ExpirationTime = r.time("Expiration Time")
	if r.err != nil {
		return Message{}, r.err
	}
	if err := m.check(); err != nil {
		return Message{}, err
	}
	return m, nil
}

func (m Message) check() error {
	switch {
	case !isAuthority(m.Domain):
		return malformed("domain %q", m.Domain)
	case !isAddress(m.Address):
		return malformed("address %q", m.Address)
	case !isStatement(m.Statement):
		return malformed("statement %q", m.Statement)
	case !isURI(m.URI):
		return malformed("URI %q", m.URI)
	case !isChain(m.ChainID):
		return malformed("chain ID %q", m.ChainID)
	case len(m.Nonce) < 8 || !only(m.Nonce, isAlphanumeric):
		return malformed("nonce %q", m.Nonce)
	case !isMoment(m.IssuedAt):
		return malformed("issued at %v", m.IssuedAt)
	case !isMoment(m.ExpirationTime) || !m.ExpirationTime.After(m.IssuedAt):
		return malformed("expiration time %v", m.ExpirationTime)
	}
	return nil
}

// isAuthority accepts a host, with a port if any, and no user.
func isAuthority(s string) bool {
	u, err := url.Parse("https://" + s)
	return err == nil && u.Hostname() != "" && u.Host == s && u.User == nil && only(s, isURIByte)
}

// isURI accepts an absolute URI with a host.
func isURI(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.IsAbs() && u.Host != "" && only(s, isURIByte)
}

// isAddress accepts the alphabet and the length of a base58 public key. The caller checks the key.
func isAddress(s string) bool {
	return len(s) >= 32 && len(s) <= 44 && only(s, isAlphanumeric) && !strings.ContainsAny(s, "0OIl")
}

// isStatement accepts one line of printable ASCII, as required by EIP-4361.
func isStatement(s string) bool {
	return s != "" && only(s, func(c byte) bool { return c >= ' ' && c <= '~' })
}

func isChain(s string) bool {
	switch s {
	case "mainnet", "devnet", "testnet", "localnet":
		return true
	}
	return false
}

// isMoment reports whether the text of t loses no precision.
func isMoment(t time.Time) bool {
	return t.Equal(t.Truncate(time.Millisecond)) && t.Location() == time.UTC && t.Year() >= 1970 && t.Year() <= 9999
}

func only(s string, allowed func(byte) bool) bool {
	for i := range len(s) {
		if !allowed(s[i]) {
			return false
		}
	}
	return true
}

func isAlphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// isURIByte accepts the characters that RFC 3986 allows anywhere in a URI.
func isURIByte(c byte) bool {
	return isAlphanumeric(c) || strings.IndexByte("-._~:/?#[]@!$&'()*+,;=%", c) >= 0
}

func malformed(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrMalformed, fmt.Sprintf(format, args...))
}
