package pkg_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"testing"
)

// secretName matches names of secrets that must not be compared step by step.
// Addresses of secrets, and what is public about keys, are called otherwise.
var secretName = regexp.MustCompile(`(?i)(^|[a-z])(mac|hmac|secret|password|passphrase|apikey|privatekey|seed|bottoken|jwt)$`)

// A comparison that ends at the first difference tells by its time how much of a guess
// is right. Nothing here compares a secret; code that begins to must use
// crypto/hmac.Equal.
func TestNoSecretIsCompared(t *testing.T) {
	for _, files := range sources(t) {
		for _, file := range files {
			for _, line := range secretsCompared(t, filepath.Join("..", filepath.FromSlash(file)), nil) {
				t.Errorf("%s:%d compares a secret: use hmac.Equal", file, line)
			}
		}
	}
	bad := `package p
func f(mac, other []byte, apiKey, given string) bool {
	return bytes.Equal(mac, other) || apiKey == given || s.botToken != given || apiKey == "" || hmac.Equal(mac, other) || given == "x"
}`
	if found := secretsCompared(t, "bad.go", bad); len(found) != 3 {
		t.Errorf("of three comparisons %d are found", len(found))
	}
}

// secretsCompared lists the lines. To compare with nothing is to ask whether it is set.
func secretsCompared(t *testing.T, name string, text any) []int {
	t.Helper()
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, name, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	var lines []int
	check := func(at token.Pos, operands ...ast.Expr) {
		for _, o := range operands {
			if l, ok := o.(*ast.BasicLit); ok && (l.Value == `""` || l.Value == "0") {
				return
			}
		}
		for _, o := range operands {
			if secretName.MatchString(called(o)) {
				lines = append(lines, files.Position(at).Line)
				return
			}
		}
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch e := n.(type) {
		case *ast.BinaryExpr:
			if e.Op == token.EQL || e.Op == token.NEQ {
				check(e.Pos(), e.X, e.Y)
			}
		case *ast.CallExpr:
			switch called(e.Fun) {
			case "Equal", "EqualFold", "Compare":
				if s, ok := e.Fun.(*ast.SelectorExpr); ok && called(s.X) != "hmac" && called(s.X) != "subtle" {
					check(e.Pos(), e.Args...)
				}
			}
		}
		return true
	})
	return lines
}

// called is the last name of an expression, of what is indexed or called too.
func called(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.SliceExpr:
		return called(x.X)
	case *ast.IndexExpr:
		return called(x.X)
	case *ast.CallExpr:
		return called(x.Fun)
	}
	return ""
}
