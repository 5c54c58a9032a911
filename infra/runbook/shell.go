package runbook

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// Shell is a bash in which one block sees what the ones before have set. The first command
// that fails ends it.
type Shell struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

// endMark is a line that no command prints.
const endMark = "\x04 the block has ended"

// NewShell starts a shell in the directory. It ends with the context.
func NewShell(ctx context.Context, folder string, env []string) (*Shell, error) {
	command := exec.CommandContext(ctx, "bash", "--noprofile", "--norc", "-s")
	command.Dir, command.Env = folder, env
	// A group that ends as one: commands have commands of their own.
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGTERM) }
	command.WaitDelay = 5 * time.Second
	in, err := command.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start a shell: %w", err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start a shell: %w", err)
	}
	command.Stdout, command.Stderr = write, write
	err = command.Start()
	_ = write.Close() // the shell has it
	if err != nil {
		return nil, fmt.Errorf("start a shell: %w", err)
	}
	s := &Shell{command, in, bufio.NewReader(read)}
	_, err = io.WriteString(in, "set -eo pipefail\n")
	return s, err
}

// errFailed is a command's that ended with another status than zero.
var errFailed = errors.New("a command failed, and ended the shell")

// Do carries commands out and returns what they print.
func (s *Shell) Do(commands string) (string, error) {
	// Read whole before it is run, with nothing on its standard input: a command that asks gets no
	// response, and none reads the commands after it.
	script := "source /dev/fd/3 3<<'THE-END-OF-THE-BLOCK' </dev/null\n" + commands + "\nTHE-END-OF-THE-BLOCK\nprintf '\\n%s\\n' '" + endMark + "'\n"
	if _, err := io.WriteString(s.in, script); err != nil {
		return "", fmt.Errorf("hand commands to the shell: %w", errors.Join(errFailed, err))
	}
	var printed strings.Builder
	for {
		line, err := s.out.ReadString('\n')
		if strings.TrimSuffix(line, "\n") == endMark {
			return strings.TrimSuffix(printed.String(), "\n"), nil
		}
		printed.WriteString(line)
		if err != nil {
			return printed.String(), errFailed
		}
	}
}

// Close ends the shell and what still runs in it.
func (s *Shell) Close() {
	_ = s.in.Close()
	_ = syscall.Kill(-s.command.Process.Pid, syscall.SIGTERM)
	_ = s.command.Wait()
}
