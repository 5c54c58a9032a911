package metric

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
)

// mostValues is how many values of a metric one line holds (Amazon CloudWatch User Guide,
// "Specification: Embedded metric format").
const mostValues = 100

// Meter gathers what is measured too often for a line each, until Flush writes it. Who
// serves a call flushes before the answer leaves: a function may be frozen after it, or
// ended. A nil Meter gathers nothing.
type Meter struct {
	mu   sync.Mutex
	seen map[Dimension][]Value
}

// Note gathers values. Those of the unit Count are added up, of others each is kept.
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

// Flush writes what was gathered, and forgets it: a line for each dimension, and more
// when there are more than 100 values that are not added up.
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

// split gives what fits into a line, and what is left.
func split(values []Value) (line, rest []Value) {
	for _, value := range values {
		if len(value.Amounts) > mostValues {
			rest = append(rest, value.Metric.Are(value.Amounts[mostValues:]))
			value = value.Metric.Are(value.Amounts[:mostValues])
		}
		line = append(line, value)
	}
	return line, rest
}
