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

// shell has names between double braces. Site.Shell replaces each name by an escaped value. shell
// is not a template, because html/template keeps the linker from removing uncalled functions, which
// made up a third of the function.
//
//go:embed shell.html
var shell string

// Name is the name of the product, on the page and in previews of its links.
const Name = errorpage.Name

// View is a page: the content of the HTML before the script runs, for readers without scripts and
// for previews of links.
type View struct {
	// Path is the path of the page; empty for a page that no link should lead to.
	Path        string
	Title       string
	Description string
	// Card is the path of the preview picture of 1200 by 630 pixels, if any.
	Card string
	// Record is written into the HTML as JSON, so that the page's script does not fetch the record.
	// Nil means no record.
	Record any
	// script is the source of the page's own script.
	script string
}

// HomeCard is the name of the file in Assets' directory with the preview picture of the home page.
// The server draws the picture.
const HomeCard = "card.png"

// The pages without a token.
var (
	Home = View{
		Path: "/", Card: "/" + folder + "/" + HomeCard, Title: "Tokens that pay their holders", script: "src/pages/home.tsx",
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
	Creator = View{
		Title: "Tokens of a creator", script: "src/pages/creator.tsx",
		Description: "The tokens that a wallet launched, and what each has paid its holders.",
	}
	About = View{
		Path: "/about", Title: "How it works", script: "src/pages/about.tsx",
		Description: "How a token pays its holders, what it costs, what you trust, and how the service is doing.",
	}
)

// Policy returns the Content-Security-Policy for serving the HTML.
func (s *Site) Policy() string { return s.policy }

// Shell returns the HTML of a page.
func (s *Site) Shell(v View) ([]byte, error) {
	_, start := s.needs(entry)
	styles, scripts := s.needs(entry, v.script)
	var files strings.Builder
	for _, asset := range s.chunks[entry].Assets {
		// Without the preload, a browser discovers a font only after reading the styles and the
		// page.
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
	// Go's JSON has no <, > or &, so the JSON cannot end its element.
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

// recordOf returns the record of a view as a data block, which browsers do not run. The JSON has no
// <, > or &, so the JSON cannot end the block.
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

// canonical returns the link to the page's canonical address, or a tag against indexing.
func canonical(address string) string {
	if address == "" {
		return tag("meta", "name", "robots", "content", "noindex")
	}
	return tag("link", "rel", "canonical", "href", address) + tag("meta", "property", "og:url", "content", address)
}

// report returns a link for reports, in addition to the content of the page's script.
func report(address string) string {
	if address == "" {
		return ""
	}
	return `<aside aria-label="Report"><p><a href="` + html.EscapeString(address) + `">Report a token, a picture or a name</a></p></aside>` + "\n"
}

// picture returns the tags for the preview picture.
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

// tag returns an element without content, with a line feed. attributes are names and values.
func tag(name string, attributes ...string) string {
	var out strings.Builder
	out.WriteString("<" + name)
	for i := 0; i+1 < len(attributes); i += 2 {
		out.WriteString(" " + attributes[i] + `="` + html.EscapeString(attributes[i+1]) + `"`)
	}
	return out.String() + ">\n"
}

// absolute returns the full address of a path, or "" for an empty path.
func (s *Site) absolute(path string) string {
	if path == "" {
		return ""
	}
	return strings.TrimSuffix(s.config.APIURL, "/") + path
}
