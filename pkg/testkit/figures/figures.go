// Package figures records the counts and measurements of tests. go test does not print the output
// of passing packages; `make test` prints these figures last.
package figures

import (
	"fmt"
	"os"
	"testing"
)

// file names the environment variable with the path of the file of figures.
const file = "FIGURES"

// Show writes a line to the test's log and, if the variable is set, to the file of figures.
// Packages that are tested concurrently append whole lines.
func Show(t testing.TB, format string, values ...any) {
	t.Helper()
	line := fmt.Sprintf(format, values...)
	t.Log(line)
	path := os.Getenv(file)
	if path == "" {
		return
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600) //nolint:gosec // the path is given by the tests' environment
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString(line + "\n")
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		t.Fatal(err)
	}
}
