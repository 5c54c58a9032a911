package body_test

import (
	"testing"
)

func TestDecimalsInStringsAndNumbers(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{
		`"100"`: "100", `100`: "100", `"1.50"`: "1.50", `1.50`: "1.50", `-3`: "-3", `"abc"`: "abc", `""`: "", `null`: "", `1e3`: "", `true`: "",
	} {
		f := parse(t, `{"a":`+sent+`}`)
		if got, ok := f.OptionalDecimal("a"); got != want || ok != (want != "") {
			t.Errorf("OptionalDecimal of %s = %q, %t; want %q", sent, got, ok, want)
		}
	}
}

func TestHundredths(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]int{`1.5`: 150, `16`: 1600, `2.250`: 225, `100.00`: 10000} {
		if got, ok := parse(t, `{"a":`+sent+`}`).OptionalHundredths("a", 150, 10_000); !ok || got != want {
			t.Errorf("OptionalHundredths of %s = %d, %t; want %d", sent, got, ok, want)
		}
	}
	for sent, code := range map[string]string{
		`1.49`: "out_of_range", `100.01`: "out_of_range", `-0`: "out_of_range", `1.501`: "invalid_format",
		`2e1`: "invalid_format", `"2"`: "invalid_type",
	} {
		f := parse(t, `{"a":`+sent+`}`)
		if _, ok := f.OptionalHundredths("a", 150, 10_000); ok {
			t.Errorf("%s is accepted", sent)
		}
		if got := found(t, f.Err()); got != "a: "+code {
			t.Errorf("%s: %s, want %s", sent, got, code)
		}
	}
}
