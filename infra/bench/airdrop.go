package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"tokenlaunch.example/service/infra/bench/airdrop"
	"tokenlaunch.example/service/infra/bench/growth"
	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/infra/document"
)

// crowds are how many are paid: once, ten and a hundred times as much work.
var crowds = []int{1_000, 10_000, 100_000}

// payings are the ways of paying that are compared at each size, within a plan's limits
// where limited.
var payings = []struct {
	way, title string
	limited    bool
}{
	{airdrop.Now, "ours", false},
	{airdrop.Now, "ours, Business plan", true},
	{airdrop.NowV1, "ours, version 1", false},
	{airdrop.NowV1, "ours, version 1, Business plan", true},
	{airdrop.AirshipName, "AirShip", false},
	{airdrop.AirshipName, "AirShip, Business plan", true},
	{airdrop.TokensName, "solana-tokens", false},
}

// choices are what was decided about, at ten thousand recipients.
var choices = []struct{ way, title string }{
	{airdrop.Before, "before: 7 lanes, each asks for itself and sends again at each look"},
	{"lanes-16", "16 lanes"},
	{"lanes-128", "128 lanes"},
	{"lanes-512", "512 lanes"},
	{"early", "128 lanes, sent again at each look"},
	{"alone", "128 lanes, each asks for itself"},
}

// airdropTables pays crowds on the scripted node.
func airdropTables(ctx context.Context, o on) ([]document.Table, error) {
	binary := filepath.Join(o.scratch, "airdrop.test")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-o", binary, "./bench/airdrop") // #nosec G204 -- of the project
	build.Dir = o.folder.Path("infra")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the bench of airdrops: %w\n%s", err, out)
	}
	machine, err := report.Machine(ctx, o.folder)
	if err != nil {
		return nil, err
	}
	rows := [][]string{{"", "recipients", "a transaction", "base fee each", "all fees each", "calls each", "recipients a second", "lanes made in", "sent again", "CPU", "peak memory"}}
	speed, calls, cpu := chart("airdrop-speed", "Recipients a second", "recipients/s"), chart("airdrop-calls", "Calls of the node, a recipient", "calls"), chart("airdrop-cpu", "Processor time of ours, the scripted node's included", "s")
	for _, p := range payings {
		var fast, asks, took growth.Line
		for _, people := range crowds {
			f, err := payOnce(ctx, binary, o.scratch, p.way, people, p.limited)
			if err != nil {
				return nil, err
			}
			rows = append(rows, append([]string{p.title}, cells(f)...))
			work := float64(people)
			fast.Points = append(fast.Points, growth.Point{Work: work, Value: work / f.Took.Seconds()})
			asks.Points = append(asks.Points, growth.Point{Work: work, Value: float64(f.Calls) / work})
			took.Points = append(took.Points, growth.Point{Work: work, Value: f.CPU.Seconds()})
		}
		fast.Name, asks.Name, took.Name = p.title, p.title, p.title
		speed.Lines, calls.Lines = append(speed.Lines, fast), append(calls.Lines, asks)
		if p.way == airdrop.Now || p.way == airdrop.NowV1 {
			cpu.Lines = append(cpu.Lines, took)
		}
	}
	decided := [][]string{{"at 10,000 recipients", "recipients a second", "calls a transaction", "lanes made in", "sent again"}}
	for _, c := range choices {
		f, err := payOnce(ctx, binary, o.scratch, c.way, crowds[1], false)
		if err != nil {
			return nil, err
		}
		decided = append(decided, []string{
			c.title, report.Number(float64(f.Recipients) / f.Took.Seconds()),
			fmt.Sprintf("%.2f", float64(f.Calls)/float64(f.Transactions)), f.Setup.Round(time.Second).String(), strconv.Itoa(f.Resent),
		})
	}
	charts, err := growth.Section(o.folder.Path("."), speed, calls, cpu)
	if err != nil {
		return nil, err
	}
	return []document.Table{
		{Name: "bench:airdrop", Text: machine + "\n\n" + strings.TrimSpace(document.Markdown(rows))},
		{Name: "bench:airdrop-choices", Text: strings.TrimSpace(document.Markdown(decided))},
		{Name: "bench:airdrop-growth", Text: charts},
	}, nil
}

// chart is one of this section.
func chart(name, title, unit string) growth.Chart {
	return growth.Chart{Name: name, Title: title, Work: "recipients", Unit: unit}
}

func cells(f airdrop.Figures) []string {
	people := float64(f.Recipients)
	setup := ""
	if f.Setup > 0 {
		setup = f.Setup.Round(time.Second).String()
	}
	return []string{
		report.Number(people), report.Number(people / float64(f.Transactions)),
		report.Number(float64(f.BaseFee) / people), report.Number(float64(f.Fees) / people),
		fmt.Sprintf("%.2f", float64(f.Calls)/people), report.Number(people / f.Took.Seconds()), setup, strconv.Itoa(f.Resent),
		fmt.Sprintf("%.1f s", f.CPU.Seconds()), fmt.Sprintf("%d MiB", f.PeakKB>>10),
	}
}

// payOnce pays in a process of its own, whose processor time and memory are those of the
// payer and of the scripted node. It fails unless everyone is paid exactly once.
func payOnce(ctx context.Context, binary, scratch, way string, people int, limited bool) (f airdrop.Figures, err error) {
	file := filepath.Join(scratch, "airdrop.json")
	cmd := exec.CommandContext(ctx, binary, "-test.run", "^TestMeasure$") // #nosec G204 -- of the project
	cmd.Env = append(os.Environ(), "AIRDROP_FILE="+file, "AIRDROP_WAY="+way, "AIRDROP_PEOPLE="+strconv.Itoa(people))
	if limited {
		cmd.Env = append(cmd.Env, "AIRDROP_LIMITS=business")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return f, fmt.Errorf("pay %d by %s: %w\n%s", people, way, err, out)
	}
	text, err := os.ReadFile(file) // #nosec G304 -- written by the process above
	if err == nil {
		err = json.Unmarshal(text, &f)
	}
	if err != nil {
		return f, err
	}
	if f.Twice > 0 || f.Unpaid > 0 || f.Recipients != people {
		return f, fmt.Errorf("%s: of %d recipients %d are paid twice and %d not", way, people, f.Twice, f.Unpaid)
	}
	f.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		f.PeakKB = usage.Maxrss // KiB on Linux
	}
	return f, nil
}
