// Package report has what the sections of docs/performance.md share: the machine that
// was measured on, and how figures are written.
package report

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"time"

	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// Machine says in a sentence what figures are measured on: the day, the commit, the
// processor and the load now, and the versions of what takes part. parts are further ones,
// such as "Node 20.20.2".
func Machine(ctx context.Context, folder project.Folder, parts ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", "rev-parse", "--short", "HEAD")
	cmd.Dir = folder.Path(".")
	commit, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("find the commit: %w", err)
	}
	versions := append([]string{strings.Replace(runtime.Version(), "go", "Go ", 1)}, parts...)
	return Wrap(fmt.Sprintf("Measured on %s at commit %s: %s, %d cores%s; %s/%s, %s.",
		time.Now().UTC().Format(time.DateOnly), strings.TrimSpace(string(commit)), processor(), runtime.NumCPU(), Load(),
		runtime.GOOS, runtime.GOARCH, strings.Join(versions, ", ")), ""), nil
}

// Node gives the version of the Node that is on the path, as Machine takes it.
func Node(ctx context.Context) (string, error) {
	version, err := exec.CommandContext(ctx, "node", "--version").Output()
	if err != nil {
		return "", fmt.Errorf("find the version of Node: %w", err)
	}
	return "Node " + strings.TrimPrefix(strings.TrimSpace(string(version)), "v"), nil
}

// LocalStack gives the versions of what stands for AWS and for the chain.
func LocalStack(folder project.Folder) ([]string, error) {
	ministack, err := Pinned(folder.Path("infra/local/requirements.in"), `ministack==([\d.]+)`)
	if err != nil {
		return nil, err
	}
	surfpool, err := Pinned(folder.Path("infra/local/package.json"), `"@solana/surfpool[^"]*": "([^"]+)"`)
	return []string{"MiniStack " + ministack, "Surfpool " + surfpool}, err
}

// Pinned finds the version of a part in the file that pins it: what the pattern's first
// group matches.
func Pinned(file, pattern string) (string, error) {
	text, err := os.ReadFile(file) // #nosec G304 -- the project's own file
	if err != nil {
		return "", err
	}
	match := regexp.MustCompile(pattern).FindSubmatch(text)
	if match == nil {
		return "", fmt.Errorf("%s pins nothing like %s", file, pattern)
	}
	return string(match[1]), nil
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
