package run

import "tokenlaunch.example/service/pkg/platform/metric"

// Metrics of runs.
var (
	RunsEnded      = metric.New("RunsEnded", metric.Count, "runs that ended, by status")
	RunSeconds     = metric.New("RunSeconds", metric.Seconds, "time from a run's opening to its end")
	WalletLamports = metric.New("WalletLamports", metric.None, "lamports of a distribution wallet at the start of its run")
)
