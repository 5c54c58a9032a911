package apigw

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/platform/metric"
)

// run calls the handler with a body of at most the route's limit. A panic becomes an error.
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
		if _, told := errors.AsType[*apperr.Error](err); told {
			return out, err
		}
		return out, explain(r.Context(), err)
	}
	out.WriteHeader(http.StatusOK)
	return out, nil
}

// statusOf returns the status of a response or an error.
func statusOf(out *reply, err error) int {
	if err != nil {
		return int(apperr.KindOf(err))
	}
	return out.status
}

// log writes the request's log line, with the metrics, and without body, query and headers. Behind
// CloudFront the line has the caller's address, because the gateway's log has CloudFront's address.
func (e endpoint) log(ctx context.Context, r *http.Request, status int, took time.Duration, caller CallerContext, err error) {
	attrs := []slog.Attr{
		slog.String("method", r.Method),
		slog.String("route", e.route.Path),
		slog.String("operation", e.route.Operation),
		slog.Int("status", status),
		slog.Float64("durationMs", float64(took.Microseconds())/1000),
	}
	if caller.fronted {
		attrs = append(attrs, slog.String("ip", caller.SourceIP))
	}
	if caller.Wallet != "" {
		attrs = append(attrs, slog.String("caller", caller.Wallet))
	}
	if err != nil {
		attrs = append(attrs, slog.String("code", apperr.CodeOf(err)), slog.String("error", err.Error()))
	}
	metric.Log(ctx, e.api.Log, "request", measure(status, took), attrs...)
}

// measure returns the metrics of a request. Rejections and failures are measured only if they
// occur. CloudWatch charges for each metric, so no metric is split by route. The log line has the
// route, and a query of the log counts by route.
func measure(status int, took time.Duration) metric.Line {
	line := metric.Line{Values: []metric.Value{Requests.Is(1), Latency.Is(took.Milliseconds())}}
	switch {
	case status == http.StatusTooManyRequests:
		line.Values = append(line.Values, Limited.Is(1))
	case status >= http.StatusInternalServerError:
		line.Values = append(line.Values, ServerErrors.Is(1))
		line.As = slog.LevelError
	}
	return line
}
