package cloudwatch_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/infra/cloudwatch"
)

// The examples of the User Guide, "Suppressing composite alarm actions": a WaitPeriod of 2
// units and an ExtensionPeriod of 3, drawn as what changes at a time (symptom S and cause C,
// in capitals when they begin to ring), and the actions that follow at which time.
func TestActionsAreSuppressedAsDocumented(t *testing.T) {
	for name, test := range map[string]struct{ changes, told string }{
		"1: the cause does not ring":                {"2S", "4 ALARM"},
		"2: the cause rings within the wait":        {"2S 3C", ""},
		"3: another change within the wait":         {"2S 3s", "5 OK"},
		"4: the cause rings already":                {"1C 2S", ""},
		"5: the symptom outlasts its cause":         {"2S 3C 6c", "9 ALARM"},
		"6: the symptom ends within the extension":  {"2S 3C 6c 7s", "9 OK"},
		"the cause rings again in the extension":    {"2S 3C 6c 8C", ""},
		"the symptom ends while the cause rings":    {"2S 3C 4s 6c", "9 OK"},
		"told before the cause rang, ended with it": {"2S 5C 6s 7c", "4 ALARM, 10 OK"},
		"the symptom begins within the extension":   {"1C 2c 3S", "5 ALARM"},
		"a cause alone":                             {"1C 2c", ""},
	} {
		t.Run(name, func(t *testing.T) {
			topic := []string{"topic"}
			b, err := cloudwatch.NewBoard([]cloudwatch.Alarm{{AlarmName: "symptom"}, {AlarmName: "symptom2"}, {AlarmName: "cause"}}, []cloudwatch.Composite{
				{
					AlarmName: "page", AlarmRule: `ALARM("arn:aws:cloudwatch:here:1:alarm:symptom")`, AlarmActions: topic, OKActions: topic,
					ActionsSuppressor: "arn:aws:cloudwatch:here:1:alarm:group", ActionsSuppressorWaitPeriod: 2, ActionsSuppressorExtensionPeriod: 3,
				},
				{AlarmName: "group", AlarmRule: `(ALARM("cause") OR ALARM(symptom2))`},
			})
			if err != nil {
				t.Fatal(err)
			}
			var told []string
			hear := func(all []cloudwatch.Told) {
				for _, one := range all {
					if one.Alarm != "page" {
						t.Errorf("%s tells, which tells nothing", one.Alarm)
					}
					told = append(told, fmt.Sprintf("%d %s", int(one.At.Sub(noon).Seconds()), one.State))
				}
			}
			for _, change := range strings.Fields(test.changes) {
				at := noon.Add(time.Duration(change[0]-'0') * time.Second)
				switch change[1] {
				case 'S':
					hear(b.Set("symptom", cloudwatch.Ringing, at))
				case 's':
					hear(b.Set("symptom", cloudwatch.OK, at))
				case 'C':
					hear(b.Set("cause", cloudwatch.Ringing, at))
				case 'c':
					hear(b.Set("cause", cloudwatch.OK, at))
				}
			}
			hear(b.Pass(noon.Add(time.Minute)))
			if have := strings.Join(told, ", "); have != test.told {
				t.Errorf("%s tells %q, want %q", test.changes, have, test.told)
			}
		})
	}
}

// A metric alarm notifies each change immediately.
func TestMetricAlarmNotifiesStartAndEnd(t *testing.T) {
	b, err := cloudwatch.NewBoard([]cloudwatch.Alarm{{AlarmName: "a", AlarmActions: []string{"topic"}, OKActions: []string{"topic"}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		state cloudwatch.State
		told  int
	}{{cloudwatch.Ringing, 1}, {cloudwatch.Ringing, 0}, {cloudwatch.OK, 1}, {cloudwatch.OK, 0}} {
		if told := b.Set("a", step.state, noon); len(told) != step.told || step.told == 1 && told[0].State != step.state {
			t.Errorf("%s tells %v", step.state, told)
		}
	}
	for _, rule := range []string{"ALARM(nothing)", "ALARM(a) AND ALARM(b)", "NOT ALARM(a)", "OK(a)", ""} {
		if _, err := cloudwatch.NewBoard(nil, []cloudwatch.Composite{{AlarmName: "c", AlarmRule: rule}}); err == nil {
			t.Errorf("the rule %q is read", rule)
		}
	}
}
