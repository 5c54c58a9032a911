package client_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"

	"tokenlaunch.example/service/pkg/api/endpoint/docs"
)

// The codes are those of the document: all of them, and no others.
func TestCodesAreThoseOfTheDocument(t *testing.T) {
	var document struct {
		Codes []struct{ Code string } `json:"x-error-codes"`
	}
	if err := json.Unmarshal(docs.Document(), &document); err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, c := range document.Codes {
		want = append(want, c.Code)
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), "problem.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if typ, ok := spec.Type.(*ast.Ident); ok && typ.Name == "Code" {
			word, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			have = append(have, word)
		}
		return true
	})
	slices.Sort(want)
	slices.Sort(have)
	if !slices.Equal(have, want) || len(have) == 0 {
		t.Errorf("the codes are\n%v, want\n%v", have, want)
	}
}
