package exchange

import (
	"context"
	"errors"
	"log/slog"

	"tokenlaunch.example/service/pkg/platform/metric"
)

// Watch is a venue that raises an alarm if the wrapped venue's responses are unreadable or unsafe
// to sign.
type Watch struct {
	Venue Venue
	Name  string
	Log   *slog.Logger
}

// Quote calls the venue.
func (w Watch) Quote(ctx context.Context, o Order) (Quote, error) {
	q, err := w.Venue.Quote(ctx, o)
	w.watch(ctx, err)
	return q, err
}

// Swap calls the venue.
func (w Watch) Swap(ctx context.Context, q Quote) (Swap, error) {
	s, err := w.Venue.Swap(ctx, q)
	w.watch(ctx, err)
	return s, err
}

func (w Watch) watch(ctx context.Context, err error) {
	if deferred, ok := errors.AsType[*Deferred](err); ok && (deferred.Reason == Unreadable || deferred.Reason == Unsafe) {
		metric.Log(ctx, w.Log, "an exchange's answer is not used", metric.Line{
			Values: []metric.Value{ExchangeUnreadable.Is(1)}, As: slog.LevelError,
		}, slog.String("venue", w.Name), slog.String("error", err.Error()))
	}
}

// Unread reports whether an order is deferred because the venue's accounts or responses were
// unreadable.
func Unread(err error) bool {
	deferred, ok := errors.AsType[*Deferred](err)
	return ok && deferred.Reason == Unreadable
}
