// Package browser_test lets a browser use the deployed service, on a separate stack, because the
// launches and trades of other tests would be on its pages.
package browser_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"testing"

	"tokenlaunch.example/service/infra/browser/drive"
	"tokenlaunch.example/service/infra/local/progress"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// TestPageInBrowser lets a browser launch, watch, change and verify, as people do.
func TestPageInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("deploys the whole stack, which short mode leaves out")
	}
	root, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	chromium, err := drive.Chromium(t.Context(), root)
	switch {
	case errors.Is(err, drive.ErrNoBrowser) && os.Getenv("CI") == "":
		t.Skipf("the page is not tested in a browser: %v", err)
	case err != nil:
		t.Fatal(err)
	}
	if version, err := exec.CommandContext(t.Context(), chromium, "--version").Output(); err == nil {
		t.Logf("%s", bytes.TrimSpace(version))
	}
	stack, err := runner.Start(context.WithoutCancel(t.Context()), runner.Options{
		Project: root, Folder: t.TempDir(), Offline: true, SlotTime: runner.TestSlotTime, Progress: progress.New(io.Discard),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stack.Stop)
	var said bytes.Buffer
	if err := drive.Tests(t.Context(), root, stack, &said); err != nil {
		t.Fatalf("%v\n%s\nresults, traces and screenshots are in .build/browser", err, &said)
	}
	t.Logf("%s", &said)
}
