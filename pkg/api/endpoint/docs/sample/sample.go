// Package sample generates sample calls of an operation of the API, with curl, TypeScript and Go.
// It is used only when the document is generated, and is not linked into a function. A sample
// depends on the operation's examples and, for Go, on the client's source, so a sample changes with
// both.
package sample

import (
	"fmt"
	"net/url"
	"strings"
)

// Address is the placeholder for the deployment's address in every sample.
const Address = "https://address.invalid"

// Operation is the operation of a sample, with the examples of the document.
type Operation struct {
	ID, Method, Path string
	NeedsToken       bool
	// Parameters are the parameters that a call needs: the parameters of the path, in order, and
	// the required parameters of the query.
	Parameters []Parameter
	// Body is the example of a JSON body, an Object; nil without a body.
	Body Value
	// File is the name of a form's only field, a picture; empty without a form.
	File string
	// Answer is the media type of the response.
	Answer string
}

// Parameter is a parameter of the path or of the query.
type Parameter struct{ In, Name, Example string }

// Sample is a call in one language, in the form of the extension x-codeSamples.
type Sample struct{ Lang, Label, Source string }

// picture is the file that samples upload.
const picture = "picture.png"

// Of returns the samples of an operation. Without a client, the result has no Go sample.
func Of(o Operation, client *Client) ([]Sample, error) {
	samples := []Sample{{"Shell", "curl", curl(o)}, {"TypeScript", "TypeScript", typeScript(o)}}
	if client == nil {
		return samples, nil
	}
	program, err := goProgram(o, client)
	if err != nil {
		return nil, fmt.Errorf("the sample in Go: %w", err)
	}
	return append(samples, Sample{"Go", "Go", program}), nil
}

// url returns the complete address, with the values of the parameters.
func (o Operation) url() string {
	path, query := o.Path, url.Values{}
	for _, p := range o.Parameters {
		if p.In == "path" {
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(p.Example))
		} else {
			query.Set(p.Name, p.Example)
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return Address + path
}

func curl(o Operation) string {
	lines := []string{"curl " + o.url()}
	if strings.Contains(lines[0], "?") {
		lines[0] = "curl " + quoted(o.url())
	}
	if o.Method != "GET" {
		lines[0] = strings.Replace(lines[0], "curl", "curl -X "+o.Method, 1)
	}
	if o.NeedsToken {
		lines = append(lines, `-H "Authorization: Bearer $TOKEN"`)
	}
	if o.File != "" {
		lines = append(lines, "-F "+o.File+"=@"+picture)
	}
	if o.Body != nil {
		lines = append(lines, "-H 'Content-Type: application/json'", "-d "+quoted(writeJSON(o.Body)))
	}
	if o.Answer == "image/png" {
		lines = append(lines, "-o card.png")
	}
	return strings.Join(lines, " \\\n  ")
}

// quoted quotes a text as one word of a shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
