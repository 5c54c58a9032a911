// Package logctx adds the subject of a call, such as a request, to a context. Package telemetry
// adds the subject to every log line with the context, in every package.
package logctx

import (
	"context"
	"log/slog"
	"slices"
)

// Request is the attribute's name for a request's ID.
const Request = "requestId"

type key struct{}

// With adds attributes of the subject. An attribute replaces an earlier attribute with the same
// name.
func With(ctx context.Context, attrs ...slog.Attr) context.Context {
	all := slices.DeleteFunc(slices.Clone(Of(ctx)), func(before slog.Attr) bool {
		return slices.ContainsFunc(attrs, func(attr slog.Attr) bool { return attr.Key == before.Key })
	})
	return context.WithValue(ctx, key{}, append(all, attrs...))
}

// Of returns the attributes of the subject. The caller must not change the list.
func Of(ctx context.Context) []slog.Attr {
	attrs, _ := ctx.Value(key{}).([]slog.Attr)
	return attrs
}
