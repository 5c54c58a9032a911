// Command bench measures the service and its peers, prints the figures and writes them
// into docs/performance.md. It asserts nothing: another machine has other figures.
//
//	cd infra && go run ./bench [-runs 20] [-only cold,routes]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"tokenlaunch.example/service/infra/bench/images"
	"tokenlaunch.example/service/infra/bench/launchtx"
	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/infra/local/deployed"
	"tokenlaunch.example/service/infra/local/progress"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/pkg/testkit/localnet/ministack"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// section is a part of docs/performance.md, which is measured on its own.
type section struct {
	name    string // as -only takes it
	measure func(context.Context, on) ([]document.Table, error)
	// onStack: it needs the whole stack, which runs before what does not.
	onStack bool
}

// sections are measured in this order: those on the stack come first.
var sections = []section{
	{"cold", coldTables, true},
	{"routes", routeTables, true},
	{"load", loadTables, true},
	{"launch", launchTables, false},
	{"images", imageTables, false},
	{"distribution", distributionTables, false},
	{"million", millionTables, false},
	{"tables", lookupTables, false},
	{"airdrop", airdropTables, false},
}

// on is what is measured on. Without a stack the last two are empty.
type on struct {
	folder  project.Folder
	scratch string
	out     *progress.Printer
	runs    int // how often what is compared is run
	stack   *runner.Stack
	place   place
}

func main() {
	runs := flag.Int("runs", 20, "how often what is compared is run")
	only := flag.String("only", "", "the sections that are measured, with commas between: "+strings.Join(names(), ","))
	samples := flag.Bool("samples", false, "used by bench itself: measure the routes of the stack that comes in, and give the samples out")
	serving := flag.Bool("serve", false, "used by bench itself: serve the handlers of the stack that comes in")
	making := flag.Bool(launchtx.Flag, false, "used by bench itself: make the transactions of the launches that come in")
	pictures := flag.String(images.Flag, "", "used by bench itself: make the pictures of this folder whose names come in")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	switch {
	case *samples:
		err = routesOnly(ctx, os.Stdin, os.Stdout)
	case *making:
		err = launchtx.Answer(os.Stdin, os.Stdout)
	case *pictures != "":
		err = images.Answer(*pictures, os.Stdin, os.Stdout)
	case *serving:
		err = serve(ctx, os.Stdin, os.Stdout)
	default:
		err = bench(ctx, *only, *runs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func names() (list []string) {
	for _, s := range sections {
		list = append(list, s.name)
	}
	return list
}

// chosen gives the sections of a list of names; all of them for none.
func chosen(only string) ([]section, error) {
	if only == "" {
		return sections, nil
	}
	var list []section
	for _, s := range sections {
		if slices.Contains(strings.Split(only, ","), s.name) {
			list = append(list, s)
		}
	}
	if len(list) != len(strings.Split(only, ",")) {
		return nil, fmt.Errorf("-only %s: the sections are %s", only, strings.Join(names(), ", "))
	}
	return list, nil
}

// bench measures sections and writes each into the document when it is done, so that one
// that fails costs no other.
func bench(ctx context.Context, only string, runs int) error {
	list, err := chosen(only)
	if err != nil {
		return err
	}
	folder, err := project.Find()
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	o := on{folder: folder, scratch: scratch, out: progress.New(os.Stdout), runs: runs}
	if list[0].onStack {
		if o.stack, err = runner.Start(ctx, runner.Options{Project: folder, Folder: scratch, Offline: true, Progress: o.out}); err != nil {
			return err
		}
		defer o.stack.Stop()
		env, err := variables(ctx, o.stack)
		if err != nil {
			return err
		}
		o.place = place{Functions: env, RPCURL: o.stack.Chain.RPCURL}
	}
	var failed error
	for _, s := range list {
		if !s.onStack && o.stack != nil {
			o.stack.Stop() // it would be measured, too
			o.stack = nil
		}
		tables, err := s.measure(ctx, o)
		if err == nil {
			err = write(folder, o.out, tables)
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("section %s: %w", s.name, err))
		}
	}
	return failed
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
