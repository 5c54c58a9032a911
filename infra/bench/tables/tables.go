// Package tables measures what lookup tables would save a distribution's payouts: on the
// local chain with real tables and recipients, and for large runs by composing every
// transaction. Beside them stands version 1 of the transaction format, which needs none.
package tables

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"tokenlaunch.example/service/infra/bench/growth"
	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// Section measures, and gives the text of the section bench:tables.
func Section(ctx context.Context, folder project.Folder, runs int) (string, error) {
	c, err := carry(ctx, folder)
	if err != nil {
		return "", err
	}
	tokens, err := tokenTable()
	if err != nil {
		return "", err
	}
	text := []string{"**Carried out on the local chain**, each recipient's balance read back:", "", c.onChain(), "", tokens, "", c.life(), ""}
	overlaps, err := c.overlaps()
	if err != nil {
		return "", err
	}
	text = append(text, "**A run of 1,000 recipients, composed**, in transactions and lamports of base fee a recipient:", "", overlaps)
	charts, err := c.growth(folder, runs)
	if err != nil {
		return "", err
	}
	return strings.Join(append(text, "", charts), "\n"), nil
}

// onChain is the table of what was carried out.
func (c carried) onChain() string {
	rows := [][]string{{"encoding", "recipients a transaction", "bytes", "base fee a recipient, lamports", "compute units a recipient"}}
	for _, p := range []paid{c.legacy, c.tables, c.version1} {
		rows = append(rows, []string{
			p.encoding, fmt.Sprint(p.recipients), fmt.Sprint(p.cost.bytes), report.Decimal(p.each()),
			report.Decimal(float64(p.cost.units) / float64(p.recipients)),
		})
	}
	return document.Markdown(rows)
}

// each is the base fee of a recipient, in lamports.
func (p paid) each() float64 { return float64(p.cost.fee) / float64(p.recipients) }

func tokenTable() (string, error) {
	perLegacy, perTable, perVersion1, err := tokenBatches()
	if err != nil {
		return "", err
	}
	return report.Wrap(fmt.Sprintf("- Of a token, to accounts that exist, a transaction takes %d legacy, %d with tables, %d of version 1 (composed).",
		perLegacy, perTable, perVersion1), "  "), nil
}

// life says what a table takes, and when it has repaid that.
func (c carried) life() string {
	t, saves := c.table, c.legacy.each()-c.tables.each()
	n := float64(t.addresses)
	fill, end := float64(t.fee)/n, float64(t.endFee)/n
	perRun := math.Ceil(n/float64(c.legacy.recipients)) - math.Ceil(n/float64(c.tables.recipients))
	lines := []string{
		fmt.Sprintf("- A table of %d: %d transactions make and fill it, one after the other; %s lamports of base fee an address, and %s to deactivate and close it, %d slots later at least.",
			t.addresses, t.transactions, report.Decimal(fill), report.Decimal(end), cooldown),
		fmt.Sprintf("- It locks %s lamports of rent an address (this chain's; mainnet has begun to lower rent), %s SOL in all; closing it gave back %s SOL.",
			report.Decimal(float64(t.rent)/n), report.Number(float64(t.rent)/1e9), report.Number(float64(t.back)/1e9)),
		fmt.Sprintf("- It saves %s lamports a payout: its fees are repaid by payout %d from it; while the rent is locked, only by payout %s.",
			report.Decimal(saves), int(math.Ceil((fill+end)/saves)), report.Number(math.Ceil((fill+end+float64(t.rent)/n)/saves))),
		fmt.Sprintf("- It saves %.0f of %.0f transactions a run: those that fill it are repaid by run %d.",
			perRun, math.Ceil(n/float64(c.legacy.recipients)), int(math.Ceil(float64(t.transactions)/perRun))),
		fmt.Sprintf("- Version 1 saves %s lamports a payout, from the first on, for everybody, and locks nothing.",
			report.Decimal(c.legacy.each()-c.version1.each())),
	}
	for n, line := range lines {
		lines[n] = report.Wrap(line, "  ")
	}
	return strings.Join(lines, "\n")
}

func (c carried) overlaps() (string, error) {
	rows := [][]string{{"paid before", "legacy", "tables, table by table", "the same with filling for the new", "tables, by amount", "version 1"}}
	fill := float64(c.table.fee) / float64(c.table.addresses)
	for _, recurring := range []float64{1, 0.9, 0.5} {
		s, err := compose(1_000, recurring)
		if err != nil {
			return "", err
		}
		cell := func(transactions int) string {
			return fmt.Sprintf("%d, %s", transactions, report.Decimal(s.each(transactions)))
		}
		rows = append(rows, []string{
			fmt.Sprintf("%.0f%%", recurring*100), cell(s.legacy), cell(s.grouped),
			report.Decimal(s.each(s.grouped) + (1-recurring)*fill), cell(s.byAmount), cell(s.version1),
		})
	}
	return document.Markdown(rows), nil
}

// growth draws fees and processor time over the number of recipients.
func (c carried) growth(folder project.Folder, runs int) (string, error) {
	fees := growth.Chart{
		Name: "lookup-fees", Title: "Base fee of a run", Work: "recipients", Unit: "lamports",
		Lines: []growth.Line{{Name: "legacy"}, {Name: "tables, all paid before"}, {Name: "tables, half"}, {Name: "version 1"}},
	}
	compile := growth.Chart{
		Name: "lookup-compile", Title: "Processor time to compile a run's transactions", Work: "recipients", Unit: "ms",
		Lines: []growth.Line{{Name: "legacy"}, {Name: "tables, each resolved again and compared"}, {Name: "version 1"}},
	}
	for _, n := range []int{100, 1_000, 10_000} {
		all, err := compose(n, 1)
		if err != nil {
			return "", err
		}
		half, err := compose(n, 0.5)
		if err != nil {
			return "", err
		}
		for i, transactions := range []int{all.legacy, all.grouped, half.grouped, all.version1} {
			fees.Lines[i].Points = append(fees.Lines[i].Points, growth.Point{Work: float64(n), Value: float64(transactions * baseFee)})
		}
		times := make([][3]time.Duration, max(1, min(runs, 10)))
		for i := range times { // in turns: each run does all encodings
			if times[i], err = composing(n, c.legacy.recipients, c.tables.recipients, c.version1.recipients); err != nil {
				return "", err
			}
		}
		for i := range compile.Lines {
			took := report.Median(report.Each(times, func(t [3]time.Duration) time.Duration { return t[i] }))
			compile.Lines[i].Points = append(compile.Lines[i].Points, growth.Point{Work: float64(n), Value: max(float64(took)/1e6, 0.001)})
		}
	}
	return growth.Section(folder.Path("."), fees, compile)
}
