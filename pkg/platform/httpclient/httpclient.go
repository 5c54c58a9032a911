// Package httpclient creates the HTTP clients for the service's calls to other services.
//
// The package promises of every call: the call connects to the host of the URL and uses no proxy;
// redirects are not followed, except by NewFollowing; a response that exceeds the client's limits,
// including the limit on headers, is an error, as is a response that takes too long; TLS is 1.2 or
// later; and a name that resolves to an address inside the service's own network, such as AWS'
// metadata service, is rejected. Allowed defines the allowed addresses.
//
// The address of every call is a setting of the operator, never a word of a caller, of a token's
// metadata, or of a response. This package is for the day on which a programmer forgets that, or on
// which a name of the operator's is taken over. The exceptions are NewForUntrustedHosts, whose
// addresses are theirs, and Limits.Public.
//
// The check applies to the address of each connection, after the name was resolved, so a name with
// changing addresses cannot bypass the check. The check is a Control of net.Dialer with net/netip.
// The module safeurl does the same, but has no limit on responses, and applies a list of private
// addresses to all hosts of a client.
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
	// headerLimit is the maximum size of a response's headers, in bytes.
	headerLimit = 64 << 10
	// idleTimeout is shorter than the idle timeout of common load balancers, so that no request
	// uses a connection that is just being closed.
	idleTimeout = 50 * time.Second
	// idlePerHost is the maximum number of idle connections to a host. Payments and reads of the
	// chain are concurrent.
	idlePerHost = 16
	// maxRedirects is the maximum number of redirects of a client that follows redirects.
	maxRedirects = 3
)

// Limits are the limits of each call of a client.
type Limits struct {
	// Answer is the maximum length of a body, in bytes, after decompression.
	Answer int64
	// Timeout is the maximum duration of a call, including reading the body. Without Timeout only
	// the context limits the duration.
	Timeout time.Duration
	// Public rejects every address that is not of the Internet, whatever the host is called:
	// for URLs that others chose.
	Public bool
}

// ErrTooLong is returned if a response is longer than Limits.Answer.
var ErrTooLong = errors.New("the answer is too long")

// New returns a client that follows no redirects: a redirect is returned as the response. So the
// secrets of a call, such as a key, reach only the host of the call.
func New(l Limits) *http.Client {
	return &http.Client{
		Timeout:       l.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport:     Capped(transport(&net.Dialer{Timeout: dialTimeout}, l.Public), l.Answer),
	}
}

// NewFollowing returns a client that follows some redirects, for calls without secrets: to the same
// host or to public hosts, and never from https to http.
func NewFollowing(l Limits) *http.Client {
	client := New(l)
	client.CheckRedirect = follow
	return client
}

func follow(next *http.Request, before []*http.Request) error {
	from := before[len(before)-1].URL
	switch {
	case len(before) > maxRedirects:
		return fmt.Errorf("redirected more than %d times", maxRedirects)
	case next.URL.Scheme != "https" && next.URL.Scheme != from.Scheme:
		return errors.New("redirected to an address that is not https")
	case next.URL.Host != before[0].URL.Host && Inside(next.URL.Hostname()):
		return errors.New("redirected to a private address")
	}
	return nil
}

// Capped returns a transport whose responses are no longer than the limit.
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

// body returns up to limit bytes, and then an error if the body has more bytes.
type body struct {
	io.ReadCloser

	limit, left int64
}

// Read implements io.Reader.
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

// transport connects by the dialer, to what Allowed allows, or to public addresses only.
func transport(dialer *net.Dialer, publicOnly bool) *http.Transport {
	return &http.Transport{
		Proxy: nil, // a proxy would resolve names itself
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			host, _, err := net.SplitHostPort(address)
			if err != nil {
				return nil, err
			}
			guarded := *dialer
			guarded.Control = func(_, address string, _ syscall.RawConn) error { return check(host, address, publicOnly) }
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

func check(host, address string, publicOnly bool) error {
	resolved, err := netip.ParseAddrPort(address)
	if err != nil {
		return errors.New("connect: the address is not one of IP")
	}
	if to := resolved.Addr().Unmap(); !Allowed(host, to) || publicOnly && !public(to) {
		return fmt.Errorf("%w: %s", ErrRefused, resolved.Addr())
	}
	return nil
}
