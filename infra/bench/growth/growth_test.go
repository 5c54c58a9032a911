package growth

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func of(name string, values ...float64) Line {
	l := Line{Name: name}
	for n, v := range values {
		l.Points = append(l.Points, Point{Work: math.Pow10(n + 1), Value: v})
	}
	return l
}

func TestExponent(t *testing.T) {
	for want, l := range map[float64]Line{
		1: of("linear", 2, 20, 200), 2: of("square", 1, 100, 10_000), 0: of("constant", 5, 5, 5),
	} {
		if got := l.Exponent(); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v", l.Name, got)
		}
	}
}

func TestSection(t *testing.T) {
	root := t.TempDir()
	text, err := Section(root, Chart{
		Name: "paying", Title: "Time to pay", Work: "holders", Unit: "s",
		Lines: []Line{of("ours", 0.3, 2, 21), of("theirs", 1, 200, 30_000), of("short", 4, 40)},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"![Time to pay](growth/paying.svg)\n\n", "| 1,000 holders |", "| 0.3 s ", "| 0.92 ", "| 2.24, worse than linear |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	picture, err := os.Open(filepath.Join(root, "docs/growth/paying.svg"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = picture.Close() }()
	lines := 0
	for decoder := xml.NewDecoder(picture); ; {
		element, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if start, ok := element.(xml.StartElement); ok && start.Name.Local == "path" {
			lines++
		}
	}
	if lines < 4 {
		t.Errorf("%d paths in the picture", lines)
	}
}
