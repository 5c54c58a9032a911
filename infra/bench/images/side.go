package images

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// The sides' names are those of the folders that their results are in.
const (
	ours  = "ours"
	peers = "sharp"
)

func resultOf(folder, side, name string) string { return filepath.Join(folder, side, name+".jpg") }

// side is a process that makes pictures.
type side struct {
	name    string // as the table has it
	of      string // ours or peers
	command func(ctx context.Context, in project.Folder, folder string) *exec.Cmd
}

var sides = []side{
	{"ours, one thread", ours, goSide("1")},
	{"sharp, one thread", peers, nodeSide("1")},
	{"ours", ours, goSide("0")},
	{"sharp", peers, nodeSide("0")},
}

func goSide(threads string) func(context.Context, project.Folder, string) *exec.Cmd {
	return func(ctx context.Context, _ project.Folder, folder string) *exec.Cmd {
		self, err := os.Executable()
		if err != nil {
			panic(err) // this program runs
		}
		cmd := exec.CommandContext(ctx, self, "-"+Flag, folder) // #nosec G204 -- this program
		cmd.Env = os.Environ()
		if threads != "0" {
			cmd.Env = append(cmd.Env, "GOMAXPROCS="+threads)
		}
		return cmd
	}
}

func nodeSide(threads string) func(context.Context, project.Folder, string) *exec.Cmd {
	return func(ctx context.Context, in project.Folder, folder string) *exec.Cmd {
		return node(ctx, in, "images.mjs", folder, threads)
	}
}

func node(ctx context.Context, in project.Folder, arguments ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "node", arguments...) // #nosec G204 -- a program of the project
	cmd.Dir = in.Path("infra/bench/node")
	return cmd
}

// process is one that runs, and is asked line by line.
type process struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers *bufio.Scanner
}

func start(cmd *exec.Cmd) (*process, error) {
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &process{cmd: cmd, in: in, answers: bufio.NewScanner(out)}, cmd.Start()
}

// ask sends a line and reads the answer.
func (p *process) ask(line string, answer any) error {
	if _, err := fmt.Fprintln(p.in, line); err != nil {
		return err
	}
	if !p.answers.Scan() {
		return fmt.Errorf("%s: no answer: %w", line, io.ErrUnexpectedEOF)
	}
	return json.Unmarshal(p.answers.Bytes(), answer)
}

func (p *process) stop() error {
	_ = p.in.Close()
	return p.cmd.Wait()
}
