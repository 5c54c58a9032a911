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

// Side is a side of a comparison: a program that works in a separate process. The program reads the
// work from standard input and writes the cost, both as JSON.
type Side struct {
	Name    string
	Command []string
	Env     []string // in addition to the environment of this process
	In      any
}

// Ours returns the service's own side: a part of the command worker.
func Ours(name, part string, in any, env ...string) Side {
	return Side{Name: name, Command: []string{"go", "run", "tokenlaunch.example/service/infra/bench/worker", part}, In: in, Env: env}
}

// Start returns the side's process, which is not started yet.
func (s Side) Start(ctx context.Context) (*exec.Cmd, error) {
	in, err := json.Marshal(s.In)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, s.Command[0], s.Command[1:]...) // #nosec G204 -- a program of the project
	cmd.Stdin, cmd.Stderr, cmd.Env = bytes.NewReader(in), os.Stderr, append(os.Environ(), s.Env...)
	return cmd, nil
}

// Ask lets a side do its work once. Output after the answer is ignored.
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

// Turns takes samples of all sides in turn, several times, so that other load on the machine
// affects all sides. It returns the samples by side.
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

// CPUTime returns the processor time of all threads of this process so far, including kernel time.
func CPUTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // only for a wrong argument
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// CPUTimeOf returns the processor time of the running threads of a process; zero if the kernel does
// not report the time.
func CPUTimeOf(pid int) (sum time.Duration, err error) {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil {
		return 0, err
	}
	for _, thread := range threads {
		text, err := os.ReadFile(thread) // #nosec G304 -- of our own process
		if errors.Is(err, fs.ErrNotExist) {
			continue // the thread has ended
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

// PeakKiB returns the maximum resident memory of a process in KiB; zero if there is no /proc. The
// system's own figure of a child would include the memory of its parent at the fork.
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
