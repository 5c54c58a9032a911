package cloudwatch

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/expr-lang/expr"
)

// compute evaluates metric math. Only arithmetic, comparisons, IF and FILL with a number are
// supported (User Guide, "Metric math syntax and functions"). A period has no result if an unfilled
// metric has no data, or after a division by zero.
func (s *Store) compute(queries []Query, v *Verdict, first, last time.Time, period time.Duration) (series, error) {
	read := map[string]series{}
	var expression string
	for _, q := range queries {
		if q.MetricStat == nil {
			if expression != "" {
				return nil, errors.New("two expressions in an alarm are not known here")
			}
			expression = q.Expression
			continue
		}
		m := q.MetricStat.Metric
		values, err := s.read(v, Metric{m.Namespace, m.MetricName, dimensions(m.Dimensions)}, q.MetricStat.Stat, first, last, period)
		if err != nil {
			return nil, err
		}
		read[q.ID] = values
	}
	made := series{}
	for at := first; !at.After(last); at = at.Add(period) {
		variables := map[string]any{
			"IF": func(condition bool, then, otherwise any) any {
				if condition {
					return then
				}
				return otherwise
			},
			"FILL": func(value, instead any) any {
				if value == nil {
					return instead
				}
				return value
			},
		}
		for id, values := range read {
			if value, there := values[at]; there {
				variables[id] = value
			} else {
				variables[id] = nil
			}
		}
		result, err := expr.Eval(expression, variables)
		if err != nil {
			if missing(variables) {
				continue
			}
			return nil, fmt.Errorf("compute %s: %w", expression, err)
		}
		if value, ok := number(result); ok {
			made[at] = value
		}
	}
	return made, nil
}

func missing(variables map[string]any) bool {
	for _, value := range variables {
		if value == nil {
			return true
		}
	}
	return false
}

func number(value any) (float64, bool) {
	switch n := value.(type) {
	case int:
		return float64(n), true
	case float64:
		return n, !math.IsNaN(n) && !math.IsInf(n, 0)
	default:
		return 0, false
	}
}
