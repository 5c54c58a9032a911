package main

import (
	"context"
	"io"
	"strings"

	"tokenlaunch.example/service/pkg/provider/solanarpc"
)

// Ask asks before something is signed, and reads the answer.
func Ask(answer string) error {
	return (&program{in: strings.NewReader(answer), errs: io.Discard}).ask("Sign?", "refused")
}

// Run is the command, with its exit code.
var Run = run

// Units writes an amount of a token.
var Units = units

// Land sends a signed transaction to a node, and gives the exit code of what became of it.
func Land(ctx context.Context, rpc, signed string, height uint64) (int, error) {
	node, err := solanarpc.New(rpc)
	if err != nil {
		return wrong, err
	}
	if _, err = land(ctx, node, signed, height); err != nil {
		return exitCode(err), err
	}
	return good, nil
}
