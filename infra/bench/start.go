package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"tokenlaunch.example/service/infra/runtimeapi"
)

// start is one start of a function, from the beginning of its process.
type start struct {
	ready    time.Duration // until it asked for its first event
	answered time.Duration // until it had answered that
	answer   []byte
	peakKB   int64 // the most memory it had by then, resident
}

// timeout bounds one start.
const timeout = 20 * time.Second

// startOnce starts a function's binary, has it answer one event, and ends it.
func startOnce(ctx context.Context, binary string, env []string, event []byte) (s start, err error) {
	process, err := runtimeapi.Start(ctx, runtimeapi.Options{Binary: binary, Env: env, Timeout: timeout})
	if err != nil {
		return start{}, err
	}
	defer process.Stop()
	if s.answer, err = process.Invoke(ctx, runtimeapi.Event{Payload: event}); err != nil {
		return start{}, err
	}
	s.answered = time.Since(process.Began())
	if s.ready, err = process.Ready(ctx); err != nil {
		return start{}, err
	}
	s.peakKB, err = peakKB(process.PID())
	return s, err
}

// peakKB is the most memory that a process has had, in KiB; zero where there is
// no /proc. What wait4 counts would begin with this program's own memory, which
// the process was forked from.
func peakKB(pid int) (int64, error) {
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
