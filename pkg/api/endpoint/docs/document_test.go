package docs_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"tokenlaunch.example/service/pkg/api/endpoint/docs"
	"tokenlaunch.example/service/pkg/api/endpoint/docs/openapi"
	"tokenlaunch.example/service/pkg/api/endpoint/docs/page"
	"tokenlaunch.example/service/pkg/api/endpoint/docs/sample"
	"tokenlaunch.example/service/pkg/api/route"
	"tokenlaunch.example/service/pkg/testkit/docstest"
)

// load reads the document as a client would.
func load(t *testing.T) *openapi3.T {
	t.Helper()
	document, err := docstest.Document()
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// operations lists them by operation id.
func operations(document *openapi3.T) map[string]*openapi3.Operation {
	out := map[string]*openapi3.Operation{}
	for _, item := range document.Paths.Map() {
		for _, op := range item.Operations() {
			out[op.OperationID] = op
		}
	}
	return out
}

func TestDocumentIsGenerated(t *testing.T) {
	source, err := os.ReadFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	client, err := sample.Read("../../../client")
	if err != nil {
		t.Fatal(err)
	}
	want, err := openapi.Build(source, route.All(), client)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(docs.Document(), want) {
		t.Error("dist/openapi.json differs from openapi.yaml, the routes and the client: run make document")
	}
}

func TestPageIsGenerated(t *testing.T) {
	for _, address := range []string{"", "https://kites.example", "https://kites.example/?a=b&c=<d>"} {
		want, err := page.Render(docs.Document(), address)
		if err != nil {
			t.Fatal(err)
		}
		h := start(t, func(c *docs.Config) { c.PublicURL, c.ReportURL = address, "https://report.invalid" })
		if got := get(t, h, "/docs").Body.Bytes(); !bytes.Equal(got, want) {
			t.Errorf("the page for %q differs from the document: run make document", address)
		}
	}
}

func TestDocumentIsValid(t *testing.T) {
	document := load(t)
	if !document.IsOpenAPI31OrLater() {
		t.Errorf("version %s, want 3.1", document.OpenAPI)
	}
	err := document.Validate(t.Context(), openapi3.EnableExamplesValidation(), openapi3.EnableSchemaDefaultsValidation(), openapi3.EnableSchemaPatternValidation())
	if err != nil {
		t.Error(err)
	}
}

func TestDocumentMatchesRoutes(t *testing.T) {
	document := load(t)
	described := map[string]*openapi3.Operation{}
	for path, item := range document.Paths.Map() {
		for method, op := range item.Operations() {
			described[method+" "+path] = op
		}
	}
	for _, r := range route.All() {
		op := described[r.Pattern()]
		if op == nil {
			t.Errorf("%s is not described", r.Pattern())
			continue
		}
		delete(described, r.Pattern())
		if op.OperationID != r.Operation {
			t.Errorf("%s: operation id %s, want %s", r.Pattern(), op.OperationID, r.Operation)
		}
		if op.Security == nil || (len(*op.Security) > 0) != r.NeedsToken() {
			t.Errorf("%s: security %v for access %s", r.Pattern(), op.Security, r.Access)
		}
		if op.Summary == "" || op.Description == "" || len(op.Tags) != 1 {
			t.Errorf("%s: summary, description or tag is missing", r.Pattern())
		}
		for _, status := range []struct {
			code  string
			there bool
		}{{"401", r.NeedsToken() || r.Operation == "verifyChallenge" || r.Operation == "confirmClaimByAction"}, {"413", r.MaxBody > 0 && r.Operation != "uploadImage"}, {"429", r.Rule.Counted()}, {"500", true}} {
			if (op.Responses.Value(status.code) != nil) != status.there {
				t.Errorf("%s: response %s described: %v", r.Pattern(), status.code, !status.there)
			}
		}
	}
	for pattern := range described {
		t.Errorf("%s is described and no route", pattern)
	}
}

func TestDocumentStatesTheLimits(t *testing.T) {
	described := operations(load(t))
	for _, r := range route.All() {
		per := "ip"
		if r.NeedsToken() {
			per = "wallet"
		}
		want := fmt.Sprint(map[string]any{
			"bucket": r.Rule.Name, "limit": r.Rule.Limit, "windowSeconds": int(r.Rule.Window / time.Second), "per": per,
		})
		if !r.Rule.Counted() {
			want = fmt.Sprint(nil)
		}
		if got := fmt.Sprint(described[r.Operation].Extensions["x-rate-limit"]); got != want {
			t.Errorf("%s: x-rate-limit %s, want %s", r.Pattern(), got, want)
		}
	}
}

func TestEveryResponseHasTheLimitHeaders(t *testing.T) {
	for id, op := range operations(load(t)) {
		for status, response := range op.Responses.Map() {
			want := []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-RateLimit-Window", "X-Request-Id"}
			if status == "429" || status == "503" {
				want = append(want, "Retry-After")
			}
			for _, name := range want {
				if header := response.Value.Headers[name]; header == nil || !header.Value.Required {
					t.Errorf("%s %s: header %s is not described as required", id, status, name)
				}
			}
		}
	}
}

// Answers are described exactly, so that a check against the document finds
// what it does not describe.
func TestAnswersAreClosed(t *testing.T) {
	document := load(t)
	for id, op := range operations(document) {
		if id == "getOpenAPI" {
			continue // an OpenAPI document, described elsewhere
		}
		for status, response := range op.Responses.Map() {
			for mediaType, content := range response.Value.Content {
				if strings.Contains(mediaType, "json") {
					closed(t, id+" "+status, content.Schema, true)
				}
			}
		}
	}
}

// closed looks into a schema. The branches of an allOf that only narrow another
// need not be closed themselves.
func closed(t *testing.T, at string, ref *openapi3.SchemaRef, whole bool) {
	t.Helper()
	s := ref.Value
	if whole && len(s.Properties) > 0 && (s.AdditionalProperties.Has == nil || *s.AdditionalProperties.Has) {
		t.Errorf("%s: %s accepts undescribed fields", at, ref.Ref)
	}
	for name, property := range s.Properties {
		closed(t, at+"."+name, property, whole)
	}
	if s.Items != nil {
		closed(t, at+"[]", s.Items, whole)
	}
	for _, part := range s.AllOf {
		closed(t, at, part, part.Ref != "")
	}
	for _, part := range s.AnyOf {
		closed(t, at, part, whole)
	}
}

// Percents have two decimals, which a validator that divides floating point
// numbers gets wrong.
func TestPercentsAreExact(t *testing.T) {
	document := load(t)
	percent := document.Components.Schemas["Percent"].Value
	for text, want := range map[string]bool{
		"0": true, "0.01": true, "0.29": true, "1.1": true, "4.35": true, "33.33": true, "99.99": true, "100": true,
		"0.001": false, "100.01": false, "-1": false, "33.333": false, `"5"`: false,
	} {
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		if err := document.ValidateSchemaJSON(percent, value); (err == nil) != want {
			t.Errorf("%s: valid %v, want %v (%v)", text, err == nil, want, err)
		}
	}
}

func TestTableOfCodes(t *testing.T) {
	table := codeTable(t)
	// These codes belong to unknown paths, and to addresses that are not the API's.
	used := map[string]bool{"not_found": true, "method_not_allowed": true, "direct_call": true}
	for id, op := range operations(load(t)) {
		for status, response := range op.Responses.Map() {
			for _, code := range codesOf(response.Value) {
				used[code] = true
				if fmt.Sprint(table[code]) != status {
					t.Errorf("%s: %s is described under %s, in the table under %d", id, code, status, table[code])
				}
			}
		}
	}
	for code := range table {
		if !used[code] {
			t.Errorf("no operation has %s", code)
		}
	}
}

// codeTable returns the statuses of x-error-codes.
func codeTable(t *testing.T) map[string]int {
	t.Helper()
	out := map[string]int{}
	for _, row := range rows(t).Codes {
		if row.Meaning == "" || row.Remedy == "" || row.Status < 400 || row.Status > 599 {
			t.Errorf("row %+v is not complete", row)
		}
		out[row.Code] = row.Status
	}
	return out
}

type codeRows struct {
	Codes []struct {
		Code    string `json:"code"`
		Status  int    `json:"status"`
		Meaning string `json:"meaning"`
		Remedy  string `json:"remedy"`
	} `json:"x-error-codes"`
	Fields []meaning `json:"x-field-codes"`
	Runs   []meaning `json:"x-run-codes"`
}

type meaning struct {
	Code    string `json:"code"`
	Meaning string `json:"meaning"`
}

func rows(t *testing.T) codeRows {
	t.Helper()
	var out codeRows
	if err := json.Unmarshal(docs.Document(), &out); err != nil {
		t.Fatal(err)
	}
	if len(out.Codes) == 0 || len(out.Fields) == 0 {
		t.Fatal("the document has no tables of codes")
	}
	return out
}

// codesOf returns the codes to which a response narrows the problem.
func codesOf(response *openapi3.Response) []string {
	content := response.Content["application/problem+json"]
	if content == nil {
		return nil
	}
	var out []string
	for _, part := range content.Schema.Value.AllOf {
		if code := part.Value.Properties["code"]; code != nil {
			for _, value := range code.Value.Enum {
				out = append(out, fmt.Sprint(value))
			}
		}
	}
	slices.Sort(out)
	return out
}
