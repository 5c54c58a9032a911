// Package page is the page for browsers: its files as they were built, the HTML that
// they begin with, and what that HTML may load. The sources are in the folder web; what
// they are built into, dist, is part of this package's binary.
//
// The page uses nothing but the public API, the public files, and a public Solana node
// to check by itself what the service says.
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

// Without what is hidden there would be nothing to embed before the page is built.
//
//go:embed all:dist
var built embed.FS

// Where the files of the page are, in dist and on the server, and which of them the page
// begins with. Vite lists what belongs to what in the manifest.
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
	// Immutable: the name changes with the content.
	Immutable bool
}

// Site is the page of one deployment.
type Site struct {
	config Config
	policy string
	assets map[string]Asset
	chunks map[string]chunk
}

// chunk is one entry of the manifest: a script, and what it needs.
type chunk struct {
	File    string   `json:"file"`
	CSS     []string `json:"css"`
	Imports []string `json:"imports"`
	// Assets are what its styles name, such as fonts.
	Assets []string `json:"assets"`
}

// New gives the page of a deployment.
func New(c Config) (*Site, error) {
	files, err := fs.Sub(built, "dist")
	if err != nil {
		return nil, fmt.Errorf("find the page: %w", err)
	}
	return Open(files, c)
}

// Open gives the page of a deployment, out of other files than those of this package.
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

// hashed are names as Vite makes them, with eight letters that the content decides.
var hashed = regexp.MustCompile(`-[A-Za-z0-9_-]{8}\.[a-z0-9]+$`)

// kinds are the media types of files by their extensions. They are not the machine's:
// those differ.
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

// checkFiles says whether all files that the manifest names are there.
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

// Assets gives the files by their names.
func (s *Site) Assets() map[string]Asset { return maps.Clone(s.assets) }

// needs lists the styles and scripts that the named sources need from the start, in the
// order in which they are needed.
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
