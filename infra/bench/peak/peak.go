// Package peak tells the most memory that a process has had.
package peak

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// KiB is the most memory that a process has had, resident, in KiB; zero where there is no
// /proc. What the system counts of a child would begin with the memory of its parent, which
// it was forked from.
func KiB(pid int) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			number, _, _ := strings.Cut(strings.TrimSpace(value), " ")
			return strconv.ParseInt(number, 10, 64)
		}
	}
	return 0, nil
}
