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

	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// measurement is a test that shows figures of distributions (package figures). The test creates the
// measured objects and also checks that they are correct.
type measurement struct {
	title       string
	folder      string // of its package
	test        string // a pattern of test names
	environment []string
}

// measurements are the measurements of the section on distributions, in order.
var measurements = []measurement{
	{"A thousand holders on the local chain", "pkg/distribution/run", "^(TestThousandHoldersInSOL|TestHundredsOfHoldersInAToken)$", []string{"CROWD=1000"}},
	{"A hundred thousand tokens due at midnight", "pkg/api/endpoint/dispatcher", "^TestEveryDueTokenIsQueuedInTime$", []string{"DUE_TOKENS=100000"}},
}

// sandwiches are the losses of a sale to trading around the sale: computed, not timed.
var sandwiches = []measurement{
	{"The largest sale of a slot in a pool of 800,000 tokens and 100 SOL", "pkg/market/venue", "^TestTradingAroundASaleDoesNotPay$", nil},
}

// verifications are the measurements of the section on proofs.
var verifications = []measurement{
	{"Verifying the proofs of a token's first run and its next", "pkg/proof", "^TestVerifyingTheRunsOfManyHolders$", []string{"CROWD=100000"}},
}

// measureTimeout bounds a measurement, which takes minutes on a machine with other work.
const measureTimeout = 15 * time.Minute

func distributionTables(ctx context.Context, o on) ([]document.Table, error) {
	return measuredTables(ctx, o, "distribution", measurements)
}

func sandwichTables(ctx context.Context, o on) ([]document.Table, error) {
	return measuredTables(ctx, o, "sandwich", sandwiches)
}

func proofTables(ctx context.Context, o on) ([]document.Table, error) {
	return measuredTables(ctx, o, "proof", verifications)
}

// measuredTables runs the measurements in turn, and returns the section of the document.
func measuredTables(ctx context.Context, o on, section string, list []measurement) ([]document.Table, error) {
	machine, err := localMachine(ctx, o.folder)
	if err != nil {
		return nil, err
	}
	text := []string{machine}
	for i, m := range list {
		before := report.Load()
		figures, err := m.take(ctx, o.folder, filepath.Join(o.scratch, fmt.Sprintf("figures-%s-%d", section, i)))
		if err != nil {
			return nil, fmt.Errorf("measure %q: %w", m.title, err)
		}
		text = append(text, "", "**"+m.title+"**"+before+":", "")
		text = append(text, "- "+strings.Join(figures, "\n- "))
	}
	return []document.Table{{Name: "bench:" + section, Text: strings.Join(text, "\n")}}, nil
}

// take runs the test, adds the lines of its figures to a file, and returns the figures.
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
