// Package nightly says whether a test runs whole. By day long matrices run a fixed part
// of their cases; `make nightly` runs all of them.
package nightly

import (
	"fmt"
	"os"
	"testing"
)

// wholeMatrix asks for all cases and changes nothing else: 1 for all, 2/5 for the second of
// five shares.
const wholeMatrix = "WHOLE_MATRIX"

// Whole says whether all cases run: NIGHTLY=1 asks for them, or WHOLE_MATRIX.
func Whole(t testing.TB) bool {
	t.Helper()
	if os.Getenv("NIGHTLY") == "1" || os.Getenv(wholeMatrix) != "" {
		return true
	}
	t.Log("runs a part of its cases; NIGHTLY=1 runs all of them")
	return false
}

// Share says which of how many shares of all cases WHOLE_MATRIX asks for, counted from zero.
func Share(t testing.TB) (share, of int) {
	t.Helper()
	asked := os.Getenv(wholeMatrix)
	if asked == "" || asked == "1" {
		return 0, 1
	}
	if n, err := fmt.Sscanf(asked, "%d/%d", &share, &of); n != 2 || err != nil || share < 1 || share > of {
		t.Fatalf("%s is %q; it is 1 for all cases, or such as 2/5 for the second of five shares", wholeMatrix, asked)
	}
	return share - 1, of
}
