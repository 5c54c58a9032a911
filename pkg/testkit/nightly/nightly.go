// Package nightly decides which part of a long test runs. In daily runs, long matrices run a fixed
// part of their cases. `make nightly` and `make matrices` run all cases.
package nightly

import (
	"fmt"
	"os"
	"testing"
)

// Whole reports whether NIGHTLY=1 requests a complete run.
func Whole(t testing.TB) bool {
	t.Helper()
	if os.Getenv("NIGHTLY") == "1" {
		return true
	}
	t.Log("runs a part of its cases; NIGHTLY=1 runs all of them")
	return false
}

// Share returns the share of a matrix's cases to run, counted from zero, and the number of shares.
// A number of zero means a sample. WHOLE_MATRIX selects the share: 1 for all cases, 2/5 for the
// second of five shares, 0 for a sample. Without WHOLE_MATRIX, NIGHTLY=1 requests all cases.
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
