package chain

import "time"

// HedgeAfter gives a client that asks a second node after another time.
func (c *Client) HedgeAfter(d time.Duration) { c.net.hedgeAfter = d }

// FailuresToLeaveOut and LeaveOutFor are when a node is left out, and for how long.
const (
	FailuresToLeaveOut = failuresToLeaveOut
	LeaveOutFor        = leaveOutFor
)
