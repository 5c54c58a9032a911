package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agext/levenshtein"

	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// checkFunction refuses a name that no function has, and says which there are.
func (c command) checkFunction(name string) error {
	mains, err := filepath.Glob(c.root.Path("functions/*/main.go"))
	if err != nil {
		return err
	}
	var names []string
	for _, file := range mains {
		names = append(names, filepath.Base(filepath.Dir(file)))
	}
	if slices.Contains(names, name) {
		return nil
	}
	if name == "" {
		return fmt.Errorf("FN is empty: it must be one of %s", strings.Join(names, " "))
	}
	return fmt.Errorf("FN is %q: it must be one of %s", name, strings.Join(names, " "))
}

// maxEvent is what Lambda takes as an event, 6 MB.
const maxEvent = 6 << 20

// readEvent finds the event: "-", the path of a file, or a name in events/.
func (c command) readEvent(function, name string) (event []byte, err error) {
	switch {
	case name == "":
		return nil, fmt.Errorf("EVENT is empty: it must be a name in events/, a file or -; of %s there are %s",
			function, strings.Join(c.nearest(function, function), " "))
	case name == "-":
		event, err = io.ReadAll(io.LimitReader(c.in, maxEvent+1))
		name = "standard input"
	case strings.Contains(name, "/") || strings.HasSuffix(name, ".json"):
		event, err = os.ReadFile(name)
	default:
		event, err = os.ReadFile(c.root.Path("events/" + name + ".json"))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("EVENT is %q: events/ has none of that name; near are %s",
				name, strings.Join(c.nearest(function, name), " "))
		}
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("read EVENT: %w", err)
	case len(event) > maxEvent:
		return nil, fmt.Errorf("EVENT is longer than the %d bytes that Lambda takes", maxEvent)
	case !json.Valid(event):
		return nil, fmt.Errorf("EVENT is no JSON: %s", name)
	}
	return event, nil
}

// most is how many names are proposed.
const most = 8

// nearest lists events whose names are near to the given one, those of the function
// before others.
func (c command) nearest(function, name string) []string {
	files, err := filepath.Glob(c.root.Path("events/*.json"))
	if err != nil {
		return nil
	}
	type candidate struct {
		name string
		far  int
	}
	var all []candidate
	for _, file := range files {
		event := strings.TrimSuffix(filepath.Base(file), ".json")
		far := levenshtein.Distance(name, event, nil)
		if !strings.HasPrefix(event, function+"-") {
			far += 1000
		}
		all = append(all, candidate{event, far})
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return a.far - b.far })
	var names []string
	for _, c := range all[:min(most, len(all))] {
		if c.far < 1000 || len(names) == 0 {
			names = append(names, c.name)
		}
	}
	return names
}

// build builds the function through the Makefile, which knows how.
func build(ctx context.Context, root project.Folder, function string) (string, error) {
	cmd := exec.CommandContext(ctx, "make", "--no-print-directory", "-s", "function-"+function)
	cmd.Dir = string(root)
	for _, variable := range os.Environ() {
		switch name, _, _ := strings.Cut(variable, "="); name {
		case "MAKEFLAGS", "MAKELEVEL", "MFLAGS", "ARCH": // of an outer make
		default:
			cmd.Env = append(cmd.Env, variable)
		}
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s does not build:\n%s", function, strings.TrimSpace(string(out)))
	}
	return root.Path(".build/bin/" + function), nil
}
