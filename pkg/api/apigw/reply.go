package apigw

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// reply is an answer that is held back until it is final, so that an error or a
// panic after half of it still becomes one whole problem. The gateway takes
// answers whole anyway.
type reply struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func newReply() *reply { return &reply{header: http.Header{}} }

// Header gives the headers, to be changed until the handler returns.
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

// WriteJSON answers with the given status and v as JSON. It writes nothing when
// v cannot be written as JSON.
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

// WriteWhole writes a body that no longer changes, and does not copy it where the
// answer is still empty.
func WriteWhole(w http.ResponseWriter, body []byte) error {
	if p, ok := w.(*reply); ok && p.body.Len() == 0 {
		p.WriteHeader(http.StatusOK)
		p.body = *bytes.NewBuffer(slices.Clip(body)) // what is added copies it
		return nil
	}
	_, err := w.Write(body)
	return err
}

// encode leaves <, > and & as they are: no answer is embedded in HTML, and
// addresses of web pages stay readable.
func encode(v any) ([]byte, error) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	return bytes.TrimSuffix(body.Bytes(), []byte("\n")), nil
}

// Timestamp writes a time as the contract has it: RFC 3339, UTC, milliseconds.
func Timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// TimeOrNull writes a time as Timestamp does; nil for the zero one.
func TimeOrNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return new(Timestamp(t))
}
