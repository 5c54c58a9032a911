package stack_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/testkit/telemetrytest"
)

// An operator who is paged sees everything on one page, with links for details.
func TestDashboardShowsEverything(t *testing.T) {
	tpl := synthesize(t, "prod")
	boards := tpl.of("AWS::CloudWatch::Dashboard")
	wantEqual(t, "dashboards", len(boards), 1)
	body := text(boards["Dashboard"].at("DashboardBody"))
	var read struct{ Widgets []struct{ Type string } }
	if err := json.Unmarshal([]byte(body), &read); err != nil {
		t.Fatalf("the dashboard is not JSON: %v", err)
	}
	for _, m := range telemetrytest.Metrics(t) {
		if !strings.Contains(body, `"`+m.Name+`"`) {
			t.Errorf("the dashboard lacks %s", m.Name)
		}
	}
	for name := range tpl.of("AWS::CloudWatch::Alarm") {
		if !strings.Contains(body, fmt.Sprintf("%q", name+".Arn")) {
			t.Errorf("the dashboard lacks %s", name)
		}
	}
	guide, err := os.ReadFile(filepath.Join(root, "docs", "operations.md"))
	if err != nil {
		t.Fatal(err)
	}
	sections := regexp.MustCompile(`docs/operations\.md: ([^"(]+)`).FindAllStringSubmatch(body, -1)
	wantEqual(t, "rows with a section", len(sections), 10)
	for _, section := range sections {
		if !strings.Contains(string(guide), "\n## "+strings.TrimSpace(section[1])+"\n") {
			t.Errorf("docs/operations.md has no section %q", section[1])
		}
	}
}
