package dispatch_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/token/terms"
)

var noon = time.Date(2026, 3, 29, 12, 0, 0, 0, time.UTC)

func TestSlotIsOfEventTime(t *testing.T) {
	for name, c := range map[string]struct{ body, slot string }{
		"on the boundary":        {`{"task":"slot","interval":"5m","time":"2026-03-29T11:55:00Z"}`, "2026-03-29T11:55:00Z"},
		"seconds after it":       {`{"task":"slot","interval":"5m","time":"2026-03-29T11:55:41.5Z"}`, "2026-03-29T11:55:00Z"},
		"eleven hours late":      {`{"task":"slot","interval":"24h","time":"2026-03-28T00:00:00Z"}`, "2026-03-28T00:00:00Z"},
		"in another zone":        {`{"task":"slot","interval":"6h","time":"2026-03-29T02:00:00+02:00"}`, "2026-03-29T00:00:00Z"},
		"a clock somewhat ahead": {`{"task":"slot","interval":"5m","time":"2026-03-29T12:00:59Z"}`, "2026-03-29T12:00:00Z"},
		"every second day":       {`{"task":"slot","interval":"48h","time":"2026-03-28T00:00:41Z"}`, "2026-03-28T00:00:00Z"},
		"a rule's placeholder":   {`{"task":"slot","interval":"15m","time":"<time>"}`, "2026-03-29T12:00:00Z"},
		"a schedule's":           {`{"task":"slot","interval":"15m","time":"<aws.scheduler.scheduled-time>"}`, "2026-03-29T12:00:00Z"},
	} {
		m, err := dispatch.Read([]byte(c.body), noon)
		if err != nil || m.Task != dispatch.TaskSlot || m.Slot.At.Format(time.RFC3339) != c.slot {
			t.Errorf("%s: %+v, %v; want the slot %s", name, m, err, c.slot)
		}
	}
}

// An error names the wrong field, and the clock replaces no field.
func TestMessagesThatAreRefused(t *testing.T) {
	for name, c := range map[string]struct{ body, why string }{
		"no JSON":             {`now`, "invalid character"},
		"a number":            {`5`, "number"},
		"nothing to do":       {`{}`, `""`},
		"another task":        {`{"task":"pay"}`, `"pay"`},
		"no interval":         {`{"task":"slot","time":"2026-03-29T11:55:00Z"}`, `""`},
		"another interval":    {`{"task":"slot","interval":"7x","time":"2026-03-29T11:55:00Z"}`, `"7x"`},
		"no time":             {`{"task":"slot","interval":"5m"}`, "no time"},
		"garbage for a time":  {`{"task":"slot","interval":"5m","time":"five to twelve"}`, `"five to twelve"`},
		"another placeholder": {`{"task":"slot","interval":"5m","time":"<now>"}`, `"<now>"`},
		"a day without hours": {`{"task":"slot","interval":"5m","time":"2026-03-29"}`, `"2026-03-29"`},
		"a time to come":      {`{"task":"slot","interval":"5m","time":"2026-03-29T12:01:01Z"}`, "2026-03-29T12:01:01Z"},
		"no shard":            {`{"task":"shard","interval":"5m","time":"2026-03-29T11:55:00Z"}`, "shard"},
		"a shard too many":    {`{"task":"shard","interval":"5m","time":"2026-03-29T11:55:00Z","shard":16}`, "shard"},
		"a shard below none":  {`{"task":"shard","interval":"5m","time":"2026-03-29T11:55:00Z","shard":-1}`, "shard"},
	} {
		if m, err := dispatch.Read([]byte(c.body), noon); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %+v, %v; want an error that names %s", name, m, err, c.why)
		}
	}
}

func TestNoSlotBeginsOnSecondDay(t *testing.T) {
	body := `{"task":"slot","interval":"48h","time":"2026-03-29T00:00:00Z"}`
	if m, err := dispatch.Read([]byte(body), noon); err != nil || m.Task != dispatch.TaskNone {
		t.Errorf("%s is read as %+v, %v", body, m, err)
	}
}

func TestShardIsReadAsWritten(t *testing.T) {
	for number := range dispatch.Shards {
		want := dispatch.Shard{
			Slot:   dispatch.Slot{Interval: terms.Every6Hours, At: noon},
			Number: number, After: "a place",
		}
		body, err := want.Body()
		if err != nil {
			t.Fatal(err)
		}
		m, err := dispatch.Read([]byte(body), noon)
		if err != nil || m.Task != dispatch.TaskShard || m.Shard != want {
			t.Errorf("%s is read as %+v, %v", body, m, err)
		}
	}
}

func TestSweepNeedsNoTime(t *testing.T) {
	if m, err := dispatch.Read([]byte(`{"task":"sweep"}`), noon); err != nil || m.Task != dispatch.TaskSweep {
		t.Errorf("%+v, %v", m, err)
	}
}

// Whatever is read is a slot of its interval that has begun, and a shard that
// there is.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`{"task":"slot","interval":"5m","time":"2026-03-29T11:55:00Z"}`, `{"task":"sweep"}`,
		`{"task":"shard","interval":"24h","time":"2026-03-29T00:00:00Z","shard":3,"after":"x"}`, `{"task":"slot","time":"<time>"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := dispatch.Read(body, noon)
		if err != nil {
			return
		}
		if !json.Valid(body) {
			t.Errorf("%q is no JSON", body)
		}
		if m.Task == dispatch.TaskSweep || m.Task == dispatch.TaskNone {
			return
		}
		if !m.Slot.Interval.Slot(m.Slot.At).Equal(m.Slot.At) || m.Slot.At.After(noon.Add(time.Minute)) {
			t.Errorf("%q opens the slot %s", body, m.Slot.At)
		}
		if m.Shard.Number < 0 || m.Shard.Number >= dispatch.Shards {
			t.Errorf("%q is shard %d", body, m.Shard.Number)
		}
	})
}
