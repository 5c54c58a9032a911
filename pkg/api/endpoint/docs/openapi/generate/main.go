// Command generate writes openapi.json from openapi.yaml, and the same to read,
// reference.html. It is run by go generate, in the folder of package docs.
package main

import (
	"fmt"
	"os"

	"tokenlaunch.example/service/pkg/api/endpoint/docs/openapi"
	"tokenlaunch.example/service/pkg/api/endpoint/docs/page"
	"tokenlaunch.example/service/pkg/api/route"
)

func main() {
	if err := run("openapi.yaml", "openapi.json", "reference.html"); err != nil {
		fmt.Fprintln(os.Stderr, "generate the OpenAPI document:", err)
		os.Exit(1)
	}
}

// address stands for the deployment's in reference.html; package docs puts that in.
const address = "https://address.invalid"

func run(from, to, readable string) error {
	source, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	document, err := openapi.Build(source, route.All())
	if err != nil {
		return err
	}
	text, err := page.Render(document, address)
	if err != nil {
		return err
	}
	if err := os.WriteFile(readable, text, 0o600); err != nil {
		return err
	}
	return os.WriteFile(to, document, 0o600)
}
