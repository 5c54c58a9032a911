package dispatch

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"tokenlaunch.example/service/pkg/token/terms"
)

// Task is the kind of a message to the dispatcher.
type Task string

// The tasks. Rules send TaskSlot and TaskSweep. The dispatcher sends TaskShard to itself. TaskNone
// is the result of reading a rule's event between two slots.
const (
	TaskSlot  Task = "slot"
	TaskShard Task = "shard"
	TaskSweep Task = "sweep"
	TaskNone  Task = "none"
)

// Message is a message to the dispatcher. Slot is set for TaskSlot and TaskShard, and Shard only
// for TaskShard.
type Message struct {
	Task  Task
	Slot  Slot
	Shard Shard
}

// message is the encoding of Message. Messages outlive a deployment, so fields may be added but
// never renamed. The rules of infra write interval and time.
type message struct {
	Task     Task           `json:"task"`
	Interval terms.Interval `json:"interval,omitempty"`
	// Time is the time of the rule's event, or of a shard's slot.
	Time  string `json:"time,omitempty"`
	Shard *int   `json:"shard,omitempty"`
	After string `json:"after,omitempty"`
}

// placeholders are texts that a rule or schedule sends without replacing the text by the time, as
// with local counterparts of AWS.
var placeholders = []string{"<time>", "<aws.scheduler.scheduled-time>"}

// earliness is the maximum lead of an event's time over the clock of the reader.
const earliness = time.Minute

// Read reads a message. The slot follows from the event's time, so a late event opens the slot for
// which the event was sent. If the time is an unreplaced placeholder, now is the event's time. Read
// rejects times in the future, because a run in a later slot would prevent all earlier slots from
// opening.
func Read(body []byte, now time.Time) (Message, error) {
	var m message
	if err := json.Unmarshal(body, &m); err != nil {
		return Message{}, fmt.Errorf("read the dispatcher's message: %w", err)
	}
	switch m.Task {
	case TaskSweep, TaskNone:
		return Message{Task: m.Task}, nil
	case TaskSlot, TaskShard:
	default:
		return Message{}, fmt.Errorf("read the dispatcher's message: no task is called %q", m.Task)
	}
	if m.Interval.Duration() == 0 {
		return Message{}, fmt.Errorf("read the dispatcher's message: no interval is called %q", m.Interval)
	}
	at, err := eventTime(m.Time, now)
	if err != nil {
		return Message{}, err
	}
	begun, opens := m.Interval.Opened(at)
	slot := Slot{Interval: m.Interval, At: begun}
	if m.Task == TaskSlot {
		if !opens {
			return Message{Task: TaskNone}, nil
		}
		return Message{Task: m.Task, Slot: slot}, nil
	}
	if m.Shard == nil || *m.Shard < 0 || *m.Shard >= Shards {
		return Message{}, fmt.Errorf("read the dispatcher's message: the shard is missing or not from 0 to %d", Shards-1)
	}
	return Message{Task: m.Task, Slot: slot, Shard: Shard{Slot: slot, Number: *m.Shard, After: m.After}}, nil
}

func eventTime(text string, now time.Time) (time.Time, error) {
	switch {
	case text == "":
		return time.Time{}, errors.New("read the dispatcher's message: it has no time")
	case slices.Contains(placeholders, text):
		return now, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("read the dispatcher's message: its time is %q: %w", text, err)
	}
	if at.After(now.Add(earliness)) {
		return time.Time{}, fmt.Errorf("read the dispatcher's message: its time is %q, and it is only %s", text, now.UTC().Format(time.RFC3339))
	}
	return at, nil
}

// Body returns the shard's message, in the encoding of Read.
func (s Shard) Body() (string, error) {
	body, err := json.Marshal(message{
		Task: TaskShard, Interval: s.Interval, Time: s.At.UTC().Format(time.RFC3339), Shard: &s.Number, After: s.After,
	})
	if err != nil {
		return "", fmt.Errorf("write the message for shard %d: %w", s.Number, err)
	}
	return string(body), nil
}
