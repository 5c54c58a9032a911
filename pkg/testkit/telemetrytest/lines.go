// Package telemetrytest reads the log of a function, for tests.
package telemetrytest

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"sync"
	"testing"

	"tokenlaunch.example/service/pkg/platform/telemetry"
)

// Line is a line of the log.
type Line map[string]any

// Lines reads a log.
func Lines(t testing.TB, log []byte) []Line {
	t.Helper()
	var lines []Line
	for decoder := json.NewDecoder(bytes.NewReader(log)); ; {
		var line Line
		if err := decoder.Decode(&line); err == io.EOF {
			return lines
		} else if err != nil {
			t.Fatalf("the log is not lines of JSON: %v:\n%s", err, log)
		}
		lines = append(lines, line)
	}
}

// Text returns a member that is a text, or "" for a missing member.
func (l Line) Text(name string) string {
	text, _ := l[name].(string)
	return text
}

// Metrics returns the metrics that CloudWatch reads from the line: the values of each metric in the
// line's metadata.
func (l Line) Metrics() map[string][]float64 {
	var metadata struct {
		CloudWatchMetrics []struct {
			Metrics []struct{ Name string }
		}
	}
	raw, _ := json.Marshal(l["_aws"])
	_ = json.Unmarshal(raw, &metadata)
	values := map[string][]float64{}
	for _, directive := range metadata.CloudWatchMetrics {
		for _, metric := range directive.Metrics {
			switch value := l[metric.Name].(type) {
			case float64:
				values[metric.Name] = append(values[metric.Name], value)
			case []any:
				for _, v := range value {
					one, _ := v.(float64)
					values[metric.Name] = append(values[metric.Name], one)
				}
			}
		}
	}
	return values
}

// Log is a log in memory.
type Log struct {
	mu  sync.Mutex
	out bytes.Buffer
}

// Write appends a line.
func (l *Log) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.out.Write(line)
}

// Logger returns a logger with the format of the functions, from the level on.
func (l *Log) Logger(level slog.Level) *slog.Logger { return telemetry.New(l, level, "stack") }

// Lines returns the lines so far.
func (l *Log) Lines(t testing.TB) []Line {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	return Lines(t, l.out.Bytes())
}

// Sum returns the sum of the values of each metric.
func (l *Log) Sum(t testing.TB) map[string]float64 {
	t.Helper()
	sums := map[string]float64{}
	for _, line := range l.Lines(t) {
		for name, values := range line.Metrics() {
			for _, value := range values {
				sums[name] += value
			}
		}
	}
	return sums
}
