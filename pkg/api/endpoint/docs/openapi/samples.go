package openapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"tokenlaunch.example/service/pkg/api/endpoint/docs/sample"
	"tokenlaunch.example/service/pkg/api/route"
)

// addSamples adds samples of calls to the operation, as the extension x-codeSamples, which
// renderers of documents support.
func (b *builder) addSamples(op *yaml.Node, r route.Route) error {
	o := sample.Operation{ID: r.Operation, Method: r.Method, Path: r.Path, NeedsToken: r.NeedsToken()}
	if err := b.addParameters(&o, get(op, "parameters")); err != nil {
		return err
	}
	if body := get(op, "requestBody"); body != nil {
		for _, content := range pairs(get(body, "content")) {
			if o.File = value(content, "x-go-file"); o.File != "" {
				continue
			}
			example, err := valueOf(get(content, "example"))
			if err != nil {
				return fmt.Errorf("the example of the body: %w", err)
			}
			o.Body = example
		}
	}
	for status, response := range pairs(get(op, "responses")) {
		if content := get(response, "content"); status < "300" && content != nil {
			o.Answer = content.Content[0].Value
		}
	}
	written, err := sample.Of(o, b.client)
	if err != nil {
		return err
	}
	samples := array()
	for _, s := range written {
		samples.Content = append(samples.Content, object("lang", text(s.Lang), "label", text(s.Label), "source", text(s.Source)))
	}
	put(op, "x-codeSamples", samples)
	return nil
}

// addParameters adds the required parameters, first of the path and then of the query. If a call
// needs one of several optional parameters, x-sampled marks the parameter to add.
func (b *builder) addParameters(o *sample.Operation, parameters *yaml.Node) error {
	if parameters == nil {
		return nil
	}
	var query []sample.Parameter
	for _, p := range parameters.Content {
		if ref := get(p, "$ref"); ref != nil {
			if p = get(b.parameters, strings.TrimPrefix(ref.Value, "#/components/parameters/")); p == nil {
				continue // the document's linter reports the error
			}
		}
		in := get(p, "in").Value
		if in != "path" && in != "query" || !is(p, "required") && !is(p, "x-sampled") {
			continue
		}
		example := get(p, "example")
		if example == nil {
			return fmt.Errorf("the parameter %s has no example", get(p, "name").Value)
		}
		parameter := sample.Parameter{In: in, Name: get(p, "name").Value, Example: example.Value}
		if in == "path" {
			o.Parameters = append(o.Parameters, parameter)
		} else {
			query = append(query, parameter)
		}
	}
	o.Parameters = append(o.Parameters, query...)
	return nil
}

// is reports whether a field of a node is true.
func is(n *yaml.Node, field string) bool {
	value := get(n, field)
	return value != nil && value.Value == "true"
}

// valueOf converts an example to a sample's value.
func valueOf(n *yaml.Node) (sample.Value, error) {
	switch {
	case n == nil:
		return nil, errors.New("there is none")
	case n.Kind == yaml.MappingNode:
		object := sample.Object{}
		for key, node := range pairs(n) {
			value, err := valueOf(node)
			if err != nil {
				return nil, err
			}
			object = append(object, sample.Member{Name: key, Value: value})
		}
		return object, nil
	case n.Kind == yaml.SequenceNode:
		list := sample.List{}
		for _, node := range n.Content {
			value, err := valueOf(node)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	case n.Tag == "!!str":
		return n.Value, nil
	default:
		raw, err := encode(n)
		return json.RawMessage(strings.TrimSpace(string(raw))), err
	}
}
