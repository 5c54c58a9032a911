package badge_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/web/badge"
)

var last = time.Date(2026, 11, 22, 23, 5, 59, 0, time.UTC)

// drawn returns the content of a badge for a reader: its elements, its title, and its words.
func drawn(t *testing.T, b badge.Badge) (elements []string, title, words string) {
	t.Helper()
	svg, err := b.SVG()
	if err != nil {
		t.Fatal(err)
	}
	within := ""
	for decoder := xml.NewDecoder(strings.NewReader(string(svg))); ; {
		part, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return elements, title, strings.TrimSpace(words)
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		switch part := part.(type) {
		case xml.StartElement:
			within = part.Name.Local
			elements = append(elements, within)
			for _, a := range part.Attr {
				if within == "svg" && a.Name.Local == "role" && a.Value != "img" {
					t.Errorf("role %q", a.Value)
				}
			}
		case xml.CharData:
			switch within {
			case "title":
				title += string(part)
			case "text":
				words += " " + string(part)
			}
		case xml.EndElement:
			within = ""
		}
	}
}

func TestBadgeText(t *testing.T) {
	for want, b := range map[string]badge.Badge{
		"pays its holders: 42 distributions, last proven 2026-11-22 23:05 UTC": {Runs: 42, Last: last},
		"pays its holders: 1 distribution, last proven 2026-11-22 23:05 UTC":   {Runs: 1, Last: last.In(time.FixedZone("", 3600))},
		"pays its holders: no distributions yet":                               {},
	} {
		_, title, words := drawn(t, b)
		if b.Text() != want || title != want || words != strings.Replace(want, ":", "", 1) {
			t.Errorf("%q, titled %q, showing %q; want %q", b.Text(), title, words, want)
		}
	}
}

// TestNamesAreText tests that a badge has the same elements, and is XML, for every token name.
func TestNamesAreText(t *testing.T) {
	plain, _, _ := drawn(t, badge.Badge{Name: "Tidal", Runs: 1, Last: last})
	for _, name := range []string{
		`</title><script>alert(1)</script>`, `"&quot;'<!--`, `]]>`, "\x00\x0b\ufffe", "&#x3c;script&#x3e;", "🌊{{.Title}}", "</svg>",
	} {
		elements, title, _ := drawn(t, badge.Badge{Name: name, Runs: 1, Last: last})
		if strings.Join(elements, " ") != strings.Join(plain, " ") {
			t.Errorf("%q: the elements %v", name, elements)
		}
		if !strings.HasSuffix(title, " pays its holders: 1 distribution, last proven 2026-11-22 23:05 UTC") {
			t.Errorf("%q: titled %q", name, title)
		}
	}
}
