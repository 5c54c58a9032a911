// Package page is the page for browsers: its built files, its initial HTML, and the
// Content-Security-Policy of the HTML. The sources are in the directory web. The build writes to
// dist, which is part of this package's binary.
//
// The page uses only the public API, the public files, and a public Solana node, with which the
// page checks the service's statements.
package page

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
)

// Embedding hidden files lets the package compile before the page is built.
//
//go:embed all:dist
var built embed.FS

// The paths of the page's files, in dist and on the server, and the page's entry files. Vite lists
// the dependencies of files in the manifest.
const (
	folder       = "assets"
	manifestFile = "manifest.json"
	entry        = "src/main.tsx"
	icon         = folder + "/favicon.svg"
)

// Asset is a file of the page.
type Asset struct {
	ContentType string
	Content     []byte
	// Immutable reports that the name changes with the content.
	Immutable bool
}

// Site is the page of one deployment.
type Site struct {
	config Config
	policy string
	assets map[string]Asset
	chunks map[string]chunk
}

// chunk is an entry of the manifest: a script and its dependencies.
type chunk struct {
	File    string   `json:"file"`
	CSS     []string `json:"css"`
	Imports []string `json:"imports"`
	// Assets are files that the styles reference, such as fonts.
	Assets []string `json:"assets"`
}

// New returns the page of a deployment.
func New(c Config) (*Site, error) {
	files, err := fs.Sub(built, "dist")
	if err != nil {
		return nil, fmt.Errorf("find the page: %w", err)
	}
	return Open(files, c)
}

// Open returns the page of a deployment, with files from outside this package.
func Open(files fs.FS, c Config) (*Site, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	s := &Site{config: c, policy: c.policy(), assets: map[string]Asset{}}
	text, err := fs.ReadFile(files, manifestFile)
	if err != nil {
		return nil, fmt.Errorf("read the page's manifest, which make page writes: %w", err)
	}
	if err := json.Unmarshal(text, &s.chunks); err != nil {
		return nil, fmt.Errorf("read the page's manifest: %w", err)
	}
	names, err := fs.ReadDir(files, folder)
	if err != nil {
		return nil, fmt.Errorf("list the page's files: %w", err)
	}
	for _, name := range names {
		if s.assets[name.Name()], err = readAsset(files, name.Name()); err != nil {
			return nil, err
		}
	}
	return s, s.checkFiles()
}

// hashed matches Vite's names, which contain eight characters of the content's hash.
var hashed = regexp.MustCompile(`-[A-Za-z0-9_-]{8}\.[a-z0-9]+$`)

// kinds are the media types by extension. The machine's own table is not used, because tables
// differ between machines.
var kinds = map[string]string{
	".js":    "text/javascript; charset=utf-8",
	".css":   "text/css; charset=utf-8",
	".svg":   "image/svg+xml",
	".txt":   "text/plain; charset=utf-8",
	".woff2": "font/woff2",
}

func readAsset(files fs.FS, name string) (Asset, error) {
	kind, ok := kinds[path.Ext(name)]
	if !ok {
		return Asset{}, fmt.Errorf("the page's file %s is of a kind that is not served: name its media type in pkg/web/page and in the OpenAPI document", name)
	}
	content, err := fs.ReadFile(files, path.Join(folder, name))
	if err != nil {
		return Asset{}, fmt.Errorf("read the page's file %s: %w", name, err)
	}
	return Asset{ContentType: kind, Content: content, Immutable: hashed.MatchString(name)}, nil
}

// checkFiles checks that the manifest's files exist.
func (s *Site) checkFiles() error {
	if _, ok := s.chunks[entry]; !ok {
		return errors.New("the page's manifest does not have " + entry)
	}
	if _, ok := s.assets[path.Base(icon)]; !ok {
		return errors.New("the page has no " + icon)
	}
	for source, c := range s.chunks {
		for _, file := range slices.Concat([]string{c.File}, c.CSS, c.Assets) {
			if _, ok := s.assets[path.Base(file)]; !ok || path.Dir(file) != folder {
				return fmt.Errorf("the page's file %s of %s is not there", file, source)
			}
		}
		for _, imported := range c.Imports {
			if _, ok := s.chunks[imported]; !ok {
				return fmt.Errorf("the page's manifest does not have %s, which %s imports", imported, source)
			}
		}
	}
	return nil
}

// Assets returns the files by name.
func (s *Site) Assets() map[string]Asset { return maps.Clone(s.assets) }

// needs returns the styles and scripts that the given sources load at the start, in loading order.
func (s *Site) needs(sources ...string) (styles, scripts []string) {
	var seen []string
	var visit func(source string)
	visit = func(source string) {
		c, ok := s.chunks[source]
		if !ok || slices.Contains(seen, source) {
			return
		}
		seen = append(seen, source)
		for _, imported := range c.Imports {
			visit(imported)
		}
		for _, style := range c.CSS {
			if !slices.Contains(styles, "/"+style) {
				styles = append(styles, "/"+style)
			}
		}
		scripts = append(scripts, "/"+c.File)
	}
	for _, source := range sources {
		visit(source)
	}
	return styles, scripts
}
