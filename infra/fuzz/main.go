// Command fuzz runs every fuzz target of both modules for a while, one after the
// other, and fails when one of them finds something. What it finds is an input
// under testdata/fuzz of the package: mend the code, then commit the input, which
// from then on runs with the ordinary tests.
//
//	cd infra && go run ./fuzz -each 3s [-only Decode] [-one-in 3]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"time"
)

func main() {
	each := flag.Duration("each", 3*time.Second, "how long each target runs")
	oneIn := flag.Int("one-in", 1, "run the targets of one package in so many, of others on each day")
	only := flag.String("only", "", "run the targets whose package or name this regular expression matches")
	root := flag.String("root", "..", "the project's folder")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *root, *only, *oneIn, *each); err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, root, only string, oneIn int, each time.Duration) error {
	began := time.Now()
	wanted, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	if root, err = filepath.Abs(root); err != nil {
		return err
	}
	packages, err := find(root, wanted)
	if err != nil {
		return err
	}
	if len(packages) == 0 {
		return errors.New("no target matches")
	}
	if oneIn < 1 {
		return errors.New("-one-in must be 1 or more")
	}
	all := count(packages)
	packages = today(packages, oneIn, began)
	scratch, err := os.MkdirTemp("", "fuzz-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	cache, err := cacheFolder(ctx)
	if err != nil {
		return err
	}
	targets, findings := 0, 0
	total := tally{}
	// The next package is built while the targets of this one run.
	for built := range build(ctx, packages, scratch) {
		if built.err != nil {
			return built.err
		}
		for _, name := range built.targets {
			targets++
			result := fuzz(ctx, built, name, each, filepath.Join(cache, built.path))
			if err := ctx.Err(); err != nil {
				return err
			}
			total = total.plus(result.tally)
			fmt.Printf("  %-62s %9d execs %5d new inputs%s\n", built.path+"."+name, result.execs, result.fresh, result.note)
			if result.finding != "" {
				findings++
				fmt.Printf("\n%s\n    run it again:  cd %s && go test -run '^%s$'\n\n", result.finding, built.path, name)
			}
		}
	}
	fmt.Printf("%d of %d fuzz targets, in %d packages, %s each on %d cores: %d execs, %d new inputs, %d findings, %s\n",
		targets, all, len(packages), each, runtime.NumCPU(), total.execs, total.fresh, findings, time.Since(began).Round(time.Second))
	if findings > 0 {
		return fmt.Errorf("%d targets found something", findings)
	}
	return nil
}
