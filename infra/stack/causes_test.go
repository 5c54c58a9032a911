package stack_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/infra/cloudwatch"
)

// named are alarms as a board follows them, by the names of their constructs.
func named(tpl template) (alarms []cloudwatch.Alarm, composites []cloudwatch.Composite) {
	for name, r := range tpl.of("AWS::CloudWatch::Alarm") {
		alarms = append(alarms, cloudwatch.Alarm{
			AlarmName: name, AlarmDescription: text(r.at("AlarmDescription")),
			AlarmActions: texts(r.at("AlarmActions")), OKActions: texts(r.at("OKActions")),
		})
	}
	for name, r := range tpl.of("AWS::CloudWatch::CompositeAlarm") {
		seconds := func(key string) int {
			whole, _ := r.at(key).(float64)
			return int(whole)
		}
		composites = append(composites, cloudwatch.Composite{
			AlarmName: name, AlarmRule: strings.ReplaceAll(text(r.at("AlarmRule")), ".Arn", ""),
			AlarmActions: texts(r.at("AlarmActions")), OKActions: texts(r.at("OKActions")),
			ActionsSuppressor:                strings.TrimSuffix(text(r.at("ActionsSuppressor")), ".Arn"),
			ActionsSuppressorWaitPeriod:      seconds("ActionsSuppressorWaitPeriod"),
			ActionsSuppressorExtensionPeriod: seconds("ActionsSuppressorExtensionPeriod"),
		})
	}
	return alarms, composites
}

var ruled = regexp.MustCompile(`ALARM\("([A-Za-z]+)"\)`)

// explanations are the alarms that hold each page back, by the page's own alarm.
func explanations(tpl template) map[string][]string {
	_, composites := named(tpl)
	children := map[string][]string{}
	for _, c := range composites {
		for _, child := range ruled.FindAllStringSubmatch(c.AlarmRule, -1) {
			children[c.AlarmName] = append(children[c.AlarmName], child[1])
		}
	}
	by := map[string][]string{}
	for _, c := range composites {
		if c.ActionsSuppressor == "" {
			continue
		}
		causes, group := children[c.ActionsSuppressor]
		if !group {
			causes = []string{c.ActionsSuppressor}
		}
		by[children[c.AlarmName][0]] = causes
	}
	return by
}

// An outage pages once: the alarms that it explains wait, fire separately if they continue after
// the outage, and fire at once without an outage.
func TestOutagePagesOnce(t *testing.T) {
	tpl := synthesize(t, "prod")
	by := explanations(tpl)
	if len(by) < 20 {
		t.Fatalf("only %d pages wait for a cause", len(by))
	}
	begin := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	at := func(minutes int) time.Time { return begin.Add(time.Duration(minutes) * time.Minute) }
	for symptom, causes := range by {
		page := strings.TrimSuffix(symptom, "Alarm") + "Page"
		for _, cause := range causes {
			t.Run(cause+" and "+symptom, func(t *testing.T) {
				for _, test := range []struct {
					name string
					do   func(b *cloudwatch.Board) []cloudwatch.Told
					want []string // of the symptom's page
				}{
					{"the cause first, and both end", func(b *cloudwatch.Board) (told []cloudwatch.Told) {
						told = append(told, b.Set(cause, cloudwatch.Ringing, at(0))...)
						told = append(told, b.Set(symptom, cloudwatch.Ringing, at(5))...)
						told = append(told, b.Set(cause, cloudwatch.OK, at(60))...)
						told = append(told, b.Set(symptom, cloudwatch.OK, at(70))...)
						return append(told, b.Pass(at(100))...)
					}, []string{"OK"}},
					{"the symptom a period earlier", func(b *cloudwatch.Board) (told []cloudwatch.Told) {
						told = append(told, b.Set(symptom, cloudwatch.Ringing, at(0))...)
						told = append(told, b.Set(cause, cloudwatch.Ringing, at(5))...)
						return append(told, b.Pass(at(100))...)
					}, nil},
					{"the symptom stays", func(b *cloudwatch.Board) (told []cloudwatch.Told) {
						told = append(told, b.Set(cause, cloudwatch.Ringing, at(0))...)
						told = append(told, b.Set(symptom, cloudwatch.Ringing, at(5))...)
						told = append(told, b.Set(cause, cloudwatch.OK, at(60))...)
						return append(told, b.Pass(at(76))...)
					}, []string{"ALARM"}},
					{"only the symptom", func(b *cloudwatch.Board) (told []cloudwatch.Told) {
						told = append(told, b.Set(symptom, cloudwatch.Ringing, at(0))...)
						told = append(told, b.Pass(at(6))...)
						told = append(told, b.Set(symptom, cloudwatch.OK, at(20))...)
						return append(told, b.Pass(at(26))...)
					}, []string{"ALARM", "OK"}},
				} {
					b, err := cloudwatch.NewBoard(named(tpl))
					if err != nil {
						t.Fatal(err)
					}
					var have []string
					for _, told := range test.do(b) {
						if told.Alarm == page {
							have = append(have, string(told.State))
						}
						if told.Alarm == symptom {
							t.Errorf("%s: %s has actions in addition to its page", test.name, symptom)
						}
					}
					if !slices.Equal(have, test.want) {
						t.Errorf("%s: %s notifies %v, want %v", test.name, page, have, test.want)
					}
				}
			})
		}
	}
}

// All alarms that an outage of the nodes or of DynamoDB triggers, in their order, are one page.
func TestWholeOutageIsOnePage(t *testing.T) {
	tpl := synthesize(t, "prod")
	for first, symptoms := range map[string][]string{
		"NodeErrorsAlarm": {
			"ApiErrorsAlarm", "NodeErrorsAlarm", "NodeBehindAlarm", "ApiSlowAlarm", "LaunchOldAlarm", "RunsOverdueAlarm", "RunGivenUpAlarm",
			"PayoutGivenUpAlarm", "RunLateAlarm", "PayoutLateAlarm",
		},
		"LaunchTableErrorsAlarm": {
			"ApiErrorsAlarm", "ReconcilerErrorsAlarm", "DispatcherErrorsAlarm", "DistributorErrorsAlarm", "PayerErrorsAlarm", "MonitorErrorsAlarm",
			"LedgerTableErrorsAlarm", "WindowTableErrorsAlarm", "CapsTableErrorsAlarm", "LaunchTableErrorsAlarm",
			"MonitorSilentAlarm", "LaunchOldAlarm", "RunsOverdueAlarm", "DispatchGivenUpAlarm", "RunGivenUpAlarm",
		},
	} {
		b, err := cloudwatch.NewBoard(named(tpl))
		if err != nil {
			t.Fatal(err)
		}
		now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
		var told []cloudwatch.Told
		for _, name := range symptoms {
			now = now.Add(20 * time.Second)
			told = append(told, b.Set(name, cloudwatch.Ringing, now)...)
		}
		told = append(told, b.Pass(now.Add(time.Hour))...)
		if len(told) != 1 || told[0].Alarm != first {
			t.Errorf("%s: %v is notified", first, told)
		}
	}
}

// Each alarm that waits for a cause waits for an alarm that pages: following the causes ends at an
// alarm without a cause. Tickets are no causes. Alarms about money or keys do not wait.
func TestEveryCausePages(t *testing.T) {
	tpl := synthesize(t, "prod")
	by := explanations(tpl)
	all := tpl.of("AWS::CloudWatch::Alarm")
	var heard func(name string, path []string)
	heard = func(name string, path []string) {
		if slices.Contains(path, name) {
			t.Errorf("%s explains itself by %v", name, path)
			return
		}
		if about := text(all[name].at("AlarmDescription")); !strings.HasPrefix(about, "page: ") {
			t.Errorf("%s is in %v, and has %q", name, path, about)
		}
		for _, cause := range by[name] {
			heard(cause, append(path, name))
		}
	}
	for name := range by {
		heard(name, nil)
	}
	money := regexp.MustCompile(`Undecided|^Signing|^Signer|^Wallet|Changed|^Proof`)
	for name := range all {
		if _, waits := by[name]; waits && money.MatchString(name) {
			t.Errorf("%s waits for %v", name, by[name])
		}
	}
}

// The guide names what waits for what.
func TestEveryCauseIsInTheGuide(t *testing.T) {
	content, err := os.ReadFile(filepath.Join(root, "docs", "operations.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(content), "\n### Suppressed pages\n")
	section, _, _ = strings.Cut(section, "\n## ")
	written := map[string][]string{}
	for row := range strings.Lines(section) {
		cells := strings.Split(row, " | ")
		if len(cells) != 3 || !strings.Contains(row, "Alarm`") {
			continue
		}
		var causes []string
		for _, cause := range alarmName.FindAllStringSubmatch(cells[1], -1) {
			causes = append(causes, cause[1])
		}
		for _, symptom := range alarmName.FindAllStringSubmatch(cells[2], -1) {
			written[symptom[1]] = causes
		}
	}
	by := explanations(synthesize(t, "prod"))
	wantLines(t, "pages that wait", slices.Collect(maps.Keys(written)), slices.Collect(maps.Keys(by)))
	for symptom, causes := range by {
		wantLines(t, symptom+" waits for", written[symptom], causes)
	}
}
