// Package walkthrough launches a token through the public HTTP API as a creator
// with a wallet would, and reads back what came of it.
package walkthrough

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
)

// Client calls the API at one address as one caller.
type Client struct {
	BaseURL string
	Token   string // the JWT; empty before sign-in
	// HTTP sends the requests; http.DefaultClient if nil.
	HTTP *http.Client
}

// Problem is an answer that says no.
type Problem struct {
	Call       string `json:"-"` // method and path
	HTTPStatus int    `json:"-"`
	Code       string
	Detail     string
	RequestID  string
	RetryAfter int
	Errors     []struct{ Field, Code, Message string }
}

func (p *Problem) Error() string {
	text := fmt.Sprintf("%s answers %d %s: %s", p.Call, p.HTTPStatus, p.Code, p.Detail)
	for _, e := range p.Errors {
		text += fmt.Sprintf("; %s %s: %s", e.Field, e.Code, e.Message)
	}
	return text
}

// maxAnswer bounds an answer, in bytes.
const maxAnswer = 8 << 20

// Call sends body as JSON, unless it is nil, and decodes the answer into out,
// unless that is nil. An answer of 400 or above is a *Problem.
func (c *Client) Call(ctx context.Context, method, path string, body, out any) error {
	var content []byte
	if body != nil {
		var err error
		if content, err = json.Marshal(body); err != nil {
			return fmt.Errorf("encode %s %s: %w", method, path, err)
		}
	}
	return c.send(ctx, method, path, "application/json", content, out)
}

// Upload sends a file in the form field "image".
func (c *Client) Upload(ctx context.Context, path, name, contentType string, file []byte, out any) error {
	var content bytes.Buffer
	form := multipart.NewWriter(&content)
	part, err := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {multipart.FileContentDisposition("image", name)},
		"Content-Type":        {contentType},
	})
	if err == nil {
		_, err = part.Write(file)
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		return fmt.Errorf("encode %s: %w", path, err)
	}
	return c.send(ctx, http.MethodPost, path, form.FormDataContentType(), content.Bytes(), out)
}

func (c *Client) send(ctx context.Context, method, path, contentType string, content []byte, out any) error {
	request, err := http.NewRequestWithContext(ctx, method, c.BaseURL+path, bytes.NewReader(content))
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	if content != nil {
		request.Header.Set("Content-Type", contentType)
	}
	if c.Token != "" {
		request.Header.Set("Authorization", "Bearer "+c.Token)
	}
	sender := c.HTTP
	if sender == nil {
		sender = http.DefaultClient
	}
	response, err := sender.Do(request)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	if response.StatusCode >= http.StatusBadRequest {
		p := &Problem{Call: method + " " + path, HTTPStatus: response.StatusCode}
		if err := json.Unmarshal(text, p); err != nil {
			p.Detail = string(text)
		}
		return p
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(text, out); err != nil {
		return fmt.Errorf("%s %s answers %s with what is not the JSON that was expected: %w", method, path, response.Status, err)
	}
	return nil
}
