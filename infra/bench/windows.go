package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tokenlaunch.example/service/infra/bench/growth"
	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
)

// fillWindow counts requests until a window is full, and takes samples of the last fifth,
// pageSize at most.
func (b *session) fillWindow(ctx context.Context, name string, rule ratelimit.Rule) error {
	last := min(pageSize, rule.Limit/5)
	for i := range rule.Limit {
		var decision ratelimit.Decision
		var err error
		count := func() { decision, err = b.limiter.Take(ctx, rule, "bench") }
		if i < rule.Limit-last {
			count()
		} else {
			b.measure(name, count)
		}
		if err != nil || !decision.Allowed {
			return errors.Join(fmt.Errorf("place %d of a window is refused", i+1), err)
		}
	}
	return nil
}

// windowLimits are the limits of which the growth of the limiter is measured. No rule has
// the last.
var windowLimits = []int{10, 100, 1000}

func windowName(limit int) string { return fmt.Sprintf("a window of %d", limit) }

// growWindows fills a window of each of windowLimits.
func (b *session) growWindows(ctx context.Context) error {
	for _, limit := range windowLimits {
		rule := ratelimit.Rule{Name: fmt.Sprintf("growth-%d", limit), Limit: limit, Window: 15 * time.Minute}
		if err := b.fillWindow(ctx, windowName(limit), rule); err != nil {
			return err
		}
	}
	return nil
}

// windowCharts show how the last requests of a window grow with its limit.
func windowCharts(taken samples) []growth.Chart {
	mean := func(of func(sample) float64) (points []growth.Point) {
		for _, limit := range windowLimits {
			list, sum := taken[windowName(limit)], 0.0
			for _, s := range list {
				sum += of(s)
			}
			points = append(points, growth.Point{Work: float64(limit), Value: sum / float64(max(1, len(list)))})
		}
		return points
	}
	median := func(of func(sample) float64) (points []growth.Point) {
		for _, limit := range windowLimits {
			points = append(points, growth.Point{Work: float64(limit), Value: report.Median(report.Each(taken[windowName(limit)], of))})
		}
		return points
	}
	return []growth.Chart{
		{
			Name: "limiter-units", Title: "Units of writing of a request in an almost full window", Work: "limit", Unit: "units",
			Lines: []growth.Line{{Name: "units, mean", Points: mean(func(s sample) float64 { return s.Units.Write })}},
		},
		{
			Name: "limiter-cpu", Title: "Processor time of a request in an almost full window", Work: "limit", Unit: "ms",
			Lines: []growth.Line{{Name: "ms, median", Points: median(func(s sample) float64 { return float64(s.CPU) / float64(time.Millisecond) })}},
		},
	}
}
