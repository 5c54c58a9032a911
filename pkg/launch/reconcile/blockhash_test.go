package reconcile_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/reconcile"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
)

// outlived is the number of finalized slots after which every blockhash that was given out has expired.
const outlived = 200

func newBlockhashBench(t *testing.T) *bench {
	t.Helper()
	b := newBench(t)
	b.service.Lifetime = launch.OnBlockhash
	return b
}

// run is one run of the reconciler a minute later.
func (b *bench) run(t *testing.T, node reconcile.Chain) reconcile.Report {
	t.Helper()
	b.pass(time.Minute)
	report, err := b.reconciler(node).Run(t.Context())
	must.Do(t, err)
	return report
}

func (b *bench) read(t *testing.T, s submission) launch.Launch {
	t.Helper()
	l, err := b.launches.Launch(t.Context(), s.ID)
	must.Do(t, err)
	return l
}

// wantEnd holds record, wallet and chain against the end of a launch.
func (b *bench) wantEnd(t *testing.T, s submission, want transaction.Status) launch.Launch {
	t.Helper()
	l := b.read(t, s)
	if l.Status != want {
		t.Fatalf("the launch is %s, want %s", l.Status, want)
	}
	landed := want == transaction.Confirmed
	for _, m := range l.Submitted() {
		_ = b.node.Send(t.Context(), m.Signed) // its holder tries once more
	}
	if b.minted(t, l) != landed {
		t.Errorf("the mint exists: %v, and the launch is %s", !landed, want)
	}
	record, err := b.tokens.Token(t.Context(), l.Mint)
	must.Do(t, err)
	if (record.Status == token.Confirmed) != landed || record.Signature != l.Signature {
		t.Errorf("the token is %s by %s, and the launch by %s", record.Status, record.Signature, l.Signature)
	}
	used, err := b.wallets.Get(t.Context(), l.Token.Wallet.ID)
	must.Do(t, err)
	if used.Bound() != landed {
		t.Errorf("the wallet is bound: %v", used.Bound())
	}
	if landed {
		outcomes, err := b.node.Outcomes(t.Context(), l.Signature)
		must.Do(t, err)
		if outcomes[0].State != transaction.Succeeded {
			t.Errorf("the record names %s, which is %s on the chain", l.Signature, outcomes[0].State)
		}
	} else if l.Reason == "" {
		t.Error("a failed launch has no reason")
	}
	return l
}

// follow submits a fresh message of the launch through a node.
func (b *bench) follow(t *testing.T, s submission, node launch.Chain) {
	t.Helper()
	fresh, err := b.service.Refresh(t.Context(), s.creator.PublicKey(), s.ID)
	must.Do(t, err)
	tx, err := wire.ParseTransaction(fresh.Transaction)
	must.Do(t, err)
	must.Do(t, tx.Sign(ed25519.PrivateKey(s.creator)))
	through := b.service
	through.Chain = node
	_, err = through.Submit(t.Context(), s.creator.PublicKey(), s.ID, base64.StdEncoding.EncodeToString(tx.Bytes()))
	must.Do(t, err)
}

func TestReconcileFindsLandedBlockhashLaunch(t *testing.T) {
	for name, through := range map[string]network{
		"its outcome was lost": {deaf: true}, "recorded and not sent": {deaf: true, down: true},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBlockhashBench(t)
			through.Client = b.node
			s := b.submit(t, &through, solana.LAMPORTS_PER_SOL)
			behind := &network{Client: b.node, behind: true, drops: true}
			b.run(t, behind)
			if l := b.read(t, s); l.Status != transaction.Submitted {
				t.Fatalf("the launch is %s by the word of a node that is behind", l.Status)
			}
			for range 2 { // sent, then seen
				b.run(t, b.node)
			}
			b.wantEnd(t, s, transaction.Confirmed)
		})
	}
}

// A launch that can no longer land waits for its creator until its order ends, and is dead
// afterwards.
func TestBlockhashLaunchDiesWithOrder(t *testing.T) {
	b := newBlockhashBench(t)
	s := b.submit(t, &network{Client: b.node, deaf: true, drops: true}, solana.LAMPORTS_PER_SOL)
	lossy := &network{Client: b.node, drops: true}
	if report := b.run(t, lossy); report.Resent != 1 {
		t.Errorf("while it may land: %+v", report)
	}
	b.ledger.PassSlots(t, outlived)
	if report := b.run(t, lossy); report.Waiting != 1 {
		t.Errorf("while its order lives: %+v", report)
	}
	b.pass(transaction.Lifetime)
	if report := b.run(t, &network{Client: b.node, behind: true}); report.Failed != 0 {
		t.Errorf("a node that is behind ends it: %+v", report)
	}
	b.run(t, lossy)
	if l := b.wantEnd(t, s, transaction.Failed); l.Reason != reconcile.NeverLanded {
		t.Errorf("it failed because: %s", l.Reason)
	}
}

// A launch that the chain rejected ends as soon as it can no longer land.
func TestReconcileRejectedBlockhashLaunch(t *testing.T) {
	b := newBlockhashBench(t)
	s := b.submit(t, &network{Client: b.node, deaf: true, blind: true}, 5_000_000)
	b.ledger.PassSlots(t, outlived)
	b.run(t, b.node)
	if l := b.wantEnd(t, s, transaction.Failed); l.Reason == reconcile.NeverLanded {
		t.Errorf("it failed because: %s", l.Reason)
	}
}

// A message that is submitted while the reconciler decides about the others keeps the launch alive:
// an end is written only for the judged messages.
func TestOtherMessageKeepsLaunchAlive(t *testing.T) {
	b := newBlockhashBench(t)
	refused := &network{Client: b.node, deaf: true, blind: true}
	s := b.submit(t, refused, 5_000_000)
	b.ledger.PassSlots(t, outlived)
	b.ledger.Fund(t, s.creator.PublicKey().String(), solana.LAMPORTS_PER_SOL)
	var once sync.Once
	racing := &network{Client: b.node, sighted: func() {
		once.Do(func() { b.follow(t, s, &network{Client: b.node, deaf: true, drops: true}) })
	}}
	b.run(t, racing)
	if l := b.read(t, s); l.Status != transaction.Submitted || len(l.Submitted()) != 2 {
		t.Fatalf("the launch is %s with %d messages", l.Status, len(l.Submitted()))
	}
	for range 2 {
		b.run(t, b.node)
	}
	b.wantEnd(t, s, transaction.Confirmed)
}

// The record names the message that landed.
func TestReconcileRecordsLandedMessage(t *testing.T) {
	b := newBlockhashBench(t)
	s := b.submit(t, &network{Client: b.node, deaf: true, drops: true}, solana.LAMPORTS_PER_SOL)
	b.ledger.PassSlots(t, 2) // so that the next blockhash is another one
	b.follow(t, s, &network{Client: b.node, deaf: true, drops: true})
	first := b.read(t, s).Submitted()[0]
	must.Do(t, b.node.Execute(t.Context(), first.Signed))
	b.run(t, b.node)
	if l := b.wantEnd(t, s, transaction.Confirmed); l.Signature != first.Signature {
		t.Errorf("the record names %s, and %s landed", l.Signature, first.Signature)
	}
}

// A launch that was reported confirmed, and whose mint can no longer appear, is an error in each
// run.
func TestReconcileReportsVanishedLaunch(t *testing.T) {
	b := newBlockhashBench(t)
	s := b.submit(t, &network{Client: b.node, deaf: true, drops: true}, solana.LAMPORTS_PER_SOL)
	must.Do(t, b.launches.Settle(t.Context(), confirmed(b.read(t, s)), b.now()))
	if report := b.run(t, &network{Client: b.node, drops: true}); report.Unfinalized != 1 {
		t.Errorf("while it may still land: %+v", report)
	}
	b.ledger.PassSlots(t, outlived)
	b.pass(time.Minute)
	if _, err := b.reconciler(b.node).Run(t.Context()); err == nil {
		t.Error("the run does not fail")
	}
}

func confirmed(l launch.Launch) launch.Launch {
	l.Status = transaction.Confirmed
	return l
}
