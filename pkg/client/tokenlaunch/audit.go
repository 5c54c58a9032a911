package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/decimal"
	"tokenlaunch.example/service/pkg/proof/audit"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
)

type auditCommand struct {
	Mint string `arg:"" help:"Any Token-2022 mint with a transfer fee, launched here or not."`
	RPC  string `help:"The Solana node to ask; one that keeps the whole history knows most." name:"rpc" env:"TOKENLAUNCH_RPC" default:"https://api.mainnet-beta.solana.com" placeholder:"URL"`
}

// Run reports where a mint's tax went. It returns errDiffers, after the report, if amounts
// disagree.
func (a auditCommand) Run(p *program) error {
	mint, err := address("the mint", a.Mint)
	if err != nil {
		return err
	}
	node, err := solanarpc.New(a.RPC)
	if err != nil {
		return usage("--rpc: %v", err)
	}
	bar := p.start(-1, "listing", false)
	r, err := audit.Auditor{Node: node, Pause: node.Pause, Progress: bar.at}.Audit(p.ctx, mint)
	bar.end()
	if err != nil {
		return err
	}
	if p.json {
		err = p.write(r)
	} else {
		p.showAudit(r)
	}
	if err == nil && slices.ContainsFunc(r.Checks, func(c audit.Check) bool { return c.Verdict == audit.Differs }) {
		err = errDiffers
	}
	return err
}

// maxLines is the maximum number of lines of each list, so that the text fits a screen. The JSON
// output has all lines.
const maxLines = 6

func (p *program) showAudit(r audit.Report) {
	say := func(format string, values ...any) { p.out.printf(format+"\n", values...) }
	units := func(s audit.Sum) string { return decimal.Big(s.Big(), int(r.Decimals)) }
	where := "accounts, as the node lists them"
	if !r.Tax.Listed {
		where = "accounts, by the history"
	}
	since := "not since the mint's creation"
	if r.History.Created != nil {
		since = fmt.Sprintf("since the mint's creation at slot %d", r.History.Created.Slot)
	}
	p.table([][2]string{
		{"mint", r.Mint.String()},
		{"tax withheld", fmt.Sprintf("%s by %d transfers", units(r.Tax.Withheld), r.Tax.Transfers)},
		{"withdrawn", fmt.Sprintf("%s in %d withdrawals", units(r.Tax.Withdrawn), len(r.Withdrawals))},
		{"still withheld", fmt.Sprintf("%s in %s; %s on the mint", units(r.Tax.InAccounts), where, units(r.Tax.OnMint))},
		{"supply", fmt.Sprintf("%s: %s at creation, %s minted, %s burned", units(r.Supply.Now), units(r.Supply.AtCreation), units(r.Supply.Minted), units(r.Supply.Burned))},
		{"fee", feeText(r, r.Now.Fee)},
		{"withdraws", orNone(r.Now.WithdrawAuthority)},
		{"changes the fee", orNone(r.Now.FeeAuthority)},
		{"history", fmt.Sprintf("%d transactions to slot %d, %s", r.History.Transactions, r.Slot, since)},
	})

	by := [][]string{{"WITHDRAWN", "TIMES", "FROM", "BY", "INTO"}}
	for _, w := range r.By() {
		by = append(by, []string{units(w.Amount), strconv.Itoa(w.Times), w.From, w.Authority.String(), w.Account.String()})
	}
	p.first(by)
	accounts := [][]string{{"INTO", "OWNER", "LEFT", "STILL THERE"}}
	for _, d := range r.Destinations {
		accounts = append(accounts, []string{d.Account.String(), orNone(d.Owner), units(d.Left), units(d.Still)})
	}
	p.first(accounts)
	movements := [][]string{{"FIRST WENT", "TIMES", "FROM", "HOW", "TO"}}
	for _, m := range r.First {
		how, to := string(m.Way), ""
		if !m.Program.IsZero() {
			how += " " + m.Program.String()
		}
		if !m.To.IsZero() {
			to = m.To.String()
		}
		movements = append(movements, []string{units(m.Amount), strconv.Itoa(m.Times), m.Account.String(), how, to})
	}
	p.first(movements)
	changes := [][]string{{"CHANGED", "AT SLOT", "TO"}}
	for i, f := range r.FeeChanges {
		if i > 0 || r.History.Created == nil {
			changes = append(changes, []string{"fee", fmt.Sprint(f.Slot), feeText(r, f.Fee)})
		}
	}
	for _, c := range r.AuthorityChanges {
		changes = append(changes, []string{c.Kind + " authority", fmt.Sprint(c.Slot), orNone(c.To)})
	}
	for _, c := range r.AccountChanges {
		changes = append(changes, []string{c.What + " of " + c.Account.String(), fmt.Sprint(c.Slot), orNone(c.To)})
	}
	p.first(changes)

	say("")
	checks := make([][]string, len(r.Checks))
	for i, c := range r.Checks {
		verdict := string(c.Verdict)
		if c.Verdict == audit.Differs {
			verdict = "DIFFERS"
		}
		checks[i] = []string{verdict, c.Name, c.Detail}
	}
	p.columns(checks)
	say("\nCannot be known:")
	for _, u := range r.Unknown {
		say("- %s", u)
	}
}

// first prints an empty line and a table: the first lines, and the number of omitted lines. A table
// without lines is omitted.
func (p *program) first(rows [][]string) {
	if len(rows) == 1 {
		return
	}
	p.out.printf("\n")
	shown := min(len(rows), maxLines+1)
	p.columns(rows[:shown])
	if more := len(rows) - shown; more > 0 {
		p.out.printf("and %d more: see --json\n", more)
	}
}

func feeText(r audit.Report, f audit.Fee) string {
	return fmt.Sprintf("%s%%, at most %s a transfer", decimal.Text(uint64(f.Bps), 2), decimal.Text(f.Maximum, int(r.Decimals)))
}

func orNone(key solana.PublicKey) string {
	if key.IsZero() {
		return "none"
	}
	return key.String()
}
