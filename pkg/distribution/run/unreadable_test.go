package run_test

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"

	"tokenlaunch.example/service/pkg/distribution/exchange"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// upgraded is a venue whose answers cannot be read any more after a number of quotes; never
// while that is negative.
type upgraded struct {
	exchange.Venue

	after *atomic.Int64
}

func (u upgraded) Quote(ctx context.Context, o exchange.Order) (exchange.Quote, error) {
	if u.after.Load() == 0 {
		return exchange.Quote{}, exchange.Defer(exchange.Unreadable, "The exchange was upgraded.")
	}
	u.after.Add(-1)
	return u.Venue.Quote(ctx, o)
}

// An exchange whose program or API was upgraded puts the sale off: nothing is burned, the
// tax stays whole, a creator reads why, and every slot tries again, however long it takes.
func TestUnreadableExchangeWaits(t *testing.T) {
	t.Parallel()
	w := runworld.NewEnv(t).Fixture(t)
	var after atomic.Int64
	w.Prepare = func(worker *runworld.Worker) {
		worker.Machine.Venue = exchange.Watch{Venue: upgraded{worker.Machine.Venue, &after}, Name: "upgraded", Log: w.Log.Logger(slog.LevelError)}
	}
	w.Token.Settings.BurnBps = 2_000
	h := holder(t, w, 1_000*tokens).PublicKey()
	for range 4 { // every look asks again, because the rest does not grow
		rung := w.Log.Sum(t)["ExchangeUnreadable"]
		if runs := w.Pass(t, 1); len(runs) > 0 {
			t.Fatalf("%+v", runs)
		}
		head := w.Head(t)
		if head.Look == nil || head.Look.Why != run.CodeNoMarket || !strings.Contains(head.Look.Detail, "upgraded") {
			t.Fatalf("%+v", head.Look)
		}
		if w.Log.Sum(t)["ExchangeUnreadable"] == rung {
			t.Error("it does not ring")
		}
	}
	same(t, "supply", w.Supply(t), runworld.Supply)

	// It is upgraded while a run is at work: after the look.
	after.Store(1)
	r := w.Settle(t)
	same(t, "sold", r.Exchange.Sold, 0)
	same(t, "burned", r.Burn.Amount, 0)
	same(t, "tokens that wait", own(t, w, w.Token.Wallet.Address), 50*tokens)
	if !strings.Contains(r.Exchange.Deferred, "upgraded") {
		t.Errorf("deferred because of %q", r.Exchange.Deferred)
	}

	after.Store(-1)
	r = w.Settle(t)
	same(t, "burned", r.Burn.Amount, 10*tokens)
	same(t, "sold", r.Exchange.Sold, 40*tokens)
	paid(t, w, r, terms.SOL, h)
}
