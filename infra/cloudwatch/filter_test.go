package cloudwatch_test

import (
	"testing"

	"tokenlaunch.example/service/infra/cloudwatch"
)

func TestFilter(t *testing.T) {
	fits, err := cloudwatch.Filter(`{ $.msg = "ALARM*" }`)
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]bool{
		`{"msg":"ALARM: books do not balance"}`:     true,
		`{"msg":"ALARM: https://example/a/b"}`:      true,
		`{"msg":"ALARM"}`:                           true,
		`{"msg":"no ALARM"}`:                        false,
		`{"msg":"alarm"}`:                           false,
		`{"group":{"msg":"ALARM: not at the top"}}`: false,
		`{"msg":7}`:                                 false,
		`ALARM: no JSON`:                            false,
	} {
		if got := fits(line); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
	for _, unknown := range []string{"", "ALARM", `{ $.status = 500 }`, `{ $.msg != "ALARM*" }`, `{ $.a.b = "c" }`} {
		if _, err := cloudwatch.Filter(unknown); err == nil {
			t.Errorf("%q is said to be known", unknown)
		}
	}
}
