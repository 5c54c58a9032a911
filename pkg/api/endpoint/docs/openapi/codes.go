package openapi

import (
	"errors"
	"fmt"
	"go/format"
	"strings"

	"go.yaml.in/yaml/v3"
)

// GoCodes writes the file of package client that has the codes of errors as constants. It
// reads them, and their meanings as comments, from the source of the document.
func GoCodes(source []byte) ([]byte, error) {
	var file yaml.Node
	if err := yaml.Unmarshal(source, &file); err != nil {
		return nil, fmt.Errorf("read the source: %w", err)
	}
	if len(file.Content) != 1 {
		return nil, errors.New("read the source: not one document")
	}
	b := builder{codes: map[string]code{}}
	if err := b.readCodes(get(resolve(file.Content[0]), "x-error-codes")); err != nil {
		return nil, err
	}
	var out strings.Builder
	out.WriteString("// Code generated from openapi.yaml by go generate. DO NOT EDIT.\n\npackage client\n\n")
	out.WriteString("// The codes, as the OpenAPI document lists them.\nconst (\n")
	for _, c := range b.order {
		fmt.Fprintf(&out, "// %s\n%s Code = %q\n", strings.Join(strings.Fields(c.Meaning), " "), goName(c.Code), c.Code)
	}
	out.WriteString(")\n")
	text, err := format.Source([]byte(out.String()))
	if err != nil {
		return nil, fmt.Errorf("format the codes: %w", err)
	}
	return text, nil
}

// goName returns the name of a code in Go: url_not_allowed is URLNotAllowed.
func goName(name string) string {
	var out strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		if part == "url" {
			out.WriteString("URL")
			continue
		}
		out.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return out.String()
}
