package million

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// bench does the parts.
type bench struct {
	folder          project.Folder
	scratch, worker string
}

// build makes the worker's binary.
func (b bench) build(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-o", b.worker, "./bench/million/worker") // #nosec G204 -- of this project
	cmd.Dir = b.folder.Path("infra")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the worker: %w\n%s", err, out)
	}
	return nil
}

func (b bench) folderOf(holders int) string { return filepath.Join(b.scratch, strconv.Itoa(holders)) }

// outcome is what a worker says of its work (worker.Result), and what its process took.
type outcome struct {
	Laps []struct {
		Name string
		CPU  time.Duration
	}
	Facts   map[string]uint64
	PeakKiB float64
}

// mib is the memory at the peak.
func (o outcome) mib() float64 { return o.PeakKiB / (1 << 10) }

// lap gives the processor time of a part of the work.
func (o outcome) lap(name string) time.Duration {
	for _, l := range o.Laps {
		if l.Name == name {
			return l.CPU
		}
	}
	return 0
}

// execute runs a worker on one processor.
func execute(ctx context.Context, program string, arguments ...string) (outcome, error) {
	cmd := exec.CommandContext(ctx, program, arguments...) // #nosec G204 -- the worker and its peer
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	var out, bad bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &bad
	if err := cmd.Run(); err != nil {
		return outcome{}, fmt.Errorf("%s %v: %w\n%s", filepath.Base(program), arguments, err, bad.Bytes())
	}
	var o outcome
	if err := json.Unmarshal(out.Bytes(), &o); err != nil {
		return outcome{}, fmt.Errorf("read what %s says: %w", filepath.Base(program), err)
	}
	return o, nil
}

// measured are the outcomes of all runs of each part.
type measured struct {
	holders  int
	answer   outcome
	parts    map[string][]outcome
	profiles map[string]string // the last run's
}

// measure does all parts some times over; each time has the same outcome.
func (b bench) measure(ctx context.Context, holders, times int) (measured, error) {
	folder, number := b.folderOf(holders), strconv.Itoa(holders)
	if err := os.Mkdir(folder, 0o700); err != nil {
		return measured{}, err
	}
	m := measured{holders: holders, parts: map[string][]outcome{}, profiles: map[string]string{}}
	var err error
	if m.answer, err = execute(ctx, b.worker, "answer", folder, number); err != nil {
		return measured{}, err
	}
	for i := range times {
		for _, part := range parts {
			profile := filepath.Join(folder, part+".profile")
			if part == "snapshot" { // One that is there is not taken again.
				if err := os.RemoveAll(filepath.Join(folder, "snapshot")); err != nil {
					return measured{}, err
				}
			}
			o, err := execute(ctx, b.worker, "-profile", profile, part, folder, number)
			if err != nil {
				return measured{}, err
			}
			if i > 0 && !maps.Equal(o.Facts, m.parts[part][0].Facts) {
				return measured{}, fmt.Errorf("%s: one run comes to %v, and another to %v", part, m.parts[part][0].Facts, o.Facts)
			}
			m.parts[part] = append(m.parts[part], o)
			if m.profiles[part], err = b.top(ctx, profile); err != nil {
				return measured{}, err
			}
		}
	}
	return m, nil
}
