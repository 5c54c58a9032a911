// Package build says of which release a program is that has the client in it.
package build

import (
	"cmp"
	"reflect"
	"runtime/debug"
	"strings"
)

// What make release stamps; empty elsewhere.
var version, commit, date string

// Info is what is known of the release. A part that is not known is empty.
type Info struct {
	// Version is such as 1.2.0, and "devel" of what was built of a work tree.
	Version string `json:"version"`
	// Commit is what it was built of, and Date when that was made.
	Commit string `json:"commit,omitempty"`
	Date   string `json:"date,omitempty"`
}

// Read reads what make release has stamped or, of a program that was built otherwise, what Go
// knows: go install and go get leave the version of the module, and go build in a repository
// the commit.
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

// of reads the information about a program that has this package.
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

// ours says whether a module is the one with this package.
func ours(module, path string) bool { return module != "" && strings.HasPrefix(path, module+"/pkg/") }
