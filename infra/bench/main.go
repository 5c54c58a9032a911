// Command bench measures the functions, the routes and distributions, prints the
// figures and writes them into docs/performance.md. It runs the whole service
// locally, starts each function's binary as Lambda does, and calls every route's
// handler in a process of its own, so that nothing but the route is measured there.
// Distributions are measured by tests of theirs.
//
//	cd infra && go run ./bench [-runs 20] [-distributions]
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/infra/local/deployed"
	"tokenlaunch.example/service/infra/local/progress"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/pkg/localnet/ministack"
	"tokenlaunch.example/service/pkg/localnet/project"
)

func main() {
	runs := flag.Int("runs", 20, "how often each function is started")
	distributions := flag.Bool("distributions", false, "measure distributions only")
	samplesTo := flag.String("samples", "", "measure the routes only, of the stack whose variables come in, and write to this file")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	run := bench
	if *distributions {
		run = distributionsOnly
	}
	if *samplesTo != "" {
		run = func(ctx context.Context, _ int) error { return routesOnly(ctx, *samplesTo) }
	}
	if err := run(ctx, *runs); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(ctx context.Context, runs int) error {
	folder, err := project.Find()
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	out := progress.New(os.Stdout)
	stack, err := runner.Start(ctx, runner.Options{Project: folder, Folder: scratch, Offline: true, Progress: out})
	if err != nil {
		return err
	}
	defer stack.Stop()
	env, err := variables(ctx, stack)
	if err != nil {
		return err
	}
	colds, err := measureColdStarts(ctx, folder, env, runs)
	if err != nil {
		return err
	}
	out.Done("Cold starts", fmt.Sprintf("%d functions, %d starts each", len(colds), runs))
	taken, err := measureApart(ctx, stack.AWS, env, filepath.Join(scratch, "samples.json"))
	if err != nil {
		return err
	}
	out.Done("Routes", fmt.Sprintf("%d samples of each", pageSize))
	tables, err := report(ctx, folder, colds, taken)
	if err != nil {
		return err
	}
	stack.Stop() // it would be measured, too
	distributions, err := measureDistributions(ctx, folder, scratch)
	if err != nil {
		return err
	}
	return write(folder, out, append(tables, distributions))
}

// distributionsOnly leaves the rest of the document as it is.
func distributionsOnly(ctx context.Context, _ int) error {
	folder, err := project.Find()
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	measured, err := measureDistributions(ctx, folder, scratch)
	if err != nil {
		return err
	}
	return write(folder, progress.New(os.Stdout), []document.Table{measured})
}

// write prints tables and puts them into the document.
func write(folder project.Folder, out *progress.Printer, tables []document.Table) error {
	for _, t := range tables {
		out.Plain("\n" + t.Text)
	}
	return document.WriteInto(folder.Path("docs/performance.md"), tables)
}

// variables reads what the functions of the stack have in their environment.
func variables(ctx context.Context, stack *runner.Stack) (environments, error) {
	functions, err := deployed.Functions(ctx, stack.AWS.Config(), stack.Outputs.Functions())
	if err != nil {
		return nil, err
	}
	env := environments{}
	for name, f := range functions {
		env[name] = access(stack.AWS)
		maps.Copy(env[name], f.Variables)
	}
	return env, nil
}

// access is how a function reaches AWS.
func access(aws *ministack.Server) environment {
	return deployed.Access(aws.Endpoint, ministack.Region, ministack.Credentials)
}

// measureApart measures the routes in a process that does nothing else: this one
// holds the IPFS node and follows the stack's logs.
func measureApart(ctx context.Context, aws *ministack.Server, env environments, file string) (samples, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	variables, err := json.Marshal(env)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, "-samples", file) // #nosec G204 -- this program
	cmd.Stdin, cmd.Stderr = bytes.NewReader(variables), os.Stderr
	cmd.Env = append(os.Environ(), access(aws).list()...)
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("measure the routes: %w", err)
	}
	text, err := os.ReadFile(file) // #nosec G304 -- written by the process above
	if err != nil {
		return nil, err
	}
	var taken samples
	return taken, json.Unmarshal(text, &taken)
}

func routesOnly(ctx context.Context, file string) error {
	var env environments
	if err := json.NewDecoder(os.Stdin).Decode(&env); err != nil {
		return fmt.Errorf("read the stack's variables: %w", err)
	}
	taken, err := measureRoutes(ctx, env)
	if err != nil {
		return err
	}
	text, err := json.Marshal(taken)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}
