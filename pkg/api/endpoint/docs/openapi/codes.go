package openapi

import (
	"cmp"
	"fmt"
	"go/format"
	"net/http"
	"strings"
)

// GoCodes generates the file of package client with the codes of errors as constants, from the
// source of the document. The meanings become comments.
func GoCodes(source []byte) ([]byte, error) {
	return goCodes(source, "package client\n\n// The codes, as the OpenAPI document lists them.\nconst (", func(c code) string {
		return fmt.Sprintf("%s Code = %q", exported(c.Code), c.Code)
	})
}

// ServerCodes generates the file of package apperr with the codes of errors, of invalid fields and
// of claims.
func ServerCodes(source []byte) ([]byte, error) {
	var names strings.Builder
	text, err := goCodes(source, "package apperr\n\n// The codes, as the OpenAPI document lists them.\nvar (", func(c code) string {
		fmt.Fprintf(&names, "Code%s,\n", exported(c.Code))
		return fmt.Sprintf("Code%s = Code{%q, %d}", exported(c.Code), c.Code, c.Status)
	}, "x-field-codes", "x-claim-codes")
	if err != nil {
		return nil, err
	}
	return format.Source([]byte(fmt.Sprintf("%s\n// Codes returns all codes.\nfunc Codes() []Code { return []Code{\n%s}}\n", text, names.String())))
}

// goCodes generates a line for each code of x-error-codes and of further tables. If two tables have
// the same code, the first table counts.
func goCodes(source []byte, head string, line func(code) string, more ...string) ([]byte, error) {
	root, err := read(source)
	if err != nil {
		return nil, err
	}
	root = resolve(root)
	b := builder{codes: map[string]code{}}
	if err := b.readCodes(get(root, "x-error-codes")); err != nil {
		return nil, err
	}
	for _, name := range more {
		var table []code
		if n := get(root, name); n != nil {
			if err := n.Decode(&table); err != nil {
				return nil, fmt.Errorf("read %s: %w", name, err)
			}
		}
		for _, c := range table {
			if _, twice := b.codes[c.Code]; !twice {
				c.Status = cmp.Or(c.Status, http.StatusBadRequest)
				b.order = append(b.order, c)
			}
		}
	}
	var out strings.Builder
	out.WriteString("// Code generated from openapi.yaml by go generate. DO NOT EDIT.\n\n" + head + "\n")
	for _, c := range b.order {
		fmt.Fprintf(&out, "// %s\n%s\n", strings.Join(strings.Fields(c.Meaning), " "), line(c))
	}
	out.WriteString(")\n")
	text, err := format.Source([]byte(out.String()))
	if err != nil {
		return nil, fmt.Errorf("format the codes: %w", err)
	}
	return text, nil
}
