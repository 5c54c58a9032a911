package terms

// Names of what a line of the log is about in addition to those of package logctx.
const (
	LogMint = "mint"
	LogRun  = "run"
)
