package stack_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tokenlaunch.example/service/infra/stack"
)

// listed reads the names of alarms in a list of the guide.
var listed = regexp.MustCompile("`([A-Za-z]+)`")

// TestGuideListsPages tests that the section "Which alarms page" names exactly the alarms whose
// description begins with page.
func TestGuideListsPages(t *testing.T) {
	content, err := os.ReadFile(filepath.Join(root, "docs", "operations.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(content), "\n### Which alarms page\n")
	section, _, found := strings.Cut(section, "\n#")
	if !found {
		t.Fatal("docs/operations.md has no section Which alarms page")
	}
	var got []string
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "| ") {
			continue
		}
		for _, name := range listed.FindAllStringSubmatch(line, -1) {
			got = append(got, name[1]+"Alarm")
		}
	}
	all := maps.Clone(synthesize(t, "prod").of("AWS::CloudWatch::Alarm"))
	maps.Copy(all, synthesizeStack(t, settings(t, "prod"), stack.NewEdge).of("AWS::CloudWatch::Alarm"))
	maps.Copy(all, synthesizeWith(t, smallSettings(t)).of("AWS::CloudWatch::Alarm"))
	maps.DeleteFunc(all, func(_ string, r resource) bool {
		return !strings.HasPrefix(text(r.at("AlarmDescription")), "page: ")
	})
	wantLines(t, "alarms that page", got, slices.Collect(maps.Keys(all)))
}
