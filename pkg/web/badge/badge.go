// Package badge draws a line about a token for other websites: the number of distributions that paid the
// token's holders, and the time of the last proof. The badge is an SVG of text, without scripts or
// external resources. Screen readers read the same text.
package badge

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"time"
)

// Badge is the content of a badge. Name is the creator's name of the token. Name is escaped, and
// only screen readers present the name.
type Badge struct {
	Name string
	Runs uint64
	// Last is the time at which the last run was settled, with its proof; zero before the first
	// run.
	Last time.Time
}

const label = "pays its holders"

// Text returns the text of the badge, with the label in front.
func (b Badge) Text() string { return label + ": " + b.value() }

func (b Badge) value() string {
	switch last := b.Last.UTC().Format("2006-01-02 15:04 UTC"); b.Runs {
	case 0:
		return "no distributions yet"
	case 1:
		return "1 distribution, last proven " + last
	default:
		return fmt.Sprintf("%d distributions, last proven %s", b.Runs, last)
	}
}

// letter is the approximate width of the font's letters. textLength stretches the text to the
// computed width, in any font.
const (
	letter = 6.5
	margin = 7
)

// form is written by fmt, because text/template keeps every method of every type in a program: two
// megabytes of the function that draws badges.
var form = strings.ReplaceAll(
	`<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="20" viewBox="0 0 %[1]d 20" role="img" aria-labelledby="t">
<title id="t">%[2]s</title>
<rect width="%[1]d" height="20" rx="3" fill="#24292f"/>
<path d="M%[3]d 0h%[4]da3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-%[4]dz" fill="%[5]s"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" aria-hidden="true">
<text x="7" y="14" textLength="%[6]d">%[7]s</text>
<text x="%[8]d" y="14" textLength="%[9]d">%[10]s</text>
</g></svg>
`, "\n", "")

// SVG draws the badge.
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
	return fmt.Appendf(nil, form, labelled+valued, title.String(), labelled, valued-3, colour,
		wide(label), label, labelled+margin, wide(value), value), nil
}
