package main

import (
	"errors"
	"testing"
)

// What go test prints, Go 1.26.
const (
	ran = `fuzz: elapsed: 0s, gathering baseline coverage: 0/10 completed
fuzz: elapsed: 2s, execs: 41 (122/sec), new interesting: 3 (total: 10)
fuzz: elapsed: 3s, execs: 99 (122/sec), new interesting: 4 (total: 11)
`
	late = ran + `--- FAIL: FuzzX (3.03s)
    context deadline exceeded
FAIL
`
	found = ran + `--- FAIL: FuzzX (0.34s)
    --- FAIL: FuzzX (0.00s)
        x_test.go:9: context deadline exceeded

    Failing input written to testdata/fuzz/FuzzX/2fe4
FAIL
`
	seed = `fuzz: elapsed: 0s, gathering baseline coverage: 0/10 completed
failure while testing seed corpus entry: FuzzX/seed#0
--- FAIL: FuzzX (0.04s)
    --- FAIL: FuzzX (0.00s)
        x_test.go:9: wrong
`
)

func TestOnlyFindingsFail(t *testing.T) {
	failed := errors.New("exit status 1")
	for name, c := range map[string]struct {
		text  string
		err   error
		fails bool
		execs int
	}{
		"nothing found":                {ran + "PASS\n", nil, false, 99},
		"the fuzzer's own deadline":    {late, failed, false, 99},
		"an input":                     {found, failed, true, 99},
		"a seed":                       {seed, failed, true, 0},
		"killed, saying nothing":       {"", errors.New("signal: killed"), true, 0},
		"no such target: also a fault": {"testing: warning: no fuzz tests to fuzz\n", failed, true, 0},
	} {
		got := judge(c.text, c.err)
		if (got.finding != "") != c.fails || got.execs != c.execs {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
