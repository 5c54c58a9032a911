package million

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tokenlaunch.example/service/infra/bench/growth"
	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/infra/document"
)

// stage is a row of the tables: a lap of a part.
type stage struct{ name, part, lap string }

var all = []stage{
	{"decode the node's answer, sort", "snapshot", "decode and sort"},
	{"add up, curve, look-ups, write", "snapshot", "add up, look up and write"},
	{"allocation, plan", "plan", "allocation and plan"},
	{"rows, Merkle root, manifest", "close", "rows, Merkle root and manifest"},
}

// seconds writes a time.
func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

// times are those of a stage, one of each run.
func (m measured) times(s stage) []time.Duration {
	return report.Each(m.parts[s.part], func(o outcome) time.Duration { return o.lap(s.lap) })
}

// together are the times of all stages, one of each run.
func (m measured) together() []time.Duration {
	sums := make([]time.Duration, len(m.parts[parts[0]]))
	for _, s := range all {
		for i, d := range m.times(s) {
			sums[i] += d
		}
	}
	return sums
}

// peak is the largest memory of a part, in MiB.
func (m measured) peak(part string) float64 {
	return slices.Max(report.Each(m.parts[part], outcome.mib))
}

// stages is the table of times and memory.
func stages(by map[int]measured) string {
	header, sum := []string{"processor time"}, []string{"**together**"}
	sizes := slices.Sorted(maps.Keys(by))
	for _, n := range sizes {
		header = append(header, report.Number(float64(n))+" holders")
		sum = append(sum, "**"+middle(by[n].together())+"**")
	}
	rows := [][]string{header}
	for _, s := range all {
		row := []string{s.name}
		for _, n := range sizes {
			row = append(row, middle(by[n].times(s)))
		}
		rows = append(rows, row)
	}
	rows = append(rows, sum)
	for _, part := range parts {
		row := []string{"memory at the peak, " + part}
		for _, n := range sizes {
			row = append(row, fmt.Sprintf("%.0f MiB", by[n].peak(part)))
		}
		rows = append(rows, row)
	}
	files := []string{"the answer; the proof"}
	for _, n := range sizes {
		proof := by[n].parts["close"][0].Facts
		files = append(files, fmt.Sprintf("%s MB; %s MB in %d files",
			report.Number(float64(by[n].answer.Facts["bytes"])/1e6), report.Number(float64(proof["bytes"])/1e6), proof["files"]))
	}
	return document.Markdown(append(rows, files)) + "\n"
}

// middle writes the median and the spread; a single one alone.
func middle(list []time.Duration) string {
	if len(list) == 1 {
		return seconds(list[0])
	}
	return fmt.Sprintf("%s (%.2f to %.2f)", seconds(report.Median(list)), slices.Min(list).Seconds(), slices.Max(list).Seconds())
}

// charts show how time and memory grow.
func charts(by map[int]measured) []growth.Chart {
	times := growth.Chart{Name: "million-time", Title: "Processor time of a distribution's books", Work: "holders", Unit: "s"}
	for _, s := range all {
		line := growth.Line{Name: s.name}
		for _, n := range slices.Sorted(maps.Keys(by)) {
			line.Points = append(line.Points, growth.Point{Work: float64(n), Value: report.Median(by[n].times(s)).Seconds()})
		}
		times.Lines = append(times.Lines, line)
	}
	memory := growth.Chart{Name: "million-memory", Title: "Memory at the peak", Work: "holders", Unit: "MiB"}
	for _, part := range parts {
		line := growth.Line{Name: part}
		for _, n := range slices.Sorted(maps.Keys(by)) {
			line.Points = append(line.Points, growth.Point{Work: float64(n), Value: by[n].peak(part)})
		}
		memory.Lines = append(memory.Lines, line)
	}
	return []growth.Chart{times, memory}
}

// peer decodes the same answer with JSON.parse and kit, in turns with ours.
func (b bench) peer(ctx context.Context, holders int) (string, error) {
	folder := b.folderOf(holders)
	var ours, theirs []outcome
	for range runs {
		own, err := execute(ctx, b.worker, "decode", folder, fmt.Sprint(holders))
		if err != nil {
			return "", err
		}
		other, err := execute(ctx, "node", b.folder.Path("infra/bench/node/accounts.mjs"), filepath.Join(folder, "answer.json"))
		if err != nil {
			return "", err
		}
		for _, fact := range []string{"accounts", "amount", "withheld"} {
			if own.Facts[fact] != other.Facts[fact] {
				return "", fmt.Errorf("%s: ours are %d, the peer's %d", fact, own.Facts[fact], other.Facts[fact])
			}
		}
		ours, theirs = append(ours, own), append(theirs, other)
	}
	row := func(name string, list []outcome) ([]string, time.Duration) {
		times := report.Each(list, func(o outcome) time.Duration { return o.lap("decode") })
		return []string{
			name, middle(times), report.Number(float64(holders) / report.Median(times).Seconds()),
			fmt.Sprintf("%.0f MiB", slices.Max(report.Each(list, outcome.mib))),
		}, report.Median(times)
	}
	first, own := row("ours", ours)
	second, other := row("`JSON.parse` and `@solana/kit`", theirs)
	return fmt.Sprintf("The same answer of %s accounts decoded and added up, in turns; the peer takes **%.1f times** as long:\n\n%s\n",
		report.Number(float64(holders)), other.Seconds()/own.Seconds(),
		strings.TrimRight(document.Markdown([][]string{{"decode", "processor time", "accounts a second", "memory at the peak"}, first, second}), "\n")), nil
}
