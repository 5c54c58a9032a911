// Command bench measures the functions, the routes and distributions, prints the
// figures and writes them into docs/performance.md. It runs the whole service
// locally, starts each function's binary as Lambda does, and calls every route's
// handler in a process of its own, so that nothing but the route is measured there.
// Distributions are measured by tests of theirs.
//
//	cd infra && go run ./bench [-runs 20] [-load] [-distributions]
package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"syscall"

	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/infra/local/deployed"
	"tokenlaunch.example/service/infra/local/progress"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/pkg/localnet/ministack"
	"tokenlaunch.example/service/pkg/localnet/project"
)

func main() {
	runs := flag.Int("runs", 20, "how often each function is started")
	distributions := flag.Bool("distributions", false, "measure distributions only")
	loads := flag.Bool("load", false, "measure under load only")
	samples := flag.Bool("samples", false, "used by bench itself: measure the routes of the stack that comes in, and give the samples out")
	serving := flag.Bool("serve", false, "used by bench itself: serve the handlers of the stack that comes in")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	run := bench
	if *distributions {
		run = distributionsOnly
	}
	switch {
	case *loads:
		run = loadOnly
	case *samples:
		run = func(ctx context.Context, _ int) error { return routesOnly(ctx, os.Stdin, os.Stdout) }
	case *serving:
		run = func(ctx context.Context, _ int) error { return serve(ctx, os.Stdin, os.Stdout) }
	}
	if err := run(ctx, *runs); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// onStack measures on a whole stack that runs here, and writes the tables.
func onStack(ctx context.Context, measure func(on) ([]document.Table, error)) error {
	folder, err := project.Find()
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	out := progress.New(os.Stdout)
	stack, err := runner.Start(ctx, runner.Options{Project: folder, Folder: scratch, Offline: true, Progress: out})
	if err != nil {
		return err
	}
	defer stack.Stop()
	env, err := variables(ctx, stack)
	if err != nil {
		return err
	}
	tables, err := measure(on{folder, scratch, out, stack, place{Functions: env, RPCURL: stack.Chain.RPCURL}})
	if err != nil {
		return err
	}
	return write(folder, out, tables)
}

// on is what is measured on.
type on struct {
	folder  project.Folder
	scratch string
	out     *progress.Printer
	stack   *runner.Stack
	place   place
}

func bench(ctx context.Context, runs int) error {
	return onStack(ctx, func(o on) ([]document.Table, error) {
		colds, err := measureColdStarts(ctx, o.folder, o.place.Functions, runs)
		if err != nil {
			return nil, err
		}
		o.out.Done("Cold starts", fmt.Sprintf("%d functions, %d starts each", len(colds), runs))
		taken, err := measureApart(ctx, o.stack.AWS, o.place)
		if err != nil {
			return nil, err
		}
		o.out.Done("Routes", fmt.Sprintf("%d samples of each", pageSize))
		tables, err := report(ctx, o.folder, colds, taken)
		if err != nil {
			return nil, err
		}
		loaded, err := loadTable(ctx, o)
		if err != nil {
			return nil, err
		}
		o.stack.Stop() // it would be measured, too
		distributions, err := measureDistributions(ctx, o.folder, o.scratch)
		return append(tables, loaded, distributions), err
	})
}

// loadOnly leaves the rest of the document as it is.
func loadOnly(ctx context.Context, _ int) error {
	return onStack(ctx, func(o on) ([]document.Table, error) {
		loaded, err := loadTable(ctx, o)
		return []document.Table{loaded}, err
	})
}

func loadTable(ctx context.Context, o on) (document.Table, error) {
	loaded, err := measureLoad(ctx, o.folder, o.stack.AWS, o.place)
	if err == nil {
		o.out.Done("Load", fmt.Sprintf("%d routes, %s each", len(loadTargets), loadFor))
	}
	return loaded, err
}

// distributionsOnly leaves the rest of the document as it is.
func distributionsOnly(ctx context.Context, _ int) error {
	folder, err := project.Find()
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	measured, err := measureDistributions(ctx, folder, scratch)
	if err != nil {
		return err
	}
	return write(folder, progress.New(os.Stdout), []document.Table{measured})
}

// write prints tables and puts them into the document.
func write(folder project.Folder, out *progress.Printer, tables []document.Table) error {
	for _, t := range tables {
		out.Plain("\n" + t.Text)
	}
	return document.WriteInto(folder.Path("docs/performance.md"), tables)
}

// variables reads what the functions of the stack have in their environment.
func variables(ctx context.Context, stack *runner.Stack) (environments, error) {
	functions, err := deployed.Functions(ctx, stack.AWS.Config(), stack.Outputs.Functions())
	if err != nil {
		return nil, err
	}
	env := environments{}
	for name, f := range functions {
		env[name] = access(stack.AWS)
		maps.Copy(env[name], f.Variables)
	}
	return env, nil
}

// access is how a function reaches AWS.
func access(aws *ministack.Server) environment {
	return deployed.Access(aws.Endpoint, ministack.Region, ministack.Credentials)
}
