// Package restore_test rehearses docs/recovery.md: a Region that was lost, and a ledger
// that was lost in the middle of a run, restored from a backup into a new stack.
package restore_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/local/progress"
	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/aws/sqsqueue"
	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/testkit/localnet/ministack"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/terms"
)

const (
	// holders make two batches of payments, or five of legacy transactions.
	holders = 80
	// within bounds every wait.
	within = 5 * time.Minute

	newStack = "token-launch-restored"
	newTable = "ledger-restored"
)

// anHourEarlier opens slots an hour before the time, so that there is another one that
// has passed.
type anHourEarlier struct{ *runner.Stack }

func (s anHourEarlier) OpenSlot(ctx context.Context, interval terms.Interval, at time.Time) error {
	return s.Stack.OpenSlot(ctx, interval, at.Add(-time.Hour))
}

func (s anHourEarlier) EnlistEarlier(ctx context.Context, mint solana.PublicKey, interval terms.Interval, since time.Time) error {
	return s.Stack.EnlistEarlier(ctx, mint, interval, since.Add(-time.Hour))
}

// fixture is the running service with the commands of an operator.
type fixture struct {
	*testing.T

	stack    *runner.Stack
	commands string
}

func start(t *testing.T) *fixture {
	t.Helper()
	if testing.Short() {
		t.Skip("deploys the whole stack, which short mode leaves out")
	}
	root, err := project.Find()
	must.Do(t, err)
	folder, commands := t.TempDir(), t.TempDir()
	built := make(chan error, 1)
	go func() {
		// #nosec G204 -- the project's own commands
		build := exec.CommandContext(t.Context(), "go", "build", "-o", commands,
			"tokenlaunch.example/service/infra/operate", "tokenlaunch.example/service/infra/operate/money")
		out, err := build.CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%w: %s", err, out)
		}
		built <- err
	}()
	stack, err := runner.Start(context.WithoutCancel(t.Context()), runner.Options{
		Project: root, Folder: folder, Offline: true, SlotTime: runner.TestSlotTime, PayoutVersion: "legacy", Progress: progress.New(io.Discard),
	})
	must.Do(t, err)
	t.Cleanup(stack.Stop)
	must.Do(t, <-built)
	return &fixture{t, stack, commands}
}

// prepare makes one of the operator's commands ready.
func (w *fixture) prepare(env []string, name string, arguments ...string) *exec.Cmd {
	cmd := exec.CommandContext(w.Context(), filepath.Join(w.commands, name), arguments...) // #nosec G204 -- built here
	cmd.Env = append(os.Environ(), "AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test", "AWS_REGION="+ministack.Region,
		"AWS_ENDPOINT_URL="+w.stack.AWS.Endpoint, "AWS_CONFIG_FILE="+os.DevNull, "AWS_SHARED_CREDENTIALS_FILE="+os.DevNull)
	cmd.Env = append(cmd.Env, env...)
	return cmd
}

// command runs one of the operator's commands.
func (w *fixture) command(env []string, name string, arguments ...string) string {
	w.Helper()
	cmd := w.prepare(env, name, arguments...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		w.Fatalf("%s %q: %v\n%s", name, arguments, err, out.String())
	}
	w.Logf("%s %s: %s", name, strings.Join(arguments, " "), strings.TrimSpace(out.String()))
	return out.String()
}

// await waits until something is so.
func (w *fixture) await(what string, so func() bool) {
	w.Helper()
	for deadline := time.Now().Add(within); !so(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.Fatalf("not within %s: %s", within, what)
		}
	}
}

// books are the ledger of a token in a table.
type books struct {
	*fixture
	runs     ledgertable.Runs
	payments ledgertable.Payments
	d        *walkthrough.Distribution
}

func (w *fixture) books(table string, d *walkthrough.Distribution) books {
	db := dynamo.New(w.stack.AWS.Config())
	return books{w, ledgertable.Runs{Client: db, Table: table, Now: time.Now}, ledgertable.Payments{Client: db, Table: table}, d}
}

// active is the active run; false if no run is active.
func (b books) active() (run.Run, bool) {
	head, err := b.runs.Head(b.Context(), b.d.Mint())
	if err != nil || head.Active.IsZero() {
		return run.Run{}, false
	}
	r, err := b.runs.Run(b.Context(), b.d.Mint(), head.Active)
	return r, err == nil
}

// batch returns the status of the payment of a batch.
func (b books) batch(r run.Run, number int) payout.Status {
	i, err := b.payments.Payment(b.Context(), payout.ID{Run: r.ID, Kind: payout.Pay, Batch: number})
	if err != nil {
		return payout.Planned
	}
	return i.Status()
}

// redrive sends the message of the payments' chunk, which in a new stack has not been
// sent yet; otherwise it would come once the run had no progress for three minutes.
func (b books) redrive(r run.Run) {
	b.Helper()
	must.Do(b, sqsqueue.Payouts{Client: sqs.NewFromConfig(b.stack.AWS.Config()), URL: b.stack.Outputs["PayoutQueueUrl"]}.
		Hand(b.Context(), []payout.Work{{Mint: r.Mint, Slot: r.Slot, Run: r.ID, Kind: payout.Pay, MessageGeneration: r.Payment.Legs[0].Chunks.MessageGeneration}}))
}

// TestRestoredLedgerPaysNoHolderTwice takes a backup while a batch is under way; the run continues
// to its end, and then the ledger is lost. A new stack on the restored ledger, on the other table,
// the buckets and the keys of the old one, does not pay by this ledger, raises an alarm, and
// continues once the procedure was followed.
func TestRestoredLedgerPaysNoHolderTwice(t *testing.T) {
	w := start(t)
	ctx := t.Context()
	l, err := walkthrough.New(w.stack.APIURL, w.stack.Chain, nil)
	must.Do(t, err)
	l.Report = func(step, result string) { t.Logf("%-22s%s", step, result) }
	must.Do(t, l.Run(ctx))
	d := &walkthrough.Distribution{Launch: l, Schedule: anHourEarlier{w.stack}, RPCURL: w.stack.Chain.RPCURL, Market: w.stack.Market, Holders: holders}
	must.Do(t, d.Begin(ctx))

	// The backup knows a batch as sent. All are paid after it, their receipts are closed, and
	// the run has settled when the ledger is lost: the chain's accounts show nothing of it.
	old := w.stack.Outputs
	first := w.books(old["LedgerTableName"], d)
	var r run.Run
	w.await("batch 1 is sent", func() bool {
		var ok bool
		if r, ok = first.active(); !ok || r.Payment == nil {
			return false
		}
		return first.batch(r, 1) == payout.Sent
	})
	tables := dynamodb.NewFromConfig(w.stack.AWS.Config())
	backup, err := tables.CreateBackup(ctx, &dynamodb.CreateBackupInput{
		TableName: aws.String(old["LedgerTableName"]), BackupName: aws.String("before"),
	})
	must.Do(t, err)
	w.await("the run has settled", func() bool {
		_, active := first.active()
		return !active
	})
	w.command(nil, "operate", "pause", "token-launch-local")
	_, err = tables.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: aws.String(old["LedgerTableName"])})
	must.Do(t, err)

	_, err = tables.RestoreTableFromBackup(ctx, &dynamodb.RestoreTableFromBackupInput{
		BackupArn: backup.BackupDetails.BackupArn, TargetTableName: aws.String(newTable),
	})
	must.Do(t, err)
	w.command(nil, "operate", "table", newTable, "ledger")
	w.command(nil, "operate", "check", newTable, "ledger")
	key := func(output string) string {
		return "arn:aws:kms:" + ministack.Region + ":" + ministack.AccountID + ":key/" + old[output]
	}
	must.Do(t, w.stack.Deploy(ctx, runner.Deployment{Values: map[string]string{
		"stackName": newStack, "paused": "true", "ledgerTable": newTable, "launchTable": old["LaunchTableName"], "settingsTable": old["SettingsTableName"],
		"ledgerBucket": old["LedgerBucketName"], "assetBucket": old["AssetBucketName"],
		"walletKeyArn": key("WalletKeyId"), "nonceKeyArn": key("NonceKeyId"),
		"recovered": "no", // the journal is the old stack's own, and whole
	}}))

	// Without the procedure no holder is paid, and the alarm's line is logged.
	second := w.books(newTable, d)
	w.command(nil, "operate", "resume", newStack)
	second.redrive(r)
	w.await("the alarm is logged", func() bool { return w.stack.LogOf("ALARM: the ledger is older than its journal") != "" })
	if status := second.batch(r, 1); status != payout.Sent {
		t.Errorf("the old ledger has batch 1 as %s", status)
	}
	w.command(nil, "operate", "pause", newStack)

	w.command([]string{
		"LAUNCH_TABLE=" + old["LaunchTableName"], "LEDGER_TABLE=" + newTable, "LEDGER_BUCKET=" + old["LedgerBucketName"],
		"NETWORK=localnet", "RPC_URL=" + w.stack.Chain.RPCURL,
	}, "money", "resolve", d.Mint().String())
	w.command(nil, "operate", "resume", newStack)
	second.redrive(r)
	must.Do(t, d.Await(ctx))
	w.paidOnce(d)

	w.nextRun(l, d)
}

// nextRun opens the next slot, whose run has to settle with a proof that holds.
func (w *fixture) nextRun(l *walkthrough.Launch, d *walkthrough.Distribution) {
	w.Helper()
	ctx := w.Context()
	must.Do(w, d.Trade(ctx))
	must.Do(w, w.stack.OpenSlot(ctx, terms.EveryHour, time.Now()))
	w.await("another run is opened", func() bool {
		list, err := l.Client.ListRuns(ctx, d.Mint().String(), client.Cursor{})
		return err == nil && len(list.Runs) == 2
	})
	must.Do(w, d.Await(ctx))
	if d.Run.Status != "settled" || !d.Report.OK() {
		w.Errorf("the next run is %+v", d.Run)
	}
}

// paidOnce holds what every holder has on the chain to the run's proof: their wallets
// had nothing before.
func (w *fixture) paidOnce(d *walkthrough.Distribution) {
	w.Helper()
	rows, err := d.Rows(w.Context())
	must.Do(w, err)
	paid := 0
	for _, holder := range d.Wallets() {
		balance, err := d.Balance(w.Context(), holder)
		must.Do(w, err)
		row := rows[holder.PublicKey()]
		if balance != row.Received {
			w.Errorf("%s has %d lamports, and is to have %d", holder.Address(), balance, row.Received)
		}
		if balance > 0 {
			paid++
		} else if row.Reason != allocation.BelowRentFloor || row.Carried != row.Share {
			w.Errorf("%s is not paid: %+v", holder.Address(), row)
		}
	}
	if paid < holders*9/10 || d.Run.PaidHolders != paid+1 || !d.Report.OK() { // the creator, too
		w.Errorf("%d of %d holders are paid, the run has %d; proof holds: %v", paid, holders, d.Run.PaidHolders, d.Report.OK())
	}
	w.Logf("%d holders are paid, each once; %d checks of the proof", paid, len(d.Report.Checks))
}
