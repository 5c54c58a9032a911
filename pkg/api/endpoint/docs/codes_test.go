package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// word is the form of a code.
var word = regexp.MustCompile(`^[a-z]+(_[a-z]+)+$`)

// TestCodesOfTheSourceAreDescribed finds the codes that the packages give to
// callers: what is written as a code of an apperr.Error or a bad field, as an
// argument of a function that makes one, or as a constant named code or Code… .
func TestCodesOfTheSourceAreDescribed(t *testing.T) {
	described := map[string]bool{"internal": true, "required": true}
	tables := rows(t)
	for _, row := range tables.Codes {
		described[row.Code] = true
	}
	for _, row := range slices.Concat(tables.Fields, tables.Runs) {
		described[row.Code] = true
	}
	found := sourceCodes(t, "../../..")
	if len(found) < 10 {
		t.Fatalf("found only %v", found)
	}
	for code, where := range found {
		if !described[code] {
			t.Errorf("%s (%s) is in no table of the document", code, where)
		}
	}
	for _, row := range tables.Codes {
		if found[row.Code] == "" && row.Code != "internal" {
			t.Errorf("%s is described, and no package gives it", row.Code)
		}
	}
}

// sourceCodes gives the codes with the file of each.
func sourceCodes(t *testing.T, root string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && entry.Name() == "marketmaker" {
			return fs.SkipDir // a service of its own, for tests and the local stack
		}
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			for _, code := range codesIn(file.Name.Name, n) {
				found[code] = path
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// makers are functions with a code among their arguments.
var makers = []string{"New", "Reject", "reject", "refuse"}

// Reasons of the front are codes of refusals; those of other packages, such as why
// a run failed, are not.
func codesIn(pkg string, n ast.Node) []string {
	var values []ast.Expr
	switch n := n.(type) {
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Code" {
			values = append(values, n.Value)
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			code := name.Name == "code" || strings.HasPrefix(name.Name, "Code") || pkg == "apigw" && strings.HasPrefix(name.Name, "Reason")
			if code && i < len(n.Values) {
				values = append(values, n.Values[i])
			}
		}
	case *ast.CallExpr:
		if slices.Contains(makers, nameOf(n.Fun)) {
			values = append(values, n.Args...)
		}
	}
	codes := map[string]bool{}
	for _, value := range values {
		literal, ok := value.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			continue
		}
		if text, err := strconv.Unquote(literal.Value); err == nil && word.MatchString(text) {
			codes[text] = true
		}
	}
	return slices.Collect(maps.Keys(codes))
}

func nameOf(fun ast.Expr) string {
	switch fun := fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	default:
		return ""
	}
}
