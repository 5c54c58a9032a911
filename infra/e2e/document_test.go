package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"tokenlaunch.example/service/pkg/endpoint/docs"
)

// document is the OpenAPI document that the service serves.
var document = sync.OnceValues(func() (*openapi3.T, error) {
	return openapi3.NewLoader().LoadFromData(docs.Document())
})

// documented is a client that fails the test on an answer that the OpenAPI
// document does not describe: another status, another form, a header missing.
func documented(t *testing.T) *http.Client {
	t.Helper()
	d, err := document()
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Transport: checked{t, d}}
}

type checked struct {
	t        *testing.T
	document *openapi3.T
}

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
	operation := c.operation(request.Method, request.URL.Path)
	if operation == nil { // an unknown path, a wrong method, a preflight
		return response, nil
	}
	if err := c.check(operation, response, body); err != nil {
		c.t.Errorf("%s %s answers %d with what the document does not say: %v\n%s",
			request.Method, request.URL.Path, response.StatusCode, err, body)
	}
	return response, nil
}

// operation finds what the document says about a request; a path without
// parameters comes before one with.
func (c checked) operation(method, path string) *openapi3.Operation {
	if item := c.document.Paths.Value(path); item != nil {
		return item.GetOperation(method)
	}
	parts := strings.Split(path, "/")
	for template, item := range c.document.Paths.Map() {
		names := strings.Split(template, "/")
		match := len(names) == len(parts)
		for i := 0; match && i < len(names); i++ {
			match = names[i] == parts[i] || strings.HasPrefix(names[i], "{")
		}
		if match {
			return item.GetOperation(method)
		}
	}
	return nil
}

func (c checked) check(operation *openapi3.Operation, response *http.Response, body []byte) error {
	described := operation.Responses.Status(response.StatusCode)
	if described == nil {
		return fmt.Errorf("no such status")
	}
	for name, header := range described.Value.Headers {
		if header.Value.Required && response.Header.Get(name) == "" {
			return fmt.Errorf("the header %s is missing", name)
		}
	}
	kind, _, err := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if err != nil {
		return fmt.Errorf("content type: %w", err)
	}
	content := described.Value.Content[kind]
	if content == nil {
		return fmt.Errorf("no such content type: %s", kind)
	}
	if content.Schema == nil || !strings.HasSuffix(kind, "json") {
		return nil
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return err
	}
	return c.document.ValidateSchemaJSON(content.Schema.Value, value, openapi3.EnableFormatValidation())
}
