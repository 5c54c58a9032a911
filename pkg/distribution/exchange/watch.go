package exchange

import (
	"context"
	"errors"
	"log/slog"

	"tokenlaunch.example/service/pkg/platform/metric"
)

// Watch is a venue that rings when the one behind it gives answers that cannot be read, or
// that no wallet should sign.
type Watch struct {
	Venue Venue
	Name  string
	Log   *slog.Logger
}

// Quote asks the venue.
func (w Watch) Quote(ctx context.Context, o Order) (Quote, error) {
	q, err := w.Venue.Quote(ctx, o)
	w.watch(ctx, err)
	return q, err
}

// Swap asks the venue.
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

// Unread says whether an order is put off because the venue's accounts or answers could not
// be read.
func Unread(err error) bool {
	deferred, ok := errors.AsType[*Deferred](err)
	return ok && deferred.Reason == Unreadable
}
