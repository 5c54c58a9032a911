// Package badge draws a line about a token for pages that are not ours: how many runs paid its
// holders, and when the last one was proven. It is an SVG of text, without anything to run or
// to load, and says the same to those who hear it.
package badge

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"text/template"
	"time"
)

// Badge is what is drawn. Name is what the creator called the token; it is text to nothing
// but a reader's ears, and escaped.
type Badge struct {
	Name string
	Runs uint64
	// Last is when the last run was settled, with its proof; zero before the first.
	Last time.Time
}

const label = "pays its holders"

// Text is what the badge says, with the label before it.
func (b Badge) Text() string { return label + ": " + b.value() }

func (b Badge) value() string {
	switch last := b.Last.UTC().Format("2006-01-02 15:04 UTC"); b.Runs {
	case 0:
		return "no runs yet"
	case 1:
		return "1 run, last proven " + last
	default:
		return fmt.Sprintf("%d runs, last proven %s", b.Runs, last)
	}
}

// The letters of the font are about so wide; textLength makes them fill what was counted on,
// whichever font there is.
const (
	letter = 6.5
	margin = 7
)

var drawing = template.Must(template.New("badge").Parse(strings.ReplaceAll(
	`<svg xmlns="http://www.w3.org/2000/svg" width="{{.Width}}" height="20" viewBox="0 0 {{.Width}} 20" role="img" aria-labelledby="t">
<title id="t">{{.Title}}</title>
<rect width="{{.Width}}" height="20" rx="3" fill="#24292f"/>
<path d="M{{.Label}} 0h{{.Rest}}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-{{.Rest}}z" fill="{{.Colour}}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" aria-hidden="true">
<text x="7" y="14" textLength="{{.LabelText}}">{{.Name}}</text>
<text x="{{.ValueAt}}" y="14" textLength="{{.ValueText}}">{{.Value}}</text>
</g></svg>
`, "\n", "")))

// SVG draws it.
func (b Badge) SVG() ([]byte, error) {
	var title bytes.Buffer
	if err := xml.EscapeText(&title, []byte(strings.TrimSpace(b.Name+" "+b.Text()))); err != nil {
		return nil, fmt.Errorf("escape the name: %w", err)
	}
	wide := func(text string) int { return int(letter * float64(len(text))) }
	value, colour := b.value(), "#1a7f37"
	if b.Runs == 0 {
		colour = "#57606a"
	}
	labelled := wide(label) + 2*margin
	valued := wide(value) + 2*margin
	var out bytes.Buffer
	err := drawing.Execute(&out, map[string]any{
		"Width": labelled + valued, "Title": title.String(), "Label": labelled, "Rest": valued - 3, "Colour": colour,
		"LabelText": wide(label), "Name": label, "ValueAt": labelled + margin, "ValueText": wide(value), "Value": value,
	})
	if err != nil {
		return nil, fmt.Errorf("draw the badge: %w", err)
	}
	return out.Bytes(), nil
}
