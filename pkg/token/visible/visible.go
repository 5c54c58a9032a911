// Package visible finds characters of a name that are invisible or reorder other characters. With
// such characters two different names look the same. The table is Unicode's properties
// Default_Ignorable_Code_Point and Bidi_Control (UAX #44), characters without a glyph (unassigned
// in Go's Unicode version, private use, surrogates), and blanks. Joiners and variation selectors
// are allowed where emoji and scripts need these characters. Hidden, Legible and Key share the
// table.
package visible

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"
)

// Characters whose visibility depends on their neighbors.
const (
	nonJoiner = '\u200c'
	joiner    = '\u200d'
	textStyle = '\ufe0e'
	emojiLook = '\ufe0f'
	keycap    = '\u20e3'
)

// Hidden returns the first forbidden character of a line, and its place, from 1.
func Hidden(line string) (hidden rune, place int, found bool) {
	runes := []rune(line)
	for i, r := range runes {
		if ignorable(r) && !allowed(runes, i) {
			return r, i + 1, true
		}
	}
	return 0, 0, false
}

// Legible returns the line without the characters that Hidden finds. Lines with the same legible
// text have the same Key.
func Legible(line string) string {
	for {
		_, place, found := Hidden(line)
		if !found {
			return line
		}
		runes := []rune(line)
		line = string(append(runes[:place-1:place-1], runes[place:]...))
	}
}

// Any reports whether the line has a visible character: a letter, a number, a punctuation mark or a
// symbol.
func Any(line string) bool {
	return strings.ContainsFunc(line, func(r rune) bool {
		return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) && !ignorable(r)
	})
}

// blanks are assigned characters with an empty glyph, which no property of Unicode lists: Braille
// pattern blank, object replacement character, Khitan small script filler, musical symbol null
// notehead.
const blanks = "\u2800\ufffc\U00016fe4\U0001d159"

// ignorable reports whether r is invisible, has no glyph that a reader can recognize, or directs
// the characters after r.
func ignorable(r rune) bool {
	return r == utf8.RuneError || strings.ContainsRune(blanks, r) ||
		!unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Zs) ||
		unicode.In(r, unicode.Bidi_Control, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// allowed reports whether the ignorable character at i is needed there.
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
	return unicode.Is(unicode.Prepended_Concatenation_Mark, runes[i]) // of Arabic, and visible
}

// base returns the last base character: no mark, skin tone or selector.
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

// pictographic reports whether r is Extended_Pictographic. A joiner joins r to another emoji
// exactly in this case (UAX #29, GB11).
func pictographic(r rune) bool {
	_, rest, _, _ := uniseg.FirstGraphemeClusterInString(string(r)+string(joiner)+"\U0001f600", -1)
	return rest == ""
}

// afterVirama reports whether before is a virama. A joiner after a virama decides the form of a
// consonant (RFC 5892, A.1, A.2).
func afterVirama(before rune) bool {
	const virama = 9 // its combining class
	return norm.NFC.PropertiesString(string(before)).CCC() == virama
}

// cursive reports whether r is a letter of a script whose letters join, so a non-joiner between two
// letters is visible. RFC 5892, A.1, distinguishes letters that join on one side. This function
// accepts any letter of these scripts.
func cursive(r rune) bool {
	return unicode.Is(unicode.L, r) && unicode.In(r, unicode.Adlam, unicode.Arabic, unicode.Hanifi_Rohingya, unicode.Mandaic,
		unicode.Mongolian, unicode.Nko, unicode.Syriac)
}
