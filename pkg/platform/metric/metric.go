// Package metric defines the service's metrics and writes measurements.
//
// A measurement is a line of the log. Measuring sends no data, so measuring neither fails nor
// waits. Package telemetry writes the line in CloudWatch's embedded metric format, and CloudWatch
// creates the metric from the line. The alarms and the dashboard of the stack refer to metrics by
// the variables of the measuring packages.
package metric

import (
	"context"
	"log/slog"
)

// Unit is a unit of CloudWatch (API reference, MetricDatum).
type Unit string

// The units of the service's metrics. Amounts of money have the unit None.
const (
	Count        Unit = "Count"
	Milliseconds Unit = "Milliseconds"
	Seconds      Unit = "Seconds"
	None         Unit = "None"
)

// Metric is a measured quantity.
type Metric struct {
	Name  string
	Unit  Unit
	About string // the meaning, for the dashboard and the operations guide
}

// New returns a metric, for a variable of the measuring package.
func New(name string, unit Unit, about string) Metric { return Metric{name, unit, about} }

// Is returns a value of the metric, in the metric's unit.
func (m Metric) Is(amount int64) Value { return Value{Metric: m, Amount: amount} }

// Are returns several values of the metric.
func (m Metric) Are(amounts []int64) Value { return Value{Metric: m, Amounts: amounts} }

// Value is a measurement of a metric, or several measurements.
type Value struct {
	Metric Metric
	Amount int64
	// Amounts is several measurements, or nil. If Amounts is set, Amount is unused.
	Amounts []int64
}

// Dimension splits a metric: by node, by status. A dimension must have few values,
// because every value is a separate metric in CloudWatch.
type Dimension struct{ Name, Value string }

// Names of dimensions.
const (
	Node   = "Node"   // index of a node in the list of nodes, from 0
	Status = "Status" // the outcome of work
	Kind   = "Kind"
)

// By returns a dimension.
func By(name, value string) Dimension { return Dimension{Name: name, Value: value} }

// Level is the level of measurements: above all levels of messages, so that no setting drops
// measurements.
const Level = slog.Level(16)

// Key is the attribute that contains a Line.
const Key = "metrics"

// Line is the measurements at one moment. Each value counts without dimensions and, if there are
// dimensions, once more for the combination of the dimensions.
type Line struct {
	Values []Value
	By     []Dimension
	// As is the level that the line shows. The line is written at every setting of the level.
	As slog.Level
}

// Emit writes the values in a separate line.
func Emit(ctx context.Context, log *slog.Logger, values []Value, by ...Dimension) {
	log.LogAttrs(ctx, Level, "measured", slog.Any(Key, Line{Values: values, By: by, As: Level}))
}

// Log writes a log line that also has measurements. The line is written at every setting of the
// level, so that no measurement is lost.
func Log(ctx context.Context, log *slog.Logger, message string, line Line, attrs ...slog.Attr) {
	log.LogAttrs(ctx, Level, message, append(attrs, slog.Any(Key, line))...)
}
