package coldstart

import (
	"fmt"
	"slices"
	"time"

	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/infra/document"
)

// What is shown of a start.
func own(s start) time.Duration      { return s.own() }
func answered(s start) time.Duration { return s.answered }
func cpu(s start) time.Duration      { return s.cpu }

func (s *subject) median(f func(start) time.Duration) time.Duration {
	return report.Median(report.Each(s.starts, f))
}

func (s *subject) millis(f func(start) time.Duration) string { return report.Millis(s.median(f)) }

func (s *subject) spread() string { return report.Spread(report.Each(s.starts, own)) }

func (s *subject) peak() string {
	return fmt.Sprintf("%.0f MB", float64(slices.Max(report.Each(s.starts, func(s start) int64 { return s.peakKB })))/1024)
}

// functionTable is the table of our functions.
func functionTable(subjects []*subject) string {
	rows := [][]string{{"function", "zip", "ready", "first answer", "waiting in it", "own", "spread of own", "CPU", "peak memory", "first event"}}
	for _, s := range subjects {
		if s.peer {
			continue
		}
		event := "`" + noEvent + "`"
		if name := eventOf(s.function); name != noEvent {
			event = "`events/" + name + ".json`"
		}
		rows = append(rows, []string{
			s.name, fmt.Sprintf("%.2f MB", float64(s.bytes)/1e6),
			s.millis(func(s start) time.Duration { return s.ready }), s.millis(answered),
			s.millis(func(s start) time.Duration { return s.waited }),
			s.millis(own), s.spread(), s.millis(cpu), s.peak(), event,
		})
	}
	return document.Markdown(rows)
}

// peerTable is the table of what was compared with Node.
func peerTable(subjects []*subject) string {
	rows := [][]string{{"function", "first answer", "own", "spread of own", "CPU", "peak memory", "own, times ours", "CPU, times ours"}}
	row := func(name string, s, ours *subject) {
		times := func(f func(start) time.Duration) string {
			return fmt.Sprintf("%.1f", float64(s.median(f))/float64(ours.median(f)))
		}
		rows = append(rows, []string{name, s.millis(answered), s.millis(own), s.spread(), s.millis(cpu), s.peak(), times(own), times(cpu)})
	}
	for _, p := range peers {
		i := slices.IndexFunc(subjects, func(s *subject) bool { return !s.peer && s.name == p.ours })
		if i < 0 {
			continue
		}
		row(p.ours+", ours", subjects[i], subjects[i])
		for _, s := range subjects {
			if s.peer && s.function == p.function {
				row(s.name+", Node", s, subjects[i])
			}
		}
	}
	return document.Markdown(rows)
}
