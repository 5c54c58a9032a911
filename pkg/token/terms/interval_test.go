package terms_test

import (
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token/terms"
)

func TestSlots(t *testing.T) {
	for _, c := range []struct {
		interval        terms.Interval
		at, slot, after string
	}{
		{terms.Every5Minutes, "2026-03-29T00:04:59.999Z", "2026-03-29T00:00:00Z", "2026-03-29T00:05:00Z"},
		{terms.Every5Minutes, "2026-03-29T00:05:00Z", "2026-03-29T00:05:00Z", "2026-03-29T00:10:00Z"},
		{terms.Every10Minutes, "2026-03-29T23:59:00Z", "2026-03-29T23:50:00Z", "2026-03-30T00:00:00Z"},
		{terms.Every15Minutes, "2026-12-31T23:59:59Z", "2026-12-31T23:45:00Z", "2027-01-01T00:00:00Z"},
		{terms.Every30Minutes, "2028-02-29T12:29:00Z", "2028-02-29T12:00:00Z", "2028-02-29T12:30:00Z"},
		{terms.EveryHour, "2026-03-29T03:30:00+02:00", "2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z"},
		{terms.Every6Hours, "2026-03-29T05:59:59Z", "2026-03-29T00:00:00Z", "2026-03-29T06:00:00Z"},
		{terms.Every12Hours, "2026-03-29T13:00:00Z", "2026-03-29T12:00:00Z", "2026-03-30T00:00:00Z"},
		{terms.Every24Hours, "2026-03-29T00:00:00Z", "2026-03-29T00:00:00Z", "2026-03-30T00:00:00Z"},
	} {
		at := moment(t, c.at)
		if got, want := c.interval.Slot(at), moment(t, c.slot); !got.Equal(want) {
			t.Errorf("%s at %s: slot %s, want %s", c.interval, c.at, got, want)
		}
		if got, want := c.interval.Next(at), moment(t, c.after); !got.Equal(want) {
			t.Errorf("%s at %s: next %s, want %s", c.interval, c.at, got, want)
		}
	}
}

// TestSchedulesOpenEachSlotOnce tests that the events of a schedule, which restarts each midnight,
// open all slots of an interval, each once, over ends of months, a leap day and a leap year's end.
func TestSchedulesOpenEachSlotOnce(t *testing.T) {
	begin, end := moment(t, "2027-12-20T00:00:00Z"), moment(t, "2029-01-20T00:00:00Z")
	for _, i := range append(terms.Intervals(), "7m", "90m", "36h", "48h", "7d") {
		tick := i.Tick()
		if tick < time.Minute || 24*time.Hour%tick != 0 || time.Hour%tick != 0 && tick%time.Hour != 0 {
			t.Fatalf("%s: no schedule fires each day every %s", i, tick)
		}
		if i.Valid() && i.Duration() <= 24*time.Hour && tick != i.Duration() {
			t.Errorf("%s: an event every %s", i, tick)
		}
		next := i.Next(begin.Add(-1))
		for event := begin; event.Before(end); event = event.Add(tick) {
			slot, ok := i.Opened(event.Add(41 * time.Second)) // the event is late
			if ok != event.Equal(next) || ok && !slot.Equal(next) {
				t.Fatalf("%s: the event of %s opens %s, %t; the next slot is %s", i, event, slot, ok, next)
			}
			if ok {
				next = i.Next(next)
			}
		}
		if i.Duration() == 0 || next.Before(end) {
			t.Errorf("%s: no event opened %s", i, next)
		}
	}
}

// TestSlotsOfADayAreCountedFromMidnight tests that, if an interval divides the day, counting slots
// from the epoch equals counting from midnight.
func TestSlotsOfADayAreCountedFromMidnight(t *testing.T) {
	at := []time.Time{{}, time.Unix(0, 0), time.Unix(0, -1), time.Unix(-1, 0), moment(t, "2027-01-01T00:00:00Z"), moment(t, "2028-02-29T23:59:59.999999999Z")}
	for n := range int64(2_000) {
		at = append(at, time.Unix(0, (n-1_000)*7_919_000_000_123_457).In(time.FixedZone("", 5_400)))
	}
	for _, i := range terms.Intervals() {
		for _, now := range at {
			if i.Duration() > 24*time.Hour {
				continue
			}
			now = now.UTC()
			midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
			want := midnight.Add(now.Sub(midnight).Truncate(i.Duration()))
			if got := i.Slot(now); got != want {
				t.Errorf("%s.Slot(%s) = %s, want %s", i, now, got, want)
			}
		}
	}
}

// TestDurations parses each interval by its name. An interval longer than a day has one slot in it.
func TestDurations(t *testing.T) {
	const day = 24 * time.Hour
	for word, want := range map[terms.Interval]time.Duration{
		"1m": time.Minute, "7m": 7 * time.Minute, "24h": day, "48h": 2 * day, "7d": 7 * day, "9999d": 9_999 * day,
		"": 0, "m": 0, "0h": 0, "07h": 0, "-1h": 0, "+1h": 0, "1.5h": 0, "1s": 0, "1h ": 0, " 1h": 0, "1H": 0, "10000d": 0, "99999999999999999999h": 0,
	} {
		if got := word.Duration(); got != want {
			t.Errorf("%q.Duration() = %s, want %s", word, got, want)
		}
		if at := moment(t, "2026-03-29T13:00:00Z"); want == 0 && word.Slot(at) != at {
			t.Errorf("%q.Slot(%s) = %s", word, at, word.Slot(at))
		}
	}
	for _, word := range []terms.Interval{"48h", "7d"} {
		first := word.Next(moment(t, "2026-03-29T13:00:00Z"))
		for at := first; at.Before(first.Add(word.Duration())); at = at.Add(5 * time.Hour) {
			if word.Slot(at) != first || word.Next(at) != first.Add(word.Duration()) {
				t.Errorf("%s at %s: slot %s, want %s", word, at, word.Slot(at), first)
			}
		}
	}
	proven := terms.Default(solana.WrappedSol)
	proven.Interval = "9999d"
	if bad := proven.ValidateProven(); len(bad) > 0 || len(proven.Validate()) != 1 {
		t.Errorf("in a proof: %v, and of a creator: %v", bad, proven.Validate())
	}
	proven.Interval = "48x"
	if bad := proven.ValidateProven(); len(bad) != 1 {
		t.Errorf("48x in a proof: %v", bad)
	}
}

func TestRunIDDependsOnMintAndSlot(t *testing.T) {
	mint, slot := solana.WrappedSol, moment(t, "2026-03-29T00:05:00Z")
	id := terms.RunID(mint, slot)
	if again := terms.RunID(mint, slot.In(time.FixedZone("", 3600))); id != again {
		t.Errorf("%s, then %s", id, again)
	}
	if id == terms.RunID(mint, slot.Add(time.Second)) || id == terms.RunID(solana.SystemProgramID, slot) {
		t.Error("two runs have one id")
	}
	if id[14] != '5' {
		t.Errorf("%s is not of version 5", id)
	}
}

func TestAssets(t *testing.T) {
	for text, want := range map[string]string{
		"SOL":                            "SOL",
		solana.WrappedSol.String():       "SOL",
		solana.TokenProgramID.String():   solana.TokenProgramID.String(),
		"sol":                            "",
		"":                               "",
		solana.WrappedSol.String() + "1": "",
	} {
		asset, err := terms.ParseAsset(text)
		if (err == nil) != (want != "") || err == nil && asset.String() != want {
			t.Errorf("%q: %s, %v, want %q", text, asset, err, want)
		}
	}
}

func moment(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
