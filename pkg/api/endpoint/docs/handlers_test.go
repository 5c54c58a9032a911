package docs_test

import (
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"tokenlaunch.example/service/pkg/api/apigw"
	"tokenlaunch.example/service/pkg/testkit/docstest"
	domain "tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

const (
	apiPath      = "tokenlaunch.example/service/pkg/api/"
	fieldsType   = "*" + apiPath + "apigw/body.Fields"
	valuesType   = "net/url.Values"
	handlersType = "map[string]" + apiPath + "apigw.HandlerFunc"
	siteType     = "tokenlaunch.example/service/pkg/token.Site"
)

// otherwise are fields that a handler shares with another operation and never
// requests for this operation.
var otherwise = map[string]string{
	"createUnsignedSell": "lamports", // readOrder reads it only of a purchase
}

// handlers are the handlers of the API, read from their source: expressions by
// operation, and every function of the API by its full name.
type handlers struct {
	info      types.Info
	functions map[string]*ast.FuncDecl
	byID      map[string]ast.Expr
}

// readHandlers type-checks the sources of all endpoints.
func readHandlers(t *testing.T) handlers {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-f", `{{.ImportPath}}|{{.Export}}|{{.Dir}}|{{join .GoFiles ","}}`, "../...")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatalf("list the endpoints: %v", err)
	}
	h := handlers{
		info:      types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}},
		functions: map[string]*ast.FuncDecl{}, byID: map[string]ast.Expr{},
	}
	exports, sources := map[string]string{}, map[string][]string{}
	for line := range strings.Lines(string(out)) {
		part := strings.Split(strings.TrimSpace(line), "|")
		exports[part[0]] = part[1]
		if strings.HasPrefix(part[0], apiPath+"endpoint/") || strings.HasPrefix(part[0], apiPath+"apigw") {
			for name := range strings.SplitSeq(part[3], ",") {
				sources[part[0]] = append(sources[part[0]], filepath.Join(part[2], name))
			}
		}
	}
	files := token.NewFileSet()
	config := types.Config{Importer: importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	for path, names := range sources {
		h.check(t, config, files, path, names)
	}
	return h
}

func (h handlers) check(t *testing.T, config types.Config, files *token.FileSet, path string, names []string) {
	t.Helper()
	var parsed []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, file)
	}
	if _, err := config.Check(path, files, parsed, &h.info); err != nil {
		t.Fatalf("check %s: %v", path, err)
	}
	for _, file := range parsed {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				h.functions[h.info.Defs[n.Name].(*types.Func).FullName()] = n
			case *ast.CompositeLit:
				if h.info.Types[n].Type.String() == handlersType {
					for _, element := range n.Elts {
						pair := element.(*ast.KeyValueExpr)
						h.byID[constant.StringVal(h.info.Types[pair.Key].Value)] = pair.Value
					}
				}
			}
			return true
		})
	}
}

// traced is the part of an operation that a handler implements: the paths of the
// fields it requests of the body, its query parameters, and the types it responds with.
type traced struct {
	fields, query map[string]bool
	answers       []types.Type
}

// walk collects the contract of a node and of the functions it refers to. at is the
// path of the object that the node reads.
func (h handlers) walk(node ast.Node, at string, seen map[string]bool, c *traced) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if read := h.call(n, at, c); read != nil { // of an object inside
				h.walk(read, at+h.text(n.Args[0])+".", seen, c)
				return false
			}
		case *ast.IndexExpr:
			if text := h.text(n.Index); text != "" && h.info.Types[n.X].Type.String() == valuesType {
				c.query[text] = true
			}
		case *ast.Ident:
			called, ok := h.info.Uses[n].(*types.Func)
			if !ok {
				return true
			}
			name := called.Origin().FullName()
			if declared := h.functions[name]; declared != nil && !seen[at+name] && !strings.Contains(name, apiPath+"apigw.") && !strings.Contains(name, "apigw/body.") {
				seen[at+name] = true
				h.walk(declared.Body, at, seen, c)
			}
		}
		return true
	})
}

// call notes what a call requests or responds with. It returns the function that reads
// an object inside the body, if the call is about one.
func (h handlers) call(n *ast.CallExpr, at string, c *traced) (read ast.Node) {
	selector, _ := n.Fun.(*ast.SelectorExpr)
	if selector != nil && selector.Sel.Name == "WriteJSON" {
		c.answers = append(c.answers, h.info.Types[n.Args[2]].Type)
		return nil
	}
	if selector != nil && h.info.Selections[selector] != nil {
		method := selector.Sel.Name
		switch h.info.Types[selector.X].Type.String() {
		case valuesType:
			if len(n.Args) == 0 {
				return nil
			}
			if text := h.text(n.Args[0]); text != "" {
				c.query[text] = true
			}
			return nil
		case fieldsType:
			if len(n.Args) == 0 || method == "Reject" || method == "RejectAll" || method == "IsBad" {
				return nil
			}
			if text := h.text(n.Args[0]); text != "" {
				c.fields[at+text] = true
			}
			if name, ok := n.Args[0].(*ast.SelectorExpr); ok && h.info.Types[name.X].Type.String() == siteType {
				for site := range new(domain.Links).EachLink() {
					c.fields[at+site.Name] = true
				}
			}
			if method == "OptionalObject" || method == "OptionalList" {
				return n.Args[len(n.Args)-1]
			}
			return nil
		}
	}
	h.named(n, at, c)
	return nil
}

// named notes the name that a helper is called with, as in positive(fields, "tokenAmount").
func (h handlers) named(n *ast.CallExpr, at string, c *traced) {
	signature, ok := h.info.Types[n.Fun].Type.(*types.Signature)
	if !ok || signature.Params().Len() < 2 || len(n.Args) < 2 {
		return
	}
	second := signature.Params().At(1).Name()
	if second != "name" && second != "field" || h.text(n.Args[1]) == "" {
		return
	}
	switch signature.Params().At(0).Type().String() {
	case fieldsType:
		c.fields[at+h.text(n.Args[1])] = true
	case valuesType:
		c.query[h.text(n.Args[1])] = true
	}
}

// text returns the value of a constant text, or "".
func (h handlers) text(n ast.Expr) string {
	if value := h.info.Types[n].Value; value != nil && value.Kind() == constant.String {
		return constant.StringVal(value)
	}
	return ""
}

// Each handler requests exactly the body fields and query parameters of its operation in
// the document, and responds with a type that has exactly the fields of its schema.
func TestHandlersMatchDocument(t *testing.T) {
	h := readHandlers(t)
	document, err := docstest.Document()
	if err != nil {
		t.Fatal(err)
	}
	bodies, queries, answers := 0, 0, 0
	for id, handler := range h.byID {
		op := docstest.Operation(document, id)
		if op == nil {
			t.Errorf("%s is not an operation of the document", id)
			continue
		}
		c := traced{fields: map[string]bool{}, query: map[string]bool{}}
		h.walk(handler, "", map[string]bool{}, &c)
		delete(c.fields, otherwise[id])
		fields, query := described(op)
		same(t, id+": body field", c.fields, fields)
		same(t, id+": query parameter", c.query, query)
		bodies, queries = bodies+len(fields), queries+len(query)
		for _, answer := range c.answers {
			answers++
			for status, response := range op.Responses.Map() {
				if content := response.Value.Content["application/json"]; status[0] == '2' && content != nil {
					compareAnswer(t, id, content.Schema, answer)
				}
			}
		}
	}
	if bodies < 60 || queries < 20 || answers < 40 {
		t.Errorf("compared %d body fields, %d query parameters and %d responses: the test overlooks some", bodies, queries, answers)
	}
}

// described returns the body fields and query parameters of an operation.
func described(op *openapi3.Operation) (fields, query map[string]bool) {
	fields, query = map[string]bool{}, map[string]bool{}
	for _, p := range op.Parameters {
		if p.Value.In == openapi3.ParameterInQuery {
			query[p.Value.Name] = true
		}
	}
	if op.RequestBody != nil && op.RequestBody.Value.Content["application/json"] != nil {
		addProperties(op.RequestBody.Value.Content["application/json"].Schema, "", fields)
	}
	return fields, query
}

func addProperties(ref *openapi3.SchemaRef, at string, to map[string]bool) {
	ref = plain(ref)
	if ref.Value.Items != nil {
		addProperties(ref.Value.Items, at, to)
	}
	for name, property := range ref.Value.Properties {
		to[at+name] = true
		addProperties(property, at+name+".", to)
	}
}

// plain returns a schema without the alternative null and without a description of its own.
func plain(ref *openapi3.SchemaRef) *openapi3.SchemaRef {
	for _, option := range slices.Concat(ref.Value.AnyOf, ref.Value.AllOf) {
		if len(ref.Value.Properties) == 0 && !option.Value.Type.Is("null") && (option.Ref != "" || option.Value.Type != nil) {
			return plain(option)
		}
	}
	return ref
}

func same(t *testing.T, what string, have, want map[string]bool) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(have)) {
		if !want[name] {
			t.Errorf("%s %s is in the code, and the document lacks it", what, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !have[name] {
			t.Errorf("%s %s is in the document, and the code lacks it", what, name)
		}
	}
}

// compareAnswer compares the type of a response with its schema: the same fields, and those that
// may be absent or null.
func compareAnswer(t *testing.T, where string, ref *openapi3.SchemaRef, typ types.Type) {
	t.Helper()
	schema := plain(ref).Value
	if pointer, ok := typ.Underlying().(*types.Pointer); ok {
		typ = pointer.Elem()
	}
	if slice, ok := typ.Underlying().(*types.Slice); ok && schema.Items != nil {
		compareAnswer(t, where+"[]", schema.Items, slice.Elem())
		return
	}
	if len(schema.Properties) == 0 {
		return
	}
	object, ok := typ.Underlying().(*types.Struct)
	if !ok {
		t.Errorf("%s is %s, want a struct", where, typ)
		return
	}
	have, want := map[string]bool{}, map[string]bool{}
	for name := range schema.Properties {
		want[name] = true
	}
	for name, field := range jsonFields(object) {
		have[name] = true
		property := schema.Properties[name]
		if property == nil {
			continue
		}
		if required := slices.Contains(schema.Required, name); required == field.optional {
			t.Errorf("%s.%s is required: %v, and may be left out: %v", where, name, required, field.optional)
		}
		if _, pointer := field.typ.Underlying().(*types.Pointer); pointer && !field.optional && !maybeNull(property) {
			t.Errorf("%s.%s may be null, and is not nullable in the document", where, name)
		}
		compareAnswer(t, where+"."+name, property, field.typ)
	}
	same(t, where+": field", have, want)
}

func maybeNull(ref *openapi3.SchemaRef) bool {
	return ref.Value.Type.Includes("null") || slices.ContainsFunc(ref.Value.AnyOf, maybeNull) ||
		slices.Contains(ref.Value.Enum, nil) && len(ref.Value.Enum) > 0
}

type jsonField struct {
	typ      types.Type
	optional bool
}

// jsonFields returns the fields of a struct by the names in JSON, those of embedded structs too.
func jsonFields(s *types.Struct) map[string]jsonField {
	fields := map[string]jsonField{}
	for i := range s.NumFields() {
		name, options, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get("json"), ",")
		if s.Field(i).Embedded() && name == "" {
			maps.Copy(fields, jsonFields(s.Field(i).Type().Underlying().(*types.Struct)))
			continue
		}
		if name != "-" {
			fields[name] = jsonField{s.Field(i).Type(), options != ""}
		}
	}
	return fields
}

// The document has the intervals that the code accepts, wherever it lists them.
func TestIntervalsMatchDocument(t *testing.T) {
	document, err := docstest.Document()
	if err != nil {
		t.Fatal(err)
	}
	var want []any
	for _, interval := range terms.Intervals() {
		want = append(want, string(interval))
	}
	schemas := document.Components.Schemas
	for name, ref := range map[string]*openapi3.SchemaRef{
		"Interval":       schemas["Interval"],
		"TokenCreation":  schemas["TokenCreation"].Value.Properties["distributionInterval"],
		"SettingsChange": schemas["SettingsChange"].Value.Properties["distributionInterval"],
	} {
		have := slices.DeleteFunc(slices.Clone(plain(ref).Value.Enum), func(word any) bool { return word == nil || word == "" })
		if !slices.Equal(have, want) {
			t.Errorf("%s has the intervals %v, want %v", name, have, want)
		}
	}
}

// An error has the fields of the document's schema.
func TestProblemMatchesDocument(t *testing.T) {
	document, err := docstest.Document()
	if err != nil {
		t.Fatal(err)
	}
	for name, typ := range map[string]reflect.Type{"Problem": reflect.TypeFor[apigw.Problem](), "FieldError": reflect.TypeFor[apigw.ProblemField]()} {
		have, want := map[string]bool{}, map[string]bool{}
		for _, field := range reflect.VisibleFields(typ) {
			tag, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			have[tag] = true
		}
		for property := range document.Components.Schemas[name].Value.Properties {
			want[property] = true
		}
		same(t, name+": field", have, want)
	}
}
