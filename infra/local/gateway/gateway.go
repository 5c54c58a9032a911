// Package gateway is the public address of the local stack. Package gateway forwards requests to
// the API in MiniStack, with the limits of API Gateway.
package gateway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"
)

// gatewayBodyBytes is the maximum body size of API Gateway (HTTP API quotas, "Payload size": 10
// MB).
const gatewayBodyBytes = 10 << 20

// idleConnections is the maximum number of idle connections to MiniStack.
const idleConnections = 64

// Proxy is the proxy at the public address.
type Proxy struct {
	URL string // http://localhost:<port>

	listeners []net.Listener
	server    *http.Server
	forward   atomic.Pointer[httputil.ReverseProxy]
}

// Listen listens on the port, any free port if zero, on both loopback addresses, because
// "localhost" may mean either address. Proxy does not respond before Serve.
func Listen(ctx context.Context, port int) (*Proxy, error) {
	var config net.ListenConfig
	first, err := config.Listen(ctx, "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, taken(port)
	}
	if err != nil {
		return nil, fmt.Errorf("listen on port %d: %w", port, err)
	}
	p := &Proxy{listeners: []net.Listener{first}}
	_, chosen, err := net.SplitHostPort(first.Addr().String())
	if err != nil {
		return nil, fmt.Errorf("read the port: %w", err)
	}
	second, err := config.Listen(ctx, "tcp6", net.JoinHostPort("::1", chosen))
	switch {
	case err == nil:
		p.listeners = append(p.listeners, second)
	case port != 0 && errors.Is(err, syscall.EADDRINUSE):
		p.Close()
		return nil, taken(port)
	default: // a machine without IPv6
	}
	p.URL = "http://localhost:" + chosen
	return p, nil
}

func taken(port int) error {
	return fmt.Errorf("port %d is taken: choose another, for example `make run PORT=%d`", port, port+1)
}

// Serve forwards requests to the API with this ID, from now on. endpoint is MiniStack's address.
// MiniStack identifies the API by the Host header and its stage by the first part of the path,
// which AWS does not show to callers.
func (p *Proxy) Serve(endpoint, apiID string) {
	target, _ := url.Parse(endpoint) // our own address
	transport := &http.Transport{
		MaxIdleConnsPerHost: idleConnections,
		// Callers choose the encoding. Without this setting, Go would request gzip and unpack the
		// response.
		DisableCompression: true,
	}
	forward := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.URL.Path = "/$default" + r.In.URL.Path
			r.Out.URL.RawPath = "/$default" + r.In.URL.EscapedPath()
			// Keep the raw query, because the gateway does not drop parts that Go cannot parse.
			r.Out.URL.RawQuery = r.In.URL.RawQuery
			r.Out.Host = apiID + ".execute-api." + target.Host
		},
		Transport:    transport,
		ErrorHandler: refuse,
		ErrorLog:     log.New(io.Discard, "", 0),
	}
	if p.forward.Swap(forward) != nil {
		return
	}
	p.server = &http.Server{
		Handler:           limitBody(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { p.forward.Load().ServeHTTP(w, r) })),
		ReadHeaderTimeout: 10 * time.Second,
		ErrorLog:          log.New(io.Discard, "", 0),
	}
	for _, listener := range p.listeners {
		go func() { _ = p.server.Serve(listener) }() // ends with Close
	}
}

func limitBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > gatewayBodyBytes {
			answer(w, http.StatusRequestEntityTooLarge, "Request Entity Too Large")
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, gatewayBodyBytes)
		next.ServeHTTP(w, r)
	})
}

func refuse(w http.ResponseWriter, _ *http.Request, err error) {
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		answer(w, http.StatusRequestEntityTooLarge, "Request Entity Too Large")
		return
	}
	answer(w, http.StatusServiceUnavailable, "Service Unavailable")
}

// answer responds in the form of API Gateway's own responses.
func answer(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `{"message":%q}`, message) // the caller has gone if this fails
}

// Close frees the port and ends the open requests.
func (p *Proxy) Close() {
	if p.server != nil {
		_ = p.server.Close()
	}
	for _, listener := range p.listeners {
		_ = listener.Close()
	}
}
