package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/google/uuid"
)

// call is one request, which may be sent in several attempts.
type call struct {
	method, path string
	query        url.Values
	body         any // sent as JSON
	raw          []byte
	contentType  string
	token        bool // the operation needs an access token
	keyed        bool // the operation accepts an Idempotency-Key
	free         bool // a retry without a key is harmless, although the method is not GET

	key string
}

func (c call) String() string { return c.method + " " + c.path }

// repeatable reports whether another attempt is harmless if the outcome of an attempt is unknown.
func (c call) repeatable() bool { return c.method == http.MethodGet || c.keyed || c.free }

func get(path string, query url.Values) call {
	return call{method: http.MethodGet, path: path, query: query}
}

func post(path string, body any) call {
	return call{method: http.MethodPost, path: path, body: body, keyed: true}
}

// signedIn returns the call with an access token.
func (c call) signedIn() call {
	c.token = true
	return c
}

// fetch makes a call and decodes the response.
func fetch[T any](ctx context.Context, c *Client, r call) (T, error) {
	var out T
	err := c.do(ctx, r, func(content []byte) error { return json.Unmarshal(content, &out) })
	return out, err
}

// do makes a call, with retries, and decodes the response.
func (c *Client) do(ctx context.Context, r call, decode func([]byte) error) error {
	if r.body != nil {
		content, err := json.Marshal(r.body)
		if err != nil {
			return fmt.Errorf("encode %s: %w", r, err)
		}
		r.raw, r.contentType = content, "application/json"
	}
	if r.keyed {
		key, _ := ctx.Value(idempotencyKey{}).(string)
		r.key = cmp.Or(key, uuid.NewString())
	}
	if !r.token {
		return c.repeat(ctx, r, "", decode)
	}
	token, err := c.bearer(ctx, "")
	if err != nil {
		return err
	}
	if err = c.repeat(ctx, r, token, decode); !errors.Is(err, InvalidToken) || c.signer == nil {
		return err
	}
	// The access token has expired or was revoked.
	if token, err = c.bearer(ctx, token); err != nil {
		return err
	}
	return c.repeat(ctx, r, token, decode)
}

// attempt sends a call once.
func (c *Client) attempt(ctx context.Context, r call, token string, attempts int, decode func([]byte) error) error {
	// The function that composed the path has escaped the path.
	address := c.base.String() + r.path
	if len(r.query) > 0 {
		address += "?" + r.query.Encode()
	}
	var body io.Reader = http.NoBody
	if r.raw != nil {
		body = bytes.NewReader(r.raw)
	}
	request, err := http.NewRequestWithContext(ctx, r.method, address, body)
	if err != nil {
		return fmt.Errorf("%s: %w", r, err)
	}
	for name, value := range map[string]string{
		"Content-Type": r.contentType, "Idempotency-Key": r.key, "User-Agent": c.agent, "Accept": "application/json",
	} {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := c.http.Do(request)
	if err != nil {
		var sending *url.Error // the outer error repeats the address
		if errors.As(err, &sending) {
			err = sending.Err
		}
		return &unansweredError{r, err}
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return &unansweredError{r, err}
	}
	noteAnswer(ctx, response, attempts)
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return problem(r, response, content)
	}
	if err := decode(content); err != nil {
		return fmt.Errorf("%s answers %s with what is not described: %w", r, response.Status, err)
	}
	return nil
}

// unansweredError is the error of a call whose outcome is unknown.
type unansweredError struct {
	call call
	err  error
}

func (e *unansweredError) Error() string { return fmt.Sprintf("%s: no answer: %v", e.call, e.err) }
func (e *unansweredError) Unwrap() error { return e.err }

// problem converts an error response. The gateway's own responses are not problem documents. The
// proxies before the gateway respond with a message as plain JSON.
func problem(r call, response *http.Response, content []byte) *Problem {
	p := &Problem{}
	if json.Unmarshal(content, p) != nil || p.Code == "" {
		var plain struct{ Message string }
		_ = json.Unmarshal(content, &plain)
		p = &Problem{Title: http.StatusText(response.StatusCode), Detail: plain.Message, RetryAfter: retryAfter(response.Header)}
	}
	p.Status, p.Call, p.Limits = response.StatusCode, r.String(), readLimits(response.Header)
	p.RequestID = cmp.Or(p.RequestID, response.Header.Get("X-Request-Id"))
	return p
}

// IsNoResponse reports whether a call ended without a response.
func IsNoResponse(err error) bool {
	var none *unansweredError
	return errors.As(err, &none)
}
