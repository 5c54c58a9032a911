package apigw

import "tokenlaunch.example/service/pkg/platform/metric"

// The metrics of every request.
var (
	Requests     = metric.New("Requests", metric.Count, "requests that were answered")
	Latency      = metric.New("Latency", metric.Milliseconds, "time that a request took in its function")
	Limited      = metric.New("Limited", metric.Count, "requests that were answered 429")
	ServerErrors = metric.New("ServerErrors", metric.Count, "requests that were answered 500 or above")
)
