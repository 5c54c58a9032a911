package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/bench/report"
	"tokenlaunch.example/service/infra/document"
	"tokenlaunch.example/service/infra/local/progress"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/testkit/localnet/agave"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
	"tokenlaunch.example/service/pkg/token/terms"
)

// finalityHolders are the numbers of paid holders, including the creator.
var finalityHolders = []int{25, 1000}

const (
	// finalityRent is the balance of a wallet before its payment: the rent of an empty account, so
	// that the smallest share reaches the wallet (Solana documentation, "Accounts": 128 bytes).
	finalityRent = 890_880
	// finalityCreator is the creator's balance for the accounts of the holders, in lamports.
	finalityCreator = 20 * solana.LAMPORTS_PER_SOL
	// finalityLook is the interval at which the run and the wallets are checked.
	finalityLook = 100 * time.Millisecond
	// finalityWithin bounds a run.
	finalityWithin = 20 * time.Minute
)

// network is a chain on which runs are timed.
type network struct {
	name      string
	validator agave.Consensus
}

var finalityNetworks = []network{
	{"Agave, Alpenglow", agave.Alpenglow}, {"Agave, Tower", agave.Tower}, {"Surfpool", ""},
}

// finalityTables times whole runs on the deployed stack, from the slot's message to the anchor, on
// Surfpool and on a validator in both consensus modes. A run that cannot be timed becomes a
// sentence, and does not stop other runs.
func finalityTables(ctx context.Context, o on) ([]document.Table, error) {
	machine, err := report.Machine(ctx, o.folder, report.MiniStack, report.Surfpool, report.Agave)
	if err != nil {
		return nil, err
	}
	rows := [][]string{{"network", "slot to final", "holders", "paid", "collected", "sold", "all paid", "anchored", "settled"}}
	text := []string{machine, ""}
	_, missing := agave.Find()
	for i, n := range finalityNetworks {
		if n.validator != "" && missing != nil {
			text = append(text, n.name+" is not measured: there is no solana-test-validator.", "")
			continue
		}
		timed, lacks := n.measure(ctx, o.folder, filepath.Join(o.scratch, fmt.Sprintf("finality-%d", i)))
		rows = append(rows, timed...)
		for _, lack := range lacks {
			text = append(text, lack, "")
		}
	}
	return []document.Table{{Name: "bench:finality", Text: strings.Join(append(text, document.Markdown(rows)), "\n")}}, ctx.Err()
}

// measure returns a row for each timed number of holders, and a sentence for each number without a
// row.
func (n network) measure(ctx context.Context, folder project.Folder, scratch string) (rows [][]string, lacks []string) {
	stack, err := runner.Start(ctx, runner.Options{
		Project: folder, Folder: scratch, Offline: true, Validator: n.validator, SlotTime: agave.MainnetSlot, Progress: progress.New(io.Discard),
	})
	if err != nil {
		return nil, []string{fmt.Sprintf("%s is not measured: %v.", n.name, err)}
	}
	defer stack.Stop()
	for _, holders := range finalityHolders {
		t, err := timeRun(ctx, stack, holders)
		if err != nil {
			lacks = append(lacks, fmt.Sprintf("%s is not measured with %d holders: %v.", n.name, holders, err))
			continue
		}
		row := append([]string{n.name, report.Seconds(t.finality), fmt.Sprint(holders)}, t.cells()...)
		fmt.Println(strings.Join(row, ", ")) // immediately, because all runs take many minutes
		rows = append(rows, row)
	}
	return rows, lacks
}

// timed is the times of the steps of a run, since its slot's message.
type timed struct {
	finality                                   time.Duration // of the chain, before the run
	paidWallets                                int
	collected, sold, paid, anchored, settledIn time.Duration
}

func (t timed) cells() []string {
	return []string{fmt.Sprint(t.paidWallets), report.Seconds(t.collected), report.Seconds(t.sold), report.Seconds(t.paid), report.Seconds(t.anchored), report.Seconds(t.settledIn)}
}

// timeRun launches a token, distributes the token to holders, and times the run that pays the
// holders.
func timeRun(ctx context.Context, stack *runner.Stack, holders int) (t timed, err error) {
	ctx, cancel := context.WithTimeout(ctx, finalityWithin)
	defer cancel()
	if err := stack.ForgetLimits(ctx); err != nil {
		return t, err
	}
	l, err := walkthrough.New(stack.APIURL, stack.Chain, nil)
	if err != nil {
		return t, err
	}
	if err := stack.Chain.Fund(ctx, l.Wallet.Address(), finalityCreator); err != nil {
		return t, err
	}
	if err := l.Run(ctx); err != nil {
		return t, err
	}
	d := &walkthrough.Distribution{
		Launch: l, Schedule: stack, RPCURL: stack.Chain.RPCURL, Market: stack.Market, Holders: holders - 1, Rent: finalityRent,
	}
	if err := d.Give(ctx); err != nil {
		return t, err
	}
	node, err := solanarpc.New(stack.Chain.RPCURL)
	if err != nil {
		return t, err
	}
	if t.finality, err = walkthrough.Finality(ctx, node); err != nil {
		return t, err
	}
	// A token is due once its launch is final.
	began := time.Now()
	if err := d.Open(ctx); err != nil {
		return t, err
	}
	return t, t.watch(ctx, stack, d, node, began)
}

// watch polls the ledger's run and the holders' wallets until the run has ended.
func (t *timed) watch(ctx context.Context, stack *runner.Stack, d *walkthrough.Distribution, node *solanarpc.Client, began time.Time) error {
	ledger := ledgertable.Runs{Client: dynamo.New(stack.AWS.Config()), Table: stack.Outputs["LedgerTableName"], Now: time.Now}
	slot := terms.Interval(d.Launch.Creation.DistributionInterval).Slot(began)
	unpaid := make(map[solana.PublicKey]bool, len(d.Wallets()))
	for _, w := range d.Wallets() {
		unpaid[w.PublicKey()] = true
	}
	once := func(at *time.Duration, happened bool) {
		if *at == 0 && happened {
			*at = time.Since(began)
		}
	}
	for {
		r, err := ledger.Run(ctx, d.Mint(), slot)
		if err != nil && !errors.Is(err, run.ErrNotFound) {
			return err
		}
		once(&t.collected, r.Collecting != nil && r.Collecting.Done)
		once(&t.sold, r.Exchange != nil && r.Exchange.Done)
		if t.sold > 0 && len(unpaid) > 0 {
			if err := t.look(ctx, node, unpaid, began); err != nil {
				return err
			}
		}
		once(&t.anchored, r.Anchor != nil && !r.Anchor.Signature.IsZero())
		if r.End != nil {
			once(&t.settledIn, true)
			if r.Status() != run.Settled {
				return fmt.Errorf("the run is %s: %+v", r.Status(), *r.End)
			}
			return t.check(ctx, d)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the run is %s after %s: %w", r.Status(), time.Since(began).Round(time.Second), ctx.Err())
		case <-time.After(finalityLook):
		}
	}
}

// look removes wallets with more than their rent from the list, and records the time of the last
// payment.
func (t *timed) look(ctx context.Context, node *solanarpc.Client, unpaid map[solana.PublicKey]bool, began time.Time) error {
	var asked []solana.PublicKey
	for wallet := range unpaid {
		asked = append(asked, wallet)
	}
	for len(asked) > 0 {
		part := asked[:min(len(asked), solanarpc.MaxAccounts)]
		asked = asked[len(part):]
		accounts, err := node.Accounts(ctx, part...)
		if err != nil {
			return err
		}
		for i, a := range accounts {
			if a != nil && a.Lamports > finalityRent {
				delete(unpaid, part[i])
				t.paidWallets++
				t.paid = time.Since(began)
			}
		}
	}
	return nil
}

// check compares the observed payments with the run.
func (t *timed) check(ctx context.Context, d *walkthrough.Distribution) error {
	list, err := d.Launch.Client.ListRuns(ctx, d.Mint().String(), client.Cursor{Limit: 1})
	if err != nil {
		return err
	}
	// The creator is a holder, too, but has other money.
	if len(list.Runs) != 1 || list.Runs[0].PaidHolders != t.paidWallets+1 {
		return fmt.Errorf("%d wallets were paid in addition to the creator's, and the run says %+v", t.paidWallets, list.Runs)
	}
	t.paidWallets++
	return nil
}
