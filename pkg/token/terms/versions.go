package terms

import (
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"
)

// Version is a version of the settings, which is valid for the slots after From, until the next
// version.
type Version struct {
	Settings

	// Number is LaunchVersion for the settings of the launch, and increases by one with each
	// change. A number is never reused, even if versions are dropped.
	Number int64
	// From is zero for the settings of the launch. For later versions, From has a resolution of
	// milliseconds.
	From time.Time
	// OrderedAt is the time of the creator's request, in milliseconds' resolution; zero for the
	// settings of the launch.
	OrderedAt time.Time
	// Signature is the creator's signature over OrderText; zero for an unsigned version.
	Signature solana.Signature
}

// LaunchVersion is the number of the settings of the launch.
const LaunchVersion = 1

// Ordered reports whether the creator signed this version.
func (v Version) Ordered() bool { return !v.Signature.IsZero() }

// Versions are a token's settings, oldest first. The last version is the newest. The earlier
// versions may still be needed for slots without an opened run.
type Versions []Version

// KeepVersions is the maximum number of stored versions: more than a creator creates before a run
// is opened, and small compared with the other fields of a token's record. A version has some 320
// bytes, and up to 510 more if the creator's share is split.
const KeepVersions = 16

// Newest returns the current settings, or the zero Version if there are no versions.
func (v Versions) Newest() Version {
	if len(v) == 0 {
		return Version{}
	}
	return v[len(v)-1]
}

// At returns the settings at a slot: the newest version that is older than the slot. ok is false if
// the version is no longer stored, because a run was opened for a later slot, or because the
// settings have changed too often since.
func (v Versions) At(slot time.Time) (version Version, ok bool) {
	for _, one := range slices.Backward(v) {
		if one.From.Before(slot) {
			return one, true
		}
	}
	return Version{}, false
}

// HoldsFrom returns the earliest time from which a change at now is valid, without a delay. The time
// is now, except for two cases. A change never applies to opened, the last slot with an opened run, or
// to earlier slots. A change never applies before an earlier change that is in force, even if the
// clocks of two functions differ.
func (v Versions) HoldsFrom(now, opened time.Time) time.Time {
	from := now.UTC().Truncate(time.Millisecond)
	if after := opened.Add(time.Millisecond); !opened.IsZero() && from.Before(after) {
		from = after.UTC()
	}
	if held := v.Held(from).From; from.Before(held) {
		from = held
	}
	return from
}

// Held returns the version in force at a time: the newest version, unless the version is pending.
func (v Versions) Held(at time.Time) Version {
	if before, pending := v.pending(at); pending {
		return before
	}
	return v.Newest()
}

// Pending reports whether the newest version is not in force yet, because the version lowers what
// holders get, and the settings before the version have a delay.
func (v Versions) Pending(at time.Time) bool {
	_, pending := v.pending(at)
	return pending
}

func (v Versions) pending(at time.Time) (before Version, pending bool) {
	if len(v) < 2 {
		return Version{}, false
	}
	before = v[len(v)-2]
	return before, before.ChangeDelay != NoDelay && v.Newest().From.After(at)
}

// Next returns the unsigned version that a change at now creates. At most one version is pending: a
// change replaces a pending version.
//
//   - A change that does not lower what holders get by the version in force is valid at once; see
//     HoldsFrom.
//   - A change that does not lower what holders get by the pending version is valid from the time of
//     the pending version.
//   - Any other change is valid after the delay of the version in force.
func (v Versions) Next(s Settings, now, opened time.Time) Version {
	newest, from := v.Newest(), v.HoldsFrom(now, opened)
	held := v.Held(from)
	if held.ChangeDelay != NoDelay && len(Lowered(held.Settings, s)) > 0 {
		if v.Pending(from) && len(Lowered(newest.Settings, s)) == 0 {
			from = newest.From
		} else {
			from = from.Add(held.ChangeDelay.Duration())
		}
	}
	return Version{Settings: s, Number: newest.Number + 1, From: from, OrderedAt: now.UTC().Truncate(time.Millisecond)}
}

// Change returns the versions after adding a version that Next returned. Change keeps an earlier
// version in two cases. The version was in force at a slot of its own interval after opened, the
// last slot with an opened run. Or the version was in force a second after opened, because a
// claim's slot may be there. A pending version is replaced.
func (v Versions) Change(next Version, opened time.Time) Versions {
	if v.Pending(v.HoldsFrom(next.OrderedAt, opened)) {
		v = v[:len(v)-1]
	}
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
