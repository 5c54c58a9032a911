package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// httpAnswer is a response for the gateway.
type httpAnswer struct {
	StatusCode      int               `json:"statusCode"`
	Headers         map[string]string `json:"headers,omitempty"`
	Cookies         []string          `json:"cookies,omitempty"`
	Body            any               `json:"body,omitempty"`
	IsBase64Encoded bool              `json:"isBase64Encoded,omitempty"`
}

// show prints a response and returns the exit status.
func show(out io.Writer, answer []byte) (int, error) {
	var probe struct {
		StatusCode        int               `json:"statusCode"`
		BatchItemFailures []json.RawMessage `json:"batchItemFailures"`
	}
	status := 0
	if err := json.Unmarshal(answer, &probe); err == nil {
		switch {
		case probe.StatusCode >= 400:
			status = probe.StatusCode / 100
		case len(probe.BatchItemFailures) > 0:
			status = statusFailed
		}
	}
	if probe.StatusCode != 0 {
		decoded, err := decode(answer)
		if err != nil {
			return statusFailed, err
		}
		answer = decoded
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, answer, "", "  "); err != nil {
		return statusFailed, fmt.Errorf("the function's answer is no JSON: %s", answer)
	}
	_, err := fmt.Fprintln(out, strings.TrimSpace(pretty.String()))
	return status, err
}

// decode decodes the body of an HTTP response: JSON as JSON, text as text.
func decode(answer []byte) ([]byte, error) {
	var a httpAnswer
	if err := json.Unmarshal(answer, &a); err != nil {
		return nil, fmt.Errorf("read the answer for the gateway: %w", err)
	}
	if text, ok := a.Body.(string); ok {
		body := []byte(text)
		if a.IsBase64Encoded {
			bytes, err := base64.StdEncoding.DecodeString(text)
			if err != nil {
				return nil, fmt.Errorf("the answer's body is no base64: %w", err)
			}
			if !utf8.Valid(bytes) { // for example a picture, which stays encoded
				return answer, nil
			}
			body, a.IsBase64Encoded = bytes, false
		}
		a.Body = string(body)
		if json.Valid(body) {
			a.Body = json.RawMessage(body)
		}
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(a)
	return out.Bytes(), err
}
