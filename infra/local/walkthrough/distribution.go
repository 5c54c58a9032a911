package walkthrough

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/client/bundle"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Schedule opens slots.
type Schedule interface {
	// OpenSlot does the work of the interval's rule at a time.
	OpenSlot(ctx context.Context, interval terms.Interval, at time.Time) error
	// EnlistEarlier makes a token due in slots since a time.
	EnlistEarlier(ctx context.Context, mint solana.PublicKey, interval terms.Interval, since time.Time) error
}

// Distribution is a launched token's first distribution. The fields are the results of the steps.
type Distribution struct {
	Launch   *Launch
	Schedule Schedule
	// RPCURL is the address of the chain.
	RPCURL string
	// Market is the key of the market maker, which the verification accepts as a market.
	Market solana.PublicKey
	// Holders is the number of wallets that receive tokens; default 24.
	Holders int
	// Rent is the amount that the creator sends each holder, in lamports, so that any payment reaches the wallet;
	// default nothing.
	Rent uint64
	// Doing receives descriptions of the current wait; nil reports nothing.
	Doing func(text string)
	// Table receives each line of the result; nil reports nothing.
	Table func(name, value string)

	Run    client.Run
	Report verify.Report
	// History is the history of the distribution wallet, after the run.
	History History

	market  market
	holders []Wallet
	before  uint64 // lamports of the holders
	source  format.Source
}

// runWithin bounds the wait for a run: some ten sequential transactions on a possibly busy machine.
// A validator with Tower finalizes a transaction after 32 slots.
const runWithin = 30 * time.Minute

// Settle runs all steps: holders, trade, slot, run, table, proof.
func (d *Distribution) Settle(ctx context.Context) error {
	return steps(ctx, d.Prepare, d.open, d.Await)
}

// Begin runs the steps up to the message that opens the slot, without trade.
func (d *Distribution) Begin(ctx context.Context) error {
	return steps(ctx, d.prepare, d.open)
}

// Await waits until the newest run has settled, and runs the later steps.
func (d *Distribution) Await(ctx context.Context) error {
	return steps(ctx, d.await, d.table, d.history, d.verify)
}

// Next opens the newest slot for a token that any wallet launched, waits until the run has settled,
// and verifies the proof. If the client has a signer, the token's creator, Next first sends tokens to
// holders and lets the holders trade. It fails if the slot already has a run, or if the run pays no holder.
func (d *Distribution) Next(ctx context.Context, mint solana.PublicKey) error {
	token, err := d.Launch.Client.GetToken(ctx, mint)
	if err != nil {
		return err
	}
	list, err := d.Launch.Client.ListRuns(ctx, mint.String(), client.Cursor{Limit: 1})
	if err != nil {
		return err
	}
	interval := terms.Interval(token.Settings.DistributionInterval)
	slot := interval.Slot(time.Now())
	if len(list.Runs) > 0 && !list.Runs[0].ScheduledAt.Before(slot) {
		return fmt.Errorf("the slot %s has run %s, which is %s: the next slot of the interval %s is at %s",
			slot.Format(time.RFC3339), list.Runs[0].ID, list.Runs[0].Status, interval, interval.Next(slot).Format(time.RFC3339))
	}
	node, err := solanarpc.New(d.RPCURL)
	if err != nil {
		return err
	}
	d.Launch.Prepared.MintKeypair.PublicKey, d.Launch.Submitted.Token = token.MintAddress, token
	d.Launch.Creation.DistributionInterval = token.Settings.DistributionInterval
	d.market = market{node: node, mint: token.MintAddress, decimals: uint8(token.Decimals)} // #nosec G115 -- 6 or 9
	if creator := d.Launch.Client.Signer(); creator != nil {
		if creator.PublicKey() != token.Creator {
			return fmt.Errorf("the key is that of %s, and %s launched the token", creator.PublicKey(), token.Creator)
		}
		if err := d.Prepare(ctx); err != nil {
			return err
		}
	}
	return steps(ctx, d.open, d.await, d.table, d.verify)
}

// Give sends tokens to holders, without trade.
func (d *Distribution) Give(ctx context.Context) error { return d.prepare(ctx) }

// Prepare sends tokens to holders and lets them trade.
func (d *Distribution) Prepare(ctx context.Context) error { return steps(ctx, d.prepare, d.trade) }

// Open sends the message that opens the slot.
func (d *Distribution) Open(ctx context.Context) error { return d.open(ctx) }

// Trade lets every holder sell a part of the tokens, which is taxed.
func (d *Distribution) Trade(ctx context.Context) error { return d.trade(ctx) }

// Mint returns the token's address.
func (d *Distribution) Mint() solana.PublicKey { return d.market.mint }

// Wallets returns the holders.
func (d *Distribution) Wallets() []Wallet { return d.holders }

// Rows returns the row of each owner in the run's proof.
func (d *Distribution) Rows(ctx context.Context) (map[solana.PublicKey]allocation.Row, error) {
	rows := map[solana.PublicKey]allocation.Row{}
	for row, err := range d.Report.Manifest.RowsOf(ctx, d.source, terms.SOL) {
		if err != nil {
			return nil, err
		}
		rows[row.Owner] = row
	}
	return rows, nil
}

// Balance returns a wallet's balance on the chain, in lamports.
func (d *Distribution) Balance(ctx context.Context, w Wallet) (uint64, error) {
	return d.BalanceOf(ctx, w.PublicKey())
}

// BalanceOf returns an address's balance on the chain, in lamports.
func (d *Distribution) BalanceOf(ctx context.Context, address solana.PublicKey) (uint64, error) {
	return d.market.node.Balance(ctx, address)
}

func steps(ctx context.Context, list ...func(context.Context) error) error {
	for _, step := range list {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (d *Distribution) doing(text string) {
	if d.Doing != nil {
		d.Doing(text)
	}
}

func (d *Distribution) prepare(ctx context.Context) error {
	node, err := solanarpc.New(d.RPCURL)
	if err != nil {
		return err
	}
	d.market = market{
		node: node, creator: d.Launch.Client.Signer(), mint: d.Launch.mint(), supply: d.Launch.Submitted.Token.Supply.Uint64(),
		decimals: uint8(d.Launch.Submitted.Token.Decimals), // #nosec G115 -- 6 or 9
		rent:     d.Rent,
	}
	d.doing("giving tokens to holders")
	if d.holders, err = d.market.open(ctx, cmp.Or(d.Holders, holders)); err != nil {
		return fmt.Errorf("give tokens to holders: %w", err)
	}
	d.Launch.done("Holders", "%d wallets were given tokens, each transfer taxed", len(d.holders))
	return nil
}

func (d *Distribution) trade(ctx context.Context) error {
	d.doing("trading")
	if err := d.market.trade(ctx, d.holders); err != nil {
		return fmt.Errorf("trade: %w", err)
	}
	var err error
	if d.before, err = d.market.balances(ctx, d.holders); err != nil {
		return err
	}
	d.Launch.done("Trade", "%d taxed transfers between them", len(d.holders))
	return nil
}

// launchedAgo is the time by which the token's launch is moved before the slot.
const launchedAgo = time.Hour

func (d *Distribution) open(ctx context.Context) error {
	interval := terms.Interval(d.Launch.Creation.DistributionInterval)
	now := time.Now()
	if err := d.Schedule.EnlistEarlier(ctx, d.market.mint, interval, interval.Slot(now).Add(-launchedAgo)); err != nil {
		return err
	}
	if err := d.Schedule.OpenSlot(ctx, interval, now); err != nil {
		return err
	}
	d.Launch.done("Slot opened", "%s, by the rule of the interval %s: dispatcher, queues, distributor, payer",
		interval.Slot(now).Format(time.RFC3339), interval)
	return nil
}

// await waits until the run has ended.
func (d *Distribution) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, runWithin)
	defer cancel()
	began := time.Now()
	mint := d.Launch.mint().String()
	for {
		list, err := d.Launch.Client.ListRuns(ctx, mint, client.Cursor{Limit: 1})
		if err == nil && len(list.Runs) > 0 {
			d.Run.RunSummary = list.Runs[0]
			d.doing(fmt.Sprintf("run %s: %s (%.0f s)", d.Run.ID, d.Run.Status, time.Since(began).Seconds()))
			switch d.Run.Status { //nolint:exhaustive // the others go on
			case client.RunSettled:
				d.Launch.done("Run settled", "%s after %.1f s", d.Run.ID, time.Since(began).Seconds())
				d.Run, err = d.Launch.Client.GetRun(ctx, mint, d.Run.ID)
				return err
			case client.RunSkipped, client.RunFailed:
				return fmt.Errorf("run %s is %s: %s", d.Run.ID, d.Run.Status, cmp.Or(d.Run.Reason, new(client.Reason)).Detail)
			}
		}
		wait, err := d.pause(ctx, time.Since(began), err)
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("run %q is %q after %s: %w", d.Run.ID, d.Run.Status, time.Since(began).Round(time.Second), ctx.Err())
		case <-time.After(wait):
		}
	}
}

const (
	// soonest is the minimum pause between two polls of a run, and latest the maximum.
	soonest, latest = time.Second, 15 * time.Second
	// looksInSeries is the number of polls at the minimum pause. Each later pause is longer, so
	// there are fewer than 100 polls in 15 minutes, the API's limit for an address.
	looksInSeries = 10
)

// pause returns the wait before the next poll of a run. The wait grows with the measured finality
// of the chain and with the time that the run has taken. If the last poll exceeded the rate limit,
// the wait is the service's Retry-After. pause returns any other err.
func (d *Distribution) pause(ctx context.Context, waited time.Duration, err error) (time.Duration, error) {
	var refused *client.Problem
	if errors.As(err, &refused) && refused.Status == http.StatusTooManyRequests && refused.RetryAfter > 0 {
		return refused.Wait(), nil
	}
	if err != nil {
		return 0, err
	}
	finality, err := Finality(ctx, d.market.node)
	return min(max(soonest, finality/2, waited/looksInSeries), latest), err
}

// Finality returns the chain's present time to finality: the time of the blocks between the newest
// block and the newest final block.
func Finality(ctx context.Context, node *solanarpc.Client) (time.Duration, error) {
	final, err := node.Finality(ctx)
	if err != nil {
		return 0, err
	}
	newest, err := node.Height(ctx)
	if err != nil {
		return 0, err
	}
	slot, err := node.SlotTime(ctx)
	return time.Duration(newest-min(newest, final.Height)) * slot, err // #nosec G115 -- some blocks
}

func (d *Distribution) table(ctx context.Context) error {
	d.doing("")
	own := func(a client.Amount) string {
		return a.Text(int(d.market.decimals)) + " " + d.Launch.Submitted.Token.Symbol
	}
	sol := func(a client.Amount) client.Lamports { return client.Lamports(a) }
	rewarded, err := d.market.balances(ctx, d.holders)
	if err != nil {
		return err
	}
	proofURL := "none"
	if d.Run.Anchor != nil && d.Run.Anchor.Transaction != nil {
		proofURL = d.Run.Anchor.Transaction.URL
	}
	for _, line := range [][2]string{
		{"collected", own(d.Run.Collected)},
		{"burned", own(d.Run.Burned)},
		{"exchanged", own(d.Run.Sold) + " for " + sol(d.Run.Proceeds).String()},
		{"creator", sol(d.Run.CreatorPaid).String()},
		{"holders paid", fmt.Sprintf("%s to %d holders", sol(d.Run.HoldersPaid), d.Run.PaidHolders)},
		{"on the chain", fmt.Sprintf("%s more in %d wallets of the walk-through", client.LamportsOf(rewarded-d.before), len(d.holders))},
		{"carried", sol(d.Run.Carried).String()},
		{"costs", fmt.Sprintf("%s fees, %s rent, %d transactions", d.Run.FeesLamports, d.Run.RentLamports, d.Run.Transactions)},
		{"anchor", proofURL},
	} {
		d.line(line[0], line[1])
	}
	return nil
}

func (d *Distribution) line(name, value string) {
	if d.Table != nil {
		d.Table(name, value)
	}
}

// verify verifies the proof like any holder with the proof's address and a node.
func (d *Distribution) verify(ctx context.Context) error {
	if d.Run.Anchor == nil || d.Run.Anchor.Transaction == nil {
		return fmt.Errorf("run %s has no proof", d.Run.ID)
	}
	address, cid := d.Run.Anchor.Transaction.URL, d.Run.Anchor.Transaction.CID
	if !onThisMachine(address) {
		d.line("verified", "not tried: a public gateway may need minutes to find it")
		return nil
	}
	source, anchor, err := bundle.OpenURL(address)
	if err != nil {
		return err
	}
	if anchor != cid {
		return fmt.Errorf("the proof's address %s is not that of %s", address, cid)
	}
	d.source = patient{source}
	report, err := verify.Bundle(ctx, d.source, cid, verify.Options{Node: d.market.node, Markets: []solana.PublicKey{d.Market}})
	if err != nil {
		return err
	}
	d.Report = report
	by := map[verify.Verdict]int{}
	for _, check := range report.Checks {
		by[check.Verdict]++
		switch check.Verdict {
		case verify.Proven, verify.Consistent, verify.Trusted:
		case verify.Failed, verify.TooNew:
			return fmt.Errorf("the proof %s does not hold: %s: %s", address, check.Name, check.Detail)
		case verify.Skipped:
			return fmt.Errorf("the proof %s is not complete: %s: %s", address, check.Name, check.Detail)
		}
	}
	if !report.OK() {
		return fmt.Errorf("the proof %s does not hold: %+v", address, report.Checks)
	}
	d.line("verified", fmt.Sprintf("complete: %d statements %s, %d %s, %d %s", by[verify.Proven], verify.Proven,
		by[verify.Consistent], verify.Consistent, by[verify.Trusted], verify.Trusted))
	return nil
}
