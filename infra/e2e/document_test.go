package e2e_test

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/testkit/docstest"
)

// documented is a client that fails the test on a response that the OpenAPI document does not
// describe: another status, another form, a header missing.
func documented(t *testing.T) *http.Client {
	t.Helper()
	return &http.Client{Transport: checked{t}}
}

type checked struct{ t *testing.T }

// RoundTrip makes checked an http.RoundTripper.
func (c checked) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	_ = response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(body))
	operation := operationOf(request.Method, request.URL.Path)
	if operation == "" { // an unknown path, a wrong method, a preflight
		return response, nil
	}
	if err := docstest.Check(operation, response.StatusCode, response.Header, body); err != nil {
		c.t.Errorf("%s %s does not match the document: %v\n%s", request.Method, request.URL.Path, err, body)
	}
	return response, nil
}

// operationOf returns the operation of a request, or "" if no operation matches. A path without
// parameters precedes a path with parameters.
func operationOf(method, path string) string {
	found := ""
	for _, r := range route.All() {
		if r.Method != method {
			continue
		}
		if r.Path == path {
			return r.Operation
		}
		if named(r.Path, path) {
			found = r.Operation
		}
	}
	return found
}

// named reports whether a path matches a pattern, whose parts in braces match any text.
func named(pattern, path string) bool {
	want, have := strings.Split(pattern, "/"), strings.Split(path, "/")
	return slices.EqualFunc(want, have, func(w, h string) bool {
		return w == h || strings.HasPrefix(w, "{") && h != ""
	})
}
