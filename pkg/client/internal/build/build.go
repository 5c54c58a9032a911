// Package build reports the release of a program that contains the client.
package build

import (
	"cmp"
	"reflect"
	"runtime/debug"
	"strings"
)

// make release sets the values; empty in other builds.
var version, commit, date string

// Info describes the release. An unknown part is empty.
type Info struct {
	// Version is a version such as 1.2.0, or "devel" for a build of a work tree.
	Version string `json:"version"`
	// Commit is the commit of the build, and Date the time of the commit.
	Commit string `json:"commit,omitempty"`
	Date   string `json:"date,omitempty"`
}

// Read returns the values that make release has set. For other builds, Read returns the build
// information of Go: go install and go get record the version of the module, and go build in a
// repository records the commit.
func Read() Info {
	if version != "" {
		return Info{strings.TrimPrefix(version, "v"), commit, date}
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Info{Version: "devel"}
	}
	return of(info, reflect.TypeFor[Info]().PkgPath())
}

// of returns the build information of a program that contains this package.
func of(info *debug.BuildInfo, path string) (i Info) {
	if ours(info.Main.Path, path) {
		i.Version = info.Main.Version
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				i.Commit = s.Value
			case "vcs.time":
				i.Date = s.Value
			}
		}
	}
	for _, m := range info.Deps {
		if ours(m.Path, path) && m.Replace == nil {
			i.Version = m.Version
		}
	}
	if i.Version == "(devel)" {
		i.Version = ""
	}
	i.Version = cmp.Or(strings.TrimPrefix(i.Version, "v"), "devel")
	return i
}

// ours reports whether a module contains this package.
func ours(module, path string) bool { return module != "" && strings.HasPrefix(path, module+"/pkg/") }
