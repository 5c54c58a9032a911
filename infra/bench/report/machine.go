// Package report has the shared parts of docs/performance.md's sections: the machine of the
// measurement, and the format of figures.
package report

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"time"

	"tokenlaunch.example/service/pkg/testkit/localnet/agave"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// Version returns the name and version of a part: "Node 20.20.2".
type Version func(ctx context.Context, folder project.Folder) (string, error)

// Machine describes the environment of a measurement in a sentence: the day, the commit, the
// processor and the present load, and the versions of the parts.
func Machine(ctx context.Context, folder project.Folder, parts ...Version) (string, error) {
	cmd := exec.CommandContext(ctx, "git", "rev-parse", "--short", "HEAD")
	cmd.Dir = folder.Path(".")
	commit, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("find the commit: %w", err)
	}
	versions := []string{strings.Replace(runtime.Version(), "go", "Go ", 1)}
	for _, find := range parts {
		version, err := find(ctx, folder)
		if err != nil {
			return "", err
		}
		versions = append(versions, version)
	}
	return fmt.Sprintf("Measured on %s at commit %s: %s, %d cores%s; %s/%s, %s.",
		time.Now().UTC().Format(time.DateOnly), strings.TrimSpace(string(commit)), processor(), runtime.NumCPU(), Load(),
		runtime.GOOS, runtime.GOARCH, strings.Join(versions, ", ")), nil
}

// Node returns the version of the Node on the path.
func Node(ctx context.Context, _ project.Folder) (string, error) {
	version, err := exec.CommandContext(ctx, "node", "--version").Output()
	if err != nil {
		return "", fmt.Errorf("find the version of Node: %w", err)
	}
	return "Node " + strings.TrimPrefix(strings.TrimSpace(string(version)), "v"), nil
}

// The implementations of AWS and the chain.
var (
	MiniStack = Pinned("MiniStack", "infra/local/requirements.in", `ministack==([\d.]+)`)
	Surfpool  = Pinned("Surfpool", "infra/local/package.json", `"@solana/surfpool[^"]*": "([^"]+)"`)
)

// Agave returns the version of the validator on this machine.
func Agave(ctx context.Context, _ project.Folder) (string, error) {
	path, err := agave.Find()
	if errors.Is(err, agave.ErrMissing) {
		return "no Agave", nil
	}
	if err != nil {
		return "", err
	}
	version, err := exec.CommandContext(ctx, path, "--version").Output() // #nosec G204 -- the local validator
	if err != nil {
		return "", fmt.Errorf("find the version of the validator: %w", err)
	}
	number, _, _ := strings.Cut(strings.TrimPrefix(string(version), "solana-test-validator "), " ")
	return "Agave " + number, nil
}

// Pinned returns the version that a file of the project pins: the match of the pattern's first
// group.
func Pinned(name, file, pattern string) Version {
	return func(_ context.Context, folder project.Folder) (string, error) {
		text, err := os.ReadFile(folder.Path(file))
		if err != nil {
			return "", err
		}
		match := regexp.MustCompile(pattern).FindSubmatch(text)
		if match == nil {
			return "", fmt.Errorf("%s pins nothing like %s", file, pattern)
		}
		return name + " " + string(match[1]), nil
	}
}

// Load returns the number of processes that wanted a processor in the last minute, including this
// program, if the system reports the number.
func Load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	average, _, _ := strings.Cut(string(text), " ")
	return ", load average " + average
}

// processor returns the processor's name, if the system reports the name.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "processor unknown"
	}
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "model name"); ok {
			return strings.Trim(name, " \t:\n")
		}
	}
	return "processor unknown"
}
