package visible_test

import (
	"testing"
	"unicode"

	"tokenlaunch.example/service/pkg/token/visible"
)

// TestHiddenCharacters tests docs/attacks.md, "Launching": names made of what cannot be seen.
func TestHiddenCharacters(t *testing.T) {
	for name, c := range map[string]struct {
		line   string
		hidden rune // 0: none
		place  int
	}{
		"letters":                         {"Tidal wave", 0, 0},
		"accents that combine":            {"e\u0301", 0, 0},
		"a zero-width space":              {"US\u200bDC", '\u200b', 3},
		"only zero-width spaces":          {"\u200b\u200b", '\u200b', 1},
		"a right-to-left mark":            {"a\u200fb", '\u200f', 2},
		"a right-to-left override":        {"\u202eCDSU", '\u202e', 1},
		"an isolate":                      {"a\u2066b", '\u2066', 2},
		"an Arabic letter mark":           {"a\u061cb", '\u061c', 2},
		"a soft hyphen":                   {"US\u00adDC", '\u00ad', 3},
		"a combining grapheme joiner":     {"a\u034fb", '\u034f', 2},
		"a byte order mark":               {"\ufeffUSDC", '\ufeff', 1},
		"a word joiner":                   {"US\u2060DC", '\u2060', 3},
		"a Hangul filler":                 {"\u3164", '\u3164', 1},
		"a halfwidth Hangul filler":       {"\uffa0", '\uffa0', 1},
		"a tag":                           {"USDC\U000e0041", '\U000e0041', 5},
		"a supplementary selector":        {"USDC\U000e0100", '\U000e0100', 5},
		"an invisible time":               {"a\u2062b", '\u2062', 2},
		"a reserved ignorable":            {"a\ufff0", '\ufff0', 2},
		"a Braille blank":                 {"\u2800", '\u2800', 1},
		"an object replacement":           {"US\ufffcDC", '\ufffc', 3},
		"a null notehead":                 {"\U0001d159", '\U0001d159', 1},
		"a Khitan filler":                 {"a\U00016fe4", '\U00016fe4', 2},
		"private use":                     {"USD Coin\ue000", '\ue000', 9},
		"private use of a plane":          {"\U000f0000", '\U000f0000', 1},
		"an unassigned character":         {"a\u0378", '\u0378', 2},
		"a noncharacter":                  {"a\uffff", '\uffff', 2},
		"a Braille letter":                {"\u2801", 0, 0},
		"a line break":                    {"a\nb", '\n', 2},
		"a broken character":              {"a\xffb", '\ufffd', 2},
		"a family":                        {"👨\u200d👩\u200d👧", 0, 0},
		"a tone and a joiner":             {"👩🏽\u200d🚀", 0, 0},
		"a heart that burns":              {"❤\ufe0f\u200d🔥", 0, 0},
		"a heart in text":                 {"❤\ufe0e", 0, 0},
		"a keycap":                        {"1\ufe0f\u20e3", 0, 0},
		"a flag":                          {"🇨🇭", 0, 0},
		"a selector after a letter":       {"a\ufe0f", '\ufe0f', 2},
		"a selector after a digit":        {"1\ufe0f", '\ufe0f', 2},
		"a selector at the start":         {"\ufe0f", '\ufe0f', 1},
		"two selectors":                   {"❤\ufe0f\ufe0f", '\ufe0f', 3},
		"another selector":                {"❤\ufe00", '\ufe00', 2},
		"a joiner between letters":        {"US\u200dDC", '\u200d', 3},
		"a joiner after an emoji":         {"🌊\u200d", '\u200d', 2},
		"a joiner of emoji and letter":    {"🌊\u200da", '\u200d', 2},
		"a joiner at the start":           {"\u200d🌊", '\u200d', 1},
		"two joiners":                     {"👨\u200d\u200d👩", '\u200d', 2},
		"a joiner after a virama":         {"क्\u200dष", 0, 0},
		"a non-joiner after a virama":     {"क्\u200cष", 0, 0},
		"a joiner after a consonant":      {"क\u200dष", '\u200d', 2},
		"a Persian non-joiner":            {"می\u200cخواهم", 0, 0},
		"a non-joiner between Latin":      {"US\u200cDC", '\u200c', 3},
		"a non-joiner at a Persian end":   {"می\u200c", '\u200c', 3},
		"two Persian non-joiners":         {"می\u200c\u200cخ", '\u200c', 3},
		"a number sign of Arabic is seen": {"\u0661\u0600", 0, 0},
	} {
		hidden, place, found := visible.Hidden(c.line)
		if hidden != c.hidden || place != c.place || found != (c.place > 0) {
			t.Errorf("%s: %U at %d, %v; want %U at %d", name, hidden, place, found, c.hidden, c.place)
		}
	}
}

// TestIgnorableCharactersAreRejected tests that none of Unicode's ignorable characters is accepted
// between two letters.
func TestIgnorableCharactersAreRejected(t *testing.T) {
	for _, table := range []*unicode.RangeTable{unicode.Bidi_Control, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Join_Control} {
		each := func(lo, hi, stride uint32) {
			for r := lo; r <= hi; r += stride {
				if got, _, found := visible.Hidden("a" + string(rune(r)) + "b"); !found || got != rune(r) {
					t.Errorf("%U passes", r)
				}
			}
		}
		for _, r := range table.R16 {
			each(uint32(r.Lo), uint32(r.Hi), uint32(r.Stride))
		}
		for _, r := range table.R32 {
			each(r.Lo, r.Hi, r.Stride)
		}
	}
}

// TestAny tests docs/attacks.md, "Launching": a name of characters that cannot be seen by
// themselves.
func TestAny(t *testing.T) {
	for line, want := range map[string]bool{
		"a": true, "\u0661": true, "!": true, "€": true, "🌊": true, "\u0915": true,
		"": false, " ": false, "\u00a0": false, "\u0301": false, "\u2800": false, "\u200d": false, "\ue000": false, "\U0001d159": false,
	} {
		if got := visible.Any(line); got != want {
			t.Errorf("Any(%+q) = %v, want %v", line, got, want)
		}
	}
}

// FuzzHidden tests that a hidden character is at the place that Hidden returns, and that a legible
// line has none. Two lines that are legible as the same text have the same key, because each has
// the key of its legible text.
func FuzzHidden(f *testing.F) {
	f.Add("👨\u200d👩")
	f.Add("\xff\u200b")
	f.Add("e\u200b\u0301")
	f.Add("US\ue000D\u2800 Coin\u0378")
	f.Add("می\u200c\u200cخ")
	f.Fuzz(func(t *testing.T, line string) {
		hidden, place, found := visible.Hidden(line)
		if runes := []rune(line); found && runes[place-1] != hidden {
			t.Errorf("%U at %d of %q", hidden, place, line)
		}
		legible := visible.Legible(line)
		if r, _, still := visible.Hidden(legible); still {
			t.Errorf("Legible(%+q) = %+q, which has %U", line, legible, r)
		}
		if got, want := visible.Key(legible), visible.Key(line); got != want {
			t.Errorf("Key(%+q) = %+q, and %+q of its legible text %+q", line, want, got, legible)
		}
		if visible.Any(line) != visible.Any(legible) {
			t.Errorf("Any(%+q) = %v, and not of its legible text", line, visible.Any(line))
		}
	})
}
