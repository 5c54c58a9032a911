// Package report has what the sections of docs/performance.md share: the machine that
// was measured on, and how figures are written.
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

// Version finds the version of what takes part, with its name: "Node 20.20.2".
type Version func(ctx context.Context, folder project.Folder) (string, error)

// Machine says in a sentence what figures are measured on: the day, the commit, the
// processor and the load now, and the versions of what takes part.
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

// Node is that of the Node on the path.
func Node(ctx context.Context, _ project.Folder) (string, error) {
	version, err := exec.CommandContext(ctx, "node", "--version").Output()
	if err != nil {
		return "", fmt.Errorf("find the version of Node: %w", err)
	}
	return "Node " + strings.TrimPrefix(strings.TrimSpace(string(version)), "v"), nil
}

// What stands for AWS and for the chain.
var (
	MiniStack = Pinned("MiniStack", "infra/local/requirements.in", `ministack==([\d.]+)`)
	Surfpool  = Pinned("Surfpool", "infra/local/package.json", `"@solana/surfpool[^"]*": "([^"]+)"`)
)

// Agave is the version of the validator on this machine.
func Agave(ctx context.Context, _ project.Folder) (string, error) {
	path, err := agave.Find()
	if errors.Is(err, agave.ErrMissing) {
		return "no Agave", nil
	}
	if err != nil {
		return "", err
	}
	version, err := exec.CommandContext(ctx, path, "--version").Output() // #nosec G204 -- the validator that runs here
	if err != nil {
		return "", fmt.Errorf("find the version of the validator: %w", err)
	}
	number, _, _ := strings.Cut(strings.TrimPrefix(string(version), "solana-test-validator "), " ")
	return "Agave " + number, nil
}

// Pinned is the version that a file of the project pins: what the pattern's first group
// matches.
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

// Load says how many processes wanted a processor in the last minute, this program's among
// them, where Linux tells it.
func Load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	average, _, _ := strings.Cut(string(text), " ")
	return ", load average " + average
}

// processor is its name, where Linux tells it.
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
