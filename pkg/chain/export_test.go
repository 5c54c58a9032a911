package chain

import "time"

// HedgeAfter lets a client ask a second node after another time.
func (c *Client) HedgeAfter(d time.Duration) { c.net.hedgeAfter = d }

// LeaveOutFor lets a client leave nodes out for another time.
func (c *Client) LeaveOutFor(d time.Duration) {
	for _, e := range c.net.nodes {
		e.breaker = newBreaker(d)
	}
}

// FailuresToLeaveOut is how many failures in a row leave a node out.
const FailuresToLeaveOut = failuresToLeaveOut
