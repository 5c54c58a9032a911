package sample

import (
	"encoding/json"
	"strings"
)

// Value is an example: an Object, a List, or what json.Marshal writes.
type Value any

// List is a JSON array of values without members.
type List []Value

// Object is a JSON object whose members keep their order.
type Object []Member

// Member is one of an Object.
type Member struct {
	Name  string
	Value Value
}

// writeJSON writes a value with a member a line.
func writeJSON(v Value) string {
	return write(v, "", func(name string) string { return text(name) }, text, "")
}

// write lays a value out. An object ends with end before its brace: where a language takes
// a comma after the last member, it has one.
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

// text is a value as JSON has it, with its letters as they are.
func text(v any) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return "null" // a Value is strings, numbers and the like
	}
	return strings.TrimSuffix(out.String(), "\n")
}
