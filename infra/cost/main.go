// Command cost computes the service's costs and its demand at scale. The sources are the prices in
// prices.go, the templates of the stages, the measurements of docs/performance.md, and assumptions
// about AWS's network. The command writes the tables into docs/costs.md.
//
//	make .build/templates && cd infra && go generate ./cost
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
	var bills [][]line
	var sizes []deployed
	for _, stage := range stages {
		of, err := readInventory(folder.Path(".build/templates/" + stage.folder))
		if err != nil {
			return nil, err
		}
		bills = append(bills, of.idle())
		sizes = append(sizes, of.deployed())
	}
	if dollars := total(bills[billSmall]); dollars > maxSmall {
		return nil, fmt.Errorf("the small profile costs %.2f dollars a month without callers: it must be %.0f at most", dollars, maxSmall)
	}
	return []document.Table{launchOf(found), runs(), byRoute(found), fixed(bills), month(found, sizes), idle(), plan(), quotas(), crowd()}, nil
}
