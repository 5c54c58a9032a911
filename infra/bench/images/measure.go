// Package images measures how the service makes the picture that it stores, against sharp
// on the same files.
package images

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// taken is what was measured: for each side, the samples of each file, and how like the
// results are to the reference.
type taken struct {
	names   []string
	samples []map[string][]sample // by side, by name
	like    map[string]map[string]float64
}

// inputs writes the files into the folder and gives their names; those that are for growth
// apart.
func inputs(ctx context.Context, in project.Folder, folder string) (names, growing []string, err error) {
	arguments := []string{"inputs.mjs", folder, strconv.Itoa(motifWidth), strconv.Itoa(motifHeight)}
	for _, m := range motifs {
		picture, err := m.draw()
		if err != nil {
			return nil, nil, fmt.Errorf("draw %s: %w", m.name, err)
		}
		if err := os.WriteFile(filepath.Join(folder, m.name+".rgba"), picture.Pix, 0o600); err != nil {
			return nil, nil, err
		}
		arguments = append(arguments, m.name)
	}
	cmd := node(ctx, in, arguments...)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, nil, fmt.Errorf("write the files: %w", err)
	}
	all, err := filepath.Glob(filepath.Join(folder, "*.*g"))
	for _, path := range all {
		if name := filepath.Base(path); strings.HasPrefix(name, growthPrefix) {
			growing = append(growing, name)
		} else {
			names = append(names, name)
		}
	}
	return names, growing, err
}

// measure asks all sides for all files, in turns, so many times.
func measure(ctx context.Context, in project.Folder, folder string, names []string, rounds int) (out []map[string][]sample, err error) {
	processes := make([]*process, len(sides))
	out = make([]map[string][]sample, len(sides))
	for i, s := range sides {
		if err := os.MkdirAll(filepath.Join(folder, s.of), 0o700); err != nil {
			return nil, err
		}
		if processes[i], err = start(s.command(ctx, in, folder)); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, processes[i].stop()) }()
		out[i] = map[string][]sample{}
	}
	for round := range rounds + 1 {
		for _, name := range names {
			for i, p := range processes {
				var s sample
				if err := p.ask(name, &s); err != nil {
					return nil, fmt.Errorf("%s: %w", sides[i].name, err)
				}
				if round > 0 { // the first is to warm up
					out[i][name] = append(out[i][name], s)
				}
			}
		}
	}
	return out, nil
}

// compare says how like the results of both sides are to the reference.
func compare(ctx context.Context, in project.Folder, folder string, names []string) (like map[string]map[string]float64, err error) {
	judge, err := start(node(ctx, in, "quality.mjs", folder, ours, peers))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, judge.stop()) }()
	like = map[string]map[string]float64{ours: {}, peers: {}}
	for _, name := range names {
		var answer []float64
		if err := judge.ask(name, &answer); err != nil {
			return nil, err
		}
		if len(answer) != 2 || slices.Min(answer) < alike {
			return nil, fmt.Errorf("%s: the results are not of the same picture: %v", name, answer)
		}
		like[ours][name], like[peers][name] = answer[0], answer[1]
	}
	return like, nil
}

// alike is the least likeness to the reference of what shows the same picture at all.
const alike = 0.9
