package main

import (
	"fmt"
	"strings"

	"tokenlaunch.example/service/pkg/client/internal/build"
)

// showVersion is the command version.
type showVersion struct{}

// Run prints the version without a request to the service.
func (showVersion) Run(p *program) error {
	made := build.Read()
	if p.json {
		return p.write(made)
	}
	known := []string{"tokenlaunch " + made.Version}
	for _, part := range []string{made.Commit, made.Date} {
		if part != "" {
			known = append(known, part)
		}
	}
	_, err := fmt.Fprintln(p.out.writer(), strings.Join(known, " "))
	return err
}
