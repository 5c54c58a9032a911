// Package body parses the JSON object of a request and finds all errors at once: fields that are
// missing, of a wrong type, out of range, or unknown. A handler requests each field that the
// operation knows. Err reports every other field as unknown.
//
// null means absent for every field. "" means absent for strings, except for OptionalText.
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

// whole is the field name of errors about the whole body.
const whole = "body"

// maxFields exceeds the number of fields of every route, and bounds a response that names every
// unknown field.
const maxFields = 100

// Fields is the object of one request, with the errors so far.
type Fields struct {
	names  []string // in the order of the body
	values map[string]json.RawMessage
	asked  map[string]bool
	bad    []apperr.Field
}

// Read parses the request's body, whatever the Content-Type. It rejects a body that is not one JSON
// object in UTF-8. It returns an *http.MaxBytesError if the body exceeds the route's limit.
func Read(r *http.Request) (*Fields, error) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, fmt.Errorf("read the body: %w", err)
	}
	return Parse(text)
}

// Parse is Read for bytes.
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
		f.asked[name] = true // known or not: one error is enough for the field
		f.Reject(name, apperr.CodeDuplicateField, "The object has the field more than once.")
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

// Has reports whether the body has the field, even if the value is null or "". Has counts as a
// request for the field.
func (f *Fields) Has(name string) bool {
	f.asked[name] = true
	_, ok := f.values[name]
	return ok
}

// AcceptUnknown marks every field as requested, for a body whose specification allows further
// fields.
func (f *Fields) AcceptUnknown() {
	for _, name := range f.names {
		f.asked[name] = true
	}
}

// Reject adds an error for a field. Only the first error of a field is kept.
func (f *Fields) Reject(name string, code apperr.Code, message string) {
	if f.IsBad(name) {
		return
	}
	f.bad = append(f.bad, apperr.Field{Field: name, Code: code, Message: message})
}

// RejectAll adds the errors of a domain check, as Reject does.
func (f *Fields) RejectAll(fields ...apperr.Field) {
	for _, bad := range fields {
		f.Reject(bad.Field, bad.Code, bad.Message)
	}
}

// Err returns all errors as one error, or nil. Call Err after the handler has requested every known
// field. It may be called again.
func (f *Fields) Err() error { return apperr.Validation(f.wrong()) }

// wrong returns all errors so far, and an error for every field that the handler did not request.
func (f *Fields) wrong() []apperr.Field {
	bad := slices.Clone(f.bad)
	for _, name := range f.names {
		if !f.asked[name] {
			bad = append(bad, apperr.Field{Field: name, Code: apperr.CodeUnknownField, Message: "This route has no such field."})
		}
	}
	return bad
}

// IsBad reports whether a field has an error.
func (f *Fields) IsBad(name string) bool {
	return slices.ContainsFunc(f.bad, func(b apperr.Field) bool { return b.Field == name })
}
