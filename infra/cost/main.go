// Command cost computes what the service costs and what it takes at scale, out of prices,
// of what docs/performance.md has measured, and of what is assumed about AWS's network,
// and writes the tables into docs/costs.md.
//
//	cd infra && go generate ./cost
package main

import (
	"fmt"
	"os"

	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

//go:generate go run .

func main() {
	if err := write(); err != nil {
		fmt.Fprintln(os.Stderr, "cost:", err)
		os.Exit(1)
	}
}

func write() error {
	folder, err := project.Find()
	if err != nil {
		return err
	}
	tables, err := compute(folder)
	if err != nil {
		return err
	}
	return document.WriteInto(folder.Path("docs/costs.md"), tables)
}

func compute(folder project.Folder) ([]document.Table, error) {
	text, err := os.ReadFile(folder.Path("docs/performance.md"))
	if err != nil {
		return nil, err
	}
	found, err := measurements(string(text))
	if err != nil {
		return nil, fmt.Errorf("docs/performance.md: %w", err)
	}
	return []document.Table{launchOf(found), runs(), byRoute(found), fixed(), month(found), idle(), plan(), quotas(), largeRun(), crowd()}, nil
}
