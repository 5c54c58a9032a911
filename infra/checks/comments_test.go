package checks_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strings"
	"testing"
)

// qualified is a public name after its package's, as comments write it. A name after a slash, a
// dot, a backquote or a hyphen is part of a path, an address or a file's name.
var qualified = regexp.MustCompile(`(?:^|[\s(\[])\[?([a-z][a-z0-9]{2,})\.([A-Z]\w*)`)

// example is a line of code in a comment.
var example = regexp.MustCompile(`(?m)^\t.*$`)

// packageNames are the public names that each package of the repository declares, by the package's
// name; members of types are among them.
type packageNames map[string]map[string]bool

// TestCommentsNameWhatIsThere: a comment that names a package's declaration names one that exists.
func TestCommentsNameWhatIsThere(t *testing.T) {
	t.Parallel()
	files, parsed := token.NewFileSet(), []*ast.File{}
	declared, foreign := packageNames{}, map[string]bool{} // packages of other modules
	for name, text := range sources(t) {
		file, err := parser.ParseFile(files, name, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, file)
		declared.add(strings.TrimSuffix(file.Name.Name, "_test"), file)
		for _, one := range file.Imports {
			at := strings.Trim(one.Path.Value, `"`)
			if one.Name != nil {
				foreign[one.Name.Name] = true
			} else if !strings.HasPrefix(at, "tokenlaunch.example/") {
				foreign[strings.TrimSuffix(path.Base(at), "-go")] = true
			}
		}
	}
	for _, file := range parsed {
		known := map[string]bool{}
		ast.Inspect(file, func(node ast.Node) bool {
			if named, ok := node.(*ast.Ident); ok {
				known[named.Name] = true // a variable's name
			}
			return true
		})
		for _, group := range file.Comments {
			for _, found := range qualified.FindAllStringSubmatch(example.ReplaceAllString(group.Text(), ""), -1) {
				names, ours := declared[found[1]]
				if !foreign[found[1]] && (ours && !names[found[2]] || !ours && !known[found[1]]) {
					t.Errorf("%s: a comment names %s.%s, which is not there", files.Position(group.Pos()), found[1], found[2])
				}
			}
		}
	}
}

func (p packageNames) add(name string, file *ast.File) {
	names := p[name]
	if names == nil {
		names = map[string]bool{}
		p[name] = names
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.FuncDecl:
			names[n.Name.Name] = true
			return false
		case *ast.TypeSpec:
			names[n.Name.Name] = true
		case *ast.ValueSpec:
			for _, one := range n.Names {
				names[one.Name] = true
			}
		case *ast.Field:
			for _, one := range n.Names {
				names[one.Name] = true
			}
		}
		return true
	})
}
