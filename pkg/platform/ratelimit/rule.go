package ratelimit

import (
	"strconv"
	"time"
)

// Rule is one row of the requirement's table: at most Limit counted requests in
// any window of length Window. Name is the bucket: routes with the same rule
// share it.
type Rule struct {
	Name   string
	Limit  int
	Window time.Duration
}

// Period names the window in words: "minute", "15 minutes", "hour".
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

// Uncounted is for what costs no more than the answer that would refuse it: the
// files of the page. Nothing is ever counted; its numbers are what callers are told,
// those of an unused window.
var Uncounted = Rule{"uncounted", 100, 15 * time.Minute}

// Counted says whether requests under the rule are counted at all.
func (r Rule) Counted() bool { return r != Uncounted }
