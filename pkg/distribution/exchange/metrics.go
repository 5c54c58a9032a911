package exchange

import "tokenlaunch.example/service/pkg/platform/metric"

// ExchangeUnreadable counts unreadable and unsafe responses of venues.
var ExchangeUnreadable = metric.New("ExchangeUnreadable", metric.Count, "times that a venue's accounts or answers could not be read, or were unsafe")
