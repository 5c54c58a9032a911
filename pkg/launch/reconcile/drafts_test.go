package reconcile_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/unused"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/content"
)

// removed notes which files are removed, and fails on request.
type removed struct {
	sync.Mutex
	cids []string
	err  error
}

func (r *removed) Remove(_ context.Context, kind content.Kind, cid string) error {
	r.Lock()
	defer r.Unlock()
	if r.err == nil {
		r.cids = append(r.cids, kind.Key(cid))
	}
	return r.err
}

func (r *removed) Unpin(context.Context, string) error { return errors.New("it is not only unpinned") }

// Only what was never submitted, or failed, loses its file, and only after a day.
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

	run := func(files *removed, limit string) {
		t.Helper()
		counts, err := unused.Drafts{Launches: b.launches, Files: files, Max: 10, Now: b.now}.Run(t.Context())
		if got := fmt.Sprint(counts); got != limit || (err == nil) != (files.err == nil) {
			t.Fatalf("%s, %v; want %s", got, err, limit)
		}
	}
	keys := func(launches ...launch.Launch) (keys []string) {
		for _, l := range launches {
			keys = append(keys, content.Metadata.Key(l.Token.MetadataCID))
		}
		slices.Sort(keys)
		return keys
	}
	var gone removed
	b.pass(transaction.Lifetime + unused.AbandonedAfter - time.Second)
	run(&gone, "[{due 0} {removed 0}]")
	b.pass(time.Second)
	run(&removed{err: errors.New("the store is away")}, "[{due 2} {removed 0}]")
	run(&gone, "[{due 2} {removed 2}]")
	if slices.Sort(gone.cids); !slices.Equal(gone.cids, keys(superseded, pending)) {
		t.Errorf("removed %v; %s landed and %s was submitted", gone.cids, landed.Token.MetadataCID, lost.Token.MetadataCID)
	}
	run(&gone, "[{due 0} {removed 0}]")

	// A launch that was submitted and failed loses its file a day later, too.
	failed := lost.Launch
	failed.Status, failed.Reason = transaction.Failed, "never landed"
	must.Do(t, b.launches.Settle(t.Context(), failed, b.now()))
	gone.cids = nil
	run(&gone, "[{due 0} {removed 0}]")
	b.pass(unused.AbandonedAfter)
	run(&gone, "[{due 1} {removed 1}]")
	if !slices.Equal(gone.cids, keys(failed)) {
		t.Errorf("removed %v of a launch that failed", gone.cids)
	}
	run(&gone, "[{due 0} {removed 0}]")
}

// numbered renames every file.
type numbered struct{ files }

func (numbered) Name([]byte) (string, error) { return uuid.NewString(), nil }
