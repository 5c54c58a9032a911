package cloudwatch

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Composite is the definition of a composite alarm, as in the response of DescribeAlarms.
type Composite struct {
	AlarmName, AlarmRule    string
	AlarmActions, OKActions []string

	ActionsSuppressor                string
	ActionsSuppressorWaitPeriod      int // seconds
	ActionsSuppressorExtensionPeriod int
}

// Told is an action of an alarm: a notification that the alarm is firing or OK.
type Told struct {
	Alarm string
	State State
	At    time.Time
}

// Board follows alarms over time. A Board receives the states of metric alarms, computes the states
// of composite alarms, and returns the actions (User Guide, "Create a composite alarm" and
// "Suppressing composite alarm actions"). Every alarm starts as OK.
type Board struct {
	alarms     map[string]Alarm
	composites map[string]*followed
	states     map[string]State
	now        time.Time
	told       []Told
}

type followed struct {
	Composite

	children   []string
	suppressor string
	// changed reports a change since the last action.
	changed bool
	// until is the end of a period without actions; zero means no period.
	until time.Time
}

// NewBoard returns a Board that follows these alarms.
func NewBoard(alarms []Alarm, composites []Composite) (*Board, error) {
	b := &Board{alarms: map[string]Alarm{}, composites: map[string]*followed{}, states: map[string]State{}}
	for _, a := range alarms {
		b.alarms[a.AlarmName], b.states[a.AlarmName] = a, OK
	}
	for _, c := range composites {
		b.composites[c.AlarmName], b.states[c.AlarmName] = &followed{Composite: c, suppressor: nameOf(c.ActionsSuppressor)}, OK
	}
	for _, c := range b.composites {
		var err error
		if c.children, err = anyOf(c.AlarmRule); err != nil {
			return nil, fmt.Errorf("%s: %w", c.AlarmName, err)
		}
		for _, name := range append([]string{c.suppressor}, c.children...) {
			if _, there := b.states[name]; name != "" && !there {
				return nil, fmt.Errorf("%s reads %q, which is not an alarm", c.AlarmName, name)
			}
		}
	}
	return b, nil
}

// nameOf returns the alarm's name from a name or an ARN.
func nameOf(alarm string) string {
	if _, name, isARN := strings.Cut(alarm, ":alarm:"); isARN {
		return name
	}
	return alarm
}

var ruleTerm = regexp.MustCompile(`^ALARM\("?([^"()]+)"?\)$`)

// anyOf reads a rule that fires if any of its alarms fires. Other rules are not supported.
func anyOf(rule string) ([]string, error) {
	var names []string
	whole := rule
	if strings.HasPrefix(rule, "(") && strings.HasSuffix(rule, ")") {
		whole = rule[1 : len(rule)-1]
	}
	for term := range strings.SplitSeq(whole, " OR ") {
		found := ruleTerm.FindStringSubmatch(term)
		if found == nil {
			return nil, fmt.Errorf("the rule %q is not known here", rule)
		}
		names = append(names, nameOf(found[1]))
	}
	return names, nil
}

// Set sets the state of a metric alarm, and returns the actions since the last call in order,
// including the actions of the new state.
func (b *Board) Set(alarm string, state State, at time.Time) []Told {
	told := b.Pass(at)
	before := maps.Clone(b.states)
	b.states[alarm] = state
	if before[alarm] != state {
		b.act(alarm)
	}
	for changed := true; changed; { // composites of composites
		changed = false
		for name, c := range b.composites {
			state := OK
			if slices.ContainsFunc(c.children, func(child string) bool { return b.states[child] == Ringing }) {
				state = Ringing
			}
			changed = changed || b.states[name] != state
			b.states[name] = state
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b.composites)) {
		c := b.composites[name]
		b.suppress(c, before[c.suppressor], b.states[c.suppressor])
		if before[name] != b.states[name] {
			b.change(c)
		}
	}
	return append(told, b.take()...)
}

// suppress handles a change of the suppressor.
func (b *Board) suppress(c *followed, before, after State) {
	switch {
	case before == after:
	case after == Ringing:
		c.until = time.Time{} // the suppressor itself suppresses from now on
	default:
		c.until = b.now.Add(time.Duration(c.ActionsSuppressorExtensionPeriod) * time.Second)
	}
}

// change handles a change of the composite alarm. If the suppressor is not firing, a running period
// is discarded, and a new period waits for the suppressor.
func (b *Board) change(c *followed) {
	c.changed = true
	switch {
	case c.suppressor == "":
		b.settle(c)
	case b.states[c.suppressor] != Ringing:
		c.until = b.now.Add(time.Duration(c.ActionsSuppressorWaitPeriod) * time.Second)
	}
}

// settle takes the action for the composite alarm's state.
func (b *Board) settle(c *followed) {
	c.until = time.Time{}
	if c.changed {
		b.act(c.AlarmName)
	}
	c.changed = false
}

// act records the action for the alarm's state, if the alarm has such an action.
func (b *Board) act(alarm string) {
	onAlarm, onOK := b.alarms[alarm].AlarmActions, b.alarms[alarm].OKActions
	if c := b.composites[alarm]; c != nil {
		onAlarm, onOK = c.AlarmActions, c.OKActions
	}
	state := b.states[alarm]
	if state == Ringing && len(onAlarm) > 0 || state == OK && len(onOK) > 0 {
		b.told = append(b.told, Told{alarm, state, b.now})
	}
}

// Pass advances the time, and returns the actions in between.
func (b *Board) Pass(at time.Time) []Told {
	var due []*followed
	for _, c := range b.composites {
		if !c.until.IsZero() && !c.until.After(at) {
			due = append(due, c)
		}
	}
	slices.SortFunc(due, func(x, y *followed) int {
		if order := x.until.Compare(y.until); order != 0 {
			return order
		}
		return strings.Compare(x.AlarmName, y.AlarmName)
	})
	for _, c := range due {
		b.now = c.until
		b.settle(c)
	}
	b.now = at
	return b.take()
}

func (b *Board) take() []Told {
	told := b.told
	b.told = nil
	return told
}
