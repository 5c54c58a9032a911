package coldstart

import (
	"context"
	"time"

	"tokenlaunch.example/service/infra/bench/report"
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
	process, err := runtimeapi.Start(ctx, runtimeapi.Options{Binary: p.binary, Args: p.args, Env: p.env, Timeout: timeout})
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
	if s.cpu, err = report.CPUTimeOf(process.PID()); err != nil {
		return start{}, err
	}
	s.peakKB, err = report.PeakKiB(process.PID())
	return s, err
}
