package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// folder is a package with fuzz targets. Its path is from the project's folder.
type folder struct {
	root, path string
	targets    []string
}

var (
	declaration = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(\w+ \*testing\.F\)`)
	skipped     = regexp.MustCompile(`^(\..+|node_modules|testdata|cdk\.out)$`)
)

// find reads the targets out of the test files of both modules.
func find(root string, wanted *regexp.Regexp) ([]folder, error) {
	found := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if path != root && skipped.MatchString(entry.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path) // #nosec G304 G122 -- the project's own files
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		for _, match := range declaration.FindAllStringSubmatch(string(text), -1) {
			if wanted.MatchString(inside + "." + match[1]) {
				found[inside] = append(found[inside], match[1])
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look for fuzz targets: %w", err)
	}
	var packages []folder
	for path, targets := range found {
		slices.Sort(targets)
		packages = append(packages, folder{root: root, path: path, targets: targets})
	}
	slices.SortFunc(packages, func(a, b folder) int { return strings.Compare(a.path, b.path) })
	return packages, nil
}

// count is how many targets packages have.
func count(packages []folder) (n int) {
	for _, p := range packages {
		n += len(p.targets)
	}
	return n
}

// today keeps one package in so many, so that all have had their turn after as many days.
func today(packages []folder, oneIn int, now time.Time) (kept []folder) {
	const day = 24 * 60 * 60
	for i := int(now.Unix()/day) % oneIn; i < len(packages); i += oneIn {
		kept = append(kept, packages[i])
	}
	return kept
}

// binary is a package's test binary with the fuzzer's instruments in it.
type binary struct {
	folder

	file string
	err  error
}

// build builds the packages in turn, one ahead of whoever reads them. The cache of
// go build keeps the instrumented code, which the first time is all of it.
func build(ctx context.Context, packages []folder, scratch string) <-chan binary {
	out := make(chan binary)
	go func() {
		defer close(out)
		for i, p := range packages {
			b := binary{folder: p, file: filepath.Join(scratch, fmt.Sprintf("%d.test", i))}
			// #nosec G204 -- the project's own packages
			cmd := exec.CommandContext(ctx, "go", "test", "-c", "-fuzz", ".", "-o", b.file, ".")
			cmd.Dir = filepath.Join(p.root, p.path)
			if text, err := cmd.CombinedOutput(); err != nil {
				b.err = fmt.Errorf("build the targets of %s: %w\n%s", p.path, err, text)
			}
			select {
			case out <- b:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

// cacheFolder is where inputs that reached new code are kept from run to run, as
// go test -fuzz keeps them.
func cacheFolder(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOCACHE").Output()
	if err != nil {
		return "", fmt.Errorf("find the build cache: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "fuzz", "tokenlaunch.example", "service"), nil
}
