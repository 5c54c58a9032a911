package index

import "tokenlaunch.example/service/pkg/platform/metric"

// TradesUnreadable counts trades that the index leaves out.
var TradesUnreadable = metric.New("TradesUnreadable", metric.Count, "trades on curves whose events are not known, and which do not count")
