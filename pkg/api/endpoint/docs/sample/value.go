package sample

import (
	"encoding/json"
	"strings"
)

// Value is an example: an Object, a List, or a value for json.Marshal.
type Value any

// List is a JSON array of values without members.
type List []Value

// Object is a JSON object that keeps the order of the members.
type Object []Member

// Member is a member of an Object.
type Member struct {
	Name  string
	Value Value
}

// writeJSON formats a value with one member a line.
func writeJSON(v Value) string {
	return write(v, "", func(name string) string { return text(name) }, text, "")
}

// write formats a value. end is the text after the last member of an object, such as a comma in
// languages with trailing commas.
func write(v Value, indent string, name func(string) string, scalar func(any) string, end string) string {
	object, ok := v.(Object)
	if !ok {
		return scalar(v)
	}
	if len(object) == 0 {
		return "{}"
	}
	lines := make([]string, 0, len(object))
	for _, m := range object {
		lines = append(lines, indent+"  "+name(m.Name)+": "+write(m.Value, indent+"  ", name, scalar, end))
	}
	return "{\n" + strings.Join(lines, ",\n") + end + "\n" + indent + "}"
}

// text formats a value as JSON, without escapes for HTML.
func text(v any) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return "null" // impossible: a Value has only strings, numbers and similar values
	}
	return strings.TrimSuffix(out.String(), "\n")
}
