package solanarpc

import (
	"context"
	"slices"
	"sync"
	"time"

	"tokenlaunch.example/service/pkg/solana/onchain"
)

const (
	// paceAge is how long a slot time is taken that was measured: nodes take a sample of
	// their own every minute.
	paceAge = time.Minute
	// samples is how many of a node's samples are asked for: five minutes.
	samples = 5
	// shortestSample is the shortest sample that says something, for nodes count whole
	// seconds. The local chain takes one of a second for each slot, however long the slot
	// took.
	shortestSample = 10
	// look is how long a client watches slots pass that has no samples to go by, and has
	// seen none before.
	look = time.Second
	// finalAge is the maximum age of a measured finality. A network that changes its consensus, or
	// stands still, is noticed after it.
	finalAge = 10 * time.Second
	// ownSight bounds how old the slot is from which on a client counts itself.
	ownSight = 10 * time.Minute

	// fastestSlot and slowestSlot bound what is believed. Slots are to become 200 ms
	// (SIMD-0525), and no proposal goes below 50 ms; slots of more than a second are those
	// of a network that stands still. slowestSlot is what is said of a chain whose slots do
	// not pass by themselves, as those of a local chain need not.
	fastestSlot = 50 * time.Millisecond
	slowestSlot = time.Second
)

// pace is what is known of how long slots take.
type pace struct {
	mutex sync.Mutex
	slot  measured // the time of a slot
	final measured // the time of finality
	// first is a slot that the client saw, and when.
	first   uint64
	firstAt time.Time
}

// measured is a duration, and the time of its measurement; zero: not measured.
type measured struct {
	took time.Duration
	at   time.Time
}

// SlotTime gives how long a slot takes at present, from 50 ms to a second, as measured
// within the last minute: the median of the node's own samples of a minute each, or what
// the client saw itself where the node has none. A block may take longer, for some slots
// have none. It fails when no node answers.
func (c *Client) SlotTime(ctx context.Context) (time.Duration, error) {
	if slot, ok := c.pace.known(&c.pace.slot, paceAge, c.Now()); ok {
		return slot, nil
	}
	slot, ok := c.sampled(ctx)
	if !ok {
		var err error
		if slot, err = c.watched(ctx); err != nil {
			return 0, err
		}
	}
	slot = min(max(slot, fastestSlot), slowestSlot)
	c.pace.keep(&c.pace.slot, slot, c.Now())
	return slot, nil
}

// FinalTime returns how long a block takes at present to become final, at most 150 s, as measured
// within the last 10 s: the slots between the newest block and the newest final block of the node,
// times SlotTime. Under Alpenglow it is about a slot, under Tower 32. It fails when no node answers.
func (c *Client) FinalTime(ctx context.Context) (time.Duration, error) {
	if final, ok := c.pace.known(&c.pace.final, finalAge, c.Now()); ok {
		return final, nil
	}
	final, err := c.tip(ctx, Finalized) // first: the other order could show no distance
	if err != nil {
		return 0, err
	}
	newest, err := c.tip(ctx, Processed)
	if err != nil {
		return 0, err
	}
	slot, err := c.SlotTime(ctx)
	if err != nil {
		return 0, err
	}
	lag := min(newest.Slot-min(final.Slot, newest.Slot), mostLag)
	took := time.Duration(lag) * slot
	c.pace.keep(&c.pace.final, took, c.Now())
	return took, nil
}

// sampled is what the node's samples say; ok is false when they say nothing.
func (c *Client) sampled(ctx context.Context) (slot time.Duration, ok bool) {
	var list []struct {
		Slots   uint32 `json:"numSlots"`
		Seconds uint32 `json:"samplePeriodSecs"`
	}
	if err := c.call(ctx, &list, "getRecentPerformanceSamples", samples); err != nil {
		return 0, false // some providers do not offer it
	}
	var each []time.Duration
	for _, s := range list {
		if s.Slots > 0 && s.Seconds >= shortestSample {
			each = append(each, time.Duration(s.Seconds)*time.Second/time.Duration(s.Slots))
		}
	}
	if len(each) == 0 {
		return 0, false
	}
	slices.Sort(each)
	return each[len(each)/2], true
}

// watched is what the client saw itself: since it first looked, or while it looks twice.
func (c *Client) watched(ctx context.Context) (time.Duration, error) {
	tip, at, err := c.newestTip(ctx)
	if err != nil {
		return 0, err
	}
	if slot, ok := c.pace.since(tip.Slot, at); ok {
		return slot, nil
	}
	c.pace.begin(tip.Slot, at)
	if err := c.Pause(ctx, look); err != nil {
		return 0, err
	}
	if tip, at, err = c.newestTip(ctx); err != nil {
		return 0, err
	}
	if slot, ok := c.pace.since(tip.Slot, at); ok {
		return slot, nil
	}
	return slowestSlot, nil
}

// newestTip is the newest slot, and when the node said it.
func (c *Client) newestTip(ctx context.Context) (onchain.Tip, time.Time, error) {
	tip, err := c.tip(ctx, Processed)
	return tip, c.Now(), err
}

// known returns what of a pace was measured, and reports whether that is younger than an age.
func (p *pace) known(of *measured, age time.Duration, now time.Time) (time.Duration, bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return of.took, !of.at.IsZero() && now.Sub(of.at) < age
}

func (p *pace) keep(of *measured, took time.Duration, at time.Time) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	*of = measured{took, at}
}

// begin counts from a slot on.
func (p *pace) begin(slot uint64, at time.Time) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.first, p.firstAt = slot, at
}

// since is how long the slots took since begin; ok is false when that was just now, or
// so long ago that the slots may have changed, or when none passed.
func (p *pace) since(slot uint64, at time.Time) (each time.Duration, ok bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	took := at.Sub(p.firstAt)
	if p.firstAt.IsZero() || slot <= p.first || took < look || took > ownSight {
		return 0, false
	}
	return took / time.Duration(slot-p.first), true //nolint:gosec // a slot takes time: far below 2^63 of them
}
