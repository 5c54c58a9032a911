package solanarpc

import (
	"context"
	"errors"
	"time"

	"tokenlaunch.example/service/pkg/platform/metric"
)

// measure counts a call of a node. A refusal of what was asked is no error of the node,
// and neither is that its caller, with this context, had the answer from elsewhere.
func (c *Client) measure(caller context.Context, e *endpoint, took time.Duration, err error) {
	failed := int64(1)
	if err == nil || decided(err) || errors.Is(caller.Err(), context.Canceled) {
		failed = 0
	}
	c.Meter.Note(metric.By(metric.Node, c.name(e)),
		RPCCalls.Is(1), RPCErrors.Is(failed), RPCLatency.Is(took.Milliseconds()))
}
