package page

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strings"
)

//go:embed shell.html
var shellText string

var shell = template.Must(template.New("shell").Parse(shellText))

// View is one page: what its HTML says before its script runs, for readers without
// scripts and for previews of links.
type View struct {
	// Path is where the page is; empty for one that nobody should come back to.
	Path        string
	Title       string
	Description string
	// Card is the path of the picture of 1200 by 630 pixels that previews show, if any.
	Card string
	// script is the source of the page's own script.
	script string
}

// The pages that are about no token.
var (
	Home = View{
		Path: "/", Title: "Tokens that share their tax", script: "src/pages/home.tsx",
		Description: "The newest tokens, those that are featured, and those on a curve. Each pays its holders out of its transfer tax, and proves it.",
	}
	Launch = View{
		Path: "/launch", Title: "Launch a token", script: "src/pages/launch.tsx",
		Description: "Launch a token on Solana whose transfer tax goes to its holders. You sign with your own wallet; nobody asks for your key.",
	}
	Mine = View{
		Path: "/mine", Title: "Your tokens", script: "src/pages/mine.tsx",
		Description: "Settings of the tokens that you launched.",
	}
)

// Policy is the Content-Security-Policy under which the HTML is to be served.
func (s *Site) Policy() string { return s.policy }

// Shell writes the HTML of a page.
func (s *Site) Shell(v View) ([]byte, error) {
	_, start := s.needs(entry)
	styles, scripts := s.needs(entry, v.script)
	data := struct {
		View
		Config          Config
		Icon, Script    string
		Styles, Preload []string
		URL, Image      string
	}{
		View: v, Config: s.config, Styles: styles,
		Script: start[len(start)-1], Icon: "/" + icon,
		URL: s.absolute(v.Path), Image: s.absolute(v.Card),
	}
	for _, script := range scripts {
		if script != data.Script {
			data.Preload = append(data.Preload, script)
		}
	}
	var out bytes.Buffer
	if err := shell.Execute(&out, data); err != nil {
		return nil, fmt.Errorf("write the page %s: %w", v.Path, err)
	}
	return out.Bytes(), nil
}

// absolute gives the whole address of a path; none of no path.
func (s *Site) absolute(path string) string {
	if path == "" {
		return ""
	}
	return strings.TrimSuffix(s.config.APIURL, "/") + path
}
