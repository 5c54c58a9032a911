package terms

import (
	"time"

	"tokenlaunch.example/service/pkg/platform/apperr"
)

// Delay is the time between the order of a change that lowers what holders get and the effect of the
// change: a word such as "24h".
type Delay string

// The delays that a creator can choose. The zero value is NoDelay, so settings that were stored before
// the choice existed have no delay.
const (
	NoDelay      Delay = ""
	Delay24Hours Delay = "24h"
	Delay7Days   Delay = "7d"
)

const (
	noDelayWord = "none"
	// changeDelay is the name of ChangeDelay in the API.
	changeDelay = "changeDelay"
)

// String returns the API's word for the delay.
func (d Delay) String() string {
	if d == NoDelay {
		return noDelayWord
	}
	return string(d)
}

// ParseDelay reads the API's word. For an unknown word, it returns a delay that Validate rejects.
func ParseDelay(word string) Delay {
	switch word {
	case noDelayWord:
		return NoDelay
	case "":
		return "?"
	}
	return Delay(word)
}

// Duration returns the delay as a time, zero for NoDelay. Like Interval.Duration, it reads delays that
// are added later, too.
func (d Delay) Duration() time.Duration { return Interval(d).Duration() }

func (d Delay) check(ok bool) []apperr.Field {
	if ok {
		return nil
	}
	return []apperr.Field{{Field: changeDelay, Code: apperr.CodeInvalidFormat, Message: `Must be "none", "24h" or "7d".`}}
}

func (d Delay) validate() []apperr.Field {
	return d.check(d == NoDelay || d == Delay24Hours || d == Delay7Days)
}

// Paid has the facts of a token's last proof that decide the settings of the next run. Before the first
// proof, Version is the version of the launch.
type Paid struct {
	// Version divided the tax of the run.
	Version Version
	// Next is the version that was in force in the run's slot, if it lowered what holders get by Version.
	// The tax withheld before Next is then divided by Version. Nil: Version was in force.
	Next *Version `json:",omitempty"`
	// Since is the slot of the first distribution by Version while Next was in force; zero if only a
	// claim was proven since.
	Since time.Time `json:",omitzero"`
	// Done reports that the run left nothing of the tax withheld before.
	Done bool `json:",omitempty"`
}

// due returns the version with which the version in force at a slot is compared. begun reports whether
// an earlier distribution was divided by the version while a later one was in force. If the tax could
// not be sold for the time of the delay, the wait is over.
func (p Paid) due(slot time.Time) (version Version, begun bool) {
	if p.Next == nil {
		return p.Version, false
	}
	begun = !p.Since.IsZero()
	if p.Done || begun && !slot.Before(p.Since.Add(p.Version.ChangeDelay.Duration())) {
		return *p.Next, false
	}
	return p.Version, begun
}

// Due returns the version by which a run is divided while inForce is in force at the run's slot. The
// version is the one of the last proof if its settings have a delay, and inForce lowers what holders
// get. after is then Paid of the run, except Done; otherwise, after has no Next.
func (p Paid) Due(inForce Version, slot time.Time, distribution bool) (after Paid) {
	due, begun := p.due(slot)
	now := inForce.Settings
	now.Enabled = true // a run is made by settings that are enabled
	if due.ChangeDelay == NoDelay || len(Lowered(due.Settings, now)) == 0 {
		return Paid{Version: inForce}
	}
	after = Paid{Version: due, Next: &inForce}
	switch {
	case begun:
		after.Since = p.Since
	case distribution:
		after.Since = slot.UTC()
	}
	return after
}
