// Package body reads the JSON object of a request and finds everything that is
// wrong with it at once: fields that are missing, of a wrong type, out of range,
// or not asked for. A handler asks for each field it knows; a field that it never
// asks for is unknown, and Err says so.
//
// For every field, null means absent; for strings "" does too.
package body

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"unicode/utf8"

	"tokenlaunch.example/service/pkg/platform/apperr"
)

// whole is what the errors of a body call the body as a whole.
const whole = "body"

// maxFields is more than any route takes. It bounds an answer that names every
// unknown field.
const maxFields = 100

// Fields is the object of one request, with what was found wrong so far.
type Fields struct {
	names  []string // in the order of the body
	values map[string]json.RawMessage
	asked  map[string]bool
	bad    []apperr.Field
}

// Read takes the request's body, whatever its Content-Type says. It refuses what
// is not one JSON object in UTF-8; a body that the route's limit cuts short is an
// *http.MaxBytesError.
func Read(r *http.Request) (*Fields, error) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, fmt.Errorf("read the body: %w", err)
	}
	return Parse(text)
}

// Parse is Read for a body that is at hand.
func Parse(text []byte) (*Fields, error) {
	if !utf8.Valid(text) {
		return nil, reject("The body must be JSON in UTF-8.")
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return nil, reject("The body must be one JSON object.")
	}
	f := &Fields{values: map[string]json.RawMessage{}, asked: map[string]bool{}}
	for decoder.More() {
		if len(f.names) == maxFields {
			return nil, reject(fmt.Sprintf("The body must have at most %d fields.", maxFields))
		}
		if err := f.readOne(decoder); err != nil {
			return nil, reject("The body is not valid JSON.")
		}
	}
	if _, err := decoder.Token(); err != nil {
		return nil, reject("The body is not valid JSON.")
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, reject("The body must be one JSON object, with nothing after it.")
	}
	return f, nil
}

func (f *Fields) readOne(decoder *json.Decoder) error {
	key, err := decoder.Token()
	if err != nil {
		return fmt.Errorf("read a name: %w", err)
	}
	name, ok := key.(string)
	if !ok {
		return fmt.Errorf("%v is not a name", key)
	}
	var value json.RawMessage
	if err := decoder.Decode(&value); err != nil {
		return fmt.Errorf("read the value of %q: %w", name, err)
	}
	if _, twice := f.values[name]; twice {
		f.asked[name] = true // known or not: one error for it is enough
		f.Reject(name, apperr.CodeDuplicateField, "The field stands in the object more than once.")
		return nil
	}
	f.names = append(f.names, name)
	f.values[name] = value
	return nil
}

func reject(detail string) error {
	return &apperr.Error{
		Code: apperr.CodeValidationFailed, Detail: detail,
		Fields: []apperr.Field{{Field: whole, Code: apperr.CodeInvalidFormat, Message: detail}},
	}
}

// Has says whether the body has the field, also when it is null or "". It counts
// as asking for it.
func (f *Fields) Has(name string) bool {
	f.asked[name] = true
	_, ok := f.values[name]
	return ok
}

// Reject adds something that is wrong. The first that is found wrong with a field
// stands, later ones are dropped.
func (f *Fields) Reject(name string, code apperr.Code, message string) {
	if f.IsBad(name) {
		return
	}
	f.bad = append(f.bad, apperr.Field{Field: name, Code: code, Message: message})
}

// RejectAll adds what a domain found wrong, by the rule of Reject.
func (f *Fields) RejectAll(fields ...apperr.Field) {
	for _, bad := range fields {
		f.Reject(bad.Field, bad.Code, bad.Message)
	}
}

// Err gives everything that is wrong as one error, or nil. It is called when
// every known field has been asked for, and may be called again.
func (f *Fields) Err() error { return apperr.Validation(f.wrong()) }

// wrong lists what was found wrong, and every field that was not asked for.
func (f *Fields) wrong() []apperr.Field {
	bad := slices.Clone(f.bad)
	for _, name := range f.names {
		if !f.asked[name] {
			bad = append(bad, apperr.Field{Field: name, Code: apperr.CodeUnknownField, Message: "This route has no such field."})
		}
	}
	return bad
}

// IsBad says whether something was found wrong with a field.
func (f *Fields) IsBad(name string) bool {
	return slices.ContainsFunc(f.bad, func(b apperr.Field) bool { return b.Field == name })
}
