package payout

import (
	"context"
	"log/slog"

	"tokenlaunch.example/service/pkg/platform/logctx"
	"tokenlaunch.example/service/pkg/platform/metric"
)

// alarm writes a line that somebody has to look at, and counts it.
func (e Engine) alarm(ctx context.Context, what string, attrs ...slog.Attr) {
	metric.Log(ctx, e.Log, "ALARM: "+what, metric.Line{Values: []metric.Value{metric.Undecided.Is(1)}, As: slog.LevelError}, attrs...)
}

// measure counts an intent that landed, once it is written: whoever finds it written
// does not count it again, and a crash in between leaves it uncounted.
func (e Engine) measure(ctx context.Context, i Intent) {
	if i.Status() != Settled {
		return
	}
	line := metric.Line{
		Values: []metric.Value{metric.Intents.Is(1)}, By: []metric.Dimension{metric.By(metric.Kind, string(i.ID.Kind))},
	}
	if i.ID.Kind == Pay {
		line.Values = append(line.Values, metric.HoldersPaid.Is(int64(i.size())-int64(len(i.Skips))))
	}
	metric.Log(ctx, e.Log, "intent settled", line, slog.String("intent", i.ID.String()),
		slog.String(logctx.Run, i.ID.Run), slog.String(logctx.Mint, i.Mint.String()),
		slog.String("signature", i.Outcome.Signature.String()), slog.Uint64("feeLamports", i.Outcome.FeeLamports))
}
