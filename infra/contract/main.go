// Command contract is `make contract`: it deploys the whole service on this
// machine, launches a token so that there is something to read, and lets
// Schemathesis call every operation with what the OpenAPI document allows and
// with what it forbids. It fails when an answer is not as the document says.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/caarlos0/env/v11"

	"tokenlaunch.example/service/infra/local/progress"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// settings of a run, all from the environment.
type settings struct {
	Seed     int    `env:"SEED"`                     // of what is drawn; unset, every run draws the same
	Examples int    `env:"EXAMPLES" envDefault:"15"` // requests per operation and phase, for the phases that draw them
	Only     string `env:"ONLY"`                     // an operation id: only this operation
}

func main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer cancel()
	out := progress.New(os.Stdout)
	if err := run(ctx, out); err != nil {
		out.Doing("")
		out.Fail("Failed", err.Error())
		cancel()
		os.Exit(1)
	}
}

func run(ctx context.Context, out *progress.Printer) error {
	began := time.Now()
	var s settings
	if err := env.Parse(&s); err != nil {
		return fmt.Errorf("read the settings: %w", err)
	}
	root, err := project.Find()
	if err != nil {
		return err
	}
	folder := root.Path(".local/contract")
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return fmt.Errorf("make a folder for the stack: %w", err)
	}
	stack, err := runner.Start(ctx, runner.Options{
		Project: root, Folder: folder, Offline: true, SlotTime: runner.TestSlotTime, Progress: progress.New(io.Discard),
	})
	if err != nil {
		return err
	}
	defer stack.Stop()
	out.Done("Service deployed", fmt.Sprintf("%s (%.1f s)", stack.APIURL, time.Since(began).Seconds()))
	known, err := prepare(ctx, stack, folder)
	if err != nil {
		return err
	}
	out.Done("Token launched", known.MintAddress)

	limits, cancel := context.WithCancel(ctx)
	forgetting := make(chan error, 1)
	go func() { forgetting <- forgetLimits(limits, stack) }()
	err = schemathesis(ctx, root, folder, stack.APIURL, known.Token, s)
	cancel()
	if forgot := <-forgetting; err == nil {
		err = forgot
	}
	if err != nil {
		return fmt.Errorf("%w (the logs of the functions are in %s)", err, filepath.Join(folder, "logs"))
	}
	report, err := readCalls(folder)
	if err != nil {
		return err
	}
	out.Plain(report.table())
	if missing := report.withoutSuccess(); len(missing) > 0 && s.Only == "" {
		return fmt.Errorf("no call of these operations succeeded, so their answers were not checked: %v", missing)
	}
	if err := readLogs(filepath.Join(folder, "logs"), runner.PlantedKey, known.Token, known.SignedTransaction); err != nil {
		return err
	}
	out.Done("Contract holds", fmt.Sprintf("%d calls, %.0f s in all", report.total(), time.Since(began).Seconds()))
	return nil
}

// schemathesis runs the checks; what it says goes to our own output.
func schemathesis(ctx context.Context, root project.Folder, folder, api, token string, s settings) error {
	here := root.Path("infra/contract")
	arguments := []string{
		"--config-file", filepath.Join(here, "schemathesis.toml"),
		"run", filepath.Join(folder, documentFile),
		"--url", api,
		"--max-examples", fmt.Sprint(s.Examples),
		"--report-ndjson-path", filepath.Join(folder, "calls.ndjson"),
	}
	if s.Seed == 0 {
		arguments = append(arguments, "--generation-deterministic")
	} else {
		arguments = append(arguments, "--seed", fmt.Sprint(s.Seed))
	}
	if s.Only != "" {
		arguments = append(arguments, "--include-operation-id", s.Only)
	}
	// #nosec G204 -- the project's own pinned copy
	cmd := exec.CommandContext(ctx, root.Path(".local/schemathesis/bin/schemathesis"), arguments...)
	cmd.Dir = folder // it leaves files where it runs
	cmd.Env = append(os.Environ(),
		"PYTHONPATH="+here,
		"PYTHONDONTWRITEBYTECODE=1",
		"CONTRACT_FOLDER="+folder,
		"CONTRACT_TOKEN="+token,
	)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the service and its OpenAPI document differ: %w", err)
	}
	return nil
}
