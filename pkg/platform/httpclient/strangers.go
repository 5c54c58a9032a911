package httpclient

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
)

// Strangers are the terms of a client that calls addresses which strangers chose.
type Strangers struct {
	// Loopback allows this machine's own addresses, besides those of the Internet.
	Loopback bool
	// Resolver finds names, Roots check certificates; nil: those of the system.
	Resolver *net.Resolver
	Roots    *x509.CertPool
}

// NewForStrangers makes a client that connects to addresses of the Internet alone, whatever
// the host is called. It follows no redirect, keeps no connection, decompresses nothing and
// speaks HTTP/1.1; how long a call takes and how much of its answer is read are the caller's
// to bound.
func NewForStrangers(s Strangers) *http.Client {
	dialer := &net.Dialer{Timeout: dialTimeout, Resolver: s.Resolver}
	dialer.Control = func(_, address string, _ syscall.RawConn) error { return s.check(address) }
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy: nil,
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				return dialer.DialContext(ctx, network, address)
			},
			// Without a map of protocols there is no HTTP/2.
			TLSNextProto:           map[string]func(string, *tls.Conn) http.RoundTripper{},
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: s.Roots},
			TLSHandshakeTimeout:    dialTimeout,
			MaxResponseHeaderBytes: headerLimit,
			DisableKeepAlives:      true,
			DisableCompression:     true,
		},
	}
}

// check refuses the very address that is being connected to, after the name was resolved.
func (s Strangers) check(address string) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return errors.New("connect: the address is not one of IP")
	}
	ip := to.Addr().Unmap()
	if ip.Zone() != "" || !public(ip) && (!s.Loopback || !ip.IsLoopback()) {
		return fmt.Errorf("%w: %s", ErrRefused, ip)
	}
	return nil
}
