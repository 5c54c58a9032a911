package run

import (
	"context"
	"log/slog"

	"tokenlaunch.example/service/pkg/platform/metric"
	"tokenlaunch.example/service/pkg/token/terms"
)

// about returns the log attributes that identify a run.
func (r Run) about() []slog.Attr {
	return []slog.Attr{slog.String(terms.LogRun, r.ID), slog.String(terms.LogMint, r.Mint.String())}
}

// began logs the beginning of a run, and ended the end. Both follow the write of the fact, which
// succeeds only once. So a repeated message does not repeat the measurement, and a crash in between
// leaves the run unmeasured.
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
