package run

import (
	"context"
	"log/slog"

	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/token/terms"
)

// about names a run in a line of the log.
func (r Run) about() []slog.Attr {
	return []slog.Attr{slog.String(terms.LogRun, r.ID), slog.String(terms.LogMint, r.Mint.String())}
}

// began tells what a run begins with, and ended how it ended. Both follow the write that
// made it so, which succeeds once: a message that comes again measures nothing again, and
// a crash in between leaves the run unmeasured.
func (m Machine) began(ctx context.Context, r Run) {
	line := metric.Line{Values: []metric.Value{WalletLamports.Is(int64(r.Opening.Lamports))}} //nolint:gosec // all lamports there are fit
	metric.Log(ctx, m.Log, "run began", line, r.about()...)
}

func (m Machine) ended(ctx context.Context, r Run, attrs ...slog.Attr) {
	line := metric.Line{
		Values: []metric.Value{RunsEnded.Is(1), RunSeconds.Is(int64(r.End.At.Sub(r.OpenedAt).Seconds()))},
		By:     []metric.Dimension{metric.By(metric.Status, string(r.Status()))},
	}
	attrs = append(append(r.about(), slog.String("code", string(r.End.Code)), slog.String("detail", r.End.Detail)), attrs...)
	metric.Log(ctx, m.Log, "run "+string(r.Status()), line, attrs...)
}
