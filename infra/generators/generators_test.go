package generators_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Others generate their clients from the OpenAPI document: oapi-codegen, as oapi/go.mod pins it, does
// so, and what it writes compiles. The check of the page's TypeScript does the same for
// openapi-typescript.
func TestDocumentGeneratesGoClient(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles a client of 2 MB")
	}
	document, err := filepath.Abs("../../pkg/api/endpoint/docs/dist/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum"} {
		content, err := os.ReadFile(filepath.Join("oapi", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, arguments := range [][]string{
		{"tool", "oapi-codegen", "-generate", "types,client", "-package", "client", "-o", "client.go", document},
		{"build", "."},
	} {
		command := exec.CommandContext(t.Context(), "go", arguments...)
		command.Dir = folder
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("go %q: %v\n%s", arguments, err, out)
		}
	}
}
