package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// build builds the functions for this machine, and the CDK app, through the Makefile.
func (s *Stack) build(ctx context.Context) error {
	began := time.Now()
	if _, err := os.Stat(s.options.Project.Path(functionsFolder)); err != nil {
		s.options.Progress.Note("First build", "compiling everything takes some minutes, this once")
	}
	// #nosec G204 -- the project's own Makefile
	cmd := exec.CommandContext(ctx, "make", "--no-print-directory", "-s", "build", ".build/cdk-app")
	cmd.Dir = string(s.options.Project)
	// The variables of an outer make belong to that make.
	cmd.Env = without(os.Environ(), "MAKEFLAGS", "MAKELEVEL", "MFLAGS", "ARCH")
	cmd.WaitDelay = time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("build the functions: %w", ctx.Err())
		}
		return fmt.Errorf("the functions do not build:\n%s", strings.TrimSpace(string(out)))
	}
	names, err := functionNames(s.options.Project.Path(functionsFolder))
	if err != nil {
		return err
	}
	s.options.Progress.Done("Functions built", strings.Join(names, " ")+took(began))
	return nil
}

// functionsFolder is the output directory of make build for functions.
const functionsFolder = ".build/functions"

func functionNames(folder string) ([]string, error) {
	zips, err := filepath.Glob(filepath.Join(folder, "*.zip"))
	if err != nil {
		return nil, fmt.Errorf("list the functions: %w", err)
	}
	if len(zips) == 0 {
		return nil, errors.New("make build made no function")
	}
	names := make([]string, len(zips))
	for i, zip := range zips {
		names[i] = strings.TrimSuffix(filepath.Base(zip), ".zip")
	}
	return names, nil
}

// without returns the environment without these variables.
func without(environment []string, names ...string) []string {
	var kept []string
	for _, variable := range environment {
		drop := false
		for _, name := range names {
			drop = drop || strings.HasPrefix(variable, name+"=")
		}
		if !drop {
			kept = append(kept, variable)
		}
	}
	return kept
}
