package e2e_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"testing"

	"tokenlaunch.example/service/infra/browser/drive"
	"tokenlaunch.example/service/pkg/localnet/project"
)

// TestThePageInABrowser lets a browser launch, watch, change and verify, as people do.
func TestThePageInABrowser(t *testing.T) {
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
	s := deployed(t)
	var said bytes.Buffer
	if err := drive.Tests(t.Context(), root, s, &said); err != nil {
		t.Fatalf("%v\n%s\nresults, traces and screenshots are in .build/browser", err, &said)
	}
	t.Logf("%s", &said)
}
