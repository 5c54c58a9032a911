package cloudwatch

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// State of an alarm.
type State string

// The states of alarms. An alarm here never has insufficient data, because all alarms treat missing
// data as good or bad.
const (
	OK      State = "OK"
	Ringing State = "ALARM"
)

// Alarm is the definition of an alarm, as in the response of DescribeAlarms.
type Alarm struct {
	AlarmName, AlarmDescription string
	AlarmActions, OKActions     []string
	// A single metric, or Metrics.
	reading
	Metrics []Query

	EvaluationPeriods  int
	DatapointsToAlarm  int
	Threshold          float64
	ComparisonOperator string
	TreatMissingData   string
}

type reading struct {
	Namespace, MetricName        string
	Dimensions                   []Dimension
	Statistic, ExtendedStatistic string
	Period                       int
}

// Dimension of a metric.
type Dimension struct{ Name, Value string }

// Query is a metric or an expression of an alarm on metric math.
type Query struct {
	ID         string `json:"Id"`
	Expression string
	MetricStat *struct {
		Metric struct {
			Namespace, MetricName string
			Dimensions            []Dimension
		}
		Period int
		Stat   string
	}
	ReturnData *bool
}

// Verdict is the state of an alarm and the basis of the state.
type Verdict struct {
	State State
	// Read are the metrics that were read, with their statistics.
	Read []string
	// Value is the value of the newest period with data.
	Value   float64
	Missing bool // no period had data
}

// String writes the verdict in one line.
func (v Verdict) String() string {
	value := fmt.Sprint(v.Value)
	if v.Missing {
		value = "no data"
	}
	return fmt.Sprintf("%s, %s by %s", v.State, value, strings.Join(v.Read, ", "))
}

// extraPeriods is the number of periods that an evaluation reads in addition to the alarm's own
// periods, if some of the alarm's periods have no data. CloudWatch does not document the number;
// its examples have two.
const extraPeriods = 2

// Evaluate returns the state of an alarm at a time, from the periods that are complete at that time
// (User Guide, "Configuring how CloudWatch alarms treat missing data").
func (s *Store) Evaluate(a Alarm, now time.Time) (Verdict, error) {
	period, err := a.period()
	if err != nil {
		return Verdict{}, err
	}
	last := now.Truncate(period).Add(-period).UTC()
	first := last.Add(-period * time.Duration(a.EvaluationPeriods+extraPeriods-1))
	v := Verdict{State: OK, Missing: true}
	points, err := s.points(a, &v, first, last, period)
	if err != nil {
		return Verdict{}, fmt.Errorf("%s: %w", a.AlarmName, err)
	}
	bad, seen := 0, 0
	for at := last; !at.Before(first) && seen < a.EvaluationPeriods; at = at.Add(-period) {
		value, there := points[at]
		if !there {
			continue
		}
		if seen++; v.Missing {
			v.Value, v.Missing = value, false
		}
		breaches, err := a.breaches(value)
		if err != nil {
			return Verdict{}, err
		}
		if breaches {
			bad++
		}
	}
	switch a.TreatMissingData {
	case "notBreaching":
	case "breaching":
		bad += a.EvaluationPeriods - seen
	default:
		return Verdict{}, fmt.Errorf("%s treats missing data as %q, which is not known here", a.AlarmName, a.TreatMissingData)
	}
	most := a.DatapointsToAlarm
	if most == 0 {
		most = a.EvaluationPeriods
	}
	if bad >= most {
		v.State = Ringing
	}
	return v, nil
}

// points returns the values that the alarm compares.
func (s *Store) points(a Alarm, v *Verdict, first, last time.Time, period time.Duration) (series, error) {
	if len(a.Metrics) > 0 {
		return s.compute(a.Metrics, v, first, last, period)
	}
	return s.read(v, Metric{a.Namespace, a.MetricName, dimensions(a.Dimensions)}, a.statistic(), first, last, period)
}

func (s *Store) read(v *Verdict, m Metric, statistic string, first, last time.Time, period time.Duration) (series, error) {
	v.Read = append(v.Read, statistic+" of "+m.String())
	return s.statistic(m, statistic, period, first, last)
}

func (r reading) statistic() string {
	if r.ExtendedStatistic != "" {
		return r.ExtendedStatistic
	}
	return r.Statistic
}

func dimensions(list []Dimension) map[string]string {
	named := map[string]string{}
	for _, d := range list {
		named[d.Name] = d.Value
	}
	return named
}

// period returns the period of the alarm, which all its metrics share.
func (a Alarm) period() (time.Duration, error) {
	seconds := a.Period
	for _, q := range a.Metrics {
		if q.MetricStat == nil {
			continue
		}
		if seconds != 0 && seconds != q.MetricStat.Period {
			return 0, fmt.Errorf("%s reads metrics of different periods", a.AlarmName)
		}
		seconds = q.MetricStat.Period
	}
	if seconds <= 0 || a.EvaluationPeriods <= 0 {
		return 0, fmt.Errorf("%s: %w", a.AlarmName, errNoPeriod)
	}
	return time.Duration(seconds) * time.Second, nil
}

var errNoPeriod = errors.New("the alarm has no period to look at")

func (a Alarm) breaches(value float64) (bool, error) {
	switch a.ComparisonOperator {
	case "GreaterThanThreshold":
		return value > a.Threshold, nil
	case "GreaterThanOrEqualToThreshold":
		return value >= a.Threshold, nil
	case "LessThanThreshold":
		return value < a.Threshold, nil
	case "LessThanOrEqualToThreshold":
		return value <= a.Threshold, nil
	default:
		return false, fmt.Errorf("%s compares by %q, which is not known here", a.AlarmName, a.ComparisonOperator)
	}
}
