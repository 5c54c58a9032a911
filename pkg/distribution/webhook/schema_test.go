package webhook_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/distribution/webhook"
	"tokenlaunch.example/service/pkg/testkit/docstest"
)

// The callbacks of POST /webhooks in the document are exactly the types of messages, and the schema of each
// has exactly the fields that are sent, required unless a field may be absent.
func TestMessagesMatchDocument(t *testing.T) {
	document, err := docstest.Document()
	if err != nil {
		t.Fatal(err)
	}
	kinds, callbacks := slices.Sorted(maps.Keys(webhook.Says)), document.Paths.Find("/webhooks").Post.Callbacks
	if have := slices.Sorted(maps.Keys(callbacks)); !slices.Equal(have, kinds) {
		t.Fatalf("the document has the messages %q, want %q", have, kinds)
	}
	for _, kind := range event.Kinds() {
		if !slices.Contains(kinds, string(kind)) {
			t.Errorf("%s is an event without a message", kind)
		}
	}
	for kind, says := range webhook.Says {
		message := callbacks[kind].Value.Value("{$request.body#/url}").Post.RequestBody.Value.Content["application/json"].Schema.Value
		if words := message.Properties["type"].Value.Enum; len(words) != 1 || words[0] != kind {
			t.Errorf("%s: the type is %v", kind, words)
		}
		compare(t, kind, message.Properties["data"], reflect.TypeOf(says))
	}
}

func compare(t *testing.T, where string, ref *openapi3.SchemaRef, typ reflect.Type) {
	t.Helper()
	if ref.Value.Items != nil {
		ref, typ = ref.Value.Items, typ.Elem()
	}
	if len(ref.Value.Properties) == 0 {
		return
	}
	var sent, always []string
	for field := range typ.Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		sent = append(sent, name)
		if options == "" {
			always = append(always, name)
		}
		if property := ref.Value.Properties[name]; property != nil {
			compare(t, where+"."+name, property, field.Type)
			if pointer := field.Type.Kind() == reflect.Pointer; pointer != property.Value.Type.Includes("null") {
				t.Errorf("%s.%s may be null: %v, and the document says otherwise", where, name, pointer)
			}
		}
	}
	slices.Sort(sent)
	slices.Sort(always)
	if have := slices.Sorted(maps.Keys(ref.Value.Properties)); !slices.Equal(have, sent) {
		t.Errorf("%s has the fields %q in the document, and %q are sent", where, have, sent)
	}
	if have := slices.Sorted(slices.Values(ref.Value.Required)); !slices.Equal(have, always) {
		t.Errorf("%s requires %q in the document, and %q are always sent", where, have, always)
	}
}
