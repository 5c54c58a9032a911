package million

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"

	"tokenlaunch.example/service/infra/document"
)

// shown is how many functions of each profile are shown.
const shown = 6

// top is what a profile says of the functions that took most themselves.
func (b bench) top(ctx context.Context, profile string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "tool", "pprof", "-top", "-nodecount="+strconv.Itoa(shown), b.worker, profile) // #nosec G204 -- written by the worker
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("read a profile: %w", err)
	}
	return string(out), nil
}

// columns of pprof's table: flat, flat%, sum%, cum, cum%, name.
const (
	flatColumn, withCalledColumn, nameColumn = 1, 4, 5
)

// profiles gives the table of what took most, of each part.
func profiles(m measured) string {
	rows := [][]string{{"part", "function", "itself", "with what it calls"}}
	for _, part := range parts {
		_, table, _ := strings.Cut(m.profiles[part], "cum%\n")
		for line := range strings.Lines(table) {
			f := strings.Fields(line)
			if len(f) <= nameColumn {
				continue
			}
			name := f[nameColumn]
			name = name[strings.LastIndexByte(name, '/')+1:]
			rows = append(rows, []string{part, "`" + name + "`", percent(f[flatColumn]), percent(f[withCalledColumn])})
		}
	}
	return "What takes the processor's time of the million, by the profiler:\n\n" + document.Markdown(rows)
}

// percent rounds what pprof writes.
func percent(text string) string {
	f, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
	if err != nil {
		return text
	}
	return fmt.Sprintf("%.0f %%", f)
}
