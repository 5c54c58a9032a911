// Command generate writes openapi.json from openapi.yaml. It is run by
// go generate, in the folder of package docs.
package main

import (
	"fmt"
	"os"

	"tokenlaunch.example/service/pkg/endpoint/docs/openapi"
	"tokenlaunch.example/service/pkg/route"
)

func main() {
	if err := run("openapi.yaml", "openapi.json"); err != nil {
		fmt.Fprintln(os.Stderr, "generate the OpenAPI document:", err)
		os.Exit(1)
	}
}

func run(from, to string) error {
	source, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	document, err := openapi.Build(source, route.All())
	if err != nil {
		return err
	}
	return os.WriteFile(to, document, 0o600)
}
