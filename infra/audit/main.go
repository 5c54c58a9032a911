// Command audit asks for known faults of everything that the project builds on: Go
// modules by govulncheck, Node packages by npm audit, Python ones by pip-audit.
//
//	make audit                                  VULNDB=file:///folder for another database of Go's
//	AUDIT=strict make audit                     what cannot be checked fails too
//
// It fails when it finds one that accepted.json does not list. An audit whose source
// cannot be reached says nothing about faults, and is named: "not checked".
package main

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"time"
)

// accepted.json lists findings that are known and stay for a while:
// [{"id": "GO-2026-1", "reason": "why it does no harm here", "until": "2027-01-31"}].
//
//go:embed accepted.json
var acceptedFile []byte

// finding is a known fault of a part.
type finding struct{ ID, Part, Summary string }

// acceptance says why a finding stays, and until when.
type acceptance struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
	Until  string `json:"until"`
}

// outcome of one audit. notChecked says why nothing, or not all, could be looked up.
type outcome struct {
	findings   []finding
	notChecked string
}

// audit is one of them, named by what it reads.
type audit struct {
	name string
	run  func(ctx context.Context) outcome
}

func main() {
	root := flag.String("root", "..", "the project's folder")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	ok, err := run(ctx, *root, os.Getenv("AUDIT") == "strict", os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "audit:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

func run(ctx context.Context, root string, strict bool, out io.Writer) (bool, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return false, err
	}
	accepted, err := readAccepted(acceptedFile)
	if err != nil {
		return false, err
	}
	audits, err := all(root)
	if err != nil {
		return false, err
	}
	return report(ctx, audits, accepted, time.Now(), strict, out), nil
}

func readAccepted(text []byte) (map[string]acceptance, error) {
	var list []acceptance
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("accepted.json: %w", err)
	}
	byID := map[string]acceptance{}
	for _, a := range list {
		if _, err := time.Parse(time.DateOnly, a.Until); err != nil || a.ID == "" || a.Reason == "" {
			return nil, fmt.Errorf("accepted.json: %q needs an id, a reason, and until as a date", a.ID)
		}
		byID[a.ID] = a
	}
	return byID, nil
}

// report runs the audits, and says whether nothing is found that must not be.
func report(ctx context.Context, audits []audit, accepted map[string]acceptance, now time.Time, strict bool, out io.Writer) bool {
	say := func(format string, a ...any) { _, _ = fmt.Fprintf(out, format+"\n", a...) }
	today := now.UTC().Format(time.DateOnly)
	ran, notChecked, bad := 0, 0, 0
	for _, a := range audits {
		o := a.run(ctx)
		if o.notChecked != "" {
			notChecked++
			say("not checked: %s: %s", a.name, o.notChecked)
		} else {
			ran++
			say("checked: %s: %d findings", a.name, len(o.findings))
		}
		slices.SortFunc(o.findings, func(a, b finding) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Part, b.Part)) })
		for _, f := range slices.Compact(o.findings) {
			known, ok := accepted[f.ID]
			switch {
			case ok && today <= known.Until:
				say("  accepted until %s: %s in %s: %s", known.Until, f.ID, f.Part, known.Reason)
			case ok:
				bad++
				say("  ACCEPTED UNTIL %s, WHICH IS OVER: %s in %s: %s", known.Until, f.ID, f.Part, f.Summary)
			default:
				bad++
				say("  FOUND: %s in %s: %s", f.ID, f.Part, f.Summary)
			}
		}
	}
	say("%d audits ran, %d were not checked, %d findings to mend", ran, notChecked, bad)
	return bad == 0 && (!strict || notChecked == 0)
}
