package openapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// TypeScriptOperations generates the file of the npm package with the method, the path and the kind
// of body of each operation by operationId, from the document that Build returns. The types come
// from openapi-typescript.
func TypeScriptOperations(document []byte) ([]byte, error) {
	var read struct {
		Paths map[string]map[string]struct {
			OperationID string
			RequestBody struct{ Content map[string]json.RawMessage }
		}
	}
	if err := json.Unmarshal(document, &read); err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	lines := map[string]string{}
	for path, operations := range read.Paths {
		for method, o := range operations {
			body := ""
			if _, form := o.RequestBody.Content["multipart/form-data"]; form {
				body = ", 'form'"
			} else if len(o.RequestBody.Content) > 0 {
				body = ", 'json'"
			}
			lines[o.OperationID] = fmt.Sprintf("  %s: ['%s', '%s'%s],\n", o.OperationID, strings.ToUpper(method), path, body)
		}
	}
	text := "// Code generated from openapi.yaml by go generate. DO NOT EDIT.\n\n" +
		"/** The method, the path and the kind of body of each operation by its operationId. */\nexport const operations = {\n"
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		text += lines[name]
	}
	return []byte(text + "} as const;\n"), nil
}
