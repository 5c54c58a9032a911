// Package sample writes how to call an operation of the API: by curl, TypeScript and Go. It
// is used when the document is generated, and no function links it. What it writes follows
// from the operation's examples and, for Go, from the client's own source, so a sample
// changes when either does.
package sample

import (
	"fmt"
	"net/url"
	"strings"
)

// Address stands for the deployment's in every sample.
const Address = "https://address.invalid"

// Operation is what a sample calls, with the examples of the document.
type Operation struct {
	ID, Method, Path string
	NeedsToken       bool
	// Parameters are those that a call needs: of the path, in its order, and required ones
	// of the query.
	Parameters []Parameter
	// Body is the example of a JSON body, an Object; nil when none is sent.
	Body Value
	// File is the name of a form's only field, a picture; empty when no form is sent.
	File string
	// Answer is the media type of the answer.
	Answer string
}

// Parameter is one of the path or of the query.
type Parameter struct{ In, Name, Example string }

// Sample is one call in one language, as the extension x-codeSamples has it.
type Sample struct{ Lang, Label, Source string }

// picture is the file that samples upload.
const picture = "picture.png"

// Of writes the samples of an operation. Without a client there is none in Go.
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

// url is the whole address, with the parameters in their places.
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

// quoted is one word for a shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
