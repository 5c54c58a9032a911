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

// TestAllIntervalsMeetAtMidnight: each divides the day.
func TestAllIntervalsMeetAtMidnight(t *testing.T) {
	midnight := moment(t, "2026-03-29T00:00:00Z")
	for _, i := range terms.Intervals() {
		if !i.Slot(midnight).Equal(midnight) || 24*time.Hour%i.Duration() != 0 {
			t.Errorf("%s: slot %s of midnight, duration %s", i, i.Slot(midnight), i.Duration())
		}
	}
}

func TestRunIDDependsOnMintAndSlotAlone(t *testing.T) {
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
