package ratelimit

import (
	"strconv"
	"time"
)

// Rule is one row of the requirement's table: at most Limit counted requests in any window of
// length Window. Name is the name of the bucket. Routes with the same rule share the bucket.
type Rule struct {
	Name   string
	Limit  int
	Window time.Duration
}

// Period returns the window in words: "minute", "15 minutes", "hour".
func (r Rule) Period() string {
	n, unit := int64(r.Window/time.Minute), "minute"
	if r.Window%time.Hour == 0 {
		n, unit = int64(r.Window/time.Hour), "hour"
	}
	if n == 1 {
		return unit
	}
	return strconv.FormatInt(n, 10) + " " + unit + "s"
}

// Uncounted is the rule for the files of the page, which cost no more than the response that would
// reject a request. Requests under Uncounted are never counted. Callers receive the numbers of an
// unused window.
var Uncounted = Rule{"uncounted", 100, 15 * time.Minute}

// Counted reports whether requests under the rule are counted.
func (r Rule) Counted() bool { return r != Uncounted }
