package figures_test

import (
	"os"
	"path/filepath"
	"testing"

	"tokenlaunch.example/service/pkg/testkit/figures"
)

func TestFiguresAreAddedToTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "figures")
	t.Setenv("FIGURES", path)
	figures.Show(t, "%d cases", 7)
	figures.Show(t, "%d cases", 8)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(text), "7 cases\n8 cases\n"; got != want {
		t.Errorf("the file has %q, want %q", got, want)
	}
}

func TestWithoutAFileTheLogHasThem(t *testing.T) {
	t.Setenv("FIGURES", "")
	figures.Show(t, "%d cases", 7)
}
