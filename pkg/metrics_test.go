package pkg_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/testkit/telemetrytest"
)

// Each metric is emitted somewhere, and the guide describes it.
func TestEveryMetricIsEmittedAndDescribed(t *testing.T) {
	guide, err := os.ReadFile("../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(guide), "\n## Status and metrics\n")
	section, _, _ = strings.Cut(section, "\n## ")
	emitted := map[string]bool{}
	uses := regexp.MustCompile(`\b([A-Z]\w+)\.(?:Is|Are)\(`)
	for _, files := range sources(t) {
		for _, name := range files {
			content, err := os.ReadFile(filepath.Join("..", name))
			if err != nil {
				t.Fatal(err)
			}
			for _, use := range uses.FindAllStringSubmatch(string(content), -1) {
				emitted[use[1]] = true
			}
		}
	}
	for variable, m := range telemetrytest.Metrics(t) {
		if !emitted[variable] {
			t.Errorf("nothing emits %s", m.Name)
		}
		if !strings.Contains(section, "`"+m.Name+"`") {
			t.Errorf("docs/operations.md does not describe %s", m.Name)
		}
	}
}
