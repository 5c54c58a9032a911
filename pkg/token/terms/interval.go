package terms

import (
	"slices"
	"strconv"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"
)

// Interval is the interval between distributions of a token's tax: a word such as "5m", "24h" or
// "7d".
type Interval string

// The intervals that a creator can choose, from the requirement.
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

var intervals = []Interval{
	Every5Minutes, Every10Minutes, Every15Minutes, Every30Minutes, EveryHour, Every6Hours, Every12Hours, Every24Hours,
}

// Intervals lists the intervals that a creator can choose, shortest first.
func Intervals() []Interval { return slices.Clone(intervals) }

// Valid reports whether a creator can choose i.
func (i Interval) Valid() bool { return slices.Contains(intervals, i) }

// maxCount is the maximum number of minutes, hours or days in an interval.
const maxCount = 9_999

// Duration returns the time between two slots. Duration reads the word instead of the list of
// intervals, so a verifier accepts intervals that are added later. It returns zero if i is not a
// number of minutes, hours or days.
func (i Interval) Duration() time.Duration {
	word := string(i)
	if word == "" {
		return 0
	}
	last := len(word) - 1
	unit := map[byte]time.Duration{'m': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour}[word[last]]
	count, err := strconv.Atoi(word[:last])
	if err != nil || count < 1 || count > maxCount || strconv.Itoa(count) != word[:last] {
		return 0
	}
	return time.Duration(count) * unit
}

// Slot returns the latest boundary of the interval that is not after t. Boundaries are counted from
// the Unix epoch, a midnight UTC. An interval that divides the day has the same boundaries each
// day, and a longer interval has every second day's midnight or every week's. Slot returns t if i
// is not an interval.
func (i Interval) Slot(t time.Time) time.Time {
	t = t.UTC()
	d := int64(i.Duration() / time.Second)
	if d == 0 {
		return t
	}
	since := t.Unix() % d
	if since < 0 { // before the epoch
		since += d
	}
	return time.Unix(t.Unix()-since, 0).UTC()
}

// Next returns the first boundary of the interval after t.
func (i Interval) Next(t time.Time) time.Time { return i.Slot(t).Add(i.Duration()) }

// Tick returns the time between two events of the schedule of i, which is counted from midnight
// UTC. Tick is the longest duration that divides both i and the day, in minutes that divide the
// hour or in whole hours. Tick equals Duration if i divides the day in such a unit.
func (i Interval) Tick() time.Duration {
	tick := gcd(i.Duration(), 24*time.Hour)
	if tick%time.Hour != 0 {
		tick = gcd(tick, time.Hour)
	}
	return tick
}

func gcd(a, b time.Duration) time.Duration {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Opened returns the slot of an event of the schedule. ok is false if an earlier event opened the
// slot.
func (i Interval) Opened(event time.Time) (slot time.Time, ok bool) {
	slot = i.Slot(event)
	return slot, event.Sub(slot) < i.Tick()
}

// runs is the namespace of run IDs, a random UUID of this project.
var runs = uuid.MustParse("5d2b8a4e-9f0c-4c1e-8a53-0c8e3b7f61d4")

// RunID returns the ID of a token's run in a slot: a version 5 UUID (RFC 9562) of the mint and the
// slot. The same mint and slot always have the same ID.
func RunID(mint solana.PublicKey, slot time.Time) string {
	return uuid.NewSHA1(runs, []byte(mint.String()+"/"+strconv.FormatInt(slot.Unix(), 10))).String()
}
