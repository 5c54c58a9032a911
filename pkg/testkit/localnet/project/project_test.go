package project_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

func TestFindWalksUp(t *testing.T) {
	folder, err := project.Find()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(folder.Path("go.mod")); err != nil {
		t.Errorf("%s is not the root: %v", folder, err)
	}
	t.Chdir(t.TempDir())
	if folder, err := project.Find(); err == nil {
		t.Errorf("found %s outside the project", folder)
	}
}

func TestFindNamesMissingToolsAndRemedy(t *testing.T) {
	folder := project.Folder(t.TempDir())
	for what, find := range map[string]func() (string, error){
		"MiniStack": folder.Python, "The CDK command line": folder.CDK,
	} {
		_, err := find()
		if want := what + " is not installed: run `make tools`"; err == nil || err.Error() != want {
			t.Errorf("error is %v, want %s", err, want)
		}
	}
	python := folder.Path(".local/venv/bin/python")
	if err := os.MkdirAll(filepath.Dir(python), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(python, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := folder.Python(); err != nil || !strings.HasSuffix(got, "/venv/bin/python") {
		t.Errorf("Python is %q (%v)", got, err)
	}
}
