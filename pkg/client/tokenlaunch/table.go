package main

import (
	"fmt"
	"slices"
	"strings"

	"tokenlaunch.example/service/pkg/client"
)

// table prints names and values. Empty values are omitted.
func (p *program) table(rows [][2]string) {
	var valued [][]string
	for _, row := range rows {
		if row[1] != "" {
			valued = append(valued, row[:])
		}
	}
	p.out.columns(valued)
}

// columns prints rows below a header.
func (p *program) columns(rows [][]string) { p.out.columns(rows) }

// list joins words, sorted.
func list(words []string) string {
	slices.Sort(words)
	return strings.Join(words, ", ")
}

// units formats an amount of a token with unknown decimals.
func units(a client.Amount) string {
	if a == client.BaseUnits(1) {
		return "1 base unit"
	}
	return fmt.Sprintf("%s base units", a)
}

// in formats an amount of an asset: SOL in SOL, and other assets in base units, because the
// decimals are unknown here.
func in(asset string, a client.Amount) string {
	if asset == "SOL" {
		return client.Lamports(a).String()
	}
	return fmt.Sprintf("%s of %s", a, asset)
}

func inOrUnknown(asset string, a *client.Amount) string {
	if a == nil {
		return "not known yet"
	}
	return in(asset, *a)
}
