package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agext/levenshtein"

	"tokenlaunch.example/service/pkg/testkit/eventtest"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// checkFunction rejects an unknown name, and lists the functions.
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

// maxEvent is Lambda's maximum size of an event, 6 MB.
const maxEvent = 6 << 20

// readEvent reads the event: "-", the path of a file, or the name of a sample event.
func (c command) readEvent(function, name string) (event []byte, err error) {
	switch {
	case name == "":
		return nil, fmt.Errorf("EVENT is empty: it must be the name of an event, an operation, a file or -; of %s there are %s",
			function, strings.Join(nearest(function, function), " "))
	case name == "-":
		event, err = io.ReadAll(io.LimitReader(c.in, maxEvent+1))
		name = "standard input"
	case strings.Contains(name, "/") || strings.HasSuffix(name, ".json"):
		event, err = os.ReadFile(name)
	default:
		event, err = eventtest.Event(name)
		if errors.Is(err, eventtest.ErrUnknown) {
			return nil, fmt.Errorf("EVENT is %w; near are %s", err, strings.Join(nearest(function, name), " "))
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

// most is the maximum number of proposed names.
const most = 8

// nearest lists events with similar names, the function's events first.
func nearest(function, name string) []string {
	events, err := eventtest.Names()
	if err != nil {
		return nil
	}
	far := func(event string) int {
		distance := levenshtein.Distance(name, event, nil)
		if eventtest.Function(event) != function {
			distance += 1000
		}
		return distance
	}
	slices.SortStableFunc(events, func(a, b string) int { return far(a) - far(b) })
	near := events[:min(most, len(events))]
	if i := slices.IndexFunc(near, func(event string) bool { return far(event) >= 1000 }); i > 0 {
		near = near[:i]
	}
	return near
}

// build builds the function through the Makefile.
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
