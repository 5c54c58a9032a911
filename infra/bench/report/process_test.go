package report

import (
	"os"
	"runtime"
	"testing"
)

func TestPeak(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells it")
	}
	before, err := PeakKiB(os.Getpid())
	if err != nil || before < 1<<10 {
		t.Fatalf("%d KiB, %v", before, err)
	}
	const more = 64 << 20
	held := make([]byte, before<<10+more)
	for i := 0; i < len(held); i += os.Getpagesize() {
		held[i] = 1
	}
	after, err := PeakKiB(os.Getpid())
	runtime.KeepAlive(held)
	if err != nil || after-before < more>>10 {
		t.Errorf("%d KiB after %d, %v", after, before, err)
	}
}

func TestPeakOfNoProcess(t *testing.T) {
	if kib, err := PeakKiB(-1); kib != 0 || err != nil {
		t.Errorf("%d, %v", kib, err)
	}
}
