// Package nightly says whether a test runs whole. By day long matrices run a fixed part
// of their cases; `make nightly` runs all of them.
package nightly

import (
	"os"
	"testing"
)

// Whole says whether all cases run: NIGHTLY=1 asks for them, or WHOLE_MATRIX=1, which
// changes nothing else.
func Whole(t testing.TB) bool {
	t.Helper()
	if os.Getenv("NIGHTLY") == "1" || os.Getenv("WHOLE_MATRIX") == "1" {
		return true
	}
	t.Log("runs a part of its cases; NIGHTLY=1 runs all of them")
	return false
}
