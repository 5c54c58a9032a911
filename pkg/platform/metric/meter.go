package metric

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
)

// maxValues is the maximum number of values of a metric in one line (Amazon CloudWatch User Guide,
// "Specification: Embedded metric format").
const maxValues = 100

// Meter collects measurements that are too frequent for separate lines, until Flush writes the
// measurements. A server must call Flush before the response is sent, because a function may be
// frozen or ended after the response. A nil Meter collects nothing.
type Meter struct {
	mu   sync.Mutex
	seen map[Dimension][]Value
}

// Note adds values. Values of the unit Count are summed up. Values of other units are kept
// separately.
func (m *Meter) Note(by Dimension, values ...Value) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.seen == nil {
		m.seen = map[Dimension][]Value{}
	}
	for _, value := range values {
		m.seen[by] = add(m.seen[by], value)
	}
}

func add(gathered []Value, value Value) []Value {
	at := slices.IndexFunc(gathered, func(g Value) bool { return g.Metric.Name == value.Metric.Name })
	switch {
	case at >= 0 && value.Metric.Unit == Count:
		gathered[at].Amount += value.Amount
	case at >= 0:
		gathered[at].Amounts = append(gathered[at].Amounts, value.Amount)
	case value.Metric.Unit == Count:
		return append(gathered, value)
	default:
		return append(gathered, value.Metric.Are([]int64{value.Amount}))
	}
	return gathered
}

// Flush writes and clears the collected values: a line for each dimension, and further lines for
// more than 100 separate values.
func (m *Meter) Flush(ctx context.Context, log *slog.Logger) {
	if m == nil {
		return
	}
	m.mu.Lock()
	seen := m.seen
	m.seen = nil
	m.mu.Unlock()
	order := slices.SortedFunc(maps.Keys(seen), func(a, b Dimension) int { return strings.Compare(a.Value, b.Value) })
	for _, by := range order {
		for rest := seen[by]; len(rest) > 0; {
			var line []Value
			line, rest = split(rest)
			Emit(ctx, log, line, by)
		}
	}
}

// split returns the values that fit into a line, and the remaining values.
func split(values []Value) (line, rest []Value) {
	for _, value := range values {
		if len(value.Amounts) > maxValues {
			rest = append(rest, value.Metric.Are(value.Amounts[maxValues:]))
			value = value.Metric.Are(value.Amounts[:maxValues])
		}
		line = append(line, value)
	}
	return line, rest
}
