package launch_test

import (
	"fmt"
	"testing"

	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/launchtest"
)

// hit is one way to break one call.
type hit struct {
	name string
	on   func(p *fault.Process, at fault.Match)
	// forGood is for the call and all later ones of its operation.
	forGood bool
	// kills is of a hit by which the process dies.
	kills bool
}

var crashes = []hit{
	{name: "crash before", kills: true, on: (*fault.Process).KillBefore},
	{name: "crash after", kills: true, on: (*fault.Process).KillAfter},
}

// crashesAndFailures are also what a process lives through.
var crashesAndFailures = append(crashes[:2:2],
	hit{name: "down", on: func(p *fault.Process, at fault.Match) { p.On(at, fault.Down) }},
	hit{name: "reply lost", on: func(p *fault.Process, at fault.Match) { p.On(at, fault.ReplyLost) }},
	hit{name: "down permanently", on: func(p *fault.Process, at fault.Match) { p.On(at, fault.Down) }, forGood: true},
	hit{name: "replies lost permanently", on: func(p *fault.Process, at fault.Match) { p.On(at, fault.ReplyLost) }, forGood: true},
)

func (h hit) match(c fault.Call) fault.Match {
	if !h.forGood {
		return fault.Exactly(c)
	}
	return func(other fault.Call) bool {
		return other.Service == c.Service && other.Operation == c.Operation && other.N >= c.N
	}
}

// nonceEnv is an environment with nonces of its own.
type nonceEnv struct {
	*launchtest.Env
	nonceKeyID string
}

func newNonceEnv(t *testing.T) nonceEnv {
	t.Helper()
	g := launchtest.NewEnv(t)
	return nonceEnv{Env: g, nonceKeyID: g.NewAuthority(t)}
}

// matrix is a list of cases: every call of a run times every hit.
type matrix []matrixCase

type matrixCase struct {
	name  string
	kinds []string
	run   func(*testing.T, nonceEnv)
}

// add creates a case of each call and hit, except deaths at calls that change nothing. strike
// arranges the hit.
func (m *matrix) add(name string, calls []fault.Call, hits []hit, run func(t *testing.T, on nonceEnv, strike func(*fault.Process))) {
	for _, c := range calls {
		for _, h := range hits {
			if h.kills && fault.Reads(c) {
				continue
			}
			*m = append(*m, matrixCase{
				fmt.Sprintf("%s/%s/%s", name, c, h.name),
				[]string{fmt.Sprintf("%s %s/%s", c.Service, c.Operation, h.name), fmt.Sprintf("%s/%s", name, h.name)},
				func(t *testing.T, on nonceEnv) { run(t, on, func(p *fault.Process) { h.on(p, h.match(c)) }) },
			})
		}
	}
}

func (m matrix) run(t *testing.T, what string) {
	fault.Matrix[nonceEnv, matrixCase]{
		What: "crash matrix of " + what, Cases: m,
		Name: func(c matrixCase) string { return c.name }, Kinds: func(c matrixCase) []string { return c.kinds },
		NewEnv: newNonceEnv, Share: len(m),
		Play: func(t *testing.T, on nonceEnv, c matrixCase) { c.run(t, on) },
	}.Run(t)
}
