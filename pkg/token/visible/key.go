package visible

import (
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Key returns the text by which similar-looking names are compared: without case, width, ligatures,
// spaces, and invisible characters (NFKC and case folding, UAX #15 and #31). Letters of different
// scripts that look alike stay different.
func Key(name string) string {
	folded := cases.Fold().String(norm.NFKC.String(name))
	seen := strings.Map(func(r rune) rune {
		if ignorable(r) {
			return -1
		}
		return r
	}, folded)
	return norm.NFKC.String(strings.Join(strings.Fields(seen), ""))
}
