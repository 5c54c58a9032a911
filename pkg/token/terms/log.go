package terms

// Log attributes in addition to the attributes of package logctx.
const (
	LogMint = "mint"
	LogRun  = "run"
)
