package build

import (
	"runtime/debug"
	"testing"
)

const (
	module = "tokens.example/service"
	path   = module + "/pkg/client/internal/build"
)

func TestInfoFromBuildInfo(t *testing.T) {
	vcs := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456"}, {Key: "vcs.time", Value: "2026-03-02T12:00:00Z"}, {Key: "GOOS", Value: "linux"}}
	for name, test := range map[string]struct {
		info debug.BuildInfo
		want Info
	}{
		"go install": {debug.BuildInfo{Main: debug.Module{Path: module, Version: "v1.2.0"}}, Info{Version: "1.2.0"}},
		"go build in the repository": {
			debug.BuildInfo{Main: debug.Module{Path: module, Version: "v1.2.1-0.20260302120000-0123456"}, Settings: vcs},
			Info{"1.2.1-0.20260302120000-0123456", "0123456", "2026-03-02T12:00:00Z"},
		},
		"go build -buildvcs=false": {debug.BuildInfo{Main: debug.Module{Path: module, Version: "(devel)"}}, Info{Version: "devel"}},
		"a program that requires the module": {
			debug.BuildInfo{
				Main: debug.Module{Path: "bot.example", Version: "v9.9.9"}, Settings: vcs,
				Deps: []*debug.Module{{Path: "tokens.example", Version: "v7.0.0"}, {Path: module, Version: "v1.2.0"}, {Path: module + "/infra", Version: "v8.0.0"}},
			},
			Info{Version: "1.2.0"},
		},
		"a program that replaces it by a folder": {
			debug.BuildInfo{Main: debug.Module{Path: module + "/infra"}, Deps: []*debug.Module{{Path: module, Version: "v0.0.0", Replace: &debug.Module{Path: "../"}}}},
			Info{Version: "devel"},
		},
	} {
		if got := of(&test.info, path); got != test.want {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}
