// Package release puts the module before Go as a release does, without one: a copy of the work
// tree, and a proxy of files that has it as a version.
package release

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// Copy copies into a folder what git would commit of a work tree.
func Copy(ctx context.Context, root, folder string) error {
	list := exec.CommandContext(ctx, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		return fmt.Errorf("list the files of the work tree: %w", err)
	}
	for name := range strings.SplitSeq(strings.Trim(string(out), "\x00"), "\x00") {
		if err := copyFile(filepath.Join(root, name), filepath.Join(folder, name)); err != nil && !os.IsNotExist(err) { // was removed
			return fmt.Errorf("copy the work tree: %w", err)
		}
	}
	return nil
}

func copyFile(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err //nolint:wrapcheck // it names the file
	}
	content, err := os.ReadFile(from) // #nosec G304 -- a file of the work tree
	if err != nil {
		return err //nolint:wrapcheck // it names the file
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o750); err != nil {
		return err //nolint:wrapcheck // it names the folder
	}
	return os.WriteFile(to, content, info.Mode().Perm()) //nolint:wrapcheck,gosec // a file of the work tree; it names the file
}

// Proxy is a Go module proxy in a folder.
type Proxy struct {
	Folder string
	// Module is the module in it.
	Module module.Version
}

// NewProxy makes one that has the module in the folder source as a version, with the files
// that Go takes of a tag.
func NewProxy(source, version, folder string) (Proxy, error) {
	text, err := os.ReadFile(filepath.Join(source, "go.mod")) // #nosec G304 -- of the work tree
	if err != nil {
		return Proxy{}, fmt.Errorf("read the module: %w", err)
	}
	m := module.Version{Path: modfile.ModulePath(text), Version: version}
	escaped, err := module.EscapePath(m.Path)
	if err != nil {
		return Proxy{}, fmt.Errorf("the path of the module: %w", err)
	}
	var files bytes.Buffer
	if err := zip.CreateFromDir(&files, m, source); err != nil {
		return Proxy{}, fmt.Errorf("zip the module: %w", err)
	}
	info, err := json.Marshal(map[string]any{"Version": version, "Time": time.Unix(0, 0).UTC()})
	if err != nil {
		return Proxy{}, fmt.Errorf("write the version: %w", err)
	}
	served := filepath.Join(folder, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(served, 0o750); err != nil {
		return Proxy{}, fmt.Errorf("make the proxy: %w", err)
	}
	for name, content := range map[string][]byte{
		"list": []byte(version + "\n"), version + ".info": info, version + ".mod": text, version + ".zip": files.Bytes(),
	} {
		if err := os.WriteFile(filepath.Join(served, name), content, 0o600); err != nil {
			return Proxy{}, fmt.Errorf("fill the proxy: %w", err)
		}
	}
	return Proxy{Folder: folder, Module: m}, nil
}

// Environment is that of a go command that has seen nothing of the module before: it takes the
// module from the proxy and puts what it downloads, and the commands that it installs, below a
// folder. What the module requires is this machine's, where it has it, which go.sum has vouched
// for; so the database of checksums is not asked.
func (p Proxy) Environment(ctx context.Context, folder string) ([]string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMODCACHE", "GOPROXY").Output()
	if err != nil {
		return nil, fmt.Errorf("ask go for its cache: %w", err)
	}
	cache, others, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return append(os.Environ(),
		"GOPROXY=file://"+p.Folder+",file://"+cache+"/cache/download,"+others,
		"GONOSUMDB=*", "GOPRIVATE=", "GONOPROXY=", "GOWORK=off",
		// What is built here can be taken from the build cache, wherever the folder is.
		"GOFLAGS=-modcacherw -trimpath", "CGO_ENABLED=0",
		"GOMODCACHE="+filepath.Join(folder, "modules"), "GOBIN="+filepath.Join(folder, "bin"),
	), nil
}

// Run runs a command in a folder and returns its standard output; the error has
// all that the command printed.
func Run(ctx context.Context, folder string, env []string, command string, arguments ...string) (string, error) {
	var out, both bytes.Buffer
	c := exec.CommandContext(ctx, command, arguments...) // #nosec G204 -- the tests' own
	c.Dir, c.Env = folder, env
	c.Stdout, c.Stderr = io.MultiWriter(&out, &both), &both
	if err := c.Run(); err != nil {
		return out.String(), fmt.Errorf("%s %s: %w\n%s", command, strings.Join(arguments, " "), err, &both)
	}
	return out.String(), nil
}
