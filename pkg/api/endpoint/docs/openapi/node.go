package openapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// read parses the source of the document, and resolves aliases.
func read(source []byte) (*yaml.Node, error) {
	var file yaml.Node
	if err := yaml.Unmarshal(source, &file); err != nil {
		return nil, fmt.Errorf("read the source: %w", err)
	}
	if len(file.Content) != 1 {
		return nil, errors.New("read the source: not one document")
	}
	return file.Content[0], nil
}

// resolve copies a tree and replaces every alias with a copy of the alias's node, so that a change
// in one place has no effect in another place.
func resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	out := &yaml.Node{Kind: n.Kind, Tag: n.Tag, Value: n.Value, Style: n.Style, Line: n.Line}
	for _, child := range n.Content {
		out.Content = append(out.Content, resolve(child))
	}
	return merge(out)
}

// merge replaces a key "<<" with the pairs of the other mapping, except the keys that the mapping
// has itself.
func merge(mapping *yaml.Node) *yaml.Node {
	if mapping.Kind != yaml.MappingNode || get(mapping, "<<") == nil {
		return mapping
	}
	other := get(mapping, "<<")
	remove(mapping, "<<")
	own := mapping.Content
	mapping.Content = slices.Clone(other.Content)
	for i := 0; i+1 < len(own); i += 2 {
		put(mapping, own[i].Value, own[i+1])
	}
	return mapping
}

// pairs iterates over the pairs that a mapping has at the start. A nil mapping has no pairs. An
// alias is replaced by the alias's node.
func pairs(mapping *yaml.Node) iter.Seq2[string, *yaml.Node] {
	var content []*yaml.Node
	if mapping != nil {
		content = slices.Clone(mapping.Content)
	}
	return func(yield func(string, *yaml.Node) bool) {
		for i := 0; i+1 < len(content); i += 2 {
			value := content[i+1]
			for value.Kind == yaml.AliasNode {
				value = value.Alias
			}
			if !yield(content[i].Value, value) {
				return
			}
		}
	}
}

// get returns the value of a key, or nil without the key.
func get(mapping *yaml.Node, key string) *yaml.Node {
	for k, v := range pairs(mapping) {
		if k == key {
			return v
		}
	}
	return nil
}

// put sets the value of a key. A new key is added at the end.
func put(mapping *yaml.Node, key string, value *yaml.Node) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			mapping.Content[i+1] = value
			return
		}
	}
	mapping.Content = append(mapping.Content, text(key), value)
}

func remove(mapping *yaml.Node, key string) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			mapping.Content = slices.Delete(mapping.Content, i, i+2)
			return
		}
	}
}

func text(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s} }

func number(n int64) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: fmt.Sprint(n)}
}

// object returns a mapping of alternating keys and values.
func object(keysAndValues ...any) *yaml.Node {
	out := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for i := 0; i+1 < len(keysAndValues); i += 2 {
		out.Content = append(out.Content, text(keysAndValues[i].(string)), keysAndValues[i+1].(*yaml.Node))
	}
	return out
}

func array(items ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: items}
}

// encode encodes the tree as indented JSON, in the order of the keys.
func encode(root *yaml.Node) ([]byte, error) {
	var flat bytes.Buffer
	if err := write(&flat, root); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, flat.Bytes(), "", "  "); err != nil {
		return nil, fmt.Errorf("indent: %w", err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

func write(out *bytes.Buffer, n *yaml.Node) error {
	switch n.Kind {
	case yaml.MappingNode:
		seen := map[string]bool{}
		out.WriteByte('{')
		for key, value := range pairs(n) {
			if strings.HasPrefix(key, "x-go-") { // only for GoTypes
				continue
			}
			if seen[key] {
				return fmt.Errorf("line %d: the key %q is there twice", n.Line, key)
			}
			if len(seen) > 0 {
				out.WriteByte(',')
			}
			seen[key] = true
			if err := quote(out, key); err != nil {
				return err
			}
			out.WriteByte(':')
			if err := write(out, value); err != nil {
				return err
			}
		}
		out.WriteByte('}')
	case yaml.SequenceNode:
		out.WriteByte('[')
		for i, item := range n.Content {
			if i > 0 {
				out.WriteByte(',')
			}
			if err := write(out, item); err != nil {
				return err
			}
		}
		out.WriteByte(']')
	case yaml.ScalarNode:
		return scalar(out, n)
	default:
		return fmt.Errorf("line %d: a node of kind %d has no JSON form", n.Line, n.Kind)
	}
	return nil
}

func scalar(out *bytes.Buffer, n *yaml.Node) error {
	switch n.Tag {
	case "!!str":
		return quote(out, n.Value)
	case "!!null":
		out.WriteString("null")
	case "!!int", "!!float", "!!bool":
		if !json.Valid([]byte(n.Value)) {
			return fmt.Errorf("line %d: %s is not written as JSON writes it", n.Line, n.Value)
		}
		out.WriteString(n.Value)
	default:
		return fmt.Errorf("line %d: %s is a %s; put it in quotes", n.Line, n.Value, n.Tag)
	}
	return nil
}

func quote(out *bytes.Buffer, s string) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		return fmt.Errorf("quote %q: %w", s, err)
	}
	out.Truncate(out.Len() - 1) // the encoder ends a value with a line feed
	return nil
}
