package openapi_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/api/endpoint/docs/openapi"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
)

var kites = []route.Route{{
	Method: http.MethodPost, Path: "/kites", Operation: "flyKite", Access: route.Auth,
	Rule: ratelimit.Rule{Name: "kites", Limit: 3, Window: 15 * time.Minute}, MaxBody: 100,
}}

const source = `
openapi: 3.1.0
paths:
  /kites:
    post:
      operationId: flyKite
      description: Flies.
      requestBody: { required: true }
      responses:
        '200': { description: It flies. }
      x-errors: [no_wind, too_much_wind, rate_limit_exceeded]
components: {}
x-error-codes:
  - { code: no_wind, status: 400, meaning: 'No wind.' }
  - { code: too_much_wind, status: 400, meaning: 'A storm.' }
  - { code: unknown_path, status: 404, meaning: 'Nowhere.' }
  - { code: rate_limit_exceeded, status: 429, meaning: 'Again later.' }
`

// read builds the document and reads it back.
func read(t *testing.T, source string) map[string]any {
	t.Helper()
	document, err := openapi.Build([]byte(source), kites, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(document, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// at follows keys into nested objects.
func at(t *testing.T, value any, keys ...string) any {
	t.Helper()
	for _, key := range keys {
		object, ok := value.(map[string]any)
		if !ok || object[key] == nil {
			t.Fatalf("no value at %q of %v", key, keys)
		}
		value = object[key]
	}
	return value
}

func TestBuildAddsErrorsByStatus(t *testing.T) {
	responses := at(t, read(t, source), "paths", "/kites", "post", "responses").(map[string]any)
	if len(responses) != 3 {
		t.Errorf("%d responses, want 200, 400 and 429", len(responses))
	}
	schema := at(t, responses, "400", "content", "application/problem+json", "schema", "allOf").([]any)
	codes := at(t, schema[1], "properties", "code", "enum").([]any)
	if len(codes) != 2 || codes[0] != "no_wind" || codes[1] != "too_much_wind" {
		t.Errorf("codes of 400 are %v", codes)
	}
	at(t, responses, "429", "headers", "Retry-After")
	if _, there := at(t, responses, "400", "headers").(map[string]any)["Retry-After"]; there {
		t.Error("400 has Retry-After")
	}
	for status := range responses {
		at(t, responses, status, "headers", "X-RateLimit-Reset")
	}
}

func TestBuildAddsLimits(t *testing.T) {
	op := at(t, read(t, source), "paths", "/kites", "post")
	limit := at(t, op, "x-rate-limit").(map[string]any)
	want := map[string]any{"bucket": "kites", "limit": 3.0, "windowSeconds": 900.0, "per": "wallet"}
	for key, value := range want {
		if limit[key] != value {
			t.Errorf("x-rate-limit.%s is %v, want %v", key, limit[key], value)
		}
	}
	if got := at(t, op, "description"); got != "Flies.\n\nRate limit: 3 per 15 minutes per wallet (bucket `kites`)." {
		t.Errorf("description is %q", got)
	}
	if got := at(t, op, "x-max-body-bytes"); got != 100.0 {
		t.Errorf("x-max-body-bytes is %v", got)
	}
}

// TestBuildMerges tests an example that changes some fields of another example.
func TestBuildMerges(t *testing.T) {
	merged := strings.Replace(source, "description: It flies.", "description: It flies., x-kite: &kite { colour: red, tail: long }, x-other: { <<: *kite, colour: blue }", 1)
	other := at(t, read(t, merged), "paths", "/kites", "post", "responses", "200", "x-other").(map[string]any)
	if len(other) != 2 || other["colour"] != "blue" || other["tail"] != "long" {
		t.Errorf("merged to %v", other)
	}
}

func TestBuildOnlyHasExamplesOfUsedCodes(t *testing.T) {
	examples := at(t, read(t, source), "components", "examples").(map[string]any)
	if len(examples) != 3 || examples["unknown_path"] != nil {
		t.Errorf("examples are %v", examples)
	}
	if wait := at(t, examples, "rate_limit_exceeded", "value", "retryAfter"); wait != 12.0 {
		t.Errorf("retryAfter is %v", wait)
	}
}

func TestBuildIsTheSameEveryTime(t *testing.T) {
	first, err := openapi.Build([]byte(source), kites, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		again, err := openapi.Build([]byte(source), kites, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first, again) {
			t.Fatal("two builds differ")
		}
	}
	if i, j := bytes.Index(first, []byte(`"openapi"`)), bytes.Index(first, []byte(`"paths"`)); i < 0 || i > j {
		t.Error("the order of the source is lost")
	}
}

func TestBuildWritesAliasesInFull(t *testing.T) {
	text := strings.Replace(source, "components: {}", "components: {}\nx-a: &a { n: 0.01, t: 'yes', z: null }\nx-b: *a", 1)
	document := read(t, text)
	if got := at(t, document, "x-b", "n"); got != 0.01 {
		t.Errorf("n is %v", got)
	}
	if got := at(t, document, "x-b", "t"); got != "yes" {
		t.Errorf("t is %v", got)
	}
}

func TestBuildRefuses(t *testing.T) {
	tests := []struct {
		name, from, to, want string
	}{
		{"an operation without a route", "  /kites:", "  /boats:", "post /boats: an operation without a route"},
		{"a code that is not in the table", "[no_wind,", "[calm,", "x-errors names calm"},
		{"a code twice in the table", "code: too_much_wind", "code: no_wind", "lists no_wind twice"},
		{"a key twice", "openapi: 3.1.0", "openapi: 3.1.0\nx: { a: 1, a: 2 }", `the key "a" is there twice`},
		{"a date that YAML reads as one", "openapi: 3.1.0", "openapi: 2026-03-02", "put it in quotes"},
		{"a number that JSON does not know", "openapi: 3.1.0", "openapi: 0x10", "not written as JSON writes it"},
		{"no table of codes", "x-error-codes", "x-codes", "no x-error-codes"},
		{"no components", "components: {}", "parts: {}", "no components"},
		{"text that is not YAML", "openapi: 3.1.0", "openapi: [", "read the source"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := openapi.Build([]byte(strings.Replace(source, test.from, test.to, 1)), kites, nil)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	if _, err := openapi.Build(nil, kites, nil); err == nil {
		t.Error("an empty source is accepted")
	}
	_, err := openapi.Build([]byte(strings.Replace(source, "  /kites:", "  /kites: {}\nx-old:", 1)), kites, nil)
	if err == nil || !strings.Contains(err.Error(), "post /kites: a route without an operation") {
		t.Errorf("a route without an operation: %v", err)
	}
}

func TestBuildAddsIdempotencyKey(t *testing.T) {
	keyed := strings.Replace(source, "post:\n", "post:\n      x-idempotent: true\n", 1)
	keyed = strings.Replace(keyed, "x-error-codes:\n", `x-error-codes:
  - { code: idempotency_key_reused, status: 409, meaning: Reused. }
  - { code: idempotency_in_progress, status: 409, meaning: In progress. }
`, 1)
	op := at(t, read(t, keyed), "paths", "/kites", "post").(map[string]any)
	if got := at(t, op, "parameters").([]any); len(got) != 1 || at(t, got[0], "$ref") != "#/components/parameters/IdempotencyKey" {
		t.Errorf("parameters are %v", got)
	}
	for status, want := range map[string][2]bool{"200": {true, false}, "400": {true, false}, "409": {true, true}, "429": {false, true}} {
		headers := at(t, op, "responses", status, "headers").(map[string]any)
		if got := [2]bool{headers["Idempotency-Replayed"] != nil, headers["Retry-After"] != nil}; got != want {
			t.Errorf("%s: replayed, to be retried %v; want %v", status, got, want)
		}
	}
	if _, left := op["x-idempotent"]; left {
		t.Error("x-idempotent is still there")
	}
}

func TestGoCodesFollowsTable(t *testing.T) {
	text := strings.Replace(source, "code: too_much_wind", "code: url_not_allowed", 1)
	got, err := openapi.GoCodes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\t// No wind.\n\tNoWind Code = \"no_wind\"\n", "\tURLNotAllowed Code = \"url_not_allowed\"\n"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("GoCodes() = %s, want %q in it", got, want)
		}
	}
	server, err := openapi.ServerCodes([]byte(text + "x-field-codes: [{ code: required, meaning: 'It is missing.' }]\n"))
	if err != nil || !strings.Contains(string(server), `CodeNoWind = Code{"no_wind", 400}`) || !strings.Contains(string(server), `CodeRequired = Code{"required", 400}`) {
		t.Errorf("ServerCodes() = %s, %v", server, err)
	}
	if _, err := openapi.GoCodes([]byte("openapi: 3.1.0")); err == nil {
		t.Error("GoCodes() accepts a source without a table of codes")
	}
}

const kiteTypes = `
x-go-schemas:
  Thing:
    description: The part that all things have.
    type: object
    required: [id]
    properties: &thing { id: { type: string } }
paths:
  /kites:
    post: { requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/KiteOrder' } } } } }
components:
  schemas:
    Percent: { type: number, x-go-type: Percent }
    Kite:
      description: A kite.
      type: object
      required: [id, colour, tailUrl, pull]
      properties:
        <<: *thing
        colour: { type: string, enum: [red, blue], x-go-type: Colour, x-go-prefix: Colour, x-go-list: Colours, description: The colour. }
        tailUrl: { type: [string, 'null'], description: Null without a tail. }
        pull: { anyOf: [{ $ref: '#/components/schemas/Percent' }, { type: 'null' }] }
        string: { description: Absent on the ground., type: object, x-go-type: String, required: [metres], properties: { metres: { type: integer } } }
    KiteOrder:
      description: An order.
      type: object
      properties:
        light: { type: boolean, default: true, description: Whether it is light. }
        cheap: { type: boolean, default: false }
        pull: { type: number, minimum: 0, default: 3 }
        counts: { type: object, additionalProperties: { type: integer } }
`

const kiteGo = `
// Colour is the colour.
type Colour string

// The words of Colour.
const (
	ColourRed  Colour = "red"
	ColourBlue Colour = "blue"
)

// Colours returns the words of Colour, in the document's order.
func Colours() []Colour {
	return []Colour{ColourRed, ColourBlue}
}

// Kite is a kite.
type Kite struct {
	Thing

	// The colour.
	Colour Colour ~json:"colour"~
	// Null without a tail.
	TailURL *string  ~json:"tailUrl"~
	Pull    *Percent ~json:"pull"~
	// Absent on the ground.
	String *String ~json:"string,omitzero"~
}

// KiteOrder is an order.
type KiteOrder struct {
	// Whether it is light.
	Light  *bool          ~json:"light,omitzero" jsonschema:"Whether it is light."~
	Cheap  bool           ~json:"cheap,omitzero"~
	Pull   *Percent       ~json:"pull,omitzero"~
	Counts map[string]int ~json:"counts,omitzero"~
}

// String is absent on the ground.
type String struct {
	Metres int ~json:"metres"~
}

// Thing is the part that all things have.
type Thing struct {
	ID string ~json:"id"~
}
`

func TestGoTypesFollowsSchemas(t *testing.T) {
	got, err := openapi.GoTypes([]byte(kiteTypes))
	if err != nil {
		t.Fatal(err)
	}
	_, types, _ := strings.Cut(string(got), "solana-go\"\n")
	types, messages, _ := strings.Cut(types, "\n// decodeMessage ")
	if !strings.Contains(messages, "return nil, nil") {
		t.Errorf("GoTypes() has no function for messages: %s", got)
	}
	if want := strings.ReplaceAll(kiteGo, "~", "`"); types != want {
		t.Errorf("GoTypes() = %s, want %s", types, want)
	}
	for _, test := range []struct{ from, to, want string }{
		{"description: A kite.", "", "Kite: no description"},
		{"cheap: { type: boolean", "cheap: { type: [boolean, string]", "no Go type for \"boolean|string\""},
		{"cheap: { type: boolean", "cheap: { type: boolean, x-go-type: Percent", "Percent is a number, and not a boolean"},
		{"tailUrl: { type: [string, 'null'],", "tailUrl: { type: string, enum: [red], x-go-type: Colour, x-go-prefix: Colour,", "Colour has two descriptions"},
		{"<<: *thing", "<<: { id: { type: string } }", "merges properties that no schema has"},
	} {
		if _, err := openapi.GoTypes([]byte(strings.Replace(kiteTypes, test.from, test.to, 1))); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("GoTypes() = %v with %q, want %q", err, test.to, test.want)
		}
	}
}

// The words of a text can be the codes of a table, which the document has once.
func TestGoTypesTakesWordsFromATable(t *testing.T) {
	got, err := openapi.GoTypes([]byte(`
x-why: [{ code: no_wind, meaning: 'There is none.' }, { code: torn, meaning: 'It is torn.' }]
components:
  schemas:
    Why: { type: object, description: A reason., required: [code], properties: { code: { x-go-type: WhyCode, x-go-prefix: Why, x-go-codes: x-why, type: string, description: A word. } } }
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Code WhyCode `json", "WhyNoWind WhyCode = \"no_wind\"\n\tWhyTorn   WhyCode = \"torn\"\n)"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("GoTypes() = %s, want %q in it", got, want)
		}
	}
}

func TestBuildClosesRequestsOnly(t *testing.T) {
	built := read(t, strings.NewReplacer(
		"requestBody: { required: true }", "requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Flight' }, example: { tail: 1 } } } }",
		"description: It flies. }", "description: It flies., content: { application/json: { schema: { $ref: '#/components/schemas/Kite' } } } }",
		"components: {}", `components:
  schemas:
    Flight: { type: object, properties: { tail: { type: object, properties: { metres: {} } }, kite: { $ref: '#/components/schemas/Part' } } }
    Kite: { type: object, properties: { part: { $ref: '#/components/schemas/Part' } } }
    Part: { type: object, properties: { cloth: {} } }`,
	).Replace(source))
	closed := func(keys ...string) bool {
		_, is := at(t, built, append([]string{"components", "schemas"}, keys...)...).(map[string]any)["additionalProperties"]
		return is
	}
	if !closed("Flight") || !closed("Flight", "properties", "tail") || closed("Kite") || closed("Part") {
		t.Errorf("closed: request %v, object inside %v, response %v, part of both %v; want true, true, false, false",
			closed("Flight"), closed("Flight", "properties", "tail"), closed("Kite"), closed("Part"))
	}
}
