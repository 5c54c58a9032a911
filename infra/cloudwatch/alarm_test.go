package cloudwatch_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/infra/cloudwatch"
)

var (
	noon   = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	errors = cloudwatch.Metric{Namespace: "AWS/Lambda", Name: "Errors", Dimensions: map[string]string{"FunctionName": "f"}}
)

// draw puts a value for each period before noon, the oldest first: X is bad, 0 is good, -
// is none.
func draw(m cloudwatch.Metric, picture string) *cloudwatch.Store {
	s := &cloudwatch.Store{}
	for i, sign := range strings.Fields(picture) {
		at := noon.Add(-5 * time.Minute * time.Duration(len(strings.Fields(picture))-i)).Add(time.Minute)
		switch sign {
		case "X":
			s.Put(cloudwatch.Datum{Metric: m, At: at, Value: 10})
		case "0":
			s.Put(cloudwatch.Datum{Metric: m, At: at})
		}
	}
	return s
}

func definition(t *testing.T, changes string) cloudwatch.Alarm {
	t.Helper()
	var a cloudwatch.Alarm
	for _, text := range []string{`{"AlarmName": "a", "Namespace": "AWS/Lambda", "MetricName": "Errors", "Statistic": "Sum", "Period": 300,
		"Dimensions": [{"Name": "FunctionName", "Value": "f"}], "EvaluationPeriods": 3, "Threshold": 5,
		"ComparisonOperator": "GreaterThanThreshold", "TreatMissingData": "notBreaching"}`, changes} {
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// The examples of the User Guide, "Configuring how CloudWatch alarms treat missing data".
func TestMissingDataIsTreatedAsDocumented(t *testing.T) {
	const (
		all     = `{"DatapointsToAlarm": 3}`
		twoOf3  = `{"DatapointsToAlarm": 2}`
		ok      = cloudwatch.OK
		ringing = cloudwatch.Ringing
	)
	for _, test := range []struct {
		most, points           string
		breaching, notBreaking cloudwatch.State
	}{
		{all, "0 - X - X", ok, ok},
		{all, "- - - - 0", ok, ok},
		{all, "- - - - -", ringing, ok},
		{all, "0 X X - X", ringing, ringing},
		{all, "- - X - -", ringing, ok},
		{twoOf3, "0 - X - X", ringing, ringing},
		{twoOf3, "0 0 X 0 X", ringing, ringing},
		{twoOf3, "0 - X - -", ringing, ok},
		{twoOf3, "- - - - 0", ringing, ok},
		{twoOf3, "- - - X -", ringing, ok},
	} {
		for treatment, want := range map[string]cloudwatch.State{"breaching": test.breaching, "notBreaching": test.notBreaking} {
			a := definition(t, test.most)
			a.TreatMissingData = treatment
			v, err := draw(errors, test.points).Evaluate(a, noon)
			if err != nil || v.State != want {
				t.Errorf("%s of %s, %s: %v, %v; want %s", test.most, test.points, treatment, v, err, want)
			}
		}
	}
}

func TestOnlyTheNamedMetricRings(t *testing.T) {
	a := definition(t, `{"EvaluationPeriods": 1}`)
	for _, other := range []cloudwatch.Metric{
		{Namespace: "AWS/Lambda", Name: "Errors", Dimensions: map[string]string{"FunctionName": "g"}},
		{Namespace: "AWS/Lambda", Name: "Errors"},
		{Namespace: "AWS/Lambda", Name: "Errors", Dimensions: map[string]string{"FunctionName": "f", "Resource": "f"}},
		{Namespace: "AWS/Lambda", Name: "Throttles", Dimensions: map[string]string{"FunctionName": "f"}},
		{Namespace: "other", Name: "Errors", Dimensions: map[string]string{"FunctionName": "f"}},
	} {
		if v, err := draw(other, "X").Evaluate(a, noon); err != nil || v.State != cloudwatch.OK || !v.Missing {
			t.Errorf("%s: %v, %v", other, v, err)
		}
	}
	// Nor a period that is not over.
	s := draw(errors, "0")
	s.Put(cloudwatch.Datum{Metric: errors, At: noon, Value: 10})
	if v, err := s.Evaluate(a, noon.Add(time.Minute)); err != nil || v.State != cloudwatch.OK {
		t.Errorf("a period that is not over: %v, %v", v, err)
	}
	if v, err := s.Evaluate(a, noon.Add(5*time.Minute)); err != nil || v.State != cloudwatch.Ringing {
		t.Errorf("the period when it is over: %v, %v", v, err)
	}
}

func TestStatistics(t *testing.T) {
	s := &cloudwatch.Store{}
	for _, value := range []float64{4, 1, 2, 3, 5} {
		s.Put(cloudwatch.Datum{Metric: errors, At: noon.Add(-time.Minute), Value: value})
	}
	for statistic, want := range map[string]float64{
		"Sum": 15, "SampleCount": 5, "Average": 3, "Minimum": 1, "Maximum": 5, "p50": 3, "p99": 4.96, "p100": 5,
	} {
		a := definition(t, `{}`)
		a.Statistic = statistic
		if v, err := s.Evaluate(a, noon); err != nil || v.Value-want > 1e-9 || want-v.Value > 1e-9 {
			t.Errorf("%s is %v, %v; want %v", statistic, v.Value, err, want)
		}
	}
	for _, changes := range []string{
		`{"Statistic": "Most"}`, `{"Period": 0}`, `{"ComparisonOperator": "LessThanLowerThreshold"}`, `{"TreatMissingData": "ignore"}`,
		`{"Metrics": [{"Id": "e", "Expression": "nothing known ("}]}`,
	} {
		if v, err := s.Evaluate(definition(t, changes), noon); err == nil {
			t.Errorf("%s: %v, want an error", changes, v)
		}
	}
}

func TestMetricMath(t *testing.T) {
	requests := cloudwatch.Metric{Namespace: "n", Name: "Requests"}
	failures := cloudwatch.Metric{Namespace: "n", Name: "Failures"}
	math := func(expression string) cloudwatch.Alarm {
		return definition(t, `{"Period": 0, "MetricName": "", "EvaluationPeriods": 1, "Metrics": [
			{"Id": "expr_1", "Expression": "`+expression+`"},
			{"Id": "failures", "MetricStat": {"Metric": {"Namespace": "n", "MetricName": "Failures"}, "Period": 300, "Stat": "Sum"}, "ReturnData": false},
			{"Id": "requests", "MetricStat": {"Metric": {"Namespace": "n", "MetricName": "Requests"}, "Period": 300, "Stat": "Sum"}, "ReturnData": false}]}`)
	}
	const share = "IF(failures >= 5, 100 * failures / requests, 0)"
	for _, test := range []struct {
		expression         string
		failures, requests float64 // none below 0
		want               string
	}{
		{share, 5, 100, "OK, 5"},
		{share, 6, 100, "ALARM, 6"},
		{share, 4, 4, "OK, 0"},
		{share, -1, 100, "OK, no data"},
		{share, 6, -1, "OK, no data"},
		{share, 5, 0, "OK, no data"},
		{share, 0, 0, "OK, 0"},
		{"FILL(failures, 7)", -1, -1, "ALARM, 7"},
		{"FILL(failures, 7)", 1, -1, "OK, 1"},
	} {
		s := &cloudwatch.Store{}
		for m, value := range map[*cloudwatch.Metric]float64{&requests: test.requests, &failures: test.failures} {
			if value >= 0 {
				s.Put(cloudwatch.Datum{Metric: *m, At: noon.Add(-time.Minute), Value: value})
			}
		}
		v, err := s.Evaluate(math(test.expression), noon)
		if err != nil || !strings.HasPrefix(v.String(), test.want+" by Sum of n Failures{}, Sum of n Requests{}") {
			t.Errorf("%s of %v and %v: %v, %v; want %s", test.expression, test.failures, test.requests, v, err, test.want)
		}
	}
}
