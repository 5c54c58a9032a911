package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"
)

// row is a field. Path is the field's name with the names of the surrounding objects, as in
// "pagination.page". List reports that the field is in each element of an array.
type row struct {
	Path     string
	Type     string
	Link     string // to the section of the type
	Presence string // "required" in requests, "may be absent" in responses
	Facts    []fact
	About    template.HTML
}

// direction is the direction of the fields: request or response.
type direction string

const (
	asked    direction = "asked"
	answered direction = "answered"
)

// presence returns the exception: most fields of requests are optional, and most fields of
// responses are always present.
func (d direction) presence(required bool) string {
	switch {
	case d == asked && required:
		return "required"
	case d == answered && !required:
		return "may be absent"
	default:
		return ""
	}
}

// fact is a bound or a default, such as "at most" and "100".
type fact struct{ Name, Value string }

// rows returns the fields of an object. The fields of an inner object follow the inner object.
func (r *renderer) rows(s schema, prefix string, d direction) ([]row, error) {
	s, _, err := r.doc.resolve(s)
	if err != nil {
		return nil, err
	}
	var out []row
	for _, part := range s.AllOf {
		if part.Ref == "" {
			continue // the schema narrows another schema
		}
		more, err := r.rows(part, prefix, d)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	for _, property := range s.Properties {
		field, err := r.field(prefix+property.Key, property.Value, slices.Contains(s.Required, property.Key), d)
		if err != nil {
			return nil, err
		}
		out = append(out, field...)
	}
	return out, nil
}

func (r *renderer) field(path string, declared schema, required bool, d direction) ([]row, error) {
	s, name, err := r.doc.resolve(declared)
	if err != nil {
		return nil, err
	}
	about, _ := markdown(s.Description, r.links)
	out := row{Path: path, Presence: d.presence(required), About: about, Facts: facts(s)}
	inner, elements := s, ""
	if s.Items != nil {
		if inner, name, err = r.doc.resolve(*s.Items); err != nil {
			return nil, err
		}
		elements = "[]"
	}
	out.Type = typeOf(inner)
	if len(s.AnyOf) > 0 {
		if out.Type, err = r.oneOf(s.AnyOf); err != nil {
			return nil, err
		}
	}
	if inner.Section {
		out.Type, out.Link = name, "#"+sectionID(name)
	}
	if elements != "" {
		out.Type = "array of " + out.Type
	}
	if inner.Section {
		return []row{out}, nil
	}
	fields, err := r.rows(inner, path+elements+".", d)
	return append([]row{out}, fields...), err
}

// oneOf names the alternative types of a value: "string or null".
func (r *renderer) oneOf(schemas []schema) (string, error) {
	var names []string
	for _, s := range schemas {
		s, _, err := r.doc.resolve(s)
		if err != nil {
			return "", err
		}
		names = append(names, typeOf(s))
	}
	return strings.Join(names, " or "), nil
}

func typeOf(s schema) string {
	name := strings.Join(s.Type, " or ")
	switch {
	case s.Format == "binary":
		return "file"
	case s.Encoding != "":
		return name + " (" + s.Encoding + ")"
	case s.Format != "":
		return name + " (" + s.Format + ")"
	default:
		return name
	}
}

func facts(s schema) []fact {
	var out []fact
	add := func(name, value string) {
		if value != "" {
			out = append(out, fact{name, value})
		}
	}
	switch {
	case len(s.Enum) > 0:
		values := make([]string, 0, len(s.Enum))
		for _, v := range s.Enum {
			if string(v) != "null" && string(v) != `""` { // both mean that the field may be omitted
				values = append(values, plain(v))
			}
		}
		add("one of", strings.Join(values, ", "))
	case s.Const != nil:
		add("always", plain(s.Const))
	}
	add("default", plain(s.Default))
	add("characters", span(s.MinLength, s.MaxLength))
	add("range", span(s.Minimum, s.Maximum))
	return out
}

// span formats bounds. Either bound may be missing.
func span(low, high json.Number) string {
	switch {
	case low == "" && high == "":
		return ""
	case high == "":
		return "at least " + low.String()
	case low == "":
		return "at most " + high.String()
	default:
		return low.String() + " to " + high.String()
	}
}

// plain returns a JSON value without the quotes of a string.
func plain(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil && s != "" {
		return s
	}
	return string(raw)
}

func indented(raw json.RawMessage) (string, error) {
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", "  "); err != nil {
		return "", fmt.Errorf("indent an example: %w", err)
	}
	return out.String(), nil
}
