// Command bench measures the service and its peers, prints the figures and writes the figures into
// docs/performance.md. The command asserts nothing, because another machine has other figures.
//
//	cd infra && go run ./bench [-runs 20] [-only routes,load]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"tokenlaunch.example/service/infra/bench/airdrop"
	"tokenlaunch.example/service/infra/bench/launchtx"
	"tokenlaunch.example/service/infra/bench/million"
	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/infra/local/deployed"
	"tokenlaunch.example/service/infra/local/progress"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/pkg/testkit/localnet/ministack"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// section is a part of docs/performance.md with a separate measurement.
type section struct {
	name    string // the name for -only
	measure func(context.Context, on) ([]document.Table, error)
	// onStack reports that the section needs the whole stack. Such sections run first.
	onStack bool
}

// sections are measured in this order, the sections on the stack first.
var sections = []section{
	{"routes", routeTables, true},
	{"load", loadTables, true},
	{"launch", func(ctx context.Context, o on) ([]document.Table, error) {
		return launchtx.Tables(ctx, o.folder, o.runs)
	}, false},
	{"distribution", distributionTables, false},
	{"sandwich", sandwichTables, false},
	{"proof", proofTables, false},
	{"million", func(ctx context.Context, o on) ([]document.Table, error) {
		return million.Tables(ctx, o.folder, o.scratch)
	}, false},
	{"airdrop", func(ctx context.Context, o on) ([]document.Table, error) {
		return airdrop.Tables(ctx, o.folder, o.scratch)
	}, false},
	{"finality", finalityTables, false},
	{"validator", func(ctx context.Context, o on) ([]document.Table, error) {
		return airdrop.ValidatorTables(ctx, o.folder)
	}, false},
	{"collecting", func(ctx context.Context, o on) ([]document.Table, error) {
		return airdrop.CollectTables(ctx, o.folder)
	}, false},
}

// parts are the parts of this program that run on the stack in a separate process. Each part reads
// the address of the stack from standard input.
var parts = map[string]func(ctx context.Context, in io.Reader, out io.Writer) error{"routes": answerRoutes, "load": serve}

// on is the environment of a measurement. Without a stack the last two fields are empty.
type on struct {
	folder  project.Folder
	scratch string
	runs    int // the number of runs of a comparison
	stack   *runner.Stack
	place   place
}

// environments are the variables of functions, by name.
type environments map[string]map[string]string

// place is the location of the stack for a measuring process.
type place struct {
	Functions environments
	RPCURL    string
}

func main() {
	runs := flag.Int("runs", 20, "how often what is compared is run")
	only := flag.String("only", "", "the sections that are measured, with commas between: "+strings.Join(names(), ","))
	part := flag.String("as", "", "used by bench itself: do a part of the work, which comes in")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	if do := parts[*part]; do != nil {
		err = do(ctx, os.Stdin, os.Stdout)
	} else {
		err = bench(ctx, *only, *runs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func names() []string { return report.Each(sections, func(s section) string { return s.name }) }

// chosen returns the sections with the given names, or all sections for an empty list.
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

// bench measures sections and writes each section into the document when the section is done, so
// that a failed section does not stop other sections.
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
	o, out := on{folder: folder, scratch: scratch, runs: runs}, progress.New(os.Stdout)
	if list[0].onStack {
		if o.stack, err = runner.Start(ctx, runner.Options{Project: folder, Folder: scratch, Offline: true, Progress: out}); err != nil {
			return err
		}
		defer o.stack.Stop()
		if o.place, err = placeOf(ctx, o.stack); err != nil {
			return err
		}
	}
	var failed error
	for _, s := range list {
		if !s.onStack && o.stack != nil {
			o.stack.Stop() // otherwise the stack would be measured, too
			o.stack = nil
		}
		tables, err := s.measure(ctx, o)
		if err == nil {
			for _, t := range tables {
				out.Plain("\n" + t.Text)
			}
			err = document.WriteInto(folder.Path("docs/performance.md"), tables)
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("section %s: %w", s.name, err))
		}
	}
	return failed
}

// placeOf reads the environment of the stack's functions.
func placeOf(ctx context.Context, stack *runner.Stack) (place, error) {
	functions, err := deployed.Functions(ctx, stack.AWS.Config(), stack.Outputs.Functions())
	if err != nil {
		return place{}, err
	}
	p := place{Functions: environments{}, RPCURL: stack.Chain.RPCURL}
	for name, f := range functions {
		p.Functions[name] = access(stack.AWS)
		maps.Copy(p.Functions[name], f.Variables)
	}
	return p, nil
}

// access returns the variables with which a function reaches AWS.
func access(aws *ministack.Server) map[string]string {
	return deployed.Access(aws.Endpoint, ministack.Region, ministack.Credentials)
}

// apart returns a part as a separate process, because this process runs the IPFS node and follows
// the stack's logs.
func (o on) apart(part string) (report.Side, error) {
	self, err := os.Executable()
	return report.Side{Name: part, Command: []string{self, "-as", part}, In: o.place, Env: deployed.List(access(o.stack.AWS))}, err
}

// localMachine describes the machine, and the local implementations of AWS and the chain.
func localMachine(ctx context.Context, folder project.Folder) (string, error) {
	return report.Machine(ctx, folder, report.MiniStack, report.Surfpool)
}
