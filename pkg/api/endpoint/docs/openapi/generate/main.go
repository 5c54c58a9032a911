// Command generate writes openapi.json from openapi.yaml, and the same to read,
// reference.html, and the codes of errors into the client. The samples in Go follow the client's source. It is run by go generate, in the folder of package docs.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"tokenlaunch.example/service/pkg/api/endpoint/docs/openapi"
	"tokenlaunch.example/service/pkg/api/endpoint/docs/page"
	"tokenlaunch.example/service/pkg/api/endpoint/docs/sample"
	"tokenlaunch.example/service/pkg/api/route"
)

func main() {
	if err := run("openapi.yaml", "../../../client", "openapi.json", "reference.html"); err != nil {
		fmt.Fprintln(os.Stderr, "generate the OpenAPI document:", err)
		os.Exit(1)
	}
}

func run(from, clientFolder, to, readable string) error {
	source, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	codes, err := openapi.GoCodes(source)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(clientFolder, "codes_gen.go"), codes, 0o600); err != nil {
		return err
	}
	client, err := sample.Read(clientFolder)
	if err != nil {
		return err
	}
	document, err := openapi.Build(source, route.All(), client)
	if err != nil {
		return err
	}
	text, err := page.Render(document, sample.Address)
	if err != nil {
		return err
	}
	if err := os.WriteFile(readable, text, 0o600); err != nil {
		return err
	}
	return os.WriteFile(to, document, 0o600)
}
