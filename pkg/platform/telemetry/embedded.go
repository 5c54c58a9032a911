package telemetry

import (
	"log/slog"
	"slices"

	"tokenlaunch.example/service/pkg/platform/metric"
)

// The embedded metric format (Amazon CloudWatch User Guide, "Specification: Embedded metric
// format"): a log line that lists the members that are metrics.
type (
	metadata struct {
		Timestamp         int64       `json:"Timestamp"` // milliseconds
		CloudWatchMetrics []directive `json:"CloudWatchMetrics"`
	}
	directive struct {
		Namespace  string       `json:"Namespace"`
		Dimensions [][]string   `json:"Dimensions"`
		Metrics    []definition `json:"Metrics"`
	}
	definition struct {
		Name string      `json:"Name"`
		Unit metric.Unit `json:"Unit"`
	}
)

// measured returns the measurements of a line.
func measured(record slog.Record) (line metric.Line, found bool) {
	if record.Level != metric.Level {
		return line, false
	}
	record.Attrs(func(attr slog.Attr) bool {
		if attr.Value.Kind() == slog.KindAny { // Any would copy values of other kinds
			line, found = attr.Value.Any().(metric.Line)
		}
		return !found
	})
	return line, found
}

// embedded returns the record in the embedded metric format. Every value is a metric without
// dimensions and, if the line has dimensions, a metric with the dimensions. If only is not empty,
// only values with these names are metrics, without dimensions.
func embedded(record slog.Record, line metric.Line, namespace string, only []string) slog.Record {
	sets := [][]string{{}}
	if len(line.By) > 0 && len(only) == 0 {
		var names []string
		for _, by := range line.By {
			names = append(names, by.Name)
		}
		sets = append(sets, names)
	}
	d := directive{Namespace: namespace, Dimensions: sets}
	for _, value := range line.Values {
		if len(only) == 0 || slices.Contains(only, value.Metric.Name) {
			d.Metrics = append(d.Metrics, definition{value.Metric.Name, value.Metric.Unit})
		}
	}
	made := slog.NewRecord(record.Time, line.As, record.Message, record.PC)
	record.Attrs(func(attr slog.Attr) bool {
		if attr.Key != metric.Key {
			made.AddAttrs(attr)
		}
		return true
	})
	if len(d.Metrics) > 0 {
		made.AddAttrs(slog.Any("_aws", metadata{record.Time.UnixMilli(), []directive{d}}))
	}
	for _, by := range line.By {
		made.AddAttrs(slog.String(by.Name, by.Value))
	}
	for _, value := range line.Values {
		if value.Amounts != nil {
			made.AddAttrs(slog.Any(value.Metric.Name, value.Amounts))
			continue
		}
		made.AddAttrs(slog.Int64(value.Metric.Name, value.Amount))
	}
	return made
}
