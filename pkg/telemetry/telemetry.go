// Package telemetry sets up the structured log of a function: JSON lines on
// standard output, each with the id of the invocation that wrote it, and never
// with a secret: attributes that are named like one are masked.
package telemetry

import (
	"context"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/aws/aws-lambda-go/lambdacontext"
)

// Logger writes to standard output, which Lambda hands to CloudWatch.
func Logger(level slog.Level) *slog.Logger { return New(os.Stdout, level) }

// New writes to w.
func New(w io.Writer, level slog.Level) *slog.Logger {
	return slog.New(invocation{slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: mask})})
}

// invocation adds the invocation's id to lines that are logged with its context.
type invocation struct{ slog.Handler }

// Handle writes one line.
func (h invocation) Handle(ctx context.Context, record slog.Record) error {
	if lambda, ok := lambdacontext.FromContext(ctx); ok {
		record.AddAttrs(slog.String("invocationId", lambda.AwsRequestID))
	}
	return h.Handler.Handle(ctx, record)
}

// WithAttrs keeps the id on loggers that are made from this one.
func (h invocation) WithAttrs(attrs []slog.Attr) slog.Handler {
	return invocation{h.Handler.WithAttrs(attrs)}
}

// WithGroup keeps the id on loggers that are made from this one.
func (h invocation) WithGroup(name string) slog.Handler {
	return invocation{h.Handler.WithGroup(name)}
}

// secretNames are words that, in an attribute's name, mean that its value is not
// for a log. It is a second line of defence: no code logs such a value.
var secretNames = []string{"authorization", "jwt", "password", "privatekey", "secret", "seed"}

func mask(_ []string, attr slog.Attr) slog.Attr {
	name := strings.ToLower(attr.Key)
	for _, secret := range secretNames {
		if strings.HasSuffix(name, secret) {
			return slog.String(attr.Key, "***")
		}
	}
	return attr
}
