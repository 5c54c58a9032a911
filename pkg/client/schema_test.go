package client_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"tokenlaunch.example/service/pkg/client"
)

// The types are generated from the schemas; each method takes and returns those of its
// operation.
func TestMethodsUseTheirSchemas(t *testing.T) {
	compare := func(where string, content openapi3.Content, typ reflect.Type) {
		ref := content["application/json"].Schema
		if len(ref.Value.AllOf) > 0 { // a named schema with a description of its own
			ref = ref.Value.AllOf[0]
		}
		if want := strings.TrimPrefix(ref.Ref, "#/components/schemas/"); typ.Name() != want {
			t.Errorf("%s is the type %s, and the schema is %s", where, typ, want)
		}
	}
	for _, op := range operations(t) {
		m := methodOf(t, new(client.Client), op.OperationID)
		if !m.IsValid() {
			continue
		}
		if body := op.RequestBody; body != nil && body.Value.Content["application/json"] != nil {
			if schema := body.Value.Content["application/json"].Schema; len(schema.Value.Properties) > 0 {
				compare(op.OperationID+" request", body.Value.Content, m.Type().In(m.Type().NumIn()-1))
			}
		}
		if answer := m.Type().Out(0); answer != reflect.TypeFor[json.RawMessage]() {
			compare(op.OperationID+" answer", success(op.Operation).Value.Content, answer)
		}
	}
}

// Problem has more than its schema, so it is written by hand.
func TestProblemIsItsSchema(t *testing.T) {
	schema := document(t).Components.Schemas["Problem"].Value
	want := slices.Sorted(maps.Keys(schema.Properties))
	var have []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[client.Problem]()) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		have = append(have, name)
		if required := slices.Contains(schema.Required, name); required == (options == "omitzero") {
			t.Errorf("%s is required: %v, and its tag is %q", name, required, options)
		}
	}
	slices.Sort(have)
	if !slices.Equal(have, want) {
		t.Errorf("Problem has the fields %q, want %q", have, want)
	}
}
