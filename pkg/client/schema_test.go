package client_test

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/getkin/kin-openapi/openapi3"

	"tokenlaunch.example/service/pkg/client"
)

// simple are the Go types of the document's schemas that are no objects.
var simple = map[string]reflect.Type{
	"UUID": reflect.TypeFor[string](), "TokenId": reflect.TypeFor[string](), "RewardToken": reflect.TypeFor[string](),
	"SHA256": reflect.TypeFor[string](), "CID": reflect.TypeFor[string](), "IPFSURI": reflect.TypeFor[string](),
	"Address": reflect.TypeFor[solana.PublicKey](), "Signature": reflect.TypeFor[solana.Signature](),
	"Amount": reflect.TypeFor[client.Amount](), "Lamports": reflect.TypeFor[client.Lamports](),
	"SOL": reflect.TypeFor[client.SOL](), "Price": reflect.TypeFor[client.Price](), "Percent": reflect.TypeFor[client.Percent](),
	"Time": reflect.TypeFor[client.Time](), "Interval": reflect.TypeFor[client.Interval](), "StatusState": reflect.TypeFor[client.State](),
	"BlockHeight": reflect.TypeFor[uint64](), "Sum": reflect.TypeFor[client.Sum](),
}

// comparison is one of the client's types with the document's schemas.
type comparison struct {
	t       *testing.T
	request bool
	seen    map[string]bool
}

// Every type that goes over the wire has the properties of its schema and no others, of
// the same kinds, required or optional, with null or without.
func TestTypesAreTheSchemas(t *testing.T) {
	seen := map[string]bool{}
	for _, op := range operations(t) {
		m := methodOf(t, new(client.Client), op.OperationID)
		if !m.IsValid() {
			continue
		}
		if op.RequestBody != nil && op.RequestBody.Value.Content["application/json"] != nil &&
			op.OperationID != "createUnsignedCancel" && op.OperationID != "createUnsignedFeeClaim" {
			schema := op.RequestBody.Value.Content["application/json"].Schema
			comparison{t, true, seen}.compare(op.OperationID+" request", schema, m.Type().In(m.Type().NumIn()-1))
		}
		if answer := m.Type().Out(0); answer != reflect.TypeFor[json.RawMessage]() {
			comparison{t, false, seen}.compare(op.OperationID+" answer", success(op.Operation).Value.Content["application/json"].Schema, answer)
		}
	}
	comparison{t, false, seen}.compare("problem", document(t).Components.Schemas["Problem"], reflect.TypeFor[client.Problem]())
	if len(seen) < 50 {
		t.Errorf("only %d schemas were compared", len(seen))
	}
}

// compare holds a type against a schema.
func (c comparison) compare(where string, ref *openapi3.SchemaRef, typ reflect.Type) {
	c.t.Helper()
	schema := ref.Value
	for _, part := range schema.AllOf { // one that is named, and what is said of it besides
		if part.Ref != "" {
			c.compare(where, part, typ)
			return
		}
	}
	if name, ok := strings.CutPrefix(ref.Ref, "#/components/schemas/"); ok {
		if want := simple[name]; want != nil {
			if typ != want {
				c.t.Errorf("%s is %s, want %s", where, typ, want)
			}
			return
		}
		if typ.Name() != name {
			c.t.Errorf("%s is the type %s, and the schema is %s", where, typ, name)
		}
		if c.seen[name] {
			return
		}
		c.seen[name] = true
		where = name
	}
	switch kind := kindOf(schema); {
	case kind == "object" && len(schema.Properties) > 0:
		c.object(where, schema, typ)
	case kind == "array":
		if typ.Kind() != reflect.Slice {
			c.t.Errorf("%s is %s, want a slice", where, typ)
			return
		}
		c.compare(where+"[]", schema.Items, typ.Elem())
	default:
		c.value(where, kind, schema, typ)
	}
}

// kindOf is the type of a schema besides null.
func kindOf(s *openapi3.Schema) string {
	var kinds []string
	for _, kind := range s.Type.Slice() {
		if kind != "null" {
			kinds = append(kinds, kind)
		}
	}
	return strings.Join(kinds, "|")
}

func (c comparison) value(where, kind string, s *openapi3.Schema, typ reflect.Type) {
	c.t.Helper()
	ok := false
	switch kind {
	case "object":
		ok = typ == reflect.TypeFor[map[string]int]()
	case "boolean":
		ok = typ.Kind() == reflect.Bool
	case "integer":
		ok = typ.Kind() == reflect.Int || typ.Kind() == reflect.Uint64
	case "number":
		ok = typ == reflect.TypeFor[client.Percent]() || typ == reflect.TypeFor[client.Factor]()
	case "string|number": // what is sent as a string
		ok = typ.Kind() == reflect.String
	case "string":
		amount := typ == reflect.TypeFor[client.Amount]() || typ == reflect.TypeFor[client.Lamports]()
		if strings.Contains(s.Pattern, "[1-9][0-9]{0,19}") {
			ok = amount
			break
		}
		written := reflect.PointerTo(typ).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) || typ == reflect.TypeFor[client.Time]()
		ok = typ.Kind() == reflect.String || written && !amount
	case "": // null alone
		ok = typ == reflect.TypeFor[solana.PublicKey]()
	}
	if !ok {
		c.t.Errorf("%s is %s, and the document says %q %s", where, typ, kind, s.Pattern)
	}
}

// object compares the properties.
func (c comparison) object(where string, s *openapi3.Schema, typ reflect.Type) {
	c.t.Helper()
	if typ.Kind() != reflect.Struct {
		c.t.Errorf("%s is %s, want a struct", where, typ)
		return
	}
	have := map[string]bool{}
	for _, field := range reflect.VisibleFields(typ) {
		tag, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous || tag == "-" {
			continue
		}
		have[tag] = true
		property := s.Properties[tag]
		if property == nil {
			c.t.Errorf("%s has a field %s, which the document does not know", where, tag)
			continue
		}
		at := where + "." + tag
		required := slices.Contains(s.Required, tag)
		if required == (options == "omitzero") {
			c.t.Errorf("%s is required: %v, and its tag says %q", at, required, options)
		}
		inner, null := nullable(property)
		ft := field.Type
		pointer := ft.Kind() == reflect.Pointer || ft.Kind() == reflect.Map
		if null && required && !pointer {
			c.t.Errorf("%s may be null, and is %s", at, ft)
		}
		if !null && required && pointer {
			c.t.Errorf("%s is never null, and is %s", at, ft)
		}
		if ft.Kind() == reflect.Pointer {
			ft = ft.Elem()
		}
		c.optional(at, inner, field.Type, required)
		c.compare(at, inner, ft)
	}
	for name := range s.Properties {
		if !have[name] {
			c.t.Errorf("%s has no field for the property %s", where, name)
		}
	}
}

// optional checks that an optional field of a request can say what absence does not: a
// zero, a false, an empty text that the document allows and that is not the default.
func (c comparison) optional(where string, ref *openapi3.SchemaRef, typ reflect.Type, required bool) {
	c.t.Helper()
	s := ref.Value
	if !c.request || required || typ.Kind() == reflect.Pointer {
		return
	}
	change := strings.HasPrefix(where, "SettingsChange.") // where absent is as it was
	switch kind := kindOf(s); {
	case kind == "boolean" && (change || s.Default == true):
		c.t.Errorf("%s is %s, which cannot say false", where, typ)
	case kind == "number" && (s.Min == nil || *s.Min == 0) && (change || s.Default != nil && s.Default != 0.0):
		c.t.Errorf("%s is %s, which cannot say 0", where, typ)
	case s.Default != nil && typ == reflect.TypeFor[client.Amount]():
		c.t.Errorf("%s is %s, which cannot say 0", where, typ)
	}
}

// nullable takes null out of a schema.
func nullable(ref *openapi3.SchemaRef) (*openapi3.SchemaRef, bool) {
	s := ref.Value
	for i, option := range s.AnyOf {
		if option.Value.Type.Is("null") && len(s.AnyOf) == 2 {
			return s.AnyOf[1-i], true
		}
	}
	return ref, slices.Contains(s.Type.Slice(), "null")
}

// words returns a list as the document's enum has it.
func words[T ~string](list []T) (all []any) {
	for _, one := range list {
		all = append(all, one)
	}
	return all
}

// The constants are the document's words: all of them, and no others.
func TestConstantsAreTheWordsOfTheDocument(t *testing.T) {
	schemas := document(t).Components.Schemas
	for name, c := range map[string]struct {
		have []any
		want *openapi3.SchemaRef
	}{
		"Interval": {[]any{
			client.Every5Minutes, client.Every10Minutes, client.Every15Minutes, client.Every30Minutes,
			client.EveryHour, client.Every6Hours, client.Every12Hours, client.EveryDay,
		}, schemas["Interval"]},
		"WebhookEvent": {words(client.WebhookEvents()), schemas["WebhookEvent"]},
		"State":        {[]any{client.StateOK, client.StateDegraded, client.StateDown, client.StateUnknown}, schemas["StatusState"]},
		"TokenStatus":  {[]any{client.TokenSubmitted, client.TokenConfirmed, client.TokenFailed}, schemas["Token"].Value.Properties["status"]},
		"CurveStatus":  {[]any{client.CurveActive, client.CurveCompleted, client.CurveCancelled}, schemas["Curve"].Value.Properties["status"]},
		"RunStatus": {[]any{
			client.RunOpened, client.RunCollecting, client.RunSnapshotting, client.RunBurning, client.RunExchanging,
			client.RunPaying, client.RunSettled, client.RunSkipped, client.RunFailed,
		}, schemas["Run"].Value.Properties["status"]},
	} {
		if have, want := fmt.Sprint(c.have...), fmt.Sprint(c.want.Value.Enum...); have != want {
			t.Errorf("%s: %s, want %s", name, have, want)
		}
	}
}
