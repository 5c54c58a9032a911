package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/pkg/localnet/project"
)

// measurement is a test that shows figures of distributions (package figures): the
// test builds what is measured and sees that it is right, too.
type measurement struct {
	title       string
	folder      string // of its package
	test        string // a pattern of names
	environment []string
}

// measurements are those of the section on distributions, in its order.
var measurements = []measurement{
	{"A thousand holders on the local chain", "pkg/run", "^(TestAThousandHoldersInSOL|TestHundredsOfHoldersInAToken)$", []string{"CROWD=1000"}},
	{"A million holders: the snapshot", "pkg/chain", "^TestAMillionHolders$", nil},
	{"A million holders: allocation, plan, rows and Merkle root", "pkg/proof", "^TestAMillionHolders$", nil},
	{"A hundred thousand tokens due at midnight", "pkg/endpoint/dispatcher", "^TestEveryDueTokenIsQueuedInTime$", []string{"DUE_TOKENS=100000"}},
}

// measureTimeout bounds one measurement. It is a matter of minutes on a machine
// that does something else, too.
const measureTimeout = 15 * time.Minute

// measureDistributions runs the measurements, one after the other, and gives the
// section of the document.
func measureDistributions(ctx context.Context, folder project.Folder, scratch string) (document.Table, error) {
	machine, err := describeMachine(ctx, folder)
	if err != nil {
		return document.Table{}, err
	}
	text := []string{machine}
	for i, m := range measurements {
		before := load()
		figures, err := m.take(ctx, folder, filepath.Join(scratch, fmt.Sprintf("figures-%d", i)))
		if err != nil {
			return document.Table{}, fmt.Errorf("measure %q: %w", m.title, err)
		}
		text = append(text, "", "**"+m.title+"**"+before+":", "")
		for _, line := range figures {
			text = append(text, wrap("- "+line, "  "))
		}
	}
	return document.Table{Name: "bench:distribution", Text: strings.Join(text, "\n")}, nil
}

// take runs the test and gives its figures, whose lines it adds to a file.
func (m measurement) take(ctx context.Context, folder project.Folder, file string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, measureTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "test", "-count=1", "-timeout="+measureTimeout.String(), "-run", m.test, "./"+m.folder) // #nosec G204 -- tests of the project
	cmd.Dir = folder.Path(".")
	cmd.Env = append(append(os.Environ(), m.environment...), "FIGURES="+file)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	text, err := os.ReadFile(file) // #nosec G304 -- written by the test above
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("the test shows no figures")
	}
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n"), nil
}

// lineLength is how long the document's lines are.
const lineLength = 82

// wrap breaks a long line between words; the lines after the first are indented.
func wrap(line, indent string) string {
	var out strings.Builder
	at := 0
	for i, word := range strings.Fields(line) {
		switch {
		case i > 0 && at+1+len(word) > lineLength:
			out.WriteString("\n" + indent)
			at = len(indent)
		case i > 0:
			out.WriteString(" ")
			at++
		}
		out.WriteString(word)
		at += len(word)
	}
	return out.String()
}
