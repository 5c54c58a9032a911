// Package images measures how the service makes the picture that it stores, against sharp
// on the same files.
package images

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/pkg/launch/image"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

const (
	// Part is our side, as a part of the worker.
	Part = "images"
	// rounds of each side are measured at most, in turns.
	rounds = 5
	// warm is how often each side makes all pictures before it is measured.
	warm = 2
	// memoryLimit is what functions/images sets: 80 % of the function's 1,769 MB.
	memoryLimit = 1769 << 20 / 10 * 8
	// alike is the least likeness to the reference of what shows the same picture at all.
	alike = 0.9
)

// work is what a side reads: the files of a folder that pictures are made of. The results
// are written to FOLDER/SIDE/NAME.jpg.
type work struct {
	Folder string   `json:"folder"`
	Side   string   `json:"side"`
	Names  []string `json:"names"`
	Warm   int      `json:"warm"`
}

// outcome is what a side took for each picture, after it has warmed up, and the most memory
// of its process.
type outcome struct {
	Samples []sample `json:"samples"` // by the names
	PeakKiB int64    `json:"peakKiB"`
}

// sample is what a picture took, in microseconds, and the bytes of the result.
type sample struct {
	Wall  float64 `json:"wall"`
	CPU   float64 `json:"cpu"`
	Bytes int     `json:"bytes"`
}

// sideNames are those of the folders that the results are in, too.
var sideNames = []string{"ours", "sharp"}

// Tables measures the section. The scratch folder is the caller's to remove.
func Tables(ctx context.Context, in project.Folder, scratch string, runs int) ([]document.Table, error) {
	machine, err := report.Machine(ctx, in, report.Node, report.Pinned("sharp", "infra/bench/node/package.json", `"sharp": "([^"]+)"`))
	if err != nil {
		return nil, err
	}
	script := func(name string, input any) report.Side {
		return report.Side{Name: name, Command: []string{"node", in.Path("infra/bench/node/" + name)}, In: input}
	}
	for _, side := range sideNames {
		if err := os.MkdirAll(filepath.Join(scratch, side), 0o700); err != nil {
			return nil, err
		}
	}
	names, err := report.Ask[[]string](ctx, script("inputs.mjs", scratch))
	if err != nil {
		return nil, err
	}
	taken, err := report.Turns(min(runs, rounds), []report.Side{
		report.Ours(sideNames[0], Part, work{scratch, sideNames[0], names, warm}, "GOMAXPROCS=1"),
		script("images.mjs", work{scratch, sideNames[1], names, warm}),
	}, func(s report.Side) (outcome, error) { return report.Ask[outcome](ctx, s) })
	if err != nil {
		return nil, err
	}
	like, err := report.Ask[[][]float64](ctx, script("quality.mjs", map[string]any{"folder": scratch, "names": names, "sides": sideNames}))
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		if slices.Min(like[i]) < alike {
			return nil, fmt.Errorf("%s: the results are not of the same picture: %v", name, like[i])
		}
	}
	return []document.Table{{Name: "bench:images", Text: machine + "\n\n" + table(names, taken, like)}}, nil
}

// table has a row for each kind of file, and one for all of them. A side's figure is the median of
// its rounds.
func table(names []string, taken [][]outcome, like [][]float64) string {
	header := []string{"kind of file"}
	for _, what := range []string{"CPU", "wall", "SSIM", "result"} {
		for _, side := range sideNames {
			header = append(header, side+", "+what)
		}
	}
	rows := [][]string{append(header, "CPU, ours by sharp's")}
	row := func(title string, files []int) {
		// mean is over the files, of what a side took.
		mean := func(side int, of func(file int, o outcome) float64) float64 {
			return report.Median(report.Each(taken[side], func(o outcome) (sum float64) {
				for _, file := range files {
					sum += of(file, o)
				}
				return sum / float64(len(files))
			}))
		}
		cells := []string{title}
		for _, of := range []func(side, file int, o outcome) float64{
			func(_, file int, o outcome) float64 { return o.Samples[file].CPU },
			func(_, file int, o outcome) float64 { return o.Samples[file].Wall },
			func(side, file int, _ outcome) float64 { return like[file][side] },
			func(_, file int, o outcome) float64 { return float64(o.Samples[file].Bytes) },
		} {
			for side := range sideNames {
				value := mean(side, func(file int, o outcome) float64 { return of(side, file, o) })
				switch len(cells) {
				case 1, 2, 3, 4:
					cells = append(cells, report.Millis(time.Duration(value)*time.Microsecond))
				case 5, 6:
					cells = append(cells, fmt.Sprintf("%.4f", value))
				default:
					cells = append(cells, fmt.Sprintf("%.0f KB", value/1000))
				}
			}
		}
		cpu := func(side int) float64 {
			return mean(side, func(file int, o outcome) float64 { return o.Samples[file].CPU })
		}
		rows = append(rows, append(cells, fmt.Sprintf("%.2f", cpu(0)/cpu(1))))
	}
	byKind, all := map[string][]int{}, []int{}
	for i, name := range names {
		_, kind, _ := strings.Cut(name, "-")
		byKind[kind], all = append(byKind[kind], i), append(all, i)
	}
	for _, kind := range slices.Sorted(maps.Keys(byKind)) {
		row(formats[filepath.Ext(kind)]+" "+strings.TrimSuffix(kind, filepath.Ext(kind)), byKind[kind])
	}
	row("**all**", all)
	var peaks []string
	for i, side := range sideNames {
		peak := slices.MaxFunc(taken[i], func(a, b outcome) int { return cmp.Compare(a.PeakKiB, b.PeakKiB) }).PeakKiB
		peaks = append(peaks, fmt.Sprintf("%s %d MB", side, peak*1024/1_000_000))
	}
	return document.Markdown(rows) + "\n\nPeak memory: " + strings.Join(peaks, ", ") + "."
}

// formats are the names of extensions.
var formats = map[string]string{".jpg": "JPEG", ".png": "PNG"}

// Answer is our side, as infra/bench/node/images.mjs is the peer's.
func Answer(_ context.Context, in io.Reader, out io.Writer) error {
	debug.SetMemoryLimit(memoryLimit)
	var w work
	if err := json.NewDecoder(in).Decode(&w); err != nil {
		return fmt.Errorf("read what to do: %w", err)
	}
	var o outcome
	for round := range w.Warm + 1 {
		for _, name := range w.Names {
			file, err := os.ReadFile(filepath.Join(w.Folder, name)) // #nosec G304 -- written by this run
			if err != nil {
				return err
			}
			before, began := report.CPUTime(), time.Now()
			result, err := image.Process(file)
			took := sample{Wall: micros(time.Since(began)), CPU: micros(report.CPUTime() - before), Bytes: len(result.JPEG)}
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if round < w.Warm {
				continue
			}
			o.Samples = append(o.Samples, took)
			if err := os.WriteFile(filepath.Join(w.Folder, w.Side, name+".jpg"), result.JPEG, 0o600); err != nil {
				return err
			}
		}
	}
	var err error
	if o.PeakKiB, err = report.PeakKiB(os.Getpid()); err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(o)
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
