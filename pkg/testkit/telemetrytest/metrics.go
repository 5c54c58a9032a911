package telemetrytest

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

var declaration = regexp.MustCompile(`(\w+) += metric\.New\("(\w+)", metric\.(\w+), "(.+)"\)`)

// Metrics returns the metrics that the packages of the service declare, by their variables.
func Metrics(t testing.TB) map[string]metric.Metric {
	t.Helper()
	root, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	found, names := map[string]metric.Metric{}, map[string]bool{}
	packages := os.DirFS(root.Path("pkg"))
	err = fs.WalkDir(packages, ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || path == "testkit"):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		content, err := fs.ReadFile(packages, path)
		for _, d := range declaration.FindAllStringSubmatch(string(content), -1) {
			if _, twice := found[d[1]]; twice || names[d[2]] {
				t.Errorf("%s: the metric %s is declared twice", path, d[2])
			}
			found[d[1]], names[d[2]] = metric.New(d[2], metric.Unit(d[3]), d[4]), true
		}
		return err
	})
	if err != nil || len(found) == 0 {
		t.Fatalf("%d metrics are declared: %v", len(found), err)
	}
	return found
}
