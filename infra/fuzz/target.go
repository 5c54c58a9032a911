package main

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// grace is how long a target may take beyond its time: for its seeds, and for
// making a finding smaller.
const grace = 60 * time.Second

// minimize is how many executions go into making one input smaller: of those that
// reached new code too, on which a short run would else spend its time.
const minimize = "100x"

// tally counts what the fuzzer did.
type tally struct{ execs, fresh int }

func (t tally) plus(o tally) tally { return tally{t.execs + o.execs, t.fresh + o.fresh} }

// outcome of one target. finding is empty when there is none.
type outcome struct {
	tally

	note, finding string
}

var progress = regexp.MustCompile(`execs: (\d+) .*new interesting: (\d+)`)

// fuzz runs one target. It runs in the package's folder, where the fuzzer writes
// what it finds.
func fuzz(ctx context.Context, b binary, name string, each time.Duration, cache string) outcome {
	ctx, cancel := context.WithTimeout(ctx, each+grace)
	defer cancel()
	// #nosec G204 -- the project's own test binary
	cmd := exec.CommandContext(
		ctx, b.file, "-test.short", "-test.run=^$", "-test.fuzz=^"+name+"$",
		"-test.fuzztime="+each.String(), "-test.fuzzminimizetime="+minimize, "-test.fuzzcachedir="+cache,
	)
	cmd.Dir = filepath.Join(b.root, b.path)
	// The fuzzer's workers are processes of their own: a group that ends as one.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return judge(out.String(), err)
}

// judge reads what a target printed.
func judge(text string, err error) outcome {
	var o outcome
	for _, match := range progress.FindAllStringSubmatch(text, -1) {
		o.execs, _ = strconv.Atoi(match[1])
		o.fresh, _ = strconv.Atoi(match[2])
	}
	switch {
	case err == nil:
	case onlyDeadline(text):
		o.note = "  (the fuzzer met its own deadline)"
	default:
		o.finding = strings.TrimSpace(text) + "\n" + err.Error()
	}
	return o
}

// onlyDeadline says whether a target failed of nothing but the end of its time:
// the fuzzer stops its workers by a context, whose error it at times takes for
// theirs (golang/go issue 75804).
func onlyDeadline(text string) bool {
	_, failure, failed := strings.Cut(text, "--- FAIL: ")
	_, failure, _ = strings.Cut(failure, "\n")
	failure, _, _ = strings.Cut(failure, "\n")
	return failed && strings.TrimSpace(failure) == "context deadline exceeded" && !strings.Contains(text, "Failing input")
}
