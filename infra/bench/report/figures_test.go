package report

import (
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	word := strings.Repeat("x", 39)
	for line, want := range map[string]string{
		"- a b":                         "- a b",
		"- " + word + " " + word + " y": "- " + word + " " + word + "\n  y",
		strings.Repeat(word, 3) + " y":  strings.Repeat(word, 3) + "\n  y",
	} {
		if got := Wrap(line, "  "); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

func TestMedian(t *testing.T) {
	if Median([]int{5, 1, 3}) != 3 || Median([]int{4, 1, 3, 2}) != 2 {
		t.Error("wrong")
	}
}

func TestNumber(t *testing.T) {
	for f, want := range map[float64]string{
		0.012345: "0.0123", 4.56: "4.56", 4: "4", 78.94: "78.9", 999.6: "1,000", 1234567: "1,230,000", 100: "100", 12: "12",
	} {
		if got := Number(f); got != want {
			t.Errorf("%v: %q, want %q", f, got, want)
		}
	}
}
