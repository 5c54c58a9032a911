// Package visible finds characters of a name that cannot be seen, or that reorder others: with
// them two names that differ look the same. It keeps to Unicode's properties
// Default_Ignorable_Code_Point and Bidi_Control (UAX #44), and lets pass what emoji and scripts
// need: joiners and variation selectors where they change what is shown.
package visible

import (
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"
)

// Characters that may be seen or not, by what they stand next to.
const (
	nonJoiner = '\u200c'
	joiner    = '\u200d'
	textStyle = '\ufe0e'
	emojiLook = '\ufe0f'
	keycap    = '\u20e3'
)

// Hidden gives the first character that a line must not have, and its place, from 1.
func Hidden(line string) (hidden rune, place int, found bool) {
	runes := []rune(line)
	for i, r := range runes {
		if !ignorable(r) || allowed(runes, i) {
			continue
		}
		return r, i + 1, true
	}
	return 0, 0, false
}

// ignorable says whether r shows nothing by itself, or directs what comes after it.
func ignorable(r rune) bool {
	return r == utf8.RuneError || r >= '\ufff0' && r <= '\ufff8' ||
		unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Cf, unicode.Bidi_Control,
			unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// allowed says whether the ignorable character at i is of use there.
func allowed(runes []rune, i int) bool {
	if i == 0 {
		return false
	}
	before, after := runes[i-1], rune(0)
	if i+1 < len(runes) {
		after = runes[i+1]
	}
	switch runes[i] {
	case textStyle, emojiLook:
		return pictographic(before) || after == keycap && isKey(before)
	case joiner:
		return afterVirama(before) || pictographic(after) && pictographic(base(runes[:i]))
	case nonJoiner:
		return afterVirama(before) || cursive(base(runes[:i])) && cursive(after)
	}
	return unicode.Is(unicode.Prepended_Concatenation_Mark, runes[i]) // of Arabic; it is seen
}

// base is the last character that others are added to: no mark, skin tone or selector.
func base(runes []rune) rune {
	for i := len(runes) - 1; i >= 0; i-- {
		if r := runes[i]; !unicode.Is(unicode.M, r) && !isTone(r) {
			return r
		}
	}
	return 0
}

func isTone(r rune) bool { return r >= '\U0001f3fb' && r <= '\U0001f3ff' }

func isKey(r rune) bool { return r >= '0' && r <= '9' || r == '#' || r == '*' }

// pictographic says whether r is Extended_Pictographic: then, and only then, a joiner binds it
// to another emoji (UAX #29, GB11).
func pictographic(r rune) bool {
	_, rest, _, _ := uniseg.FirstGraphemeClusterInString(string(r)+string(joiner)+"\U0001f600", -1)
	return rest == ""
}

// afterVirama: a joiner after a virama says how a consonant is written (RFC 5892, A.1, A.2).
func afterVirama(before rune) bool {
	const virama = 9 // its combining class
	return norm.NFC.PropertiesString(string(before)).CCC() == virama
}

// cursive says whether r is a letter of a script whose letters join, so that a non-joiner
// between two of them can be seen. RFC 5892, A.1, tells letters that join on one side apart;
// here each may have one.
func cursive(r rune) bool {
	return unicode.Is(unicode.L, r) && unicode.In(r, unicode.Adlam, unicode.Arabic, unicode.Hanifi_Rohingya, unicode.Mandaic,
		unicode.Mongolian, unicode.Nko, unicode.Syriac)
}
