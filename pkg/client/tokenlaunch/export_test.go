package main

import (
	"io"
	"strings"
)

// Ask asks before something is signed, and reads the answer.
func Ask(answer string) error {
	return (&program{in: strings.NewReader(answer), errs: io.Discard}).ask("Sign?", "refused")
}

// Run is the command, with its exit code.
var Run = run

// Units writes an amount of a token.
var Units = units
