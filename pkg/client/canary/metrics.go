package canary

import "tokenlaunch.example/service/pkg/platform/metric"

// The metrics of a check.
var (
	CanaryFailures = metric.New("CanaryFailures", metric.Count, "steps of a caller that the canary could not do")
	ProofsRefuted  = metric.New("ProofsRefuted", metric.Count, "published proofs that the canary read and that do not hold")
)
