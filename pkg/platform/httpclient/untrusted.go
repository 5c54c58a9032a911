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

// UntrustedHosts configures a client for URLs that third parties chose.
type UntrustedHosts struct {
	// Loopback also allows this machine's own addresses.
	Loopback bool
	// Resolver resolves names. Roots are the certificate authorities. The zero values mean the
	// system's resolver and roots.
	Resolver *net.Resolver
	Roots    *x509.CertPool
}

// NewForUntrustedHosts returns a client that connects only to addresses on the Internet, whatever the
// host's name. The client follows no redirect, keeps no connection, decompresses no response and
// speaks HTTP/1.1. The caller must bound the duration of a call and the number of bytes that are
// read.
func NewForUntrustedHosts(s UntrustedHosts) *http.Client {
	dialer := &net.Dialer{Timeout: dialTimeout, Resolver: s.Resolver}
	dialer.Control = func(_, address string, _ syscall.RawConn) error { return s.check(address) }
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy: nil,
			DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				return dialer.DialContext(ctx, network, address)
			},
			// An empty map of protocols disables HTTP/2.
			TLSNextProto:           map[string]func(string, *tls.Conn) http.RoundTripper{},
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: s.Roots},
			TLSHandshakeTimeout:    dialTimeout,
			MaxResponseHeaderBytes: headerLimit,
			DisableKeepAlives:      true,
			DisableCompression:     true,
		},
	}
}

// check rejects a forbidden address of a connection, after the name was resolved.
func (s UntrustedHosts) check(address string) error {
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
