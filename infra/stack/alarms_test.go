package stack_test

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tokenlaunch.example/service/infra/stack"
)

var alarmName = regexp.MustCompile("`([A-Za-z]+Alarm)`")

// guide reads the table of the alarms: the row of each alarm.
func guide(t *testing.T) map[string]string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, "docs", "operations.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(content), "\n## Alarms\n")
	section, _, ended := strings.Cut(section, "\n## ")
	if !found || !ended {
		t.Fatal("docs/operations.md has no section Alarms")
	}
	rows := map[string]string{}
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		cells := strings.Split(line, " | ")
		wantEqual(t, "cells of "+line, len(cells), 5)
		for _, name := range alarmName.FindAllStringSubmatch(cells[0], -1) {
			if _, twice := rows[name[1]]; twice {
				t.Errorf("%s has two rows", name[1])
			}
			rows[name[1]] = line
		}
	}
	return rows
}

// An operator who is woken finds what to do, and the guide names no alarm that does not exist.
func TestEveryAlarmIsInTheGuide(t *testing.T) {
	rows := guide(t)
	standard := maps.Clone(synthesize(t, "prod").of("AWS::CloudWatch::Alarm"))
	maps.Copy(standard, synthesizeStack(t, settings(t, "prod"), stack.NewEdge).of("AWS::CloudWatch::Alarm"))
	small := synthesizeWith(t, smallSettings(t)).of("AWS::CloudWatch::Alarm")
	names := maps.Clone(standard)
	maps.Copy(names, small)
	wantLines(t, "docs/operations.md", slices.Collect(maps.Keys(rows)), slices.Collect(maps.Keys(names)))
	conditions(t, rows, standard)
	conditions(t, rows, small)
}

var update = flag.Bool("update", false, "write the alarms' texts into docs/operations.md")

// alarmText reads the parts of an alarm's description: the part of the service, state and impact, and the first step.
var alarmText = regexp.MustCompile(`^(?:page|ticket): (?:([a-z]+|table [a-z]+): )?(.+)\. First step: (.+)\. More: docs/operations\.md, Alarms$`)

// TestGuideHasAlarmTexts tests that the guide has the text of each alarm. -update writes the texts
// there.
func TestGuideHasAlarmTexts(t *testing.T) {
	standard := synthesize(t, "prod").of("AWS::CloudWatch::Alarm")
	small := synthesizeWith(t, smallSettings(t)).of("AWS::CloudWatch::Alarm")
	edge := synthesizeStack(t, settings(t, "prod"), stack.NewEdge).of("AWS::CloudWatch::Alarm")
	path := filepath.Join(root, "docs", "operations.md")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	written := string(content)
	for name, row := range guide(t) {
		r, found := standard[name]
		for _, other := range []map[string]resource{small, edge} {
			if !found {
				r, found = other[name]
			}
		}
		parts := alarmText.FindStringSubmatch(text(r.at("AlarmDescription")))
		if parts == nil {
			t.Errorf("%s has the description %q", name, text(r.at("AlarmDescription")))
			continue
		}
		for _, sentence := range append(strings.Split(parts[2], ". "), strings.Split(parts[3], ". ")...) {
			if words := len(strings.Fields(sentence)); words > 16 {
				t.Errorf("%s has a sentence of %d words: %s", name, words, sentence)
			}
		}
		cells := strings.Split(row, " | ")
		means, first := parts[2]+".", strings.ToUpper(parts[3][:1])+parts[3][1:]+"."
		if cells[2] == means && cells[3] == first {
			continue
		}
		if !*update {
			t.Errorf("%s has %q and %q, and the guide %q and %q (go test ./stack -run TestGuideHasAlarmTexts -update)", name, means, first, cells[2], cells[3])
		}
		cells[2], cells[3] = means, first
		written = strings.Replace(written, row, strings.Join(cells, " | "), 1)
	}
	if *update {
		if err := os.WriteFile(path, []byte(written), 0o644); err != nil { // #nosec G306 -- a document
			t.Fatal(err)
		}
	}
}

// conditions compares the guide's conditions with the alarms' definitions.
func conditions(t *testing.T, rows map[string]string, alarms map[string]resource) {
	t.Helper()
	for name, r := range alarms {
		condition := strings.Split(rows[name]+" | | ", " | ")[1]
		numbers := regexp.MustCompile(`[0-9]+`).FindAllString(condition, -1)
		limit, periods, breaching := text(r.at("Threshold")), text(r.at("EvaluationPeriods")), text(r.at("DatapointsToAlarm"))
		if !slices.Contains(numbers, limit) {
			t.Errorf("%s fires at %s, and the guide has: %s", name, limit, condition)
		}
		if periods != "1" && !strings.Contains(condition, periods+" periods") {
			t.Errorf("%s evaluates %s periods, and the guide has: %s", name, periods, condition)
		}
		if breaching != "" && !strings.Contains(condition, breaching+" of "+periods) {
			t.Errorf("%s fires for %s of %s periods, and the guide has: %s", name, breaching, periods, condition)
		}
		words := map[string][]string{
			"GreaterThanThreshold": {"above", "more than", "older than"}, "LessThanThreshold": {"below"},
			"GreaterThanOrEqualToThreshold": {"at least"},
		}[text(r.at("ComparisonOperator"))]
		if !slices.ContainsFunc(words, func(word string) bool { return strings.Contains(condition, word) }) {
			t.Errorf("%s compares by %s, and the guide has: %s", name, text(r.at("ComparisonOperator")), condition)
		}
	}
}

// An alarm's text first names its severity. The alarm notifies the topic when it fires and when it
// ends, directly or through its page, and reads periods of 5 minutes, as the guide states for all
// alarms. Missing data only breaches if the name ends with Silent.
func TestAlarmsAreUniform(t *testing.T) {
	tpl := synthesize(t, "prod")
	for name, r := range tpl.of("AWS::CloudWatch::Alarm") {
		about := text(r.at("AlarmDescription"))
		if !strings.HasPrefix(about, "page: ") && !strings.HasPrefix(about, "ticket: ") {
			t.Errorf("%s has %q", name, about)
		}
		notifier := tpl.notifier(name)
		wantEqual(t, name+" says", text(notifier.at("AlarmDescription")), about)
		wantLines(t, name+" tells", texts(notifier.at("AlarmActions")), []string{"arn:aws:sns:us-east-1:000000000000:alarms"})
		wantLines(t, name+" tells its end", texts(notifier.at("OKActions")), []string{"arn:aws:sns:us-east-1:000000000000:alarms"})
		silence := "notBreaching"
		if strings.HasSuffix(name, "SilentAlarm") {
			silence = "breaching"
		}
		wantEqual(t, name+" without data", text(r.at("TreatMissingData")), silence)
		periods := []any{r.at("Period")}
		if metrics := list(r.at("Metrics")); len(metrics) > 0 {
			periods = nil
			for _, m := range metrics {
				if at(m, "MetricStat") != nil {
					periods = append(periods, at(m, "MetricStat", "Period"))
				}
			}
		}
		for _, period := range periods {
			wantEqual(t, name+" period", period, any(300.0))
		}
	}
}

// operate status lists alarms by the prefix of their names, which CloudFormation only generates for
// alarms without a name.
func TestCompositeAlarmsHaveTheStacksName(t *testing.T) {
	for id, r := range synthesize(t, "prod").of("AWS::CloudWatch::CompositeAlarm") {
		wantEqual(t, "name of "+id, text(r.at("AlarmName")), "AWS::StackName-"+id)
	}
}

// notifier returns the notifier of an alarm: its page where a cause may explain it, or itself.
func (tpl template) notifier(alarm string) resource {
	if page, ok := tpl.of("AWS::CloudWatch::CompositeAlarm")[strings.TrimSuffix(alarm, "Alarm")+"Page"]; ok {
		return page
	}
	return tpl.of("AWS::CloudWatch::Alarm")[alarm]
}
