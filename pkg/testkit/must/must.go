// Package must ends a test at the first error.
package must

import "testing"

// Do fails the test if err is set.
func Do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
