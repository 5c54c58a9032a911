// Package child runs the servers of the local stack as child processes that
// never outlive their parent: each reads its standard input and ends when that
// closes, which the kernel does for a parent that dies in whatever way.
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

// Command is a server to start. Log is the file that its output goes to.
type Command struct {
	Name string // for messages
	Path string
	Args []string
	Env  []string
	Dir  string
	Log  string
}

// Process is a running child with a process group of its own.
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
	err     error // of Wait; read it after done is closed
}

// Start runs the command and waits for its ready line, or for ctx. The process
// does not end with ctx, only with Stop or with this process.
func Start(ctx context.Context, c Command) (*Process, error) {
	log, err := os.OpenFile(c.Log, os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the log of %s: %w", c.Name, err)
	}
	defer func() { _ = log.Close() }() // the child has its own
	ready, childEnd, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Name, err)
	}

	// #nosec G204 -- the callers name programs of the project's own folders.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), c.Path, c.Args...)
	cmd.Env, cmd.Dir = c.Env, c.Dir
	// Files, not writers: Wait would otherwise wait for grandchildren too.
	cmd.Stdout, cmd.Stderr = log, log
	cmd.ExtraFiles = []*os.File{childEnd}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdin, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	// The child has its own; while ours is open the pipe does not end.
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

// Ask writes a line to the process's standard input and gives the next line that it
// writes to file descriptor 3. A process that has not answered must be stopped.
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

// AwaitHealthy polls healthy until it answers nil, the process ends or ctx does.
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

// Pid is the process's id, which is its group's too.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// grace is how long a child may take to end by itself.
const grace = 5 * time.Second

// Stop ends the process and its group and returns when it has ended. It may be
// called more than once.
func (p *Process) Stop() {
	p.stop.Do(func() {
		_ = p.stdin.Close() // the child takes this as its end
		select {
		case <-p.done:
		case <-time.After(grace):
		}
		// The group's other members, if any are left; it has gone when none is.
		_ = syscall.Kill(-p.Pid(), syscall.SIGKILL)
		<-p.done
		_ = p.pipe.Close() // opened for reading
	})
	<-p.done
}

// LogTail is the last lines of the process's output.
func (p *Process) LogTail(lines int) string {
	return Tail(p.command.Log, lines)
}

// Tail is the last lines of a file, or the reason why it cannot be read.
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
