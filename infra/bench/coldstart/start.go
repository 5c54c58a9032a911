package coldstart

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"tokenlaunch.example/service/infra/bench/peak"
	"tokenlaunch.example/service/infra/runtimeapi"
)

// start is one start of a function, from the beginning of its process.
type start struct {
	ready    time.Duration // until it asked for its first event
	answered time.Duration // until it had answered that
	waited   time.Duration // of that, for servers on this machine
	cpu      time.Duration // processor time by then, of all its threads
	peakKB   int64         // the most memory it had by then, resident
	answer   []byte
}

// own is what the process itself took until its first answer.
func (s start) own() time.Duration { return s.answered - s.waited }

// timeout bounds one event.
const timeout = 20 * time.Second

// program is what is started: a function's binary, or Node with a script.
type program struct {
	binary string
	args   []string
	env    []string
}

// startOnce starts a program, has it answer one event, and ends it.
func startOnce(ctx context.Context, p program, w *wire, event []byte) (s start, err error) {
	w.taken()
	process, err := p.run(ctx)
	if err != nil {
		return start{}, err
	}
	defer process.Stop()
	if s.answer, err = process.Invoke(ctx, runtimeapi.Event{Payload: event}); err != nil {
		return start{}, err
	}
	s.answered, s.waited = time.Since(process.Began()), w.taken()
	if s.ready, err = process.Ready(ctx); err != nil {
		return start{}, err
	}
	if s.cpu, err = cpuTime(process.PID()); err != nil {
		return start{}, err
	}
	s.peakKB, err = peak.KiB(process.PID())
	return s, err
}

func (p program) run(ctx context.Context) (*runtimeapi.Process, error) {
	return runtimeapi.Start(ctx, runtimeapi.Options{Binary: p.binary, Args: p.args, Env: p.env, Timeout: timeout})
}

// cpuTime is what a process has taken of the processors, by its threads that still run;
// zero where the kernel does not say.
func cpuTime(pid int) (time.Duration, error) {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil {
		return 0, err
	}
	var sum time.Duration
	for _, thread := range threads {
		text, err := os.ReadFile(thread) // #nosec G304 -- of a process of ours
		if errors.Is(err, fs.ErrNotExist) {
			continue // it has ended
		}
		if err != nil {
			return 0, err
		}
		running, _, _ := strings.Cut(string(text), " ")
		took, err := strconv.ParseInt(running, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("read the time of a thread: %w", err)
		}
		sum += time.Duration(took)
	}
	return sum, nil
}
