package solanarpc

import (
	"context"
	"slices"
	"sync"
	"time"

	"tokenlaunch.example/service/pkg/solana/onchain"
)

const (
	// paceAge is the maximum age of a measured slot time. Nodes take a sample every minute.
	paceAge = time.Minute
	// samples is the number of requested samples: five minutes.
	samples = 5
	// shortestSample is the minimum duration of a usable sample, in seconds, because nodes count
	// whole seconds. The local chain has a sample of one second for each slot, whatever the
	// duration of the slot.
	shortestSample = 10
	// look is the time for which a client without samples and without an earlier observation
	// observes slots.
	look = time.Second
	// finalAge is the maximum age of a measured finality, and the delay after which a halt or a
	// change of the network's consensus is noticed.
	finalAge = 10 * time.Second
	// ownSight is the maximum age of the first observed slot for a measurement by observation.
	ownSight = 10 * time.Minute

	// fastestSlot and slowestSlot bound measured slot times. Slots are to become 200 ms
	// (SIMD-0525), and no proposal goes below 50 ms. Slots of more than a second occur only on a
	// halted network. slowestSlot is also the result for a chain whose slots do not advance, which
	// can happen on a local chain.
	fastestSlot = 50 * time.Millisecond
	slowestSlot = time.Second
)

// pace is the measured slot time and finality.
type pace struct {
	mutex sync.Mutex
	slot  measured // the time of a slot
	final measured // the time of finality
	// first is the first observed slot, at the time firstAt.
	first   uint64
	firstAt time.Time
}

// measured is a duration and the time of the measurement; the zero value is not measured.
type measured struct {
	took time.Duration
	at   time.Time
}

// SlotTime returns the current duration of a slot, from 50 ms to a second, measured within the last
// minute: the median of the node's samples of a minute each, or the client's own observation if the
// node has no samples. A block may take longer, because some slots have no block. It returns an
// error if no node responds.
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

// FinalTime returns the current time from a block to the block's finality, at most 150 s, measured
// within the last 10 s: the slots between the node's newest block and newest final block, times
// SlotTime. Finality takes about one slot under Alpenglow, and 32 slots under Tower. It returns an
// error if no node responds.
func (c *Client) FinalTime(ctx context.Context) (time.Duration, error) {
	if final, ok := c.pace.known(&c.pace.final, finalAge, c.Now()); ok {
		return final, nil
	}
	final, err := c.tip(ctx, Finalized) // first, because the reverse order could show no distance
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
	lag := min(newest.Slot-min(final.Slot, newest.Slot), maxLag)
	took := time.Duration(lag) * slot
	c.pace.keep(&c.pace.final, took, c.Now())
	return took, nil
}

// sampled returns the median of the node's samples; ok is false without usable samples.
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

// watched returns the client's own observation: since the first observation, or between two
// observations now.
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

// newestTip returns the newest slot, and the time of the response.
func (c *Client) newestTip(ctx context.Context) (onchain.Tip, time.Time, error) {
	tip, err := c.tip(ctx, Processed)
	return tip, c.Now(), err
}

// known returns the measured duration, and reports whether the measurement is younger than age.
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

// begin starts an observation at a slot.
func (p *pace) begin(slot uint64, at time.Time) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.first, p.firstAt = slot, at
}

// since returns the average slot time since begin; ok is false if begin was too recent or too long
// ago, or if no slot has passed.
func (p *pace) since(slot uint64, at time.Time) (each time.Duration, ok bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	took := at.Sub(p.firstAt)
	if p.firstAt.IsZero() || slot <= p.first || took < look || took > ownSight {
		return 0, false
	}
	return took / time.Duration(slot-p.first), true //nolint:gosec // a slot takes time: far below 2^63 of them
}
