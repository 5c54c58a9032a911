package webhook

import "tokenlaunch.example/service/pkg/platform/metric"

// Metrics of messages.
var (
	WebhooksDelivered = metric.New("WebhooksDelivered", metric.Count, "messages that a receiver took")
	WebhooksRetried   = metric.New("WebhooksRetried", metric.Count, "attempts to deliver a message that a receiver did not take, and that are made again")
	WebhooksFailed    = metric.New("WebhooksFailed", metric.Count, "messages that no attempt delivered, and that their owner may replay")
	WebhooksCrowded   = metric.New("WebhooksCrowded", metric.Count, "visits that were deferred because their destination has as many as it may")
)
