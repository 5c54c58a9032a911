package coldstart

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"
)

// wire stands between a function and what stands for AWS or the chain here, and measures
// how long the function has waited for an answer of any of them: whatever runs at the same
// time counts once.
type wire struct {
	mu      sync.Mutex
	open    int       // calls under way
	since   time.Time // when the first of them came
	waited  time.Duration
	servers []*httptest.Server
}

// to gives an address at which the server at target answers, measured.
func (w *wire) to(target string) (string, error) {
	u, err := url.Parse(target)
	if err != nil {
		return "", fmt.Errorf("parse the address of a server: %w", err)
	}
	transport := &http.Transport{MaxIdleConnsPerHost: 100}
	proxy := &httputil.ReverseProxy{Transport: transport, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(u)
		r.Out.Host = r.In.Host
	}}
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		w.begin()
		defer w.end()
		proxy.ServeHTTP(out, r)
	}))
	w.servers = append(w.servers, server)
	return server.URL, nil
}

func (w *wire) close() {
	for _, s := range w.servers {
		s.Close()
	}
}

func (w *wire) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.open == 0 {
		w.since = time.Now()
	}
	w.open++
}

func (w *wire) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open--
	if w.open == 0 {
		w.waited += time.Since(w.since)
	}
}

// taken gives how long was waited since it was asked last.
func (w *wire) taken() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	waited := w.waited
	w.waited = 0
	return waited
}
