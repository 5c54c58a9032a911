package payout

import "tokenlaunch.example/service/pkg/platform/metric"

// What the engine measures of payments. UndecidedAmounts counts each line that begins with "ALARM":
// money may or may not have moved.
var (
	HoldersPaid      = metric.New("HoldersPaid", metric.Count, "payments to holders that are final")
	PaymentsLanded   = metric.New("Payments", metric.Count, "transactions of distributions that landed, by kind")
	GuardianUnsigned = metric.New("GuardianUnsigned", metric.Count, "collections that the guardian was asked to co-sign and did not")
	UndecidedAmounts = metric.New("Undecided", metric.Count, "amounts whose payment may or may not have landed")
)
