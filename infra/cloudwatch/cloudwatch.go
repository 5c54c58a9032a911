// Package cloudwatch simulates Amazon CloudWatch for tests, by the rules in the User Guide. Package
// cloudwatch reads log lines in the embedded metric format, stores values by metric, and evaluates
// alarms. MiniStack stores alarms and metrics too, but its evaluation does not support dimensions,
// missing data, several periods or metric math.
package cloudwatch

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Metric identifies a metric. Another set of dimensions is another metric.
type Metric struct {
	Namespace, Name string
	Dimensions      map[string]string
}

// String returns the metric in one line. The same metric always has the same line.
func (m Metric) String() string {
	var dimensions []string
	for _, name := range slices.Sorted(maps.Keys(m.Dimensions)) {
		dimensions = append(dimensions, name+"="+m.Dimensions[name])
	}
	return m.Namespace + " " + m.Name + "{" + strings.Join(dimensions, ",") + "}"
}

// Datum is a value of a metric.
type Datum struct {
	Metric Metric
	At     time.Time
	Value  float64
}

// Store stores values. The zero Store is empty and ready.
type Store struct {
	mu     sync.Mutex
	values map[string][]Datum
}

// Put stores values.
func (s *Store) Put(data ...Datum) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.values == nil {
		s.values = map[string][]Datum{}
	}
	for _, d := range data {
		s.values[d.Metric.String()] = append(s.values[d.Metric.String()], d)
	}
}

// series is a statistic of a metric by the start of each period with values.
type series map[time.Time]float64

// statistic returns the statistic of the periods that start from first to last.
func (s *Store) statistic(m Metric, statistic string, period time.Duration, first, last time.Time) (series, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	periods := map[time.Time][]float64{}
	for _, d := range s.values[m.String()] {
		if begin := d.At.Truncate(period).UTC(); !begin.Before(first) && !begin.After(last) {
			periods[begin] = append(periods[begin], d.Value)
		}
	}
	made := series{}
	for begin, values := range periods {
		value, err := aggregate(statistic, values)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m, err)
		}
		made[begin] = value
	}
	return made, nil
}

func aggregate(statistic string, values []float64) (float64, error) {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	switch statistic {
	case "Sum":
		return sum, nil
	case "SampleCount":
		return float64(len(values)), nil
	case "Average":
		return sum / float64(len(values)), nil
	case "Minimum":
		return slices.Min(values), nil
	case "Maximum":
		return slices.Max(values), nil
	}
	rank, isPercentile := strings.CutPrefix(statistic, "p")
	percent, err := strconv.ParseFloat(rank, 64)
	if !isPercentile || err != nil || percent <= 0 || percent > 100 {
		return 0, fmt.Errorf("%q is no statistic", statistic)
	}
	sorted := slices.Sorted(slices.Values(values))
	at := percent / 100 * float64(len(sorted)-1)
	low, high := sorted[int(math.Floor(at))], sorted[int(math.Ceil(at))]
	return low + (high-low)*(at-math.Floor(at)), nil
}
