// Package coldstart measures how long functions take from the start of their process to
// their first answer, ours and the same in Node.
package coldstart

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/infra/local/deployed"
	"tokenlaunch.example/service/infra/runtimeapi"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// Options of a measurement.
type Options struct {
	Folder  project.Folder
	Scratch string // a folder for what is built
	// Env has the variables of each function.
	Env map[string]map[string]string
	// RPCURL is where the chain is.
	RPCURL string
	Runs   int
}

// subject is a function that is measured, of ours or of the peer's.
type subject struct {
	name     string // as the tables have it
	function string // whose event it gets; empty for an empty one
	program  program
	bytes    int64 // of the zip, or of the bundle
	starts   []start
	until    map[int][]time.Duration // answers of one process, and how long they took
}

// Result is what was measured.
type Result struct{ ours, peers []*subject }

// growing are the numbers of answers of one process that are waited for.
var growing = []int{1, 10, 100}

// grown is how often: fewer than starts, for each takes a hundred events.
const grown = 5

// Measure starts every function that make build has built and the peer's, in turns, so
// that what else the machine does meets all of them.
func Measure(ctx context.Context, o Options) (Result, error) {
	w := &wire{}
	defer w.close()
	r, err := o.subjects(ctx, w)
	if err != nil {
		return Result{}, err
	}
	all := slices.Concat(r.ours, r.peers)
	for run := range o.Runs + 1 {
		for _, s := range all {
			event, err := makeEvent(o.Folder, s.function)
			if err != nil {
				return Result{}, err
			}
			started, err := startOnce(ctx, s.program, w, event)
			if err != nil {
				return Result{}, fmt.Errorf("start %s: %w", s.name, err)
			}
			if err := check(s.function, started.answer); err != nil {
				return Result{}, err
			}
			if run == 0 { // it reads the program from the disk, and its answer is compared
				s.starts = []start{started}
				continue
			}
			s.starts = append(s.starts, started)
		}
		if run == 0 {
			if err := r.compare(); err != nil {
				return Result{}, err
			}
			for _, s := range all {
				s.starts = nil
			}
		}
	}
	return r, r.grow(ctx, o, w)
}

// compare holds the peers' answers against ours.
func (r Result) compare() error {
	for _, p := range r.peers {
		for _, s := range r.ours {
			if s.function != p.function {
				continue
			}
			if err := sameAnswer(s.starts[0].answer, p.starts[0].answer); err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
		}
	}
	return nil
}

// grow has one process after the other give many answers, where there is a peer.
func (r Result) grow(ctx context.Context, o Options, w *wire) error {
	var compared []*subject
	for _, s := range slices.Concat(r.ours, r.peers) {
		if s.function == "auth" {
			s.until = map[int][]time.Duration{}
			compared = append(compared, s)
		}
	}
	for range min(o.Runs, grown) {
		for _, s := range compared {
			if err := s.answers(ctx, o, w); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	return nil
}

// answers has a new process give answers, and notes its own time until some of them.
func (s *subject) answers(ctx context.Context, o Options, w *wire) error {
	w.taken()
	process, err := s.program.run(ctx)
	if err != nil {
		return err
	}
	defer process.Stop()
	var waited time.Duration
	for n := range slices.Max(growing) {
		began := time.Now()
		event, err := makeEvent(o.Folder, s.function)
		if err != nil {
			return err
		}
		if n > 0 { // the first is made while the process starts
			waited += time.Since(began)
		}
		answer, err := process.Invoke(ctx, runtimeapi.Event{Payload: event})
		if err != nil {
			return err
		}
		if err := check(s.function, answer); err != nil {
			return err
		}
		if slices.Contains(growing, n+1) {
			waited += w.taken()
			s.until[n+1] = append(s.until[n+1], time.Since(process.Began())-waited)
		}
	}
	return nil
}

// subjects lists what is measured: ours first.
func (o Options) subjects(ctx context.Context, w *wire) (r Result, err error) {
	binaries, err := filepath.Glob(o.Folder.Path(".build/functions/*/bootstrap"))
	if err != nil {
		return r, err
	}
	if len(binaries) == 0 {
		return r, errors.New("no function is built: run make build")
	}
	node, err := w.to(o.RPCURL)
	if err != nil {
		return r, err
	}
	servers := map[string]string{} // by where they are
	environment := func(function string) (map[string]string, error) {
		env := maps.Clone(o.Env[function])
		aws := env["AWS_ENDPOINT_URL"]
		if servers[aws] == "" {
			if servers[aws], err = w.to(aws); err != nil {
				return nil, err
			}
		}
		env["AWS_ENDPOINT_URL"] = servers[aws]
		if env["RPC_SECRET"] != "" {
			env["RPC_SECRET"], env["RPC_URL"] = "", node
		}
		return env, nil
	}
	for _, binary := range binaries {
		function := filepath.Base(filepath.Dir(binary))
		if o.Env[function] == nil {
			continue // built once, or not deployed yet
		}
		env, err := environment(function)
		if err != nil {
			return r, err
		}
		zip, err := os.Stat(o.Folder.Path(".build/functions/" + function + ".zip"))
		if err != nil {
			return r, err
		}
		r.ours = append(r.ours, &subject{name: function, function: function, bytes: zip.Size(), program: program{binary: binary, env: deployed.List(env)}})
	}
	for _, p := range peers {
		env, err := environment(cmp.Or(p.function, "auth"))
		if err != nil {
			return r, err
		}
		list, err := o.node(ctx, p.script)
		if err != nil {
			return r, err
		}
		for _, program := range list {
			program.program.env = deployed.List(env)
			program.function = p.function
			r.peers = append(r.peers, program)
		}
	}
	return r, nil
}

func own(s start) time.Duration      { return s.own() }
func answered(s start) time.Duration { return s.answered }

// median is the one of what f says of the starts.
func (s *subject) median(f func(start) time.Duration) time.Duration {
	return report.Median(report.Each(s.starts, f))
}
