package run_test

import (
	"context"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/distribution/journal"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/runworld"
)

// backup is the ledger as it was.
type backup []map[string]types.AttributeValue

func takeBackup(ctx context.Context, t *testing.T, w *runworld.Fixture) (b backup) {
	t.Helper()
	pages := dynamodb.NewScanPaginator(w.Runs.Client, &dynamodb.ScanInput{TableName: &w.Table, ConsistentRead: new(true)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		must.Do(t, err)
		b = append(b, page.Items...)
	}
	return b
}

func restoreBackup(t *testing.T, w *runworld.Fixture, b backup) {
	t.Helper()
	for _, item := range takeBackup(t.Context(), t, w) {
		_, err := w.Runs.Client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{
			TableName: &w.Table, Key: map[string]types.AttributeValue{"pk": item["pk"], "sk": item["sk"]},
		})
		must.Do(t, err)
	}
	for _, item := range b {
		_, err := w.Runs.Client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &w.Table, Item: item})
		must.Do(t, err)
	}
}

// watched takes a backup after each time that a run was saved.
type watched struct {
	run.Store
	saved func(ctx context.Context, r run.Run)
}

func (s watched) Save(ctx context.Context, r run.Run) error {
	err := s.Store.Save(ctx, r)
	if err == nil {
		s.saved(ctx, r)
	}
	return err
}

// TestRestoredRunsPayNoHolderTwice restores the ledger from backups of every step of a run, after the run was
// settled. No message pays a holder. Brought forward, the ledger equals the original, and the next run is
// proven.
func TestRestoredRunsPayNoHolderTwice(t *testing.T) {
	w := runworld.NewEnv(t).Fixture(t)
	w.Token.Settings.BurnBps, w.Token.Settings.DeveloperFeeBps = 1_000, 900
	w.Payouts = payout.V1 // of which legacy ones are a part: the wallet's other transactions
	creator := solana.NewWallet().PublicKey()
	w.Token.Settings.DeveloperWallet = creator
	files := s3store.Bucket{
		Client: s3.NewFromConfig(localnet.AWS(t).Config(t.Context()), func(o *s3.Options) { o.UsePathStyle = true }), Name: w.Files,
	}
	log := slog.New(slog.DiscardHandler)
	refused := 0
	var backups []backup
	var steps []run.Status
	watch := true
	w.Prepare = func(worker *runworld.Worker) {
		copied := journal.Runs{Store: w.Runs, Copies: files, Log: log}
		worker.Engine.Journal = journal.Journal{Files: files}
		phases := run.Phases{Store: copied}
		worker.Engine.Phases = phases
		worker.Engine.Freeze = func(ctx context.Context, mint solana.PublicKey, why string) error {
			refused++
			return phases.Freeze(ctx, mint, why)
		}
		worker.Machine.Engine = worker.Engine
		worker.Machine.Store = watched{copied, func(ctx context.Context, r run.Run) {
			if watch {
				backups, steps = append(backups, takeBackup(ctx, t, w)), append(steps, r.Status())
			}
		}}
	}
	holders := append(w.Holders(t, 3, 1_000_000_000), creator)
	members := make([]runworld.Member, payout.SOLBatch)
	for i := range members {
		members[i] = runworld.Member{Owner: solana.NewWallet().PublicKey(), Balance: 1_000_000_000, Lamports: rentExempt}
		holders = append(holders, members[i].Owner)
	}
	w.SeedHolders(t, members)
	slot := w.Slot()
	w.Drive(t, nil)
	settled := w.Look(t, slot)
	if settled.Status() != run.Settled {
		t.Fatalf("the run is %s: %+v", settled.Status(), settled.End)
	}
	watch = false
	balances := func() (list []uint64) {
		for _, h := range holders {
			list = append(list, w.Lamports(t, h))
		}
		return append(list, w.Lamports(t, w.Token.Wallet.Address), w.Supply(t))
	}
	paid := balances()
	if !slices.Contains(steps, run.Paying) {
		t.Fatalf("backups of %q", steps)
	}
	for n, b := range backups {
		restoreBackup(t, w, b)
		worker := w.Worker(t, nil)
		refused = 0
		for range 3 {
			for _, at := range []time.Time{slot, slot.Add(5 * time.Minute)} {
				if _, err := worker.Machine.Run(t.Context(), w.Token.Mint, at); err != nil {
					refused++
				}
			}
			for messageGeneration := range 3 { // of the messages that the phase was begun with
				work := payout.Work{Mint: w.Token.Mint, Slot: slot, Run: settled.ID, Kind: payout.Pay, MessageGeneration: messageGeneration}
				if _, err := worker.Engine.Work(t.Context(), work); err != nil {
					refused++
				}
			}
			w.Clock.Pass(time.Second)
		}
		if refused == 0 {
			t.Errorf("backup %d (%s): it is not noticed that it is old", n, steps[n])
		}
		if got := balances(); !slices.Equal(got, paid) {
			t.Fatalf("backup %d (%s): balances are %d, want %d", n, steps[n], got, paid)
		}
		restorer := journal.Restorer{Ledger: w.Runs, Copies: files, Rebuild: func(ctx context.Context, mint solana.PublicKey) error {
			_, err := worker.Engine.Rebuild(ctx, mint)
			return err
		}}
		_, err := restorer.Restore(t.Context(), w.Token.Mint)
		must.Do(t, err)
		if r := w.Look(t, slot); r.Status() != run.Settled || r.Version != settled.Version {
			t.Errorf("backup %d (%s): the run is %s, version %d", n, steps[n], r.Status(), r.Version)
		}
		w.Again(slot)
		w.Drive(t, nil)
		if got := balances(); !slices.Equal(got, paid) {
			t.Fatalf("backup %d (%s), restored: balances are %d, want %d", n, steps[n], got, paid)
		}
	}
	t.Logf("%d backups: %q", len(backups), steps)
	w.Holders(t, 2, 1_000_000_000) // new tax
	w.Settle(t)
}
