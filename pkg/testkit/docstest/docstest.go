// Package docstest checks responses against the OpenAPI document, for tests.
package docstest

import (
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"

	"tokenlaunch.example/service/pkg/api/endpoint/docs"
)

// Document returns the document as a client reads the document, except that objects have no
// undescribed fields. So a test finds a new field of a response. The document is shared: do not
// change the document.
var Document = sync.OnceValues(func() (*openapi3.T, error) {
	document, err := openapi3.NewLoader().LoadFromData(docs.Document())
	if err != nil {
		return nil, err
	}
	closed := map[*openapi3.Schema]bool{}
	for _, schema := range document.Components.Schemas {
		closeObjects(schema, closed)
	}
	for _, item := range document.Paths.Map() {
		for _, op := range item.Operations() {
			for _, response := range op.Responses.Map() {
				for _, content := range response.Value.Content {
					closeObjects(content.Schema, closed)
				}
			}
		}
	}
	return document, nil
})

// closeObjects adds additionalProperties: false to the objects of a schema, once each.
func closeObjects(ref *openapi3.SchemaRef, closed map[*openapi3.Schema]bool) {
	if ref == nil || closed[ref.Value] {
		return
	}
	s := ref.Value
	closed[s] = true
	if s.Type.Includes(openapi3.TypeObject) && len(s.Properties) > 0 && s.AdditionalProperties == (openapi3.AdditionalProperties{}) {
		s.AdditionalProperties.Has = new(false)
	}
	for _, part := range slices.Concat(slices.Collect(maps.Values(s.Properties)), s.AllOf, s.AnyOf, s.OneOf, []*openapi3.SchemaRef{s.Items, s.AdditionalProperties.Schema}) {
		closeObjects(part, closed)
	}
}

// Operation returns the operation with the given ID, or nil.
func Operation(document *openapi3.T, id string) *openapi3.Operation {
	for _, item := range document.Paths.Map() {
		for _, op := range item.Operations() {
			if op.OperationID == id {
				return op
			}
		}
	}
	return nil
}

// Check returns the difference between a response of the operation and the document: its status,
// the required headers, its media type, and every field of its body. An undescribed field is a
// difference, too.
func Check(operation string, status int, header http.Header, body []byte) error {
	document, err := Document()
	if err != nil {
		return fmt.Errorf("read the document: %w", err)
	}
	op := Operation(document, operation)
	if op == nil {
		return fmt.Errorf("%s is no operation", operation)
	}
	response := op.Responses.Value(strconv.Itoa(status))
	if response == nil {
		return fmt.Errorf("%s does not describe status %d", operation, status)
	}
	if err := checkHeaders(document, response.Value, header); err != nil {
		return fmt.Errorf("%s %d: %w", operation, status, err)
	}
	if err := checkBody(document, response.Value, header, body); err != nil {
		return fmt.Errorf("%s %d: %w", operation, status, err)
	}
	var problem struct{ Status int }
	if header.Get("Content-Type") == "application/problem+json" && (json.Unmarshal(body, &problem) != nil || problem.Status != status) {
		return fmt.Errorf("%s %d: the body has the status %d", operation, status, problem.Status)
	}
	return nil
}

func checkHeaders(document *openapi3.T, response *openapi3.Response, header http.Header) error {
	for name, described := range response.Headers {
		text := header.Get(name)
		if text == "" && !described.Value.Required {
			continue
		}
		if text == "" {
			return fmt.Errorf("the header %s is missing", name)
		}
		var value any = text
		if described.Value.Schema.Value.Type.Is(openapi3.TypeInteger) {
			number, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return fmt.Errorf("the header %s is %q: %w", name, text, err)
			}
			value = float64(number)
		}
		if err := document.ValidateSchemaJSON(described.Value.Schema.Value, value); err != nil {
			return fmt.Errorf("the header %s is %q: %w", name, text, err)
		}
	}
	return nil
}

func checkBody(document *openapi3.T, response *openapi3.Response, header http.Header, body []byte) error {
	if len(response.Content) == 0 {
		if len(body) > 0 {
			return fmt.Errorf("a body of %d bytes where none is described", len(body))
		}
		return nil
	}
	mediaType, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		return fmt.Errorf("the media type %q: %w", header.Get("Content-Type"), err)
	}
	content := response.Content[mediaType]
	if content == nil {
		return fmt.Errorf("the media type %s is not described", mediaType)
	}
	var value any = string(body)
	if mediaType == "application/json" || strings.HasSuffix(mediaType, "+json") {
		if err := json.Unmarshal(body, &value); err != nil {
			return fmt.Errorf("the body is not JSON: %w", err)
		}
	}
	if err := document.ValidateSchemaJSON(content.Schema.Value, value, openapi3.EnableFormatValidation()); err != nil {
		return fmt.Errorf("the body: %w", err)
	}
	return nil
}
