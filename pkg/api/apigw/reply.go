package apigw

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// reply is a buffered response, so that an error or a panic in the middle still becomes one
// complete problem. Buffering costs nothing, because the gateway accepts only complete responses.
type reply struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func newReply() *reply { return &reply{header: http.Header{}} }

// Header returns the headers. A handler may change the headers until the end.
func (p *reply) Header() http.Header { return p.header }

// WriteHeader sets the status; only the first call counts.
func (p *reply) WriteHeader(status int) {
	if p.status == 0 {
		p.status = status
	}
}

// Write adds to the body.
func (p *reply) Write(b []byte) (int, error) {
	p.WriteHeader(http.StatusOK)
	return p.body.Write(b)
}

func (p *reply) send(w http.ResponseWriter) error {
	header := w.Header()
	for name, values := range p.header {
		header[name] = values
	}
	if header.Get("Content-Type") == "" && p.body.Len() > 0 {
		header.Set("Content-Type", "application/octet-stream")
	}
	w.WriteHeader(p.status)
	_, err := w.Write(p.body.Bytes())
	return err
}

// WriteJSON writes v as JSON with the given status. It writes nothing if v cannot be encoded.
func WriteJSON(w http.ResponseWriter, status int, v any) error {
	body, err := encode(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := WriteWhole(w, body); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	return nil
}

// WriteWhole writes a body that is never changed later. It does not copy the body if the response
// is empty.
func WriteWhole(w http.ResponseWriter, body []byte) error {
	if p, ok := w.(*reply); ok && p.body.Len() == 0 {
		p.WriteHeader(http.StatusOK)
		p.body = *bytes.NewBuffer(slices.Clip(body)) // a later write copies the body
		return nil
	}
	_, err := w.Write(body)
	return err
}

// encode does not escape <, > and &, because no response is embedded in HTML, and web addresses
// stay readable.
func encode(v any) ([]byte, error) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	return bytes.TrimSuffix(body.Bytes(), []byte("\n")), nil
}

// Timestamp formats a time as the contract requires: RFC 3339, UTC, milliseconds.
func Timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// TimeOrNull formats a time as Timestamp does. It returns nil for the zero time.
func TimeOrNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return new(Timestamp(t))
}
