// Package nightly says how much of a long test runs. By day long matrices run a fixed part
// of their cases; `make nightly` and `make matrices` run all of them.
package nightly

import (
	"fmt"
	"os"
	"testing"
)

// Whole says whether NIGHTLY=1 asks for all cases.
func Whole(t testing.TB) bool {
	t.Helper()
	if os.Getenv("NIGHTLY") == "1" {
		return true
	}
	t.Log("runs a part of its cases; NIGHTLY=1 runs all of them")
	return false
}

// Share says which of how many shares of all cases of a matrix run, counted from zero; of
// none a sample does. WHOLE_MATRIX asks for them: 1 for all, 2/5 for the second of five
// shares, 0 for none. Without it NIGHTLY=1 asks for all.
func Share(t testing.TB) (share, of int) {
	t.Helper()
	switch asked := os.Getenv("WHOLE_MATRIX"); asked {
	case "":
		if Whole(t) {
			of = 1
		}
		return 0, of
	case "0", "1":
		return 0, int(asked[0] - '0')
	default:
		if n, err := fmt.Sscanf(asked, "%d/%d", &share, &of); n != 2 || err != nil || share < 1 || share > of {
			t.Fatalf("WHOLE_MATRIX is %q; it is 1 for all cases, 0 for a sample, or such as 2/5 for the second of five shares", asked)
		}
		return share - 1, of
	}
}
