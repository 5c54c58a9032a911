// Package page renders an OpenAPI document as a page: one HTML file without scripts, other files
// and network access. It supports the parts of OpenAPI that this service's document uses. The page
// is rendered when the document is built, and not in a function, because html/template prevents the
// linker from removing unused methods.
package page

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"
)

//go:embed page.html
var layout string

//go:embed page.css
var style string

// Render renders the page. The samples call the API at address.
func Render(openAPI []byte, address string) ([]byte, error) {
	r := renderer{address: strings.TrimSuffix(address, "/"), links: map[string]string{}}
	if err := json.Unmarshal(openAPI, &r.doc); err != nil {
		return nil, fmt.Errorf("read the OpenAPI document: %w", err)
	}
	for _, path := range r.doc.Paths {
		for _, method := range path.Value {
			r.links[strings.ToUpper(method.Key)+" "+path.Key] = "#" + method.Value.ID
		}
	}
	v, err := r.view()
	if err != nil {
		return nil, err
	}
	t, err := template.New("page").Parse(layout)
	if err != nil {
		return nil, fmt.Errorf("parse the layout: %w", err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, v); err != nil {
		return nil, fmt.Errorf("fill the layout: %w", err)
	}
	return out.Bytes(), nil
}

// renderer has the data that all parts of the page look up.
type renderer struct {
	doc     document
	address string
	links   map[string]string // "GET /tokens" to "#listTokens"
}

// view is the input of the layout.
type view struct {
	Title, Summary, Version, Address string
	Style                            template.HTML
	Intro                            template.HTML
	Headings                         []heading
	Groups                           []group
	Sections                         []section
	Limits                           []limit
	Headers                          []row
	Codes, FieldCodes                []codeView
}

// group has the operations of one tag.
type group struct {
	ID, Name   string
	About      template.HTML
	Operations []operationView
}

// section describes an object that several operations name.
type section struct {
	ID, Name string
	About    template.HTML
	Rows     []row
}

// limit is a bucket with the operations that the bucket counts.
type limit struct {
	Bucket     string
	Limit      int
	Window     string
	Per        string
	Operations []operationView
}

// codeView is an error code with the operations that return the code, and an example. A code that
// is returned before an operation is reached has no operations.
type codeView struct {
	Code            string
	Status          int
	Meaning, Remedy template.HTML
	Operations      []operationView
	Example         string
}

func (r *renderer) view() (view, error) {
	v := view{
		Title: r.doc.Info.Title, Summary: r.doc.Info.Summary, Version: r.doc.Info.Version, Address: r.address,
		Style:   template.HTML("<style>" + style + "</style>"), //nolint:gosec // a file of this package
		Headers: r.headers(),
	}
	v.Intro, v.Headings = markdown(r.doc.Info.Description, r.links)
	for _, tag := range r.doc.Tags {
		g := group{ID: "group-" + slug(tag.Name), Name: tag.Name}
		g.About, _ = markdown(tag.Description, r.links)
		for _, path := range r.doc.Paths {
			for _, method := range path.Value {
				if !slices.Contains(method.Value.Tags, tag.Name) {
					continue
				}
				op, err := r.operation(strings.ToUpper(method.Key), path.Key, method.Value)
				if err != nil {
					return view{}, fmt.Errorf("%s %s: %w", method.Key, path.Key, err)
				}
				g.Operations = append(g.Operations, op)
				v.Limits = count(v.Limits, method.Value, op)
			}
		}
		v.Groups = append(v.Groups, g)
	}
	var err error
	if v.Codes, err = r.codes(r.doc.Codes, v.Groups); err != nil {
		return view{}, err
	}
	for _, c := range r.doc.FieldCodes {
		meaning, _ := markdown(c.Meaning, r.links)
		v.FieldCodes = append(v.FieldCodes, codeView{Code: c.Code, Meaning: meaning})
	}
	for _, named := range r.doc.Components.Schemas {
		if !named.Value.Section {
			continue
		}
		s := section{ID: sectionID(named.Key), Name: named.Key}
		s.About, _ = markdown(named.Value.Description, r.links)
		if s.Rows, err = r.rows(named.Value, "", answered); err != nil {
			return view{}, fmt.Errorf("schema %s: %w", named.Key, err)
		}
		v.Sections = append(v.Sections, s)
	}
	return v, nil
}

func sectionID(name string) string { return "object-" + slug(name) }

// count adds an operation to the operation's bucket, if any.
func count(limits []limit, declared operation, op operationView) []limit {
	if declared.RateLimit.Bucket == "" {
		return limits
	}
	for i, l := range limits {
		if l.Bucket == declared.RateLimit.Bucket {
			limits[i].Operations = append(l.Operations, op)
			return limits
		}
	}
	return append(limits, limit{
		Bucket: declared.RateLimit.Bucket, Limit: declared.RateLimit.Limit, Window: window(declared.RateLimit.WindowSeconds),
		Per: declared.RateLimit.Per, Operations: []operationView{op},
	})
}

func window(seconds int) string {
	switch seconds {
	case 3600:
		return "hour"
	case 60:
		return "minute"
	default:
		return fmt.Sprintf("%d minutes", seconds/60)
	}
}

func (r *renderer) headers() []row {
	var out []row
	for _, header := range r.doc.Components.Headers {
		about, _ := markdown(header.Value.Description, r.links)
		out = append(out, row{Path: header.Key, About: about, Type: plain(header.Value.Example)})
	}
	return out
}

func (r *renderer) codes(codes []code, groups []group) ([]codeView, error) {
	operations := map[string][]operationView{}
	for _, g := range groups {
		for _, op := range g.Operations {
			for _, e := range op.Errors {
				for _, c := range e.Codes {
					operations[c] = append(operations[c], op)
				}
			}
		}
	}
	out := make([]codeView, 0, len(codes))
	for _, c := range codes {
		v := codeView{Code: c.Code, Status: c.Status, Operations: operations[c.Code]}
		v.Meaning, _ = markdown(c.Meaning, r.links)
		v.Remedy, _ = markdown(c.Remedy, r.links)
		var err error
		if v.Example, err = r.example(c); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// example returns the document's example for a code. If no operation returns the code, example
// composes a problem from the common fields.
func (r *renderer) example(c code) (string, error) {
	if example, ok := r.doc.Components.Examples.get(c.Code); ok {
		return indented(example.Value)
	}
	words := strings.ReplaceAll(c.Code, "_", " ")
	raw, err := json.Marshal(struct {
		Type   string `json:"type"`
		Title  string `json:"title"`
		Status int    `json:"status"`
		Detail string `json:"detail"`
		Code   string `json:"code"`
	}{"/docs#" + c.Code, strings.ToUpper(words[:1]) + words[1:], c.Status, strings.ReplaceAll(c.Meaning, "`", ""), c.Code})
	if err != nil {
		return "", fmt.Errorf("encode the example of %s: %w", c.Code, err)
	}
	return indented(raw)
}
