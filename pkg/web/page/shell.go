package page

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"path"
	"strings"

	"tokenlaunch.example/service/pkg/web/errorpage"
)

// shell has names between double braces, and Site.Shell puts every value in with the
// escape of its place. No template: html/template keeps the linker from leaving out what
// no function calls, which was a third of the function.
//
//go:embed shell.html
var shell string

// Name is what the product is called, on the page and in previews of its links.
const Name = errorpage.Name

// View is one page: what its HTML says before its script runs, for readers without
// scripts and for previews of links.
type View struct {
	// Path is where the page is; empty for one that no link should lead back to.
	Path        string
	Title       string
	Description string
	// Card is the path of the picture of 1200 by 630 pixels that previews show, if any.
	Card string
	// Record is written into the HTML as JSON, so that the page's script does not fetch it; nil:
	// nothing.
	Record any
	// script is the source of the page's own script.
	script string
}

// The pages that are about no token.
var (
	Home = View{
		Path: "/", Title: "Tokens that pay their holders", script: "src/pages/home.tsx",
		Description: "Solana tokens that share a small transfer tax with their holders, on schedule, with a proof for every payment.",
	}
	Launch = View{
		Path: "/launch", Title: "Launch a token", script: "src/pages/launch.tsx",
		Description: "Launch a Solana token that pays its holders from a transfer tax. You sign with your own wallet; your key never leaves it.",
	}
	Mine = View{
		Path: "/mine", Title: "My tokens", script: "src/pages/mine.tsx",
		Description: "The tokens you launched, and their settings.",
	}
	Rewards = View{
		Path: "/rewards", Title: "My rewards", script: "src/pages/rewards.tsx",
		Description: "What the tokens in a wallet have paid it, what they still owe it, and why that waits.",
	}
)

// Policy is the Content-Security-Policy under which the HTML is to be served.
func (s *Site) Policy() string { return s.policy }

// Shell writes the HTML of a page.
func (s *Site) Shell(v View) ([]byte, error) {
	_, start := s.needs(entry)
	styles, scripts := s.needs(entry, v.script)
	var files strings.Builder
	for _, asset := range s.chunks[entry].Assets {
		// Otherwise a browser hears of a font only once it has read the styles and the page.
		if path.Ext(asset) == ".woff2" {
			files.WriteString(tag("link", "rel", "preload", "as", "font", "type", kinds[".woff2"], "crossorigin", "", "href", "/"+asset))
		}
	}
	for _, style := range styles {
		files.WriteString(tag("link", "rel", "stylesheet", "href", style))
	}
	script := start[len(start)-1]
	for _, needed := range scripts {
		if needed != script {
			files.WriteString(tag("link", "rel", "modulepreload", "href", needed))
		}
	}
	// JSON as Go writes it has no <, > or &, so that it cannot end its element.
	config, err := json.Marshal(struct {
		Name string `json:"name"`
		Config
	}{Name, s.config})
	if err != nil {
		return nil, fmt.Errorf("write the page %s: %w", v.Path, err)
	}
	record, err := recordOf(v)
	if err != nil {
		return nil, err
	}
	return []byte(strings.NewReplacer(
		"{{name}}", Name, "{{title}}", html.EscapeString(v.Title), "{{description}}", html.EscapeString(v.Description),
		"{{canonical}}", canonical(s.absolute(v.Path)), "{{card}}", picture(s.absolute(v.Card), v.Description),
		"{{icon}}", "/"+icon, "{{files}}", files.String(), "{{config}}", string(config), "{{script}}", html.EscapeString(script),
		"{{report}}", report(s.config.ReportURL), "{{record}}", record,
	).Replace(shell)), nil
}

// recordOf writes the record of a view as a data block, which no browser runs. Its JSON has no
// <, > or & either.
func recordOf(v View) (string, error) {
	if v.Record == nil {
		return "", nil
	}
	text, err := json.Marshal(v.Record)
	if err != nil {
		return "", fmt.Errorf("write the record of the page %s: %w", v.Path, err)
	}
	return `<script type="application/json" id="record">` + string(text) + "</script>\n", nil
}

// canonical says where the page is, or that no search engine should list it.
func canonical(address string) string {
	if address == "" {
		return tag("meta", "name", "robots", "content", "noindex")
	}
	return tag("link", "rel", "canonical", "href", address) + tag("meta", "property", "og:url", "content", address)
}

// report says where a token is reported, beside what the page's script shows.
func report(address string) string {
	if address == "" {
		return ""
	}
	return `<aside aria-label="Report"><p><a href="` + html.EscapeString(address) + `">Report a token, a picture or a name</a></p></aside>` + "\n"
}

// picture says what previews of the page show.
func picture(address, description string) string {
	if address == "" {
		return tag("meta", "name", "twitter:card", "content", "summary")
	}
	return tag("meta", "property", "og:image", "content", address) +
		tag("meta", "property", "og:image:type", "content", "image/png") +
		tag("meta", "property", "og:image:width", "content", "1200") +
		tag("meta", "property", "og:image:height", "content", "630") +
		tag("meta", "property", "og:image:alt", "content", description) +
		tag("meta", "name", "twitter:card", "content", "summary_large_image")
}

// tag writes an element without content, on a line of its own; its attributes come as
// names and values.
func tag(name string, attributes ...string) string {
	var out strings.Builder
	out.WriteString("<" + name)
	for i := 0; i+1 < len(attributes); i += 2 {
		out.WriteString(" " + attributes[i] + `="` + html.EscapeString(attributes[i+1]) + `"`)
	}
	return out.String() + ">\n"
}

// absolute gives the whole address of a path; none of no path.
func (s *Site) absolute(path string) string {
	if path == "" {
		return ""
	}
	return strings.TrimSuffix(s.config.APIURL, "/") + path
}
