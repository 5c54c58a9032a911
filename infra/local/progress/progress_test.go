package progress_test

import (
	"bytes"
	"testing"

	"tokenlaunch.example/service/infra/local/progress"
)

func TestLinesAreAlignedAndPlainOffATerminal(t *testing.T) {
	var out bytes.Buffer
	p := progress.New(&out)
	p.Doing("starting (1 s)")
	p.Doing("starting (2 s)")
	p.Done("MiniStack", "http://127.0.0.1:1")
	p.Done("größer", "öffnet")
	p.Fail("Deployed", "first\nsecond")
	p.Doing("")
	p.Plain("ready http://localhost:8080")
	want := "· starting\n" +
		"✓ MiniStack             http://127.0.0.1:1\n" +
		"✓ größer                öffnet\n" +
		"✗ Deployed              first\n" +
		"                        second\n" +
		"ready http://localhost:8080\n"
	if got := out.String(); got != want {
		t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
}
