package openapi

import (
	"cmp"
	"errors"
	"fmt"
	"go/format"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// GoTypes generates the file of package client with the types of requests and responses, and the
// values of enums as constants, from the source of the document. The descriptions become comments.
// The source has extensions that the published document lacks:
//
//   - x-go-type names the type of a schema with a hand-written type, or of an inline schema,
//   - x-go-prefix, or x-go-names for each value, makes an enum a type with constants, and
//     x-go-list a function that returns the constants,
//   - x-go-codes names the table whose codes are the values of a text,
//   - x-go-schemas has schemas that are only parts of other schemas.
//
// A schema that merges the properties of another schema embeds the type of the other schema.
func GoTypes(source []byte) ([]byte, error) {
	root, err := read(source)
	if err != nil {
		return nil, err
	}
	w := goWriter{root: root, schemas: map[string]*yaml.Node{}, kinds: map[string]string{}, parts: map[*yaml.Node]string{}, requests: map[string]bool{}, types: map[string]string{}}
	for _, schemas := range []*yaml.Node{get(root, "x-go-schemas"), get(get(root, "components"), "schemas")} {
		for name, schema := range pairs(schemas) {
			w.schemas[name], w.kinds[value(schema, "x-go-type")] = schema, typeOf(schema)
			if properties := get(schema, "properties"); properties != nil {
				w.parts[properties] = name
			}
		}
	}
	for _, path := range pairs(get(root, "paths")) {
		for _, operation := range pairs(path) {
			for _, content := range pairs(get(get(operation, "requestBody"), "content")) {
				w.requests[referenced(get(content, "schema"))] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.schemas)) {
		if _, err := w.schema(name, w.schemas[name]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if w.types["decodeMessage"], err = messages(get(root, "webhooks")); err != nil {
		return nil, err
	}
	text := "// Code generated from openapi.yaml by go generate. DO NOT EDIT.\n\npackage client\n\nimport \"github.com/gagliardetto/solana-go\"\n"
	for _, name := range slices.Sorted(maps.Keys(w.types)) {
		text += "\n" + w.types[name]
	}
	formatted, err := format.Source([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("format the types: %w", err)
	}
	return formatted, nil
}

// goWriter is the state of GoTypes: the source, the schemas by name, the JSON types of the
// hand-written Go types, the names of property nodes, the schemas of request bodies, and the
// generated declarations by name.
type goWriter struct {
	root     *yaml.Node
	schemas  map[string]*yaml.Node
	kinds    map[string]string
	parts    map[*yaml.Node]string
	requests map[string]bool
	types    map[string]string
}

// schema returns the Go type of a named schema, and declares the type if the schema is an object or
// an enum with constants.
func (w *goWriter) schema(name string, s *yaml.Node) (string, error) {
	kind := cmp.Or(value(s, "x-go-type"), name)
	declared, done := w.types[kind]
	switch {
	case get(s, "x-go-prefix") != nil || get(s, "x-go-names") != nil:
		w.types[kind] = w.enum(kind, s)
		if done && w.types[kind] != declared {
			return "", fmt.Errorf("%s has two descriptions or two lists of values", kind)
		}
	case done:
	case value(s, "type") == "object" && get(s, "properties") != nil && (get(s, "x-go-type") == nil || w.schemas[name] != s):
		w.types[kind] = "" // mark as declared, because a field may refer to the same type
		text, err := w.object(kind, s, w.requests[name])
		if err != nil {
			return "", err
		}
		w.types[kind] = text
	case get(s, "x-go-type") == nil:
		return w.inline(s)
	}
	return kind, nil
}

// object declares the struct type of an object.
func (w *goWriter) object(kind string, s *yaml.Node, request bool) (string, error) {
	var out strings.Builder
	if get(s, "description") == nil {
		return "", errors.New("no description")
	}
	fmt.Fprintf(&out, "%stype %s struct {\n", comment(kind, s), kind)
	required := map[string]bool{}
	for _, name := range items(get(s, "required")) {
		required[name.Value] = true
	}
	for name, property := range pairs(get(s, "properties")) {
		if name == "<<" {
			base := w.parts[property]
			if base == "" {
				return "", errors.New("merges properties that no schema has")
			}
			out.WriteString(base + "\n\n")
			continue
		}
		field, tag, err := w.field(property, required[name], request)
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		tag = strconv.Quote(name + tag)
		if said := value(property, "description"); request && said != "" { // for the agent's schema of a launch
			tag += " jsonschema:" + strconv.Quote(strings.ReplaceAll(said, "`", "'"))
		}
		fmt.Fprintf(&out, "%s%s %s `json:%s`\n", comment("", property), exported(name), field, tag)
	}
	return out.String() + "}\n", nil
}

// field returns the type of a property and the option of the struct tag. A pointer is necessary for
// null, and for an optional field whose zero value has a meaning.
func (w *goWriter) field(s *yaml.Node, required, request bool) (kind, tag string, err error) {
	kind, err = w.inline(s)
	if err != nil {
		return "", "", err
	}
	pointer := required && nullable(s)
	if !required {
		tag = ",omitzero"
		_, object := w.types[kind]
		pointer = object && strings.Contains(w.types[kind], "struct {") || request && saysZero(s, kind)
	}
	if pointer && !strings.ContainsAny(kind[:1], "*[") && !strings.HasPrefix(kind, "map[") {
		kind = "*" + kind
	}
	return kind, tag, nil
}

// saysZero reports whether the zero value is allowed and differs from the default.
func saysZero(s *yaml.Node, kind string) bool {
	preset := value(s, "default")
	switch kind {
	case "bool":
		return preset != "false"
	case "Percent", "Factor":
		return preset != "0" && value(s, "minimum") == "0"
	case "Amount", "Lamports":
		pattern, err := regexp.Compile(value(s, "pattern"))
		return preset != "0" && err == nil && pattern.MatchString("0")
	default:
		return false
	}
}

// inline returns the Go type of an unnamed schema.
func (w *goWriter) inline(s *yaml.Node) (string, error) {
	if kind := value(s, "x-go-type"); kind != "" {
		want, have := w.kinds[strings.TrimPrefix(kind, "*")], typeOf(s)
		if have != "" && have != "null" && !strings.Contains(have, want) {
			return "", fmt.Errorf("line %d: %s is a %s, and not a %s", s.Line, kind, want, have)
		}
		return w.schema("", s)
	}
	if name := referenced(s); name != "" {
		return w.schema(name, w.schemas[name])
	}
	if option := alternative(s); option != nil {
		return w.inline(option)
	}
	switch kind := typeOf(s); kind {
	case "string":
		return kind, nil
	case "boolean":
		return "bool", nil
	case "integer":
		return "int", nil
	case "number":
		return "Percent", nil
	case "array":
		element, err := w.inline(get(s, "items"))
		return "[]" + element, err
	case "object":
		if element := get(s, "additionalProperties"); element != nil && element.Kind == yaml.MappingNode {
			kind, err := w.inline(element)
			return "map[string]" + kind, err
		}
		return "struct{}", nil
	default:
		return "", fmt.Errorf("line %d: no Go type for %q; name one with x-go-type", s.Line, kind)
	}
}

// enum declares a string type with constants.
func (w *goWriter) enum(kind string, s *yaml.Node) string {
	words, names := items(get(s, "enum")), items(get(s, "x-go-names"))
	for _, code := range items(get(w.root, value(s, "x-go-codes"))) {
		words = append(words, get(code, "code"))
	}
	var list []string
	out := comment(kind, s) + "type " + kind + " string\n\n// The words of " + kind + ".\nconst (\n"
	for i, word := range words {
		name := value(s, "x-go-prefix") + exported(word.Value)
		if len(names) == len(words) {
			name = names[i].Value
		}
		list = append(list, name)
		out += fmt.Sprintf("%s %s = %q\n", name, kind, word.Value)
	}
	out += ")\n"
	if all := value(s, "x-go-list"); all != "" {
		out += fmt.Sprintf("\n// %s returns the words of %s, in the document's order.\nfunc %s() []%s {\nreturn []%s{%s}\n}\n",
			all, kind, all, kind, kind, strings.Join(list, ", "))
	}
	return out
}

// messages generates the function that decodes a message of a webhook with the type of the event.
func messages(webhooks *yaml.Node) (string, error) {
	out := "// decodeMessage returns a message of a webhook as the type of its event; nil for an event that is not in the document.\n" +
		"func decodeMessage(event string, body []byte) (any, error) {\nswitch event {\n"
	for event, webhook := range pairs(webhooks) {
		content := get(get(get(webhook, "post"), "requestBody"), "content")
		name := referenced(get(get(content, "application/json"), "schema"))
		if name == "" {
			return "", fmt.Errorf("webhook %s: the message has no schema with a name", event)
		}
		out += fmt.Sprintf("case %q:\nreturn decode[%s](body)\n", event, name)
	}
	return out + "default:\nreturn nil, nil\n}\n}\n", nil
}

// comment returns the description as a comment. A type's comment begins with the type's name.
func comment(name string, s *yaml.Node) string {
	said := strings.Join(strings.Fields(value(s, "description")), " ")
	if name != "" && said != "" {
		verb := " is "
		if strings.HasSuffix(name, "s") && !strings.HasSuffix(name, "us") && !strings.HasSuffix(name, "is") {
			verb = " are "
		}
		said = name + verb + strings.ToLower(said[:1]) + said[1:]
	}
	if said == "" {
		return ""
	}
	return "// " + said + "\n"
}

// alternative returns the schema of a nullable value without null, or nil if the value is not
// nullable.
func alternative(s *yaml.Node) *yaml.Node {
	for _, option := range items(get(s, "anyOf")) {
		if value(option, "type") != "null" {
			return option
		}
	}
	return nil
}

func nullable(s *yaml.Node) bool {
	kinds := get(s, "type")
	null := func(n *yaml.Node) bool { return n.Value == "null" }
	return alternative(s) != nil || kinds != nil && null(kinds) || slices.ContainsFunc(items(kinds), null)
}

// typeOf returns the type of a schema, without null.
func typeOf(s *yaml.Node) string {
	kinds := []string{value(s, "type")}
	for _, kind := range items(get(s, "type")) {
		if kind.Value != "null" {
			kinds = append(kinds, kind.Value)
		}
	}
	return strings.Join(slices.DeleteFunc(kinds, func(kind string) bool { return kind == "" }), "|")
}

// referenced returns the name of the schema in a reference.
func referenced(s *yaml.Node) string {
	return strings.TrimPrefix(value(s, "$ref"), "#/components/schemas/")
}

// value returns the text of a key; empty without the key.
func value(mapping *yaml.Node, key string) string {
	if n := get(mapping, key); n != nil {
		return n.Value
	}
	return ""
}

func items(list *yaml.Node) []*yaml.Node {
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	return list.Content
}

// initialisms are written in capitals in Go.
var initialisms = regexp.MustCompile(`^(Id|Uri|Url|Cid|Sol|Nft|Lp|Sha256|Ok|Api)$`)

// exported returns the Go name of a property, a code or a value: bondingCurveId becomes
// BondingCurveID, url_not_allowed becomes URLNotAllowed, run.settled becomes RunSettled.
func exported(name string) string {
	var out strings.Builder
	for _, part := range regexp.MustCompile(`[A-Z]?[a-z0-9]+|[A-Z]+`).FindAllString(name, -1) {
		part = strings.ToUpper(part[:1]) + part[1:]
		if initialisms.MatchString(part) {
			part = strings.ToUpper(part)
		}
		out.WriteString(part)
	}
	return out.String()
}
