package reconcile_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/reconcile"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// removed notes which files are removed, and fails when it is told to.
type removed struct {
	cids []string
	err  error
}

func (r *removed) RemoveMetadata(_ context.Context, cid string) error {
	if r.err != nil {
		return r.err
	}
	r.cids = append(r.cids, cid)
	return nil
}

func TestAbandoned(t *testing.T) {
	expiry := time.Date(2026, 11, 21, 12, 5, 0, 0, time.UTC)
	for status, can := range map[transaction.Status]bool{
		transaction.Pending: true, transaction.Superseded: true,
		transaction.Submitted: false, transaction.Confirmed: false, transaction.Failed: false, "new": false,
	} {
		l := launch.Launch{Prepared: transaction.Prepared{Status: status, ExpiresAt: expiry}}
		for after, due := range map[time.Duration]bool{
			-time.Second: false, time.Hour: false, reconcile.AbandonedAfter - 1: false, reconcile.AbandonedAfter: true,
		} {
			if got := reconcile.Abandoned(l, expiry.Add(after)); got != (can && due) {
				t.Errorf("%s, %s after its expiry: %v", status, after, got)
			}
		}
	}
}

// Only what was never submitted loses its file, and only after a day.
func TestMetadataOfAbandonedLaunchesIsRemoved(t *testing.T) {
	b := newBench(t)
	b.pool.Max = 5
	b.service.Nonces = b.pool
	names := &numbered{}
	b.service.Files = names
	creator := solana.NewWallet().PrivateKey
	prepare := func() launch.Launch { t.Helper(); return b.prepare(t, creator).Launch }
	superseded, pending := prepare(), prepare()
	landed := b.submit(t, b.node, solana.LAMPORTS_PER_SOL)
	lost := b.submit(t, &network{Client: b.node, deaf: true, drops: true}, solana.LAMPORTS_PER_SOL)

	files := &removed{err: errors.New("the store is away")}
	r := b.reconciler(b.node)
	r.Files = files
	run := func() (reconcile.Report, error) { return r.Run(t.Context()) }
	b.pass(transaction.Lifetime + reconcile.AbandonedAfter - time.Second)
	if report, err := run(); err != nil || report.Swept != 0 {
		t.Fatalf("before their time: %+v, %v", report, err)
	}
	b.pass(time.Second)
	if report, err := run(); err == nil || report.Swept != 0 {
		t.Fatalf("while the store is away: %+v, %v; want an error", report, err)
	}
	files.err = nil
	if report, err := run(); err != nil || report.Swept != 2 {
		t.Fatalf("%+v, %v; want two swept", report, err)
	}
	want := []string{superseded.Token.MetadataCID, pending.Token.MetadataCID}
	slices.Sort(want)
	if slices.Sort(files.cids); !slices.Equal(files.cids, want) {
		t.Errorf("removed %v, want %v; %s landed and %s was submitted", files.cids, want,
			landed.Token.MetadataCID, lost.Token.MetadataCID)
	}
	if report, err := run(); err != nil || report.Swept != 0 {
		t.Errorf("again: %+v, %v", report, err)
	}
}

// numbered gives every file another name.
type numbered struct{}

func (numbered) SaveMetadata(context.Context, []byte) (string, error) { return uuid.NewString(), nil }
