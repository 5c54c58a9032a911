package child_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/testkit/localnet/child"
)

// role makes this test binary play a process of the test instead.
const role = "CHILD_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "server": // ready at once, ends with its standard input
		ready("{}")
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
		os.Exit(0)
	case "deaf": // does not notice that its standard input has closed
		ready("{}")
		select {}
	case "broken":
		fmt.Fprintln(os.Stderr, "the disk is full")
		os.Exit(1)
	case "mute": // never ready
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
		os.Exit(0)
	case "parent": // starts a server, says its id, and waits to be killed
		p, err := child.Start(context.Background(), self("server", os.Getenv("CHILD_TEST_LOG")))
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(p.Pid())
		select {}
	}
	os.Exit(m.Run())
}

func ready(line string) {
	f := os.NewFile(3, "ready")
	_, _ = fmt.Fprintln(f, line)
	_ = f.Close()
}

func self(as, log string) child.Command {
	return child.Command{
		Name: "the server",
		Path: os.Args[0],
		Env:  append(os.Environ(), role+"="+as),
		Log:  log,
	}
}

func logFile(t *testing.T) string { return filepath.Join(t.TempDir(), "log") }

func TestStopEndsTheProcess(t *testing.T) {
	p, err := child.Start(t.Context(), self("server", logFile(t)))
	if err != nil {
		t.Fatal(err)
	}
	if string(p.Ready) != "{}\n" {
		t.Errorf("ready line is %q", p.Ready)
	}
	p.Stop()
	p.Stop()
	if alive(p.Pid()) {
		t.Error("the process is alive after Stop")
	}
}

func TestStopKillsHangingProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("waits out the grace period, which short mode leaves out")
	}
	p, err := child.Start(t.Context(), self("deaf", logFile(t)))
	if err != nil {
		t.Fatal(err)
	}
	p.Stop()
	if alive(p.Pid()) {
		t.Error("the process is alive after Stop")
	}
}

func TestFailureShowsProcessOutput(t *testing.T) {
	_, err := child.Start(t.Context(), self("broken", logFile(t)))
	if err == nil || !strings.Contains(err.Error(), "the server ended before it was ready") ||
		!strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("error is %v", err)
	}
}

func TestStartGivesUpWithItsContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := child.Start(ctx, self("mute", logFile(t)))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error is %v, want the deadline", err)
	}
}

func TestChildEndsWithKilledParent(t *testing.T) {
	parent := exec.CommandContext(t.Context(), os.Args[0])
	parent.Env = append(os.Environ(), role+"=parent", "CHILD_TEST_LOG="+logFile(t))
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatalf("the parent says %q", line)
	}
	if !alive(pid) {
		t.Fatal("the child is not running")
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	for deadline := time.Now().Add(20 * time.Second); alive(pid); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the child outlives its parent")
		}
	}
}

// alive reports whether the process runs; one that has ended and was not waited
// for by the process that inherited it does not.
func alive(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return false
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	return err != nil || !strings.Contains(string(status), "State:\tZ")
}
