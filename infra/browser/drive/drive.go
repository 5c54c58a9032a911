// Package drive runs the tests in a browser (Playwright) against a running stack.
package drive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"tokenlaunch.example/service/infra/browser/stage"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// ErrNoBrowser is returned when this machine has no Chromium, with the remedy.
var ErrNoBrowser = errors.New("no browser")

// Chromium finds the browser.
func Chromium(ctx context.Context, root project.Folder) (string, error) {
	cmd := exec.CommandContext(ctx, "sh", root.Path("infra/tools/browser.sh")) // #nosec G204 -- the project's own script
	var why bytes.Buffer
	cmd.Stderr = &why
	path, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%w: %s", ErrNoBrowser, strings.TrimSpace(why.String()))
	}
	return strings.TrimSpace(string(path)), nil
}

// Tests runs the tests that the arguments of Playwright's command line name, or all. What
// Playwright says goes to out; results, traces and screenshots are in .build/browser.
func Tests(ctx context.Context, root project.Folder, stack *runner.Stack, out io.Writer, arguments ...string) error {
	chromium, err := Chromium(ctx, root)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	behind, err := stage.New(ctx, stack).Listen(ctx)
	if err != nil {
		return err
	}
	// #nosec G204 -- the project's own pinned copy
	cmd := exec.CommandContext(ctx, root.Path("infra/browser/node_modules/.bin/playwright"), append([]string{"test"}, arguments...)...)
	cmd.Dir = root.Path("infra/browser")
	cmd.Env = append(os.Environ(),
		"BASE_URL="+stack.APIURL, "RPC_URL="+stack.Chain.RPCURL, "STAGE_URL="+behind, "CHROMIUM="+chromium)
	cmd.Stdout, cmd.Stderr = out, out
	// Playwright's workers and browsers end with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the tests in the browser: %w", err)
	}
	return nil
}
