// Package million measures the cost of a distribution to very many holders before and after the
// payments: the snapshot, the plan, and the proof. Each part runs in a separate process, on one
// processor.
package million

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

const (
	// Part is the name of a process's work, a part of the worker.
	Part = "million"
	// rounds is the number of repetitions of each part; for most holders each part runs once.
	rounds   = 3
	most     = 3_000_000
	middling = 100_000
	// maxVariable is the environment variable that overrides most.
	maxVariable = "MOST_HOLDERS"
)

// work is a part of a distribution, for a number of holders. Folder has its files.
type work struct {
	Part, Folder string
	Holders      int
}

// result is the cost and the outcome of a part.
type result struct {
	CPU     time.Duration
	Facts   facts
	PeakKiB int64
}

// facts are figures of an outcome, to be compared or shown.
type facts = map[string]uint64

// Answer carries out a part.
func Answer(ctx context.Context, in io.Reader, out io.Writer) error {
	var w work
	if err := json.NewDecoder(in).Decode(&w); err != nil {
		return fmt.Errorf("read what to do: %w", err)
	}
	r, err := w.do(ctx)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(r)
}

func (w work) do(ctx context.Context) (result, error) {
	began := report.CPUTime()
	facts, err := map[string]func(context.Context, desk) (facts, error){
		"answer": writeAnswer, "snapshot": takeSnapshot, "plan": plan, "close": closeBooks,
	}[w.Part](ctx, desk{folder: w.Folder, holders: w.Holders})
	if err != nil {
		return result{}, err
	}
	took := report.CPUTime() - began
	peak, err := report.PeakKiB(os.Getpid())
	return result{CPU: took, Facts: facts, PeakKiB: peak}, err
}

// ours returns the process of a part, on one processor.
func ours(w work) report.Side { return report.Ours(w.Part, Part, w, "GOMAXPROCS=1") }

// parts are the parts of a distribution, in order. titles are their names in the table.
var (
	parts  = []string{"snapshot", "plan", "close"}
	titles = map[string]string{
		"snapshot": "snapshot: decode, sort, curve, look-ups, write", "plan": "plan: allocation, sort, write",
		"close": "close: rows, Merkle root, manifest",
	}
)

// measured are the results of each part, and the initial answer.
type measured struct {
	answer result
	parts  map[string][]result
}

// maxHolders returns the maximum number of measured holders. The files of ten million holders need
// 6 GB of the scratch directory.
func maxHolders() (int, error) {
	text, ok := os.LookupEnv(maxVariable)
	if !ok {
		return most, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n <= middling {
		return 0, fmt.Errorf("%s: %q is no number above %d", maxVariable, text, middling)
	}
	return n, nil
}

// Tables measures, and returns the section of the document.
func Tables(ctx context.Context, folder project.Folder, scratch string) ([]document.Table, error) {
	machine, err := report.Machine(ctx, folder)
	if err != nil {
		return nil, err
	}
	largest, err := maxHolders()
	if err != nil {
		return nil, err
	}
	all := map[int]measured{}
	for _, holders := range []int{10_000, middling, 1_000_000, largest} {
		times := rounds
		if holders == largest {
			times = 1
		}
		where := filepath.Join(scratch, strconv.Itoa(holders))
		if all[holders], err = measure(ctx, where, holders, times); err != nil {
			return nil, fmt.Errorf("%d holders: %w", holders, err)
		}
		if err := os.RemoveAll(where); err != nil {
			return nil, err
		}
	}
	return []document.Table{{Name: "bench:million", Text: machine + "\n\n" + table(all)}}, nil
}

// measure repeats all parts the given number of times. Each repetition must have the same result.
func measure(ctx context.Context, folder string, holders, times int) (m measured, err error) {
	if err := os.Mkdir(folder, 0o700); err != nil {
		return m, err
	}
	if m.answer, err = report.Ask[result](ctx, ours(work{"answer", folder, holders})); err != nil {
		return m, err
	}
	taken, err := report.Turns(times, parts, func(part string) (result, error) {
		if part == "snapshot" { // an existing snapshot would not be taken again
			if err := os.RemoveAll(filepath.Join(folder, snapshotFile)); err != nil {
				return result{}, err
			}
		}
		return report.Ask[result](ctx, ours(work{part, folder, holders}))
	})
	if err != nil {
		return m, err
	}
	m.parts = map[string][]result{}
	for i, part := range parts {
		m.parts[part] = taken[i]
		for _, r := range taken[i] {
			if !maps.Equal(r.Facts, taken[i][0].Facts) {
				return m, fmt.Errorf("%s: one run comes to %v, and another to %v", part, taken[i][0].Facts, r.Facts)
			}
		}
	}
	return m, nil
}

// table returns the table of times and memory.
func table(by map[int]measured) string {
	sizes := slices.Sorted(maps.Keys(by))
	rows := [][]string{{"processor time"}}
	add := func(name string, cell func(measured) string) {
		row := []string{name}
		for _, n := range sizes {
			row = append(row, cell(by[n]))
		}
		rows = append(rows, row)
	}
	for _, n := range sizes {
		rows[0] = append(rows[0], report.Number(float64(n))+" holders")
	}
	for _, part := range parts {
		add(titles[part], func(m measured) string { return middle(times(m.parts[part])) })
	}
	add("**together**", func(m measured) string {
		sums := make([]time.Duration, len(m.parts[parts[0]]))
		for _, part := range parts {
			for i, d := range times(m.parts[part]) {
				sums[i] += d
			}
		}
		return "**" + middle(sums) + "**"
	})
	for _, part := range parts {
		add("memory at the peak, "+part, func(m measured) string { return peak(m.parts[part]) })
	}
	add("the answer; the proof", func(m measured) string {
		proof := m.parts["close"][0].Facts
		return fmt.Sprintf("%s MB; %s MB in %d files", report.Number(float64(m.answer.Facts["bytes"])/1e6), report.Number(float64(proof["bytes"])/1e6), proof["files"])
	})
	return document.Markdown(rows)
}

func times(list []result) []time.Duration {
	return report.Each(list, func(r result) time.Duration { return r.CPU })
}

func peak(list []result) string {
	return fmt.Sprintf("%.0f MiB", slices.Max(report.Each(list, func(r result) float64 { return float64(r.PeakKiB) }))/(1<<10))
}

// middle writes the median and the spread, or a single value without a spread.
func middle(list []time.Duration) string {
	median := fmt.Sprintf("%.2f s", report.Median(list).Seconds())
	if len(list) == 1 {
		return median
	}
	return fmt.Sprintf("%s (%.2f to %.2f)", median, slices.Min(list).Seconds(), slices.Max(list).Seconds())
}
