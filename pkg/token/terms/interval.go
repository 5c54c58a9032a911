package terms

import (
	"slices"
	"strconv"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"
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

// Duration is the time between two slots; zero when i is not one of the eight.
func (i Interval) Duration() time.Duration {
	for _, known := range intervals {
		if known.name == i {
			return known.duration
		}
	}
	return 0
}

// Slot gives the latest boundary of the interval that is not after t. Boundaries
// are counted from midnight UTC, so every day has the same; all eight fall
// together at midnight. It gives t itself for what is no interval.
func (i Interval) Slot(t time.Time) time.Time {
	t = t.UTC()
	d := i.Duration()
	if d == 0 {
		return t
	}
	midnight := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	return midnight.Add(t.Sub(midnight).Truncate(d))
}

// Next gives the first boundary of the interval after t.
func (i Interval) Next(t time.Time) time.Time { return i.Slot(t).Add(i.Duration()) }

// runs is the namespace of run ids, a random UUID of this project.
var runs = uuid.MustParse("5d2b8a4e-9f0c-4c1e-8a53-0c8e3b7f61d4")

// RunID names the run of a token in a slot: the same mint and slot always give the same
// id, a version 5 UUID (RFC 9562) of the two.
func RunID(mint solana.PublicKey, slot time.Time) string {
	return uuid.NewSHA1(runs, []byte(mint.String()+"/"+strconv.FormatInt(slot.Unix(), 10))).String()
}
