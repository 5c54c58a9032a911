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

	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/infra/local/deployed"
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
	peer     bool
	program  program
	bytes    int64 // of the zip
	starts   []start
}

// Tables starts every function that make build has built and the peer's, in turns, and
// gives the tables of ours and of the comparison.
func Tables(ctx context.Context, o Options) ([]document.Table, error) {
	w := &wire{}
	defer w.close()
	subjects, err := o.subjects(ctx, w)
	if err != nil {
		return nil, err
	}
	taken, err := report.Turns(o.Runs+1, subjects, func(s *subject) (start, error) {
		event, err := makeEvent(o.Folder, s.function)
		if err != nil {
			return start{}, err
		}
		started, err := startOnce(ctx, s.program, w, event)
		if err != nil {
			return start{}, fmt.Errorf("start %s: %w", s.name, err)
		}
		return started, check(s.function, started.answer)
	})
	if err != nil {
		return nil, err
	}
	for i, s := range subjects {
		// The first start reads the program from the disk. Its answer is compared with ours.
		s.starts = taken[i][1:]
		ours := slices.IndexFunc(subjects, func(other *subject) bool { return !other.peer && other.function == s.function })
		if s.peer && ours >= 0 {
			if err := sameAnswer(taken[ours][0].answer, taken[i][0].answer); err != nil {
				return nil, fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	return []document.Table{
		{Name: "bench:cold-start", Text: functionTable(subjects)},
		{Name: "bench:cold-start-node", Text: peerTable(subjects)},
	}, nil
}

// subjects lists what is measured: ours first.
func (o Options) subjects(ctx context.Context, w *wire) (list []*subject, err error) {
	binaries, err := filepath.Glob(o.Folder.Path(".build/functions/*/bootstrap"))
	if err != nil {
		return nil, err
	}
	if len(binaries) == 0 {
		return nil, errors.New("no function is built: run make build")
	}
	node, err := w.to(o.RPCURL)
	if err != nil {
		return nil, err
	}
	servers := map[string]string{} // by where they are
	environment := func(function string) ([]string, error) {
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
		return deployed.List(env), nil
	}
	for _, binary := range binaries {
		function := filepath.Base(filepath.Dir(binary))
		if o.Env[function] == nil {
			continue // built once, or not deployed yet
		}
		env, err := environment(function)
		if err != nil {
			return nil, err
		}
		zip, err := os.Stat(o.Folder.Path(".build/functions/" + function + ".zip"))
		if err != nil {
			return nil, err
		}
		list = append(list, &subject{name: function, function: function, bytes: zip.Size(), program: program{binary: binary, env: env}})
	}
	for _, p := range peers {
		env, err := environment(cmp.Or(p.function, "auth"))
		if err != nil {
			return nil, err
		}
		programs, err := o.node(ctx, p.script)
		if err != nil {
			return nil, err
		}
		for _, s := range programs {
			s.program.env, s.function, s.peer = env, p.function, true
			list = append(list, s)
		}
	}
	return list, nil
}
