// Package telemetry sets up the structured log of a function: JSON lines on
// standard output, each with the id of the invocation that wrote it and with what the
// call is about (package logctx), and never with a secret: attributes that are named
// like one are masked. Metrics (package metric) are lines of the same log. The first
// line that a process writes in an invocation has cold_start.
package telemetry

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/lambdacontext"

	"tokenlaunch.example/service/pkg/platform/logctx"
	"tokenlaunch.example/service/pkg/platform/metric"
)

// Settings are the settings that a function with a log reads from the environment.
type Settings struct {
	LogLevel slog.Level `env:"LOG_LEVEL" envDefault:"INFO"`
	// MetricNamespace is CloudWatch's namespace of the metrics: the name of the stack.
	MetricNamespace string `env:"METRIC_NAMESPACE,required,notEmpty"`
	// Metrics are the names of the only values that become metrics, none of them by dimensions. The
	// other values stay in their lines. Default: every value is a metric.
	Metrics []string `env:"METRICS"`
}

// Logger writes to standard output, which Lambda forwards to CloudWatch.
func (s Settings) Logger() *slog.Logger {
	return New(os.Stdout, s.LogLevel, s.MetricNamespace, s.Metrics...)
}

// New writes to w. Metrics are written in the namespace, at every level. If only is not empty, only
// values with these names are metrics (see Settings).
func New(w io.Writer, level slog.Level, namespace string, only ...string) *slog.Logger {
	lines := slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: replace})
	return slog.New(handler{Handler: lines, top: lines, namespace: namespace, only: only, warm: new(atomic.Bool)})
}

// handler adds the invocation's ID and the subject of the call to lines with a context, and formats
// measurements.
type handler struct {
	slog.Handler
	// top is outside all groups, because the embedded metric format requires top-level members.
	top       slog.Handler
	grouped   bool
	namespace string
	only      []string
	// warm is set once a line of an invocation was written. All loggers of a process share it.
	warm *atomic.Bool
}

// coldStart marks the first line that a process writes in an invocation. The name is that of Powertools
// for AWS Lambda.
const coldStart = "cold_start"

// Handle writes one line.
func (h handler) Handle(ctx context.Context, record slog.Record) error {
	if lambda, ok := lambdacontext.FromContext(ctx); ok {
		record.AddAttrs(slog.String("invocationId", lambda.AwsRequestID))
		if !h.warm.Swap(true) {
			record.AddAttrs(slog.Bool(coldStart, true))
		}
	}
	for _, attr := range logctx.Of(ctx) {
		if !has(record, attr.Key) {
			record.AddAttrs(attr)
		}
	}
	if line, ok := measured(record); ok {
		return h.top.Handle(ctx, embedded(record, line, h.namespace, h.only))
	}
	return h.Handler.Handle(ctx, record)
}

// has reports whether the line has an attribute with the name.
func has(record slog.Record, name string) (found bool) {
	record.Attrs(func(attr slog.Attr) bool {
		found = attr.Key == name
		return !found
	})
	return found
}

// WithAttrs returns a handler with the attributes and the same behavior.
func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	h.Handler = h.Handler.WithAttrs(attrs)
	if !h.grouped {
		h.top = h.Handler
	}
	return h
}

// WithGroup returns a handler with the group and the same behavior.
func (h handler) WithGroup(name string) slog.Handler {
	h.Handler, h.grouped = h.Handler.WithGroup(name), true
	return h
}

// secretNames are name suffixes of attributes whose values must not be logged. Masking is a second
// line of defence, because no code logs such a value.
var secretNames = []string{"authorization", "jwt", "password", "privatekey", "secret", "seed"}

// maxValue is the maximum size of a value in the log, in bytes. Values may contain texts of third
// parties, and JSON encodes a control character in six bytes.
const maxValue = 6 << 10

// cut shortens a value that is too long.
func cut(attr slog.Attr) slog.Attr {
	text := ""
	switch value := attr.Value.Any().(type) {
	case string:
		text = value
	case error:
		text = fmt.Sprint(value) // fmt.Sprint handles a nil pointer
	}
	printed := 0
	for at, char := range text {
		if printed += width(char); printed > maxValue {
			return slog.String(attr.Key, text[:at]+"…")
		}
	}
	return attr
}

// width returns the number of bytes of a character in JSON.
func width(char rune) int {
	switch {
	case char == '\n' || char == '\t' || char == '\r' || char == '"' || char == '\\':
		return len(`\n`)
	case char < ' ' || char == utf8.RuneError || char == '\u2028' || char == '\u2029':
		return len(`\u0000`)
	default:
		return utf8.RuneLen(char)
	}
}

// replace masks secrets, shortens long values, and names the level of measurements.
func replace(_ []string, attr slog.Attr) slog.Attr {
	if attr.Key == slog.LevelKey {
		if level, ok := attr.Value.Any().(slog.Level); ok && level == metric.Level {
			return slog.String(slog.LevelKey, "METRIC")
		}
	}
	name := strings.ToLower(attr.Key)
	for _, secret := range secretNames {
		if strings.HasSuffix(name, secret) {
			return slog.String(attr.Key, "***")
		}
	}
	return cut(attr)
}
