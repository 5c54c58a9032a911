package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
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

// runtimeAPI is Lambda's runtime API for one process and one event (Lambda
// Developer Guide, "Using the Lambda runtime API").
type runtimeAPI struct {
	began time.Time
	event []byte

	started start
	asked   bool
	done    chan error
}

// ServeHTTP is called by one process, one request after the other.
func (a *runtimeAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := time.Since(a.began)
	const base = "/2018-06-01/runtime/"
	switch path := strings.TrimPrefix(r.URL.Path, base); {
	case path == "invocation/next" && a.asked:
		<-r.Context().Done() // there is no second event
	case path == "invocation/next":
		a.asked, a.started.ready = true, now
		w.Header().Set("Lambda-Runtime-Aws-Request-Id", "11111111-2222-4333-8444-555555555555")
		w.Header().Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(time.Now().Add(timeout).UnixMilli(), 10))
		w.Header().Set("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:us-east-1:000000000000:function:bench")
		_, _ = w.Write(a.event)
	case strings.HasSuffix(path, "/response"):
		answer, err := io.ReadAll(r.Body)
		a.started.answered, a.started.answer = time.Since(a.began), answer
		w.WriteHeader(http.StatusAccepted)
		a.done <- err
	default:
		text, err := io.ReadAll(r.Body)
		w.WriteHeader(http.StatusAccepted)
		a.done <- errors.Join(fmt.Errorf("the function reports %s: %s", path, text), err)
	}
}

// startOnce starts a function's binary, has it answer one event, and ends it.
func startOnce(ctx context.Context, binary string, env []string, event []byte) (start, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return start{}, err
	}
	api := &runtimeAPI{event: event, done: make(chan error, 4)}
	server := &http.Server{Handler: api, ReadHeaderTimeout: timeout}
	defer func() { _ = server.Close() }()
	cmd := exec.CommandContext(ctx, binary) // #nosec G204 -- a function of the project
	cmd.Env = append([]string{"AWS_LAMBDA_RUNTIME_API=" + listener.Addr().String()}, env...)
	var log strings.Builder
	cmd.Stdout, cmd.Stderr = &log, &log
	cmd.WaitDelay = time.Second
	api.began = time.Now()
	go func() { _ = server.Serve(listener) }()
	if err := cmd.Start(); err != nil {
		return start{}, err
	}
	ended := make(chan struct{})
	var exit error
	go func() {
		exit = cmd.Wait()
		close(ended)
	}()
	select {
	case err = <-api.done:
		var reading error
		api.started.peakKB, reading = peakKB(cmd.Process.Pid)
		err = errors.Join(err, reading, cmd.Process.Kill())
		<-ended
	case <-ended:
		err = fmt.Errorf("the function ended by itself: %w", exit)
	}
	if err != nil {
		return start{}, fmt.Errorf("%w\n%s", err, log.String())
	}
	return api.started, nil
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
