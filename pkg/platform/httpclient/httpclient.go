// Package httpclient makes the clients with which the service calls others over HTTP.
//
// It promises of every call: it connects to the host that its address names and
// through no proxy; it follows no redirect; an answer that is longer than the client
// expects, its headers too, is an error, as is one that takes too long; TLS is 1.2 or
// later; and a name that resolves to an address inside our own network (the metadata
// service of AWS, say) is not connected to. See Allowed for what may be connected to.
//
// The address of every call is a setting of the operator, never a word of a caller,
// of a token's metadata, or of an answer. This package is for the day on which
// a programmer forgets that, or on which a name of the operator's is taken over. The one
// exception is NewForStrangers, whose addresses are theirs.
//
// The check is made on the very address of each connection, after the name was
// resolved, so a name whose answer changes passes no check that it should not. It is
// net.Dialer's Control with net/netip: safeurl, which does the same, knows no limit on
// answers, and its list of private addresses is for all hosts of a client or none.
package httpclient

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

const (
	dialTimeout = 5 * time.Second
	// headerLimit bounds the headers of an answer, in bytes.
	headerLimit = 64 << 10
	// idleTimeout is shorter than that of common load balancers, so that a connection
	// is not used at the moment at which it is closed.
	idleTimeout = 50 * time.Second
	// idlePerHost is how many connections to a host are kept: payments and reads of the
	// chain are made at once.
	idlePerHost = 16
	// mostRedirects is how often a client that follows redirects does.
	mostRedirects = 3
)

// Limits bound each call of a client.
type Limits struct {
	// Answer is the longest body, in bytes, after it was decompressed.
	Answer int64
	// Timeout bounds a call until its answer is read. Without it the context does.
	Timeout time.Duration
}

// ErrTooLong appears when an answer is longer than Limits.Answer.
var ErrTooLong = errors.New("the answer is too long")

// New makes a client that follows no redirects: an answer that is one comes back as it
// is. What goes with a call, a key for example, is for its host alone.
func New(l Limits) *http.Client {
	return &http.Client{
		Timeout:       l.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport:     Capped(transport(&net.Dialer{Timeout: dialTimeout}), l.Answer),
	}
}

// NewFollowing makes a client that follows some redirects, for calls that carry
// nothing: to the same host, or to public ones, and never from https to http.
func NewFollowing(l Limits) *http.Client {
	client := New(l)
	client.CheckRedirect = follow
	return client
}

func follow(next *http.Request, before []*http.Request) error {
	from := before[len(before)-1].URL
	switch {
	case len(before) > mostRedirects:
		return fmt.Errorf("redirected more than %d times", mostRedirects)
	case next.URL.Scheme != "https" && next.URL.Scheme != from.Scheme:
		return errors.New("redirected to an address that is not https")
	case next.URL.Host != before[0].URL.Host && inside(next.URL.Hostname()):
		return errors.New("redirected to a private address")
	}
	return nil
}

// Capped makes a transport whose answers are no longer than the limit.
func Capped(next http.RoundTripper, limit int64) http.RoundTripper { return capped{next, limit} }

type capped struct {
	next  http.RoundTripper
	limit int64
}

// RoundTrip makes a call.
func (c capped) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := c.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if response.ContentLength > c.limit {
		_ = response.Body.Close()
		return nil, tooLong(c.limit)
	}
	response.Body = &body{ReadCloser: response.Body, limit: c.limit, left: c.limit}
	return response, nil
}

func tooLong(limit int64) error { return fmt.Errorf("%w: it is over %d bytes", ErrTooLong, limit) }

// body gives as many bytes as it may, then an error if there are more.
type body struct {
	io.ReadCloser

	limit, left int64
}

// Read reads.
func (b *body) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, tooLong(b.limit)
	}
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n - 1, tooLong(b.limit)
	}
	return n, err
}

// transport connects by the dialer, to what Allowed allows.
func transport(dialer *net.Dialer) *http.Transport {
	return &http.Transport{
		Proxy: nil, // a proxy would resolve names itself
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			host, _, err := net.SplitHostPort(address)
			if err != nil {
				return nil, err
			}
			guarded := *dialer
			guarded.Control = func(_, address string, _ syscall.RawConn) error { return check(host, address) }
			return guarded.DialContext(ctx, network, address)
		},
		ForceAttemptHTTP2:      true,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    dialTimeout,
		MaxResponseHeaderBytes: headerLimit,
		IdleConnTimeout:        idleTimeout,
		MaxIdleConnsPerHost:    idlePerHost,
	}
}

func check(host, address string) error {
	resolved, err := netip.ParseAddrPort(address)
	if err != nil {
		return errors.New("connect: the address is not one of IP")
	}
	if !Allowed(host, resolved.Addr()) {
		return fmt.Errorf("%w: %s", ErrRefused, resolved.Addr())
	}
	return nil
}
