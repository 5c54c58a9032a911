package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf16"
	"unicode/utf8"
)

// screen prints the text output of all commands. Most of the text comes from third parties, such as
// an API, a node, or the author of a proof. A control character, or a character that reorders text,
// could deceive the reader, so screen escapes such characters as in Go source, such as \x1b.
type screen struct{ to io.Writer }

// printf prints. Line breaks and tabs in the format are printed. Line breaks and tabs in values are
// escaped, except line breaks in values of type lines.
func (s screen) printf(format string, values ...any) {
	shown := make([]any, len(values))
	for i, v := range values {
		shown[i] = stranger{v}
	}
	_, _ = fmt.Fprintf(s.writer(), format, shown...)
}

// writer returns a writer for formatted text. Line breaks and tabs are printed.
func (s screen) writer() io.Writer { return escaping(s) }

// columns prints rows of cells, one below the other.
func (s screen) columns(rows [][]string) {
	t := tabwriter.NewWriter(s.writer(), 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for i, cell := range row {
			if i > 0 {
				_, _ = io.WriteString(t, "\t")
			}
			_, _ = io.WriteString(t, visible(cell, strconv.IsPrint))
		}
		_, _ = io.WriteString(t, "\n")
	}
	_ = t.Flush()
}

type escaping struct{ to io.Writer }

// Write writes text.
func (e escaping) Write(text []byte) (int, error) {
	shown := visible(string(text), func(r rune) bool { return r == '\n' || r == '\t' || strconv.IsPrint(r) })
	if _, err := io.WriteString(e.to, shown); err != nil {
		return 0, fmt.Errorf("print: %w", err)
	}
	return len(text), nil
}

// lines is a text whose line breaks are printed.
type lines string

// stranger prints a value in one line, for every verb.
type stranger struct{ value any }

// Format implements fmt.Formatter.
func (s stranger) Format(state fmt.State, verb rune) {
	printed := strconv.IsPrint
	if _, several := s.value.(lines); several {
		printed = func(r rune) bool { return r == '\n' || strconv.IsPrint(r) }
	}
	_, _ = io.WriteString(state, visible(fmt.Sprintf(fmt.FormatString(state, verb), s.value), printed))
}

// joiner combines several emoji. It is the only harmless character among the non-printing
// characters.
const joiner = '\u200d'

// visible escapes each byte and character that must not be printed, as in Go source.
func visible(text string, printed func(rune) bool) string {
	var b strings.Builder
	for i, r := range text {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				_, _ = fmt.Fprintf(&b, `\x%02x`, text[i])
				continue
			}
		}
		if r == joiner || printed(r) {
			b.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRuneToASCII(r)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}

// escapeJSON escapes the characters that encoding/json does not escape and that must not reach a
// terminal. In a JSON document, such characters occur only in strings.
func escapeJSON(document []byte) []byte {
	var b strings.Builder
	for _, r := range string(document) {
		switch {
		case r == '\n', r == joiner, strconv.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			_, _ = fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			_, _ = fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return []byte(b.String())
}
