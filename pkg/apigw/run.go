package apigw

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"tokenlaunch.example/service/pkg/apperr"
)

// run calls the handler with a body no longer than the route takes. A panic
// comes back as an error.
func (e endpoint) run(r *http.Request) (out *reply, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
	}()
	out = newReply()
	switch {
	case e.route.MaxBody == 0:
		r.Body = http.NoBody
	case r.ContentLength > e.route.MaxBody:
		return out, bodyTooLarge(e.route.MaxBody)
	default:
		r.Body = http.MaxBytesReader(out, r.Body, e.route.MaxBody)
	}
	if err := e.handler(out, r); err != nil {
		return out, explain(r.Context(), err)
	}
	out.WriteHeader(http.StatusOK)
	return out, nil
}

// statusOf gives the status that an answer or an error will have.
func statusOf(out *reply, err error) int {
	if err != nil {
		return Status(apperr.KindOf(err))
	}
	return out.status
}

// log writes the request's line: no body, no query, no header.
func (e endpoint) log(ctx context.Context, log *slog.Logger, r *http.Request, status int, took time.Duration, caller CallerContext, err error) {
	level := slog.LevelInfo
	attrs := []slog.Attr{
		slog.String("method", r.Method),
		slog.String("route", e.route.Path),
		slog.String("operation", e.route.Operation),
		slog.Int("status", status),
		slog.Float64("durationMs", float64(took.Microseconds())/1000),
	}
	if caller.Wallet != "" {
		attrs = append(attrs, slog.String("caller", caller.Wallet))
	}
	if err != nil {
		attrs = append(attrs, slog.String("code", apperr.CodeOf(err)), slog.String("error", err.Error()))
	}
	if status >= http.StatusInternalServerError {
		level = slog.LevelError
	}
	log.LogAttrs(ctx, level, "request", attrs...)
}
