package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/pkg/localnet/project"
	"tokenlaunch.example/service/pkg/route"
)

func report(ctx context.Context, folder project.Folder, colds []coldStart, taken samples) ([]document.Table, error) {
	machine, err := describeMachine(ctx, folder)
	return []document.Table{
		{Name: "bench:machine", Text: machine},
		{Name: "bench:cold-start", Text: coldTable(colds)},
		{Name: "bench:routes", Text: routeTable(taken)},
		{Name: "bench:units", Text: unitTable(taken)},
	}, err
}

func coldTable(colds []coldStart) string {
	rows := [][]string{{"function", "zip", "ready", "first answer", "spread", "peak memory", "first event"}}
	for _, c := range colds {
		event := "`events/" + c.event + ".json`"
		if c.event == noEvent {
			event = "`" + noEvent + "`"
		}
		answered := c.answered()
		rows = append(rows, []string{
			c.function, fmt.Sprintf("%.1f MB", float64(c.zipBytes)/1e6), millis(median(c.ready())), millis(median(answered)),
			millis(slices.Min(answered)) + " to " + millis(slices.Max(answered)), fmt.Sprintf("%.0f MB", c.peakMB()), event,
		})
	}
	return document.Markdown(rows)
}

func routeTable(taken samples) string {
	rows := [][]string{{"route", "CPU time", "spread", "allocations", "allocated"}}
	forEach(taken, func(name string, list []sample) {
		cpu := each(list, func(s sample) time.Duration { return s.CPU })
		rows = append(rows, []string{
			name, millis(median(cpu)), millis(slices.Min(cpu)) + " to " + millis(slices.Max(cpu)),
			fmt.Sprint(median(each(list, func(s sample) uint64 { return s.Allocs }))),
			fmt.Sprintf("%.0f KB", float64(median(each(list, func(s sample) uint64 { return s.Bytes })))/1e3),
		})
	})
	return document.Markdown(rows)
}

func unitTable(taken samples) string {
	rows := [][]string{{"route", "calls", "read units", "write units"}}
	forEach(taken, func(name string, list []sample) {
		rows = append(rows, []string{
			name,
			fmt.Sprint(median(each(list, func(s sample) int { return s.Units.Calls }))),
			decimal(median(each(list, func(s sample) float64 { return s.Units.Read }))),
			decimal(median(each(list, func(s sample) float64 { return s.Units.Write }))),
		})
	})
	return document.Markdown(rows)
}

// forEach goes through the routes in the order of their table, the authorizer
// first.
func forEach(taken samples, row func(name string, list []sample)) {
	if list := taken[authorizing]; len(list) > 0 {
		row("authorizer, before each route with a token", list)
	}
	for _, r := range route.All() {
		if list := taken[r.Operation]; len(list) > 0 {
			row("`"+r.Pattern()+"`", list)
		}
		if list := taken[keyed]; len(list) > 0 && r.Operation == "generateDistributionWallet" {
			row("the same with an `Idempotency-Key`", list)
		}
	}
	if list := taken[countingLate]; len(list) > 0 {
		row("the limiter alone, requests 81 to 100 of 100", list)
	}
}

// describeMachine says what the figures were measured on.
func describeMachine(ctx context.Context, folder project.Folder) (string, error) {
	commit, err := exec.CommandContext(ctx, "git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return "", fmt.Errorf("find the commit: %w", err)
	}
	ministack, err := pinned(folder.Path("infra/local/requirements.in"), `ministack==([\d.]+)`)
	if err != nil {
		return "", err
	}
	surfpool, err := pinned(folder.Path("infra/local/package.json"), `"@solana/surfpool[^"]*": "([^"]+)"`)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("Measured on %s at commit %s: %s, %d cores%s;\n%s/%s, %s, MiniStack %s, Surfpool %s.",
		time.Now().UTC().Format(time.DateOnly), strings.TrimSpace(string(commit)), processor(), runtime.NumCPU(), load(),
		runtime.GOOS, runtime.GOARCH, strings.Replace(runtime.Version(), "go", "Go ", 1), ministack, surfpool), nil
}

// pinned finds the version of a part in the file that pins it.
func pinned(file, pattern string) (string, error) {
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

// load says how many processes wanted a processor in the last minute, this
// program's among them, where Linux tells it.
func load() string {
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

// median gives the lower of the two middle ones of an even number.
func median[T cmp.Ordered](list []T) T {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[(len(sorted)-1)/2]
}

func millis(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}

func decimal(f float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", f), ".0") }
