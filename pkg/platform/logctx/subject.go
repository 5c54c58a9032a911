// Package logctx carries in a context what a call is about, such as a request.
// Every line that is logged with the context says so (package telemetry adds it), in
// whatever package the line is written.
package logctx

import (
	"context"
	"log/slog"
	"slices"
)

// Request is the name of a request's id.
const Request = "requestId"

type key struct{}

// With adds what a call is about. What has the same name as something before takes its
// place.
func With(ctx context.Context, attrs ...slog.Attr) context.Context {
	all := slices.DeleteFunc(slices.Clone(Of(ctx)), func(before slog.Attr) bool {
		return slices.ContainsFunc(attrs, func(attr slog.Attr) bool { return attr.Key == before.Key })
	})
	return context.WithValue(ctx, key{}, append(all, attrs...))
}

// Of gives what a call is about. The list is not to be changed.
func Of(ctx context.Context) []slog.Attr {
	attrs, _ := ctx.Value(key{}).([]slog.Attr)
	return attrs
}
