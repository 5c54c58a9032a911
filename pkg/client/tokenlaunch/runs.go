package main

import (
	"fmt"

	"tokenlaunch.example/service/pkg/client"
)

type listRuns struct {
	Token string `arg:"" help:"Id or mint of the token."`
	Limit int    `help:"How many at most; 0 means all." default:"20"`
}

// Run lists distributions.
func (l listRuns) Run(p *program) error {
	c, err := p.client(false)
	if err != nil {
		return err
	}
	runs := []client.RunSummary{}
	for r, err := range c.AllRuns(p.ctx, l.Token) {
		if err != nil {
			return err
		}
		if runs = append(runs, r); l.Limit > 0 && len(runs) == l.Limit {
			break
		}
	}
	if p.json {
		return p.write(map[string]any{"runs": runs})
	}
	if len(runs) == 0 {
		p.out.printf("Nothing was distributed yet.\n")
		return nil
	}
	rows := [][]string{{"SLOT", "STATUS", "BURNED", "HOLDERS PAID", "HOLDERS", "RUN", "ANCHOR"}}
	for _, r := range runs {
		status := string(r.Status)
		if r.Reason != nil {
			status += ": " + string(r.Reason.Code)
		}
		rows = append(rows, []string{
			r.ScheduledAt.String(), status, units(r.Burned), in(r.RewardToken, r.HoldersPaid), fmt.Sprint(r.PaidHolders), r.ID, anchorURL(r.Anchor),
		})
	}
	p.columns(rows)
	return nil
}

// anchorURL returns the address for verify, or an empty text without an anchor.
func anchorURL(a *client.AnchorFile) string {
	if a == nil {
		return ""
	}
	return a.Transaction.URL
}

type showRun struct {
	Token string `arg:"" help:"Id or mint of the token."`
	RunID string `arg:"" name:"run" help:"Id of the distribution."`
}

// Run shows a distribution.
func (s showRun) Run(p *program) error {
	c, err := p.client(false)
	if err != nil {
		return err
	}
	r, err := c.GetRun(p.ctx, s.Token, s.RunID)
	if err != nil {
		return err
	}
	if p.json {
		return p.write(r)
	}
	why, anchor, memo := "", "none yet", ""
	if r.Reason != nil {
		why = r.Reason.Detail
	}
	if r.Anchor != nil {
		memo = r.Anchor.Memo
		if r.Anchor.Transaction != nil {
			anchor = r.Anchor.Transaction.URL
		}
	}
	p.table([][2]string{
		{"run", r.ID},
		{"token", r.MintAddress.String()},
		{"scheduled at", r.ScheduledAt.String()},
		{"status", string(r.Status)},
		{"because", why},
		{"collected", units(r.Collected)},
		{"burned", units(r.Burned)},
		{"sold", fmt.Sprintf("%s for %s", units(r.Sold), in(r.RewardToken, r.Proceeds))},
		{"creator", in(r.RewardToken, r.CreatorPaid)},
		{"holders", fmt.Sprintf("%s to %d of them", in(r.RewardToken, r.HoldersPaid), r.PaidHolders)},
		{"kept for later", in(r.RewardToken, r.Carried)},
		{"network fees", r.FeesLamports.String()},
		{"transactions", fmt.Sprint(r.Transactions)},
		{"anchor", anchor},
		{"memo", memo},
	})
	return nil
}

type previewRun struct {
	Token string `arg:"" help:"Id or mint of the token."`
}

// Run computes the next distribution.
func (v previewRun) Run(p *program) error {
	c, err := p.client(false)
	if err != nil {
		return err
	}
	r, err := c.PreviewRun(p.ctx, v.Token)
	if err != nil {
		return err
	}
	if p.json {
		return p.write(r)
	}
	due := "no: distribution is switched off"
	if r.ScheduledAt != nil {
		due = r.ScheduledAt.String()
	}
	rests := "no"
	if r.Rest != nil {
		rests = r.Rest.Detail
	}
	p.table([][2]string{
		{"due", due},
		{"rests", rests},
		{"takes", fmt.Sprintf("%s of %s", r.Slice, units(r.Spendable))},
		{"burns", fmt.Sprint(r.Burn)},
		{"sells", fmt.Sprint(r.Sell)},
		{"for", inOrUnknown(r.RewardToken, r.Proceeds)},
		{"creator", inOrUnknown(r.RewardToken, r.Creator)},
		{"holders", inOrUnknown(r.RewardToken, r.Holders)},
	})
	return nil
}

type showHolder struct {
	Token  string `arg:"" help:"Id or mint of the token."`
	Wallet string `arg:"" help:"Address of the wallet."`
}

// Run shows a wallet's result of the last distribution.
func (s showHolder) Run(p *program) error {
	wallet, err := address("the wallet", s.Wallet)
	if err != nil {
		return err
	}
	c, err := p.client(false)
	if err != nil {
		return err
	}
	h, err := c.GetHolder(p.ctx, s.Token, wallet)
	if err != nil {
		return err
	}
	if p.json {
		return p.write(h)
	}
	if h.Run == nil {
		p.out.printf("Nothing was distributed yet.\n")
		return nil
	}
	rows := [][2]string{{"run", h.Run.ID}, {"scheduled at", h.Run.ScheduledAt.String()}, {"balance", units(h.Balance)}}
	for _, a := range h.Assets {
		signature := ""
		if a.Signature != nil {
			signature = a.Signature.String()
		}
		rows = append(rows, [][2]string{
			{"share", in(a.Asset, a.Share)},
			{"owed from before", in(a.Asset, a.OwedBefore)},
			{"received", in(a.Asset, a.Received)},
			{"kept for later", in(a.Asset, a.Owed)},
			{"paid by", signature},
		}...)
	}
	if h.Why != nil {
		rows = append(rows, [2]string{"why nothing", h.Why.Detail})
	}
	p.table(rows)
	return nil
}
