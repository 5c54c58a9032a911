package main

import (
	"path/filepath"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

func TestFiguresOfATest(t *testing.T) {
	folder, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	m := measurement{folder: "pkg/testkit/figures", test: "^TestNoSuch$"}
	if _, err := m.take(t.Context(), folder, filepath.Join(t.TempDir(), "figures")); err == nil || !strings.Contains(err.Error(), "no figures") {
		t.Errorf("a test without figures: %v", err)
	}
}

func TestChosen(t *testing.T) {
	for only, want := range map[string]int{"": len(sections), "routes": 1, "load,routes": 2} {
		if list, err := chosen(only); err != nil || len(list) != want {
			t.Errorf("%q: %d sections, %v", only, len(list), err)
		}
	}
	if _, err := chosen("routes,warm"); err == nil || !strings.Contains(err.Error(), "the sections are routes, ") {
		t.Errorf("an unknown one: %v", err)
	}
	stack := true
	for _, s := range sections {
		if s.onStack && !stack {
			t.Errorf("%s needs the stack, and comes after it was stopped", s.name)
		}
		stack = s.onStack
	}
}
