package terms

import (
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"
)

// Version is the settings that hold for the slots after a time, until the next version
// does.
type Version struct {
	Settings

	// Number is LaunchVersion for the settings of the launch, and one more with each
	// change. It is never given twice, whatever versions are dropped.
	Number int64
	// From is zero for the settings of the launch. Else it is in milliseconds'
	// resolution.
	From time.Time
	// Signature is the creator's over OrderText; zero: this version was not signed.
	Signature solana.Signature
}

// LaunchVersion is the number of the settings of the launch.
const LaunchVersion = 1

// Ordered says whether the creator signed this version.
func (v Version) Ordered() bool { return !v.Signature.IsZero() }

// Versions are a token's settings, the oldest first. The last are the newest; before them
// are those that a slot may still need for which no run was opened.
type Versions []Version

// KeepVersions is how many versions are kept at most: more than a creator makes before a
// run is opened, and little beside the rest of a token's record. Each is some 320
// bytes, and up to 510 more where the creator's share is split.
const KeepVersions = 16

// Newest gives the settings as they are now; the zero Version when there are none.
func (v Versions) Newest() Version {
	if len(v) == 0 {
		return Version{}
	}
	return v[len(v)-1]
}

// At gives the settings as they stood at a slot: the newest that are older than it. ok is
// false when they are not kept any more, because a run was opened for a later slot, or
// because settings have changed too often since.
func (v Versions) At(slot time.Time) (version Version, ok bool) {
	for _, one := range slices.Backward(v) {
		if one.From.Before(slot) {
			return one, true
		}
	}
	return Version{}, false
}

// HoldsFrom says from when a change that is made now holds: from now on, but never for a
// slot for which a run was opened, of which opened is the last, nor before an earlier
// change, whatever the clocks of two functions say.
func (v Versions) HoldsFrom(now, opened time.Time) time.Time {
	from := now.UTC().Truncate(time.Millisecond)
	if after := opened.Add(time.Millisecond); !opened.IsZero() && from.Before(after) {
		from = after.UTC()
	}
	if newest := v.Newest().From; from.Before(newest) {
		from = newest
	}
	return from
}

// Next gives the version that a change which is made now makes, unsigned; see HoldsFrom.
func (v Versions) Next(s Settings, now, opened time.Time) Version {
	return Version{Settings: s, Number: v.Newest().Number + 1, From: v.HoldsFrom(now, opened)}
}

// Change gives the versions after one that Next gave.
// Of the earlier ones those are left that were in force at a slot of their own after
// opened, the last one that a run was opened for, and the one that was a second later: a
// claim's slot may be there.
func (v Versions) Change(next Version, opened time.Time) Versions {
	list := append(slices.Clone(v), next)
	claim := opened.Add(time.Second)
	kept := list[:0]
	for i, one := range list {
		since := one.From
		if since.Before(opened) {
			since = opened
		}
		last := i == len(list)-1
		if last || !one.Interval.Next(since).After(list[i+1].From) || one.From.Before(claim) && !list[i+1].From.Before(claim) {
			kept = append(kept, one)
		}
	}
	return kept[max(0, len(kept)-KeepVersions):]
}
