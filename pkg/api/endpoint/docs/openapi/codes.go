package openapi

import (
	"fmt"
	"go/format"
	"strings"
)

// GoCodes writes the file of package client that has the codes of errors as constants. It
// reads them, and their meanings as comments, from the source of the document.
func GoCodes(source []byte) ([]byte, error) {
	root, err := read(source)
	if err != nil {
		return nil, err
	}
	b := builder{codes: map[string]code{}}
	if err := b.readCodes(get(resolve(root), "x-error-codes")); err != nil {
		return nil, err
	}
	var out strings.Builder
	out.WriteString("// Code generated from openapi.yaml by go generate. DO NOT EDIT.\n\npackage client\n\n")
	out.WriteString("// The codes, as the OpenAPI document lists them.\nconst (\n")
	for _, c := range b.order {
		fmt.Fprintf(&out, "// %s\n%s Code = %q\n", strings.Join(strings.Fields(c.Meaning), " "), exported(c.Code), c.Code)
	}
	out.WriteString(")\n")
	text, err := format.Source([]byte(out.String()))
	if err != nil {
		return nil, fmt.Errorf("format the codes: %w", err)
	}
	return text, nil
}
