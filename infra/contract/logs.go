package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// maxLine is how long a line of a function's log may be: what callers send is cut.
const maxLine = 8 << 10

// readLogs looks for lines that are too long, and for secrets, in what the functions have
// logged.
func readLogs(folder string, secrets ...string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.log"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("there is no log in %s", folder)
	}
	var found []error
	for _, file := range files {
		text, failed := os.ReadFile(file) // #nosec G304 -- the run's own folder
		err = errors.Join(err, failed)
		lines := bufio.NewScanner(bytes.NewReader(text))
		for lines.Buffer(nil, len(text)+1); lines.Scan(); {
			if len(lines.Text()) > maxLine {
				found = append(found, fmt.Errorf("%s: a line of %d bytes: %.200s", filepath.Base(file), len(lines.Text()), lines.Text()))
			}
			for _, secret := range secrets {
				if strings.Contains(lines.Text(), secret) {
					found = append(found, fmt.Errorf("%s: a line with a secret (%.8s…): %.200s", filepath.Base(file), secret, lines.Text()))
				}
			}
		}
	}
	return errors.Join(err, errors.Join(found...))
}
