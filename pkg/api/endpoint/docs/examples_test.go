package docs_test

import "testing"

// TestEverythingHasAnExample tests that each request and response has an example, which shows
// readers the meaning of the schemas. TestDocumentIsValid validates the examples.
func TestEverythingHasAnExample(t *testing.T) {
	for id, op := range operations(load(t)) {
		if op.RequestBody != nil && id != "uploadImage" { // a file
			for mediaType, content := range op.RequestBody.Value.Content {
				if content.Example == nil && len(content.Examples) == 0 {
					t.Errorf("%s: the request has no example as %s", id, mediaType)
				}
			}
		}
		for status, response := range op.Responses.Map() {
			for mediaType, content := range response.Value.Content {
				if content.Example == nil && len(content.Examples) == 0 && mediaType != "image/png" { // bytes
					t.Errorf("%s: the response %s has no example as %s", id, status, mediaType)
				}
			}
			for name, header := range response.Value.Headers {
				if header.Value.Description == "" || header.Value.Schema == nil {
					t.Errorf("%s %s: the header %s is not described", id, status, name)
				}
			}
		}
	}
}
