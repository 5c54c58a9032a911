package distribution

import (
	"slices"
	"time"
)

// Interval is how often a token's tax is distributed: one of the eight words of
// the requirement.
type Interval string

// The intervals.
const (
	Every5Minutes  Interval = "5m"
	Every10Minutes Interval = "10m"
	Every15Minutes Interval = "15m"
	Every30Minutes Interval = "30m"
	EveryHour      Interval = "1h"
	Every6Hours    Interval = "6h"
	Every12Hours   Interval = "12h"
	Every24Hours   Interval = "24h"
)

var intervals = []struct {
	name     Interval
	duration time.Duration
}{
	{Every5Minutes, 5 * time.Minute},
	{Every10Minutes, 10 * time.Minute},
	{Every15Minutes, 15 * time.Minute},
	{Every30Minutes, 30 * time.Minute},
	{EveryHour, time.Hour},
	{Every6Hours, 6 * time.Hour},
	{Every12Hours, 12 * time.Hour},
	{Every24Hours, 24 * time.Hour},
}

// Intervals lists the eight, shortest first.
func Intervals() []Interval {
	out := make([]Interval, len(intervals))
	for i, known := range intervals {
		out[i] = known.name
	}
	return out
}

// Valid says whether i is one of the eight.
func (i Interval) Valid() bool { return slices.Contains(Intervals(), i) }
