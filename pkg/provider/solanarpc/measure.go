package solanarpc

import (
	"context"
	"errors"
	"time"

	"tokenlaunch.example/service/pkg/platform/metric"
)

// measure records a call of a node. A refused request does not count as an error of the node. A
// canceled call does not count as an error, because the caller had a response from another node or
// gave up.
func (c *Client) measure(caller context.Context, e *endpoint, took time.Duration, err error) {
	failed := int64(1)
	if err == nil || decided(err) || errors.Is(caller.Err(), context.Canceled) {
		failed = 0
	}
	c.Meter.Note(metric.By(metric.Node, c.name(e)),
		RPCCalls.Is(1), RPCErrors.Is(failed), RPCLatency.Is(took.Milliseconds()))
}
