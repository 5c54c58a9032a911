package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/platform/apperr"
)

// TestDescribedCodesAreUsed tests that a package uses each code of the document. A code that the
// document lacks does not compile.
func TestDescribedCodesAreUsed(t *testing.T) {
	used := map[string]bool{}
	err := filepath.WalkDir("../../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "_gen.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if name, ok := n.(*ast.Ident); ok && strings.HasPrefix(name.Name, "Code") {
				used[strings.ToLower(name.Name)] = true
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range apperr.Codes() {
		if !used["code"+strings.ReplaceAll(code.String(), "_", "")] {
			t.Errorf("%s is described, and no package returns it", code)
		}
	}
}
