package images

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tokenlaunch.example/service/infra/bench/growth"
	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// most is how often each file is made at most: there are sixty of them for four sides.
const most = 3

// Tables measures the section. The scratch folder is the caller's to remove.
func Tables(ctx context.Context, in project.Folder, scratch string, runs int) ([]document.Table, error) {
	folder := filepath.Join(scratch, "images")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	names, growing, err := inputs(ctx, in, folder)
	if err != nil {
		return nil, err
	}
	t := taken{names: names}
	if t.samples, err = measure(ctx, in, folder, names, min(runs, most)); err != nil {
		return nil, err
	}
	if t.like, err = compare(ctx, in, folder, names); err != nil {
		return nil, err
	}
	grown, err := measure(ctx, in, folder, growing, min(runs, most))
	if err != nil {
		return nil, err
	}
	charts, err := growth.Section(in.Path("."), chart(grown))
	if err != nil {
		return nil, err
	}
	node, err := report.Node(ctx)
	if err != nil {
		return nil, err
	}
	version, err := report.Pinned(in.Path("infra/bench/node/package.json"), `"sharp": "([^"]+)"`)
	if err != nil {
		return nil, err
	}
	machine, err := report.Machine(ctx, in, node, "sharp "+version)
	if err != nil {
		return nil, err
	}
	return []document.Table{
		{Name: "bench:images", Text: machine + "\n\n" + t.whole() + "\n\n" + t.kinds()},
		{Name: "bench:images-growth", Text: charts},
	}, nil
}

// whole has a row for each side: what all files take.
func (t taken) whole() string {
	rows := [][]string{{"side", "CPU time a picture", "spread of the rounds", "wall time a picture", "peak memory", "results", "SSIM", "worst SSIM"}}
	for i, s := range sides {
		cpu := t.rounds(i, func(s sample) float64 { return s.CPU })
		wall := t.rounds(i, func(s sample) float64 { return s.Wall })
		peak, bytes := int64(0), 0
		for _, name := range t.names {
			last := t.samples[i][name][len(t.samples[i][name])-1]
			peak, bytes = max(peak, last.Peak), bytes+last.Bytes
		}
		like := slices.Collect(maps.Values(t.like[s.of]))
		rows = append(rows, []string{
			s.name, report.Millis(report.Median(cpu)), report.Spread(cpu), report.Millis(report.Median(wall)),
			fmt.Sprintf("%d MB", peak*1024/1_000_000), fmt.Sprintf("%d KB", bytes/1000/len(t.names)),
			fmt.Sprintf("%.4f", mean(like)), fmt.Sprintf("%.4f", slices.Min(like)),
		})
	}
	return document.Markdown(rows)
}

// rounds gives for each round what a picture took in the mean.
func (t taken) rounds(side int, of func(sample) float64) (out []time.Duration) {
	for round := range t.samples[side][t.names[0]] {
		sum := 0.0
		for _, name := range t.names {
			sum += of(t.samples[side][name][round])
		}
		out = append(out, time.Duration(sum/float64(len(t.names))*float64(time.Microsecond)))
	}
	return out
}

// kinds has a row for each kind of file: what its four motifs take on one thread.
func (t taken) kinds() string {
	byKind := map[string][]string{}
	for _, name := range t.names {
		_, kind, _ := strings.Cut(name, "-")
		kind, extension, _ := strings.Cut(kind, ".")
		kind = formats[extension] + " " + kind
		byKind[kind] = append(byKind[kind], name)
	}
	rows := [][]string{{"kind of file", "ours, CPU", "sharp, CPU", "sharp's by ours", "ours, SSIM", "sharp, SSIM", "ours, result", "sharp, result"}}
	for _, kind := range slices.Sorted(maps.Keys(byKind)) {
		part := taken{names: byKind[kind], samples: t.samples}
		row := []string{kind}
		var took [2]time.Duration
		var likes, sizes []string
		for i := range took {
			took[i] = report.Median(part.rounds(i, func(s sample) float64 { return s.CPU }))
			row = append(row, report.Millis(took[i]))
			var like []float64
			bytes := 0
			for _, name := range part.names {
				like = append(like, t.like[sides[i].of][name])
				bytes += t.samples[i][name][0].Bytes
			}
			likes = append(likes, fmt.Sprintf("%.4f", mean(like)))
			sizes = append(sizes, fmt.Sprintf("%d KB", bytes/1000/len(part.names)))
		}
		row = append(row, fmt.Sprintf("%.2f", float64(took[1])/float64(took[0])))
		rows = append(rows, slices.Concat(row, likes, sizes))
	}
	return document.Markdown(rows)
}

// formats are the names of extensions.
var formats = map[string]string{"jpg": "JPEG", "png": "PNG"}

func mean(list []float64) float64 {
	sum := 0.0
	for _, f := range list {
		sum += f
	}
	return sum / float64(len(list))
}

// growthPrefix begins the names of the files for growth: growth-PERCENT-KIND.
const growthPrefix = "growth-"

// chart has how both sides grow with a picture's pixels, on one thread.
func chart(samples []map[string][]sample) growth.Chart {
	c := growth.Chart{Name: "images", Title: "Processor time of a picture, one thread", Work: "megapixels", Unit: "ms"}
	for _, extension := range []string{"jpg", "png"} {
		for i, side := range []string{ours, peers} {
			line := growth.Line{Name: side + ", " + formats[extension]}
			for _, percent := range []int{1, 10, 100} {
				list := samples[i][fmt.Sprintf("%s%d.%s", growthPrefix, percent, extension)]
				cpu := report.Median(report.Each(list, func(s sample) float64 { return s.CPU }))
				line.Points = append(line.Points, growth.Point{
					Work: motifWidth * motifHeight / 1e6 * float64(percent) / 100, Value: cpu / 1000,
				})
			}
			c.Lines = append(c.Lines, line)
		}
	}
	return c
}
