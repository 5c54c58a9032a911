// Package metric names what the service measures of itself, and writes it down.
//
// A measurement is a line of the log like any other: nothing is sent, so measuring
// neither fails nor waits. Package telemetry puts the line into CloudWatch's embedded
// metric format, from which CloudWatch makes the metric; the alarms and the dashboard
// of the stack name their metrics by the variables of the packages that measure.
package metric

import (
	"context"
	"log/slog"
)

// Unit is one of CloudWatch's units (API reference, MetricDatum).
type Unit string

// The units that are used here. Amounts of money have none.
const (
	Count        Unit = "Count"
	Milliseconds Unit = "Milliseconds"
	Seconds      Unit = "Seconds"
	None         Unit = "None"
)

// Metric is one thing that is measured.
type Metric struct {
	Name  string
	Unit  Unit
	About string // what it says, for the dashboard and the operations guide
}

// New declares a metric, as a variable of the package that measures it.
func New(name string, unit Unit, about string) Metric { return Metric{name, unit, about} }

// Is gives a value of the metric, in its unit.
func (m Metric) Is(amount int64) Value { return Value{Metric: m, Amount: amount} }

// Are gives several values of the metric at once.
func (m Metric) Are(amounts []int64) Value { return Value{Metric: m, Amounts: amounts} }

// Value is a metric measured once, or several times.
type Value struct {
	Metric Metric
	Amount int64
	// Amounts are what was measured when it was several times; Amount is nothing then.
	Amounts []int64
}

// Dimension splits a metric: by route, by node, by status. Its values are few, for each
// one is a metric of its own to CloudWatch.
type Dimension struct{ Name, Value string }

// Names of dimensions.
const (
	Route  = "Route"  // method and pattern
	Node   = "Node"   // place of a node in the list of nodes, from 0
	Status = "Status" // how work ended
	Kind   = "Kind"
)

// By makes a dimension.
func By(name, value string) Dimension { return Dimension{Name: name, Value: value} }

// Level is the level of the lines: above every other, so that no setting drops them.
const Level = slog.Level(16)

// Key is the attribute under which a line has its Line.
const Key = "metrics"

// Line is what was measured at one moment. Each value counts as a whole and, when there
// are dimensions, once more for them together.
type Line struct {
	Values []Value
	By     []Dimension
	// As is the level that the line shows; it is written at every setting all the same.
	As slog.Level
}

// Emit writes the values in a line of their own.
func Emit(ctx context.Context, log *slog.Logger, values []Value, by ...Dimension) {
	log.LogAttrs(ctx, Level, "measured", slog.Any(Key, Line{Values: values, By: by, As: Level}))
}

// Log writes a line of the log that measures, too. It is written whatever the level of
// the log is, so that no measurement is lost by a setting.
func Log(ctx context.Context, log *slog.Logger, message string, line Line, attrs ...slog.Attr) {
	log.LogAttrs(ctx, Level, message, append(attrs, slog.Any(Key, line))...)
}
