package pkg_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// foreign are the words of the domain that no identifier of the room platform has.
var foreign = []string{"token", "launch", "run", "holder", "nonce", "curve", "burn", "claim", "mint", "payout", "distribution", "webhook"}

// native are words of foreign that mean something else in a package of platform.
var native = map[string][]string{
	// An access token, the number of a sign-in message, the curve of keys.
	"auth": {"token", "nonce", "curve"}, "auth/siws": {"nonce"},
	"auth/jwt":    {"token", "claim", "curve"},
	"idempotency": {"claim", "holder"}, // who works on a request
	"ratelimit":   {"claim"},           // a counted request
	"sweep":       {"run"},             // the method
}

var word = regexp.MustCompile(`[A-Z]+[a-z]*|[a-z]+`)

// The room platform knows nothing of the service.
func TestPlatformKnowsNoDomain(t *testing.T) {
	seen := map[string]bool{}
	for folder, files := range sources(t) {
		if !strings.HasPrefix(folder, "pkg/platform") {
			continue
		}
		for _, name := range files {
			// Generated are the codes of all errors, which are the API document's words.
			if strings.HasSuffix(name, "_gen.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				if !ok {
					return true
				}
				for _, w := range word.FindAllString(id.Name, -1) {
					w = strings.TrimSuffix(strings.ToLower(w), "s")
					if !slices.Contains(foreign, w) {
						continue
					}
					seen[folder+" "+w] = true
					if !slices.Contains(native[strings.TrimPrefix(folder, "pkg/platform/")], w) {
						t.Errorf("%s: %s names a thing of the domain", name, id.Name)
					}
				}
				return true
			})
		}
	}
	for folder, words := range native {
		for _, w := range words {
			if !seen["pkg/platform/"+folder+" "+w] {
				t.Errorf("%s does not use %q", folder, w)
			}
		}
	}
}
