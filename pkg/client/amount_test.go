package client_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"tokenlaunch.example/service/pkg/client"
)

func TestAmountsAreExact(t *testing.T) {
	for text, want := range map[string]uint64{`"0"`: 0, `"18446744073709551615"`: 1<<64 - 1} {
		var a client.Amount
		if err := json.Unmarshal([]byte(text), &a); err != nil || a.Uint64() != want {
			t.Errorf("Unmarshal(%s) = %s, %v; want %d", text, a, err, want)
		}
		if again, _ := json.Marshal(a); string(again) != text {
			t.Errorf("%s is written as %s", text, again)
		}
	}
	for _, bad := range []string{`"18446744073709551616"`, `"-1"`, `"+1"`, `"01"`, `""`, `"1.0"`, `"1e3"`, `5`, `" 1"`} {
		var a client.Amount
		var l client.Lamports
		if json.Unmarshal([]byte(bad), &a) == nil || json.Unmarshal([]byte(bad), &l) == nil {
			t.Errorf("%s is read as %s", bad, a)
		}
	}
}

func TestPercentsHaveTwoDecimals(t *testing.T) {
	for text, want := range map[string]uint64{"0": 0, "5": 500, "12.5": 1250, "0.07": 7, "100": 10_000, "2.50": 250} {
		var p client.Percent
		if err := json.Unmarshal([]byte(text), &p); err != nil || p.Hundredths() != want || p != client.MustPercent(text) || p != client.BasisPoints(want) {
			t.Errorf("Unmarshal(%s) = %d hundredths, %v; want %d", text, p.Hundredths(), err, want)
		}
	}
	for _, bad := range []string{"0.001", "-1", "1e2", `"5"`, "99999999999999999999", "true"} {
		var p client.Percent
		if json.Unmarshal([]byte(bad), &p) == nil {
			t.Errorf("%s is read as %s", bad, p)
		}
		if _, err := client.ParsePercent(bad); err == nil {
			t.Errorf("ParsePercent(%q) = %v", bad, err)
		}
	}
	for bps, want := range map[uint64]string{250: "2.5", 10_000: "100", 7: "0.07", 0: "0"} {
		if got, _ := json.Marshal(client.BasisPoints(bps)); string(got) != want {
			t.Errorf("%d is written as %s", bps, got)
		}
	}
	kept := client.MustPercent("3")
	if err := json.Unmarshal([]byte("null"), &kept); err != nil || kept != client.MustPercent("3") {
		t.Errorf("null changes 3 to %s, %v", kept, err)
	}
}

// An untyped constant compiles as a number of a unit that a reader cannot see, so it must not.
func TestUntypedConstantIsNotAmount(t *testing.T) {
	for _, amount := range []any{client.Amount{}, client.Lamports{}, client.Percent{}, client.Factor{}} {
		if kind := reflect.TypeOf(amount); kind.Kind() != reflect.Struct {
			t.Errorf("%s is a %s, want a struct: a constant such as 5 compiles as one", kind, kind.Kind())
		}
	}
}

// An optional amount of 0 is sent, because it is another request than none.
func TestZeroAmountIsSent(t *testing.T) {
	for want, request := range map[string]client.SettingsChange{
		`{"minimumHoldingRequirement":"0","burnPercent":0}`: {MinimumHoldingRequirement: new(client.Amount), BurnPercent: new(client.Percent)},
		`{}`: {},
	} {
		if got, err := json.Marshal(request); err != nil || string(got) != want {
			t.Errorf("Marshal() = %s, %v; want %s", got, err, want)
		}
	}
}

func TestMustAmounts(t *testing.T) {
	if got := client.MustTokens("1000000.5", 6); got != client.BaseUnits(1_000_000_500_000) || got.String() != "1000000500000" {
		t.Errorf("MustTokens() = %s", got)
	}
	if got := client.MustSOL("0.1"); got != client.LamportsOf(100_000_000) || got.String() != "0.1 SOL" {
		t.Errorf("MustSOL() = %s", got)
	}
	if got := client.MustFactor("16"); got.Hundredths() != 1600 || got.String() != "16" {
		t.Errorf("MustFactor() = %s", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("MustPercent() accepts 2.555")
		}
	}()
	client.MustPercent("2.555")
}

func TestParseDecimal(t *testing.T) {
	for _, test := range []struct {
		text     string
		decimals int
		want     uint64
		good     bool
	}{
		{"1.5", 6, 1_500_000, true},
		{"1000000", 9, 1_000_000_000_000_000, true},
		{"0.000000001", 9, 1, true},
		{"18446744073.709551615", 9, 1<<64 - 1, true},
		{"18446744073.709551616", 9, 0, false},
		{"0.0000000001", 9, 0, false},
		{"1.", 2, 0, false},
		{".5", 2, 0, false},
		{"-1", 2, 0, false},
		{"+1", 2, 0, false},
		{"1_000", 2, 0, false},
		{"1,5", 2, 0, false},
		{"", 2, 0, false},
	} {
		got, err := client.ParseDecimal(test.text, test.decimals)
		if got != test.want || (err == nil) != test.good {
			t.Errorf("ParseDecimal(%q, %d) = %d, %v; want %d", test.text, test.decimals, got, err, test.want)
		}
	}
}
