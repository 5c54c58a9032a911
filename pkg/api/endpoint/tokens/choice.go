package tokens

import (
	"net/url"
	"slices"
	"unicode/utf8"

	"tokenlaunch.example/service/pkg/distribution/figures"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/token/visible"
)

// longestSearch is the length of the longest name, in characters.
const longestSearch = 32

// readChoice reads the selection of a list: q, a prefix of the name or symbol, or sort, the
// ranking. q, sort and creator are mutually exclusive.
func readChoice(query url.Values, bad []apperr.Field) (beginning string, by figures.Rank, _ []apperr.Field) {
	refuse := func(field string, code apperr.Code, message string) {
		bad = append(bad, apperr.Field{Field: field, Code: code, Message: message})
	}
	beginning, by = query.Get("q"), figures.Rank(query.Get("sort"))
	switch {
	case beginning == "":
	case utf8.RuneCountInString(beginning) > longestSearch:
		refuse("q", apperr.CodeOutOfRange, "Must have 32 characters at most.")
	case !utf8.ValidString(beginning) || visible.Key(beginning) == "":
		refuse("q", apperr.CodeInvalidFormat, "Must be the beginning of a name or symbol, with something in it that can be seen.")
	}
	first := ""
	for _, name := range []string{"q", "sort", "creator"} {
		switch {
		case query.Get(name) == "":
		case first != "":
			refuse(name, apperr.CodeInvalidFormat, "Must be left out where there is "+first+".")
		default:
			first = name
		}
	}
	if first == "sort" && !slices.Contains(figures.Ranks(), by) {
		refuse("sort", apperr.CodeInvalidFormat, "Must be volume or paid.")
	}
	return beginning, by, bad
}
