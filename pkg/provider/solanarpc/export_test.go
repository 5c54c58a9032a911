package solanarpc

import (
	"context"
	"time"
)

// current are the nodes that the client asks now.
func (c *Client) current() *network {
	net, err := c.roster.network(context.Background())
	if err != nil {
		panic(err)
	}
	return net
}

// HedgeAfter lets a client ask a second node after another time.
func (c *Client) HedgeAfter(d time.Duration) { c.current().hedgeAfter = d }

// LeaveOutFor lets a client leave nodes out for another time.
func (c *Client) LeaveOutFor(d time.Duration) {
	for _, e := range c.current().nodes {
		e.breaker = newBreaker(d)
	}
}

// FailuresToLeaveOut is the number of consecutive failures that leave a node out.
const FailuresToLeaveOut = failuresToLeaveOut
