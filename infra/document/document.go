// Package document writes what was measured or computed into the project's documents,
// so that no figure there was copied by hand.
package document

import (
	"fmt"
	"os"
	"strings"
)

// Table is the part of a document between <!-- name --> and <!-- /name -->. Its text may be
// more than one table.
type Table struct{ Name, Text string }

// Markdown lays out rows in aligned columns; the first row is the header.
func Markdown(rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len(cell))
		}
	}
	var out strings.Builder
	line := func(cells []string) {
		for i, cell := range cells {
			fmt.Fprintf(&out, "| %-*s ", widths[i], cell)
		}
		out.WriteString("|\n")
	}
	line(rows[0])
	for _, width := range widths {
		out.WriteString("|" + strings.Repeat("-", width+2))
	}
	out.WriteString("|\n")
	for _, row := range rows[1:] {
		line(row)
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// WriteInto puts the tables between their markers in the file, and leaves the rest as it
// is.
func WriteInto(file string, tables []Table) error {
	text, err := os.ReadFile(file) // #nosec G304 -- the project's own document
	if err != nil {
		return err
	}
	written, err := Place(string(text), tables)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, []byte(written), 0o644) // #nosec G306 G703 -- a document of the project
}

// Place puts the tables between their markers. A table without a place is an error.
func Place(text string, tables []Table) (string, error) {
	for _, t := range tables {
		begin, end := "<!-- "+t.Name+" -->\n", "<!-- /"+t.Name+" -->"
		before, rest, ok := strings.Cut(text, begin)
		_, after, closed := strings.Cut(rest, end)
		if !ok || !closed {
			return "", fmt.Errorf("it has no place for %s", t.Name)
		}
		text = before + begin + t.Text + "\n" + end + after
	}
	return text, nil
}

// Blocks returns the code blocks of a language below a heading, up to the next heading of
// the same level or above.
func Blocks(text, heading, language string) []string {
	level := strings.IndexFunc(heading, func(r rune) bool { return r != '#' })
	_, section, _ := strings.Cut("\n"+text, "\n"+heading+"\n")
	var (
		blocks []string
		block  strings.Builder
		fence  string
	)
	for line := range strings.Lines(section) {
		switch {
		case fence == "" && strings.HasPrefix(line, "```"):
			fence = strings.TrimSpace(line)
			block.Reset()
		case fence == "":
			if marks := len(line) - len(strings.TrimLeft(line, "#")); marks > 0 && marks <= level {
				return blocks
			}
		case strings.TrimSpace(line) == "```":
			if fence == "```"+language {
				blocks = append(blocks, block.String())
			}
			fence = ""
		default:
			block.WriteString(line)
		}
	}
	return blocks
}
