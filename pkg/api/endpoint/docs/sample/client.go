package sample

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"reflect"
	"strings"
)

// Client describes the Go client: the methods and the types of the parameters. The description is
// parsed from the source, because package client must not import the API's room, and the API's room
// must not import package client.
type Client struct {
	methods map[string]method
	structs map[string]map[string]field // by the type's name, then by the field's JSON name
	kinds   map[string]string           // the underlying types of other types: "Interval" of "string"
}

type method struct {
	name       string
	parameters []string // types, without the context
	answer     string
}

type field struct{ name, kind string }

// method returns the method of an operation, which has the operation's name.
func (c *Client) method(operation string) (method, bool) {
	m, ok := c.methods[strings.ToUpper(operation[:1])+operation[1:]]
	return m, ok
}

// Read parses the client's source in a directory.
func Read(folder string) (*Client, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	c := &Client{methods: map[string]method{}, structs: map[string]map[string]field{}, kinds: map[string]string{}}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("read the client: %w", err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				c.function(n)
				return false
			case *ast.TypeSpec:
				c.named(n)
			}
			return true
		})
	}
	if len(c.methods) == 0 {
		return nil, errors.New("read the client: " + folder + " has none")
	}
	return c, nil
}

// function stores a method that calls an operation: a method of Client with a context.
func (c *Client) function(f *ast.FuncDecl) {
	if f.Recv == nil || types.ExprString(f.Recv.List[0].Type) != "*Client" || f.Type.Results == nil {
		return
	}
	m := method{name: f.Name.Name, answer: types.ExprString(f.Type.Results.List[0].Type)}
	for _, parameter := range f.Type.Params.List {
		for range parameter.Names {
			m.parameters = append(m.parameters, types.ExprString(parameter.Type))
		}
	}
	if len(m.parameters) > 0 && m.parameters[0] == "context.Context" {
		m.parameters = m.parameters[1:]
		c.methods[m.name] = m
	}
}

func (c *Client) named(t *ast.TypeSpec) {
	s, ok := t.Type.(*ast.StructType)
	if !ok {
		c.kinds[t.Name.Name] = types.ExprString(t.Type)
		return
	}
	if fields := s.Fields.List; len(fields) == 1 && fields[0].Names == nil {
		return // functions construct an amount
	}
	fields := map[string]field{}
	for _, f := range s.Fields.List {
		if f.Tag == nil {
			continue
		}
		name, _, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json"), ",")
		for _, declared := range f.Names {
			fields[name] = field{declared.Name, types.ExprString(f.Type)}
		}
	}
	c.structs[t.Name.Name] = fields
}
