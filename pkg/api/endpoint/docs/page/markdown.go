package page

import (
	"fmt"
	"html"
	"html/template"
	"regexp"
	"strings"
)

// heading is a line of the table of contents.
type heading struct{ ID, Text string }

var (
	codeSpan = regexp.MustCompile("`([^`]+)`")
	bullet   = regexp.MustCompile(`^(-|\d+\.) +`)
)

// markdown renders the part of Markdown that the descriptions use: paragraphs, headings of the
// second level, lists of one level, and code spans. The text is escaped first, so that no text
// becomes HTML. A code span that names an operation, such as "GET /tokens", becomes a link; links
// has the addresses by name.
func markdown(text string, links map[string]string) (template.HTML, []heading) {
	var out strings.Builder
	var headings []heading
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		lines := strings.Split(strings.Trim(block, "\n"), "\n")
		switch first := lines[0]; {
		case strings.HasPrefix(first, "## "):
			h := heading{Text: strings.TrimPrefix(first, "## ")}
			h.ID = slug(h.Text)
			headings = append(headings, h)
			fmt.Fprintf(&out, "<h2 id=%q>%s</h2>\n", h.ID, inline(h.Text, links))
		case bullet.MatchString(first):
			list := "ol"
			if strings.HasPrefix(first, "-") {
				list = "ul"
			}
			fmt.Fprintf(&out, "<%s>\n", list)
			for _, item := range items(lines) {
				fmt.Fprintf(&out, "<li>%s</li>\n", inline(item, links))
			}
			fmt.Fprintf(&out, "</%s>\n", list)
		case first != "":
			fmt.Fprintf(&out, "<p>%s</p>\n", inline(strings.Join(lines, " "), links))
		}
	}
	return template.HTML(out.String()), headings //nolint:gosec // every text in it went through inline or slug
}

// items joins the lines of each list item.
func items(lines []string) []string {
	var out []string
	for _, line := range lines {
		if mark := bullet.FindString(line); mark != "" || len(out) == 0 {
			out = append(out, line[len(mark):])
			continue
		}
		out[len(out)-1] += " " + strings.TrimSpace(line)
	}
	return out
}

func inline(text string, links map[string]string) string {
	return codeSpan.ReplaceAllStringFunc(html.EscapeString(text), func(span string) string {
		code := strings.Trim(span, "`")
		if address, ok := links[html.UnescapeString(code)]; ok {
			return `<a href="` + html.EscapeString(address) + `"><code>` + code + `</code></a>`
		}
		return "<code>" + code + "</code>"
	})
}

// slug returns an ID of letters, digits and hyphens.
func slug(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	return strings.Join(words, "-")
}
