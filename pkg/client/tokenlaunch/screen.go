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

// screen is where all commands print for people. Much of what they print was written by strangers:
// an API, a node, the maker of a proof. No control character of theirs, and no character that
// reorders text, reaches the terminal: the character is shown as Go's source has it, such as \x1b.
type screen struct{ to io.Writer }

// printf prints. Line breaks and tabs are those of the format: of the values they are shown as others
// are, except of lines.
func (s screen) printf(format string, values ...any) {
	shown := make([]any, len(values))
	for i, v := range values {
		shown[i] = stranger{v}
	}
	_, _ = fmt.Fprintf(s.writer(), format, shown...)
}

// writer is for what formats on its own. Line breaks and tabs are printed as such.
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

// lines is a text whose line breaks are printed as such.
type lines string

// stranger prints a value in one line, by whichever verb.
type stranger struct{ value any }

// Format is fmt.Formatter's.
func (s stranger) Format(state fmt.State, verb rune) {
	printed := strconv.IsPrint
	if _, several := s.value.(lines); several {
		printed = func(r rune) bool { return r == '\n' || strconv.IsPrint(r) }
	}
	_, _ = io.WriteString(state, visible(fmt.Sprintf(fmt.FormatString(state, verb), s.value), printed))
}

// joiner joins emoji into one; alone among the characters that do not print it is harmless.
const joiner = '\u200d'

// visible writes each byte and character that is not printed as Go's source has it.
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

// escapeJSON escapes in a JSON document what encoding/json leaves as it is and no terminal should
// get. Such characters are in strings alone.
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
