package fault

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path"
	"runtime"
	"strings"
	"testing"
)

// Transport carries a process's calls. Transport implements http.RoundTripper and the HTTP client
// of the AWS SDK.
type Transport struct {
	process *Process
	next    Send
}

// Over returns a transport of the process that forwards requests to next: the RoundTrip of an
// http.RoundTripper, or the Do of a client.
func (p *Process) Over(next Send) Transport { return Transport{process: p, next: next} }

// Do makes a call, as aws.HTTPClient requires.
func (t Transport) Do(r *http.Request) (*http.Response, error) { return t.RoundTrip(r) }

// RoundTrip makes a call.
func (t Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := read(r)
	if err != nil {
		return nil, err
	}
	call, faults, err := t.process.record(identify(r, body))
	if err != nil {
		runtime.Goexit()
	}
	send := func(r *http.Request) (*http.Response, error) {
		again, body := r.Clone(r.Context()), body
		if other, ok := r.Context().Value(otherBody{}).([]byte); ok {
			body, again.ContentLength, again.GetBody = other, int64(len(other)), nil
		}
		again.Body = http.NoBody
		if len(body) > 0 {
			again.Body = io.NopCloser(bytes.NewReader(body))
		}
		return t.next(again)
	}
	for i := len(faults) - 1; i >= 0; i-- {
		inner, fault := send, faults[i]
		send = func(r *http.Request) (*http.Response, error) { return fault(call, r, inner) }
	}
	r = r.Clone(r.Context())
	r.Body = io.NopCloser(bytes.NewReader(body))
	return send(r)
}

// otherBody is the key of a body with which a fault has replaced a request's body.
type otherBody struct{}

// WithBody returns a request with another body, for a fault to send. Without WithBody, a request is
// sent with the caller's body, even if faults have read the body.
func WithBody(r *http.Request, body []byte) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), otherBody{}, body))
}

func read(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	body, err := io.ReadAll(r.Body)
	if closing := r.Body.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return nil, fmt.Errorf("read the request: %w", err)
	}
	return body, nil
}

// identify returns the service and operation of a request. An unknown request is a call of the
// service "http" with the operation "<method> <path>".
func identify(r *http.Request, body []byte) Call {
	// AWS signs for <key>/<day>/<region>/<service>/aws4_request.
	if scope := strings.Split(r.Header.Get("Authorization"), "/"); len(scope) > 4 && strings.HasPrefix(scope[0], "AWS4-") {
		return Call{Service: scope[3], Operation: operation(scope[3], r)}
	}
	var rpc struct {
		Version string `json:"jsonrpc"`
		Method  string `json:"method"`
	}
	if json.Unmarshal(body, &rpc) == nil && rpc.Version != "" {
		return Call{Service: "solana", Operation: rpc.Method}
	}
	if operation, ok := strings.CutPrefix(r.URL.Path, "/api/v0/"); ok { // Kubo RPC
		return Call{Service: "ipfs", Operation: operation}
	}
	return Call{Service: "http", Operation: r.Method + " " + r.URL.Path}
}

func operation(service string, r *http.Request) string {
	// The JSON protocols name the operation, as in DynamoDB_20120810.GetItem.
	if _, name, ok := strings.Cut(r.Header.Get("X-Amz-Target"), "."); ok {
		return name
	}
	switch service {
	case "s3":
		return strings.ToUpper(r.Method[:1]) + strings.ToLower(r.Method[1:]) + "Object"
	case "lambda":
		return "Invoke"
	}
	return r.Method + " " + path.Base(r.URL.Path)
}

// Proxy serves a process that has another HTTP client, or a real process of the system. The proxy
// forwards requests to target, with the faults of p. Calls of a dead process are cut off. The proxy
// ends with the test.
func (p *Process) Proxy(t testing.TB, target string) (address string) {
	t.Helper()
	to, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(to) },
		Transport: p.Over(http.DefaultTransport.RoundTrip),
		// The caller sees a broken connection, as in a real failure.
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	})
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL
}
