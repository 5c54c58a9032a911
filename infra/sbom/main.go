// Command sbom writes what the service is made of, in CycloneDX 1.5: a file for each
// function, out of the module list that the Go linker puts into its binary, one for the
// page that is embedded in the function docs, and one for each lock file of the parts that
// build and test them. It fails when a part of a binary or of the page has no licence that
// we know, or one that we do not take.
//
//	make sbom        into .build/sbom
package main

import (
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// bom is a bill of materials, the part of CycloneDX that is used.
type bom struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Version    int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type     string          `json:"type"`
	Name     string          `json:"name"`
	Version  string          `json:"version,omitempty"`
	PURL     string          `json:"purl,omitempty"`
	Licenses []licenseChoice `json:"licenses,omitempty"`
	// Properties has Go's own sum of a module, or the licence that npm was told.
	Properties []property `json:"properties,omitempty"`
}

type licenseChoice struct {
	License struct {
		ID string `json:"id"`
	} `json:"license"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// taken are the licences under which parts of the product may be: all of them let it
// be used and changed without giving our own code away.
var taken = []string{"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MIT-0", "Unlicense", "CC0-1.0"}

// known are modules without a text that the check knows, each with where it is said.
var known = map[string]string{
	// Its LICENSE.md names both Apache-2.0 and MIT, in a table of its own.
	"github.com/multiformats/go-base36": "Apache-2.0",
	// MIT since the commit after v0.1.4, the last version: its repository has the LICENSE.
	"github.com/gagliardetto/treeout": "MIT",
	// Its package.json says so, and there is no file.
	"@cfworker/json-schema": "MIT",
}

func main() {
	root := flag.String("root", "..", "the project's folder")
	flag.Parse()
	if err := run(context.Background(), *root); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, root string) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	out := filepath.Join(root, ".build", "sbom")
	if err := os.MkdirAll(out, 0o750); err != nil {
		return err
	}
	binaries, err := filepath.Glob(filepath.Join(root, ".build", "functions", "*", "bootstrap"))
	if err != nil || len(binaries) == 0 {
		return errors.Join(err, errors.New("no functions in .build/functions: run make build"))
	}
	folders, err := moduleFolders(ctx, root)
	if err != nil {
		return err
	}
	seen := map[string]string{} // modules with their licences
	var bad []error
	for _, binary := range binaries {
		info, err := buildinfo.ReadFile(binary)
		if err != nil {
			return err
		}
		name := filepath.Base(filepath.Dir(binary))
		b, problems := ofBinary(name, info, folders, seen)
		bad = append(bad, problems...)
		if err := write(filepath.Join(out, "function-"+name+".cdx.json"), b); err != nil {
			return err
		}
	}
	page, problems, err := ofPage(filepath.Join(root, "pkg", "page", "web"))
	if err != nil {
		return fmt.Errorf("the page: %w", err)
	}
	bad = append(bad, problems...)
	if err := write(filepath.Join(out, "page.cdx.json"), page); err != nil {
		return err
	}
	others, err := lockFiles(ctx, root, out)
	if err != nil {
		return err
	}
	slices.SortFunc(bad, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	bad = slices.CompactFunc(bad, func(a, b error) bool { return a.Error() == b.Error() })
	if len(bad) > 0 {
		return errors.Join(bad...)
	}
	fmt.Printf("%d functions with %d modules, all under a licence that we take, a page with %d, and %d lock files: .build/sbom\n",
		len(binaries), len(seen), len(page.Components), others)
	return nil
}

// moduleFolders says where the module cache has each module of the product.
func moduleFolders(ctx context.Context, root string) (map[string]string, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Version}} {{.Dir}}{{end}}", "./functions/...")
	cmd.Dir = root
	// The functions are built for Lambda without C: no other packages count.
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-tags=lambda.norpc")
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the modules: %w", err)
	}
	folders := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if parts := strings.SplitN(strings.TrimSpace(line), " ", 3); len(parts) == 3 {
			folders[parts[0]+"@"+parts[1]] = parts[2]
		}
	}
	return folders, nil
}

// ofBinary lists what is linked into a binary, and what is wrong with its licences.
func ofBinary(name string, info *debug.BuildInfo, folders, seen map[string]string) (bom, []error) {
	b := newBOM(component{Type: "application", Name: "function-" + name, PURL: "pkg:golang/" + info.Path})
	std := strings.TrimPrefix(info.GoVersion, "go")
	b.Components = append(b.Components, component{Type: "library", Name: "std", Version: std, PURL: "pkg:golang/std@" + std, Licenses: licensed([]string{"BSD-3-Clause"})})
	var bad []error
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		at := m.Path + "@" + m.Version
		text, ok := seen[at]
		if !ok {
			ids, err := licenses(m.Path, folders[at])
			if err != nil {
				bad = append(bad, fmt.Errorf("%s: %w", at, err))
			}
			text = strings.Join(ids, " ")
			seen[at] = text
		}
		c := component{Type: "library", Name: m.Path, Version: m.Version, PURL: "pkg:golang/" + at, Licenses: licensed(strings.Fields(text))}
		if m.Sum != "" {
			c.Properties = []property{{"go:sum", m.Sum}}
		}
		b.Components = append(b.Components, c)
	}
	return b, bad
}

func newBOM(subject component) bom {
	return bom{Format: "CycloneDX", Spec: "1.5", Version: 1, Metadata: metadata{subject}}
}

func licensed(ids []string) []licenseChoice {
	list := make([]licenseChoice, len(ids))
	for i, id := range ids {
		list[i].License.ID = id
	}
	return list
}

var licenseFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense)([.-].*)?$`)

// enough is how much of a file must be the text of licences, in percent.
const enough = 60

// licenses reads those of a module. All that its files name must be taken.
func licenses(path, folder string) ([]string, error) {
	if id := known[path]; id != "" {
		return []string{id}, nil
	}
	if folder == "" {
		return nil, errors.New("the module cache does not have it")
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, e := range entries {
		if !licenseFile.MatchString(e.Name()) || strings.HasSuffix(e.Name(), "-SUMMARY") || e.IsDir() { // a summary sums up the others
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, e.Name())) // #nosec G304 -- the module cache
		if err != nil {
			return nil, err
		}
		found := licensecheck.Scan(text)
		if found.Percent < enough {
			return nil, fmt.Errorf("%s is no licence that is known: read it, and list it in known", e.Name())
		}
		for _, match := range found.Match {
			if !slices.Contains(taken, match.ID) {
				return nil, fmt.Errorf("%s is under %s, which is not among those that we take", e.Name(), match.ID)
			}
			if !slices.Contains(ids, match.ID) {
				ids = append(ids, match.ID)
			}
		}
	}
	if len(ids) == 0 {
		return nil, errors.New("it has no licence")
	}
	return ids, nil
}

var pinned = regexp.MustCompile(`(?m)^([A-Za-z0-9._-]+)==([^ ;\\]+)`)

// lockFiles writes what those of Node and Python pin.
func lockFiles(ctx context.Context, root, out string) (int, error) {
	listed, err := exec.CommandContext(ctx, "git", "-C", root, "ls-files", "infra", "pkg/web/page/web").Output() // #nosec G204 -- the project's folder
	if err != nil {
		return 0, fmt.Errorf("list the lock files: %w", err)
	}
	count := 0
	for _, file := range strings.Fields(string(listed)) {
		name := strings.ReplaceAll(strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "infra/"), "/", "-")
		full := filepath.Join(root, filepath.FromSlash(file))
		switch base := filepath.Base(file); {
		case base == "package-lock.json":
			text, err := os.ReadFile(full) // #nosec G304 -- the project's own file
			if err != nil {
				return 0, err
			}
			b, err := ofPackageLock("npm-"+name, text)
			if err != nil {
				return 0, fmt.Errorf("%s: %w", file, err)
			}
			if err := write(filepath.Join(out, "npm-"+name+".cdx.json"), b); err != nil {
				return 0, err
			}
		case strings.HasSuffix(base, "requirements.txt"):
			text, err := os.ReadFile(full) // #nosec G304 -- the project's own file
			if err != nil {
				return 0, err
			}
			name = strings.Trim(name+"-"+strings.TrimSuffix(base, "requirements.txt"), "-")
			b := newBOM(component{Type: "application", Name: "pip-" + name})
			for _, m := range pinned.FindAllStringSubmatch(string(text), -1) {
				b.Components = append(b.Components, component{Type: "library", Name: m[1], Version: m[2], PURL: "pkg:pypi/" + strings.ToLower(m[1]) + "@" + m[2]})
			}
			if err := write(filepath.Join(out, "pip-"+name+".cdx.json"), b); err != nil {
				return 0, err
			}
		default:
			continue
		}
		count++
	}
	return count, nil
}

func write(name string, b bom) error {
	text, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(text, '\n'), 0o600) // #nosec G703 -- a folder of the project
}
