// Package rest calls venues over HTTP, in JSON.
//
// The package promises: every call ends, by the context or by a timeout; responses are bounded;
// amounts are integers, never floating point; and no error shows the venue's path, query or
// headers, which may contain a key. A venue without a response returns an apperr.Upstream, a
// rejected request returns a *Refusal, and a response with fields of other types returns an
// exchange.Deferred.
package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/httpclient"
)

const (
	timeout = 10 * time.Second
	// answerLimit is the maximum size of a response, in bytes. Routes take some kilobytes.
	answerLimit = 1 << 20
	// detailLimit is the maximum size of each text of a rejection, in bytes.
	detailLimit = 200
)

// Client calls one venue. Create a Client with New.
type Client struct {
	name   string
	base   *url.URL
	header Header
	http   *http.Client
}

// Header returns the current headers of a call. The error shows no header.
type Header func(ctx context.Context) (http.Header, error)

// New returns a client of the venue at the address, an http or https URL to which paths are added.
// The name is for errors. The header is added to every call, and may be nil. The error does not
// show the address.
func New(name, address string, header Header) (*Client, error) {
	base, err := url.Parse(address)
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") {
		return nil, fmt.Errorf("the address of %s is not an http or https URL", name)
	}
	return &Client{name: name, base: base, header: header, http: httpclient.New(httpclient.Limits{Answer: answerLimit, Timeout: timeout})}, nil
}

// Refusal is a venue's response that rejects a request.
type Refusal struct {
	Status  int    // the HTTP status
	Code    string // the venue's code, or empty
	Message string
}

// Error describes the rejection.
func (r *Refusal) Error() string {
	return strings.TrimSpace(fmt.Sprintf("refused with status %d: %s %s", r.Status, r.Code, r.Message))
}

// Get sends a query and decodes the response.
func (c *Client) Get(ctx context.Context, path string, query url.Values, answer any) error {
	return c.call(ctx, http.MethodGet, path, query, nil, answer)
}

// Post sends a JSON body and decodes the response.
func (c *Client) Post(ctx context.Context, path string, body, answer any) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encode a request to %s: %w", c.name, err)
	}
	return c.call(ctx, http.MethodPost, path, nil, encoded, answer)
}

func (c *Client) call(ctx context.Context, method, path string, query url.Values, body []byte, answer any) error {
	address := c.base.JoinPath(path)
	if query != nil {
		all := address.Query()
		for name, values := range query {
			all[name] = values
		}
		address.RawQuery = all.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, method, address.String(), bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%s %s of %s: %w", method, path, c.name, bare(err))
	}
	hidden := strings.NewReplacer()
	if c.header != nil {
		if request.Header, err = c.header(ctx); err != nil {
			return c.away(method, path, err)
		}
		hidden = hide(request.Header)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := c.http.Do(request)
	if err != nil {
		return c.away(method, path, bare(err))
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	switch {
	case err != nil:
		return c.away(method, path, bare(err))
	case response.StatusCode == http.StatusOK:
		err := json.Unmarshal(raw, answer)
		if _, other := errors.AsType[*json.UnmarshalTypeError](err); other {
			return exchange.Defer(exchange.Unreadable, "%s's answers have changed, and this service cannot read them yet: %v.", c.name, err)
		}
		if err != nil {
			return c.away(method, path, fmt.Errorf("decode the answer: %w", err))
		}
		return nil
	case response.StatusCode >= 400 && response.StatusCode < 500 && !passing(response.StatusCode):
		return fmt.Errorf("%s %s of %s: %w", method, path, c.name, refusal(response.StatusCode, raw, hidden))
	}
	return c.away(method, path, fmt.Errorf("status %d", response.StatusCode))
}

func (c *Client) away(method, path string, cause error) error {
	return apperr.Upstream(c.name, fmt.Errorf("%s %s: %w", method, path, cause))
}

// passing reports whether a status does not concern the order: too many requests, a timeout, or a
// wrong or exhausted key. The venue then counts as unavailable.
func passing(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusRequestTimeout, http.StatusUnauthorized, http.StatusForbidden, http.StatusPaymentRequired:
		return true
	}
	return false
}

// hide returns a replacer that removes the values of a header from texts.
func hide(header http.Header) *strings.Replacer {
	var pairs []string
	for _, values := range header {
		for _, value := range values {
			if value != "" {
				pairs = append(pairs, value, "***")
			}
		}
	}
	return strings.NewReplacer(pairs...)
}

func refusal(status int, raw []byte, hidden *strings.Replacer) *Refusal {
	var said struct {
		Code      string `json:"code"`
		ErrorCode string `json:"errorCode"`
		Message   string `json:"message"`
		Error     string `json:"error"`
	}
	// A body that is not such an object has no code.
	_ = json.Unmarshal(raw, &said)
	r := &Refusal{Status: status, Code: said.ErrorCode, Message: said.Message}
	if r.Code == "" {
		r.Code = said.Code
	}
	if r.Message == "" {
		r.Message = said.Error
	}
	r.Code, r.Message = shorten(hidden.Replace(r.Code)), shorten(hidden.Replace(r.Message))
	return r
}

func shorten(s string) string { return strings.ToValidUTF8(s[:min(len(s), detailLimit)], "") }

// bare removes the address from an error of net/http.
func bare(err error) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return failed.Err
	}
	return err
}
