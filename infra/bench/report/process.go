package report

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Side is one of those that are compared: a program that does the work in a process of its
// own. It reads what to do from its standard input and writes what that took, both as JSON.
type Side struct {
	Name    string
	Command []string
	Env     []string // besides that of this process
	In      any
}

// Ours is the service's own side: a part of the command worker.
func Ours(name, part string, in any, env ...string) Side {
	return Side{Name: name, Command: []string{"go", "run", "tokenlaunch.example/service/infra/bench/worker", part}, In: in, Env: env}
}

// Start gives the side's process, which is not started yet.
func (s Side) Start(ctx context.Context) (*exec.Cmd, error) {
	in, err := json.Marshal(s.In)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, s.Command[0], s.Command[1:]...) // #nosec G204 -- a program of the project
	cmd.Stdin, cmd.Stderr, cmd.Env = bytes.NewReader(in), os.Stderr, append(os.Environ(), s.Env...)
	return cmd, nil
}

// Ask has a side do its work once. What it writes behind its answer does not count.
func Ask[A any](ctx context.Context, s Side) (answer A, err error) {
	cmd, err := s.Start(ctx)
	if err != nil {
		return answer, err
	}
	out, err := cmd.Output()
	if err == nil {
		err = json.NewDecoder(bytes.NewReader(out)).Decode(&answer)
	}
	if err != nil {
		return answer, fmt.Errorf("%s: %w\n%s", s.Name, err, out)
	}
	return answer, nil
}

// Turns takes a sample of each side, and so again, so that what else the machine does meets
// all of them. It gives the samples by side.
func Turns[S, A any](times int, sides []S, take func(S) (A, error)) ([][]A, error) {
	taken := make([][]A, len(sides))
	for range times {
		for i, s := range sides {
			a, err := take(s)
			if err != nil {
				return nil, err
			}
			taken[i] = append(taken[i], a)
		}
	}
	return taken, nil
}

// CPUTime is what all threads of this process have used so far, in the kernel too.
func CPUTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // only for a wrong argument
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// CPUTimeOf is what the threads of a process that still run have used; zero where the
// kernel does not say.
func CPUTimeOf(pid int) (sum time.Duration, err error) {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil {
		return 0, err
	}
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

// PeakKiB is the most memory that a process has had, resident, in KiB; zero where there is
// no /proc. What the system counts of a child would begin with the memory of its parent,
// which it was forked from.
func PeakKiB(pid int) (int64, error) {
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
