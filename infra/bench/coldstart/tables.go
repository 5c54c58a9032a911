package coldstart

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"tokenlaunch.example/service/infra/bench/growth"
	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/infra/document"
)

// Functions is the table of our functions.
func (r Result) Functions() string {
	rows := [][]string{{"function", "zip", "ready", "first answer", "waiting in it", "own", "spread of own", "CPU", "peak memory", "first event"}}
	for _, s := range r.ours {
		event := "`" + eventOf(s.function) + "`"
		if event != "`"+noEvent+"`" {
			event = "`events/" + eventOf(s.function) + ".json`"
		}
		peak := slices.Max(report.Each(s.starts, func(s start) int64 { return s.peakKB }))
		rows = append(rows, []string{
			s.name, fmt.Sprintf("%.2f MB", float64(s.bytes)/1e6),
			report.Millis(s.median(func(s start) time.Duration { return s.ready })),
			report.Millis(s.median(answered)),
			report.Millis(s.median(func(s start) time.Duration { return s.waited })),
			report.Millis(s.median(own)), report.Spread(report.Each(s.starts, own)),
			report.Millis(s.median(func(s start) time.Duration { return s.cpu })),
			fmt.Sprintf("%.0f MB", float64(peak)/1024), event,
		})
	}
	return document.Markdown(rows)
}

// Peers is the table of what was compared with Node.
func (r Result) Peers() string {
	rows := [][]string{{"function", "first answer", "own", "spread of own", "CPU", "peak memory", "own, times ours", "CPU, times ours"}}
	cpu := func(s start) time.Duration { return s.cpu }
	row := func(s, ours *subject) {
		peak := slices.Max(report.Each(s.starts, func(s start) int64 { return s.peakKB }))
		times := func(f func(start) time.Duration) string {
			return fmt.Sprintf("%.1f", float64(s.median(f))/float64(ours.median(f)))
		}
		name := s.name
		if s == ours {
			name += ", ours"
		} else {
			name += ", Node"
		}
		rows = append(rows, []string{
			name, report.Millis(s.median(answered)), report.Millis(s.median(own)), report.Spread(report.Each(s.starts, own)),
			report.Millis(s.median(cpu)), fmt.Sprintf("%.0f MB", float64(peak)/1024), times(own), times(cpu),
		})
	}
	for _, ours := range r.ours {
		first := true
		for _, p := range r.peers {
			// The empty one is held against one of ours that gets an empty event.
			if p.function != ours.function && (p.function != "" || ours.function != emptyOf) {
				continue
			}
			if first {
				row(ours, ours)
			}
			first = false
			row(p, ours)
		}
	}
	return document.Markdown(rows)
}

// emptyOf is the function of ours that the empty one is held against: it has the clients,
// and its first event is an empty object.
const emptyOf = "payer"

// Growth shows the time until the answers of one process. It writes the picture.
func (r Result) Growth(root string) (string, error) {
	chart := growth.Chart{Name: "cold-start", Title: "Own time of one process until its answers", Work: "answers", Unit: "ms"}
	for _, s := range slices.Concat(r.ours, r.peers) {
		if len(s.until) == 0 {
			continue
		}
		line := growth.Line{Name: "ours"}
		if slices.Contains(r.peers, s) {
			line.Name = "Node, " + strings.TrimPrefix(s.name, s.function+", ")
		}
		for _, n := range growing {
			line.Points = append(line.Points, growth.Point{Work: float64(n), Value: float64(report.Median(s.until[n])) / float64(time.Millisecond)})
		}
		chart.Lines = append(chart.Lines, line)
	}
	return growth.Section(root, chart)
}
