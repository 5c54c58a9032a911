package signing

import "tokenlaunch.example/service/pkg/platform/metric"

// Metrics of the signer.
var (
	SigningRefused = metric.New("SigningRefused", metric.Count, "messages that the signer was asked for and does not sign")
	SigningCapped  = metric.New("SigningCapped", metric.Count, "messages that the signer refuses because more would leave than came in and than its limits leave")
)
