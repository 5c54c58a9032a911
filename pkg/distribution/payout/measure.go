package payout

import (
	"context"
	"log/slog"

	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/token/terms"
)

// alarm logs a line that needs an operator, and counts the line for the Undecided alarms.
func (e Engine) alarm(ctx context.Context, what string, attrs ...slog.Attr) {
	metric.Log(ctx, e.Log, "ALARM: "+what, metric.Line{Values: []metric.Value{UndecidedAmounts.Is(1)}, As: slog.LevelError}, attrs...)
}

// measure counts a landed payment after the write. A repeated step does not count the payment
// again. A crash between the write and the count loses the count.
func (e Engine) measure(ctx context.Context, p Payment) {
	if p.Status() != Landed {
		return
	}
	line := metric.Line{
		Values: []metric.Value{PaymentsLanded.Is(1)}, By: []metric.Dimension{metric.By(metric.Kind, string(p.ID.Kind))},
	}
	if p.ID.Kind == Pay {
		line.Values = append(line.Values, HoldersPaid.Is(int64(p.size())-int64(len(p.Skips))))
	}
	metric.Log(ctx, e.Log, "payment landed", line, slog.String("payment", p.ID.String()),
		slog.String(terms.LogRun, p.ID.Run), slog.String(terms.LogMint, p.Mint.String()),
		slog.String("signature", p.Outcome.Signature.String()), slog.Uint64("feeLamports", p.Outcome.FeeLamports))
}
