// Package project finds the local stack's pinned parts in the work tree, and reports a missing part
// in one sentence.
package project

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
)

// Folder is the root of the work tree, an absolute path.
type Folder string

// marker is a file that only the root's infra directory has.
const marker = "infra/local/surfpool_host.mjs"

// Find walks up from the working directory to the root of the work tree. Find works from any
// package, because tests run in their package's directory.
func Find() (Folder, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the project: %w", err)
	}
	for start := dir; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, marker)); err == nil {
			return Folder(dir), nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("%s is not inside the project's folder", start)
		}
	}
}

// Path joins a slash-separated path to the root.
func (f Folder) Path(relative string) string {
	return filepath.Join(string(f), filepath.FromSlash(relative))
}

// Python returns the interpreter of the virtual environment that has MiniStack.
func (f Folder) Python() (string, error) {
	return f.installed("MiniStack", ".local/venv/bin/python")
}

// CDK returns the CDK command line.
func (f Folder) CDK() (string, error) {
	return f.installed("The CDK command line", "infra/local/node_modules/.bin/cdk")
}

// surfpoolBuilds are the platforms of Surfpool's package, in Go's names, with the package of each
// platform.
var surfpoolBuilds = map[string]string{
	"linux/amd64":  "linux-x64-gnu",
	"darwin/amd64": "darwin-x64",
	"darwin/arm64": "darwin-arm64",
}

// Surfpool returns Surfpool's package directory. It fails on a platform without a build of
// Surfpool.
func (f Folder) Surfpool() (string, error) {
	platform := runtime.GOOS + "/" + runtime.GOARCH
	build, ok := surfpoolBuilds[platform]
	if !ok {
		known := make([]string, 0, len(surfpoolBuilds))
		for p := range surfpoolBuilds {
			known = append(known, p)
		}
		slices.Sort(known)
		return "", fmt.Errorf("Surfpool, the local Solana chain, has no build for %s, only for %v", platform, known)
	}
	return f.installed("Surfpool", "infra/local/node_modules/@solana/surfpool-"+build)
}

func (f Folder) installed(what, relative string) (string, error) {
	path := f.Path(relative)
	_, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("%s is not installed: run `make tools`", what)
	}
	if err != nil {
		return "", fmt.Errorf("look for %s: %w", what, err)
	}
	return path, nil
}
