package main

import (
	"encoding/json"
	"io"
	"strings"

	"tokenlaunch.example/service/pkg/proof/verify"
)

// Ask asks before something is signed, and reads the answer.
func Ask(answer string) error {
	return (&program{in: strings.NewReader(answer), errs: screen{io.Discard}}).ask("Sign?", "refused")
}

// Run is the command, with its exit code.
var Run = run

// VerdictOf is the verdict of a complete proof with this report, and its JSON.
func VerdictOf(r verify.Report) (verdict string, program []byte, err error) {
	result := reportOf(r)
	result.OK, result.Complete = true, true
	program, err = json.Marshal(result)
	return result.verdict(), program, err
}

// ExitCode is that of a command that ends with an error.
var ExitCode = exitCode

// Units writes an amount of a token.
var Units = units

// Judged returns the output of verify for reports and for all of them together, with its exit code.
func Judged(reports ...verify.Report) (text string, code int) {
	var out strings.Builder
	p, all := &program{out: screen{&out}}, chainResult{OK: true, Complete: true}
	for _, r := range reports {
		one := reportOf(r)
		p.showReport(one, r)
		p.showOne(one, r)
		if all.add(one); all.Stopped != "" {
			break
		}
	}
	p.showAll(all)
	if err := all.err(); err != nil {
		return out.String(), exitCode(err)
	}
	return out.String(), good
}
