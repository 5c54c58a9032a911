package body_test

import (
	"testing"

	"tokenlaunch.example/service/pkg/platform/apperr"
)

func TestDecimalsInStringsAndNumbers(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{
		`"100"`: "100", `100`: "100", `"1.50"`: "1.50", `1.50`: "1.50", `-3`: "-3", `"abc"`: "abc", `""`: "", `null`: "", `1e3`: "", `true`: "",
	} {
		f := parse(t, `{"a":`+sent+`}`)
		if got, ok := f.OptionalDecimal("a"); got != want || ok != (want != "") {
			t.Errorf("%s: %q, %t", sent, got, ok)
		}
	}
}

func TestHundredths(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]int{`1.5`: 150, `16`: 1600, `2.250`: 225, `100.00`: 10000} {
		if got, ok := parse(t, `{"a":`+sent+`}`).OptionalHundredths("a", 150, 10_000); !ok || got != want {
			t.Errorf("%s: %d, %t", sent, got, ok)
		}
	}
	for sent, code := range map[string]string{
		`1.49`: apperr.CodeOutOfRange, `100.01`: apperr.CodeOutOfRange, `-0`: apperr.CodeOutOfRange, `1.501`: apperr.CodeInvalidFormat,
		`2e1`: apperr.CodeInvalidFormat, `"2"`: apperr.CodeInvalidType,
	} {
		f := parse(t, `{"a":`+sent+`}`)
		if _, ok := f.OptionalHundredths("a", 150, 10_000); ok {
			t.Errorf("%s is taken", sent)
		}
		if got := found(t, f.Err()); got != "a: "+code {
			t.Errorf("%s: %s, want %s", sent, got, code)
		}
	}
}
