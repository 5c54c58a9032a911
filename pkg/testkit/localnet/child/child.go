// Package child runs the servers of the local stack as child processes that never outlive their
// parent. A child reads its standard input and ends when the input closes. The kernel closes the
// input when the parent dies in any way.
package child

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Command is a server to start. Log is the file for the server's output.
type Command struct {
	Name string // for messages
	Path string
	Args []string
	Env  []string
	Dir  string
	Log  string
}

// Process is a running child with its own process group.
type Process struct {
	// Ready is the line that the child wrote to file descriptor 3.
	Ready []byte

	command Command
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	pipe    *os.File      // file descriptor 3 of the child
	lines   *bufio.Reader // of it
	stop    sync.Once
	done    chan struct{}
	err     error // of Wait; valid after done is closed
}

// Start runs the command and waits for its ready line, or for ctx. The process does not end with
// ctx, only with Stop or with this process.
func Start(ctx context.Context, c Command) (*Process, error) {
	log, err := os.OpenFile(c.Log, os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the log of %s: %w", c.Name, err)
	}
	defer func() { _ = log.Close() }() // the child has its own copy
	ready, childEnd, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Name, err)
	}

	// #nosec G204 -- the callers name programs of the project's own folders.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), c.Path, c.Args...)
	cmd.Env, cmd.Dir = c.Env, c.Dir
	// Use files instead of writers, because Wait would wait for grandchildren's writers, too.
	cmd.Stdout, cmd.Stderr = log, log
	cmd.ExtraFiles = []*os.File{childEnd}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdin, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	// The child has its own copy. The pipe does not end while ours is open.
	_ = childEnd.Close()
	if err != nil {
		_ = ready.Close() // opened for reading
		return nil, fmt.Errorf("start %s: %w", c.Name, err)
	}

	p := &Process{command: c, cmd: cmd, stdin: stdin, pipe: ready, lines: bufio.NewReader(ready), done: make(chan struct{})}
	go func() {
		p.err = cmd.Wait()
		close(p.done)
	}()
	if p.Ready, err = p.line(ctx); err != nil {
		p.Stop()
		return nil, err
	}
	return p, nil
}

// Ask writes a line to the process's standard input and returns the next line that the process
// writes to file descriptor 3. Callers must stop a process that has not answered.
func (p *Process) Ask(ctx context.Context, line []byte) ([]byte, error) {
	if _, err := p.stdin.Write(append(line, '\n')); err != nil {
		return nil, fmt.Errorf("ask %s: %w\n%s", p.command.Name, err, p.LogTail(20))
	}
	return p.line(ctx)
}

func (p *Process) line(ctx context.Context) ([]byte, error) {
	type answer struct {
		line []byte
		err  error
	}
	answered := make(chan answer, 1)
	go func() {
		line, err := p.lines.ReadBytes('\n')
		answered <- answer{line, err}
	}()
	select {
	case a := <-answered:
		if a.err != nil {
			return nil, fmt.Errorf("%s ended before it was ready:\n%s", p.command.Name, p.LogTail(20))
		}
		return a.line, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("%s was not ready in time: %w\n%s", p.command.Name, ctx.Err(), p.LogTail(20))
	}
}

// AwaitHealthy polls healthy until healthy returns nil, the process ends or ctx ends.
func (p *Process) AwaitHealthy(ctx context.Context, healthy func(context.Context) error) error {
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for {
		err := healthy(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-p.done:
			return fmt.Errorf("%s ended before it was ready:\n%s", p.command.Name, p.LogTail(20))
		case <-ctx.Done():
			return fmt.Errorf("%s was not healthy in time: %w\n%s", p.command.Name, errors.Join(ctx.Err(), err), p.LogTail(20))
		}
	}
}

// Pid returns the process ID, which is also the ID of the process group.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Done returns a channel that is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// grace is the time for a child to end without a kill.
const grace = 5 * time.Second

// Stop ends the process and its group, and returns when the process has ended. Stop is idempotent.
func (p *Process) Stop() {
	p.stop.Do(func() {
		_ = p.stdin.Close() // the child ends when its input closes
		select {
		case <-p.done:
		case <-time.After(grace):
		}
		// Kill the group's remaining members, if any.
		_ = syscall.Kill(-p.Pid(), syscall.SIGKILL)
		<-p.done
		_ = p.pipe.Close() // opened for reading
	})
	<-p.done
}

// LogTail returns the last lines of the process's output.
func (p *Process) LogTail(lines int) string {
	return Tail(p.command.Log, lines)
}

// Tail returns the last lines of a file, or the error of reading the file.
func Tail(path string, lines int) string {
	const most = 32 << 10
	f, err := os.Open(path) // #nosec G304 -- a log file of the local stack
	if err != nil {
		return err.Error()
	}
	defer func() { _ = f.Close() }() // opened for reading
	if info, err := f.Stat(); err == nil && info.Size() > most {
		if _, err := f.Seek(-most, io.SeekEnd); err != nil {
			return err.Error()
		}
	}
	text, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return err.Error()
	}
	all := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
