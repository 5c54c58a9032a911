package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// document is the part of an OpenAPI 3.1 document that the page shows.
type document struct {
	Info struct {
		Title       string `json:"title"`
		Version     string `json:"version"`
		Summary     string `json:"summary"`
		Description string `json:"description"`
	} `json:"info"`
	Tags []struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	} `json:"tags"`
	Paths      ordered[ordered[operation]] `json:"paths"`
	Components struct {
		Schemas    ordered[schema]    `json:"schemas"`
		Parameters ordered[parameter] `json:"parameters"`
		Headers    ordered[parameter] `json:"headers"`
		Examples   ordered[struct {
			Value json.RawMessage `json:"value"`
		}] `json:"examples"`
	} `json:"components"`
	Codes      []code `json:"x-error-codes"`
	FieldCodes []code `json:"x-field-codes"`
}

type operation struct {
	ID          string      `json:"operationId"`
	Tags        []string    `json:"tags"`
	Summary     string      `json:"summary"`
	Description string      `json:"description"`
	Security    []any       `json:"security"`
	Parameters  []parameter `json:"parameters"`
	RequestBody *struct {
		Content ordered[content] `json:"content"`
	} `json:"requestBody"`
	Responses ordered[response] `json:"responses"`
	RateLimit struct {
		Bucket        string `json:"bucket"`
		Limit         int    `json:"limit"`
		WindowSeconds int    `json:"windowSeconds"`
		Per           string `json:"per"`
	} `json:"x-rate-limit"`
	Samples []sample `json:"x-codeSamples"`
}

// sample is a call of an operation in one language.
type sample struct {
	Label  string `json:"label"`
	Source string `json:"source"`
}

type parameter struct {
	Ref         string          `json:"$ref"`
	Name        string          `json:"name"`
	In          string          `json:"in"`
	Required    bool            `json:"required"`
	Description string          `json:"description"`
	Schema      schema          `json:"schema"`
	Example     json.RawMessage `json:"example"`
}

type response struct {
	Description string           `json:"description"`
	Content     ordered[content] `json:"content"`
}

type content struct {
	Schema   schema          `json:"schema"`
	Example  json.RawMessage `json:"example"`
	Examples ordered[any]    `json:"examples"`
}

type code struct {
	Code    string `json:"code"`
	Status  int    `json:"status"`
	Meaning string `json:"meaning"`
	Remedy  string `json:"remedy"`
}

// schema is a JSON Schema, with the keywords that the document uses.
type schema struct {
	Ref         string            `json:"$ref"`
	Section     bool              `json:"x-section"`
	Type        texts             `json:"type"`
	Format      string            `json:"format"`
	Encoding    string            `json:"contentEncoding"`
	Description string            `json:"description"`
	Enum        []json.RawMessage `json:"enum"`
	Const       json.RawMessage   `json:"const"`
	Default     json.RawMessage   `json:"default"`
	Minimum     json.Number       `json:"minimum"`
	Maximum     json.Number       `json:"maximum"`
	MinLength   json.Number       `json:"minLength"`
	MaxLength   json.Number       `json:"maxLength"`
	Required    []string          `json:"required"`
	Properties  ordered[schema]   `json:"properties"`
	Items       *schema           `json:"items"`
	AnyOf       []schema          `json:"anyOf"`
	AllOf       []schema          `json:"allOf"`
}

// resolve follows $ref. Keywords next to $ref take precedence over the referenced schema. name is
// the name of the last component, or empty without a reference.
func (d *document) resolve(s schema) (resolved schema, name string, err error) {
	for s.Ref != "" {
		name = strings.TrimPrefix(s.Ref, "#/components/schemas/")
		target, ok := d.Components.Schemas.get(name)
		if !ok {
			return schema{}, "", fmt.Errorf("%s: no such schema", s.Ref)
		}
		if s.Description != "" {
			target.Description = s.Description
		}
		if s.Default != nil {
			target.Default = s.Default
		}
		if s.Minimum != "" {
			target.Minimum = s.Minimum
		}
		s = target
	}
	return s, name, nil
}

// texts is a JSON string or an array of strings.
type texts []string

// UnmarshalJSON decodes both forms.
func (t *texts) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '[' {
		return json.Unmarshal(raw, (*[]string)(t))
	}
	*t = make(texts, 1)
	return json.Unmarshal(raw, &(*t)[0])
}

// ordered is a JSON object that keeps the order of the members.
type ordered[T any] []member[T]

type member[T any] struct {
	Key   string
	Value T
}

func (o ordered[T]) get(key string) (value T, ok bool) {
	for _, m := range o {
		if m.Key == key {
			return m.Value, true
		}
	}
	return value, false
}

// UnmarshalJSON decodes the members in order.
func (o *ordered[T]) UnmarshalJSON(raw []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return errors.New("not a JSON object")
	}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return fmt.Errorf("read a key: %w", err)
		}
		m := member[T]{Key: fmt.Sprint(key)}
		if err := decoder.Decode(&m.Value); err != nil {
			return fmt.Errorf("read %s: %w", m.Key, err)
		}
		*o = append(*o, m)
	}
	return nil
}
