// Command generate generates files from openapi.yaml: dist/openapi.json, the reference page
// dist/reference.html, the types and the codes of errors of the client, the table of operations of
// the npm package, and the codes of package apperr. The samples in Go follow the client's source.
// go generate runs the command in the directory of package docs. An unchanged file keeps its
// modification time, so that make does not rebuild.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"tokenlaunch.example/service/pkg/api/endpoint/docs/openapi"
	"tokenlaunch.example/service/pkg/api/endpoint/docs/page"
	"tokenlaunch.example/service/pkg/api/endpoint/docs/sample"
	"tokenlaunch.example/service/pkg/api/route"
)

func main() {
	if err := run("openapi.yaml", "../../../client", "dist/openapi.json", "dist/reference.html"); err != nil {
		fmt.Fprintln(os.Stderr, "generate the OpenAPI document:", err)
		os.Exit(1)
	}
}

func run(from, clientFolder, to, readable string) error {
	source, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	for name, generate := range map[string]func([]byte) ([]byte, error){
		filepath.Join(clientFolder, "codes_gen.go"):                    openapi.GoCodes,
		filepath.Join(clientFolder, "types_gen.go"):                    openapi.GoTypes,
		filepath.Join(clientFolder, "../platform/apperr/codes_gen.go"): openapi.ServerCodes,
	} {
		code, err := generate(source)
		if err != nil {
			return err
		}
		if err := write(name, code); err != nil {
			return err
		}
	}
	client, err := sample.Read(clientFolder)
	if err != nil {
		return err
	}
	document, err := openapi.Build(source, route.All(), client)
	if err != nil {
		return err
	}
	operations, err := openapi.TypeScriptOperations(document)
	if err != nil {
		return err
	}
	if err := write(filepath.Join(clientFolder, "typescript/src/api/operations.ts"), operations); err != nil {
		return err
	}
	text, err := page.Render(document, sample.Address)
	if err != nil {
		return err
	}
	if err := write(readable, text); err != nil {
		return err
	}
	return write(to, document)
}

// write replaces a file if the content differs.
func write(name string, content []byte) error {
	if before, err := os.ReadFile(name); err == nil && bytes.Equal(before, content) {
		return nil
	}
	return os.WriteFile(name, content, 0o600)
}
