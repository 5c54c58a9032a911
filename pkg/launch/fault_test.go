package launch_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
)

// faulty is the real chain with failures that it does not produce on demand.
type faulty struct {
	launch.Chain
	send     func(ctx context.Context, signed []byte) error
	simulate func(ctx context.Context, tx []byte) (transaction.Simulation, error)
}

func (f faulty) Send(ctx context.Context, signed []byte) error {
	if f.send == nil {
		return f.Chain.Send(ctx, signed)
	}
	return f.send(ctx, signed)
}

func (f faulty) Simulate(ctx context.Context, tx []byte) (transaction.Simulation, error) {
	if f.simulate == nil {
		return f.Chain.Simulate(ctx, tx)
	}
	return f.simulate(ctx, tx)
}

func TestSubmitResumesRecordedLaunch(t *testing.T) {
	b := newBench(t)
	creator := b.creator(t)
	created := b.create(t, creator)
	signed := sign(t, created, creator)

	down := b.Service
	down.ConfirmWithin = 10 * time.Millisecond
	down.Chain = faulty{Chain: b.node, send: func(context.Context, []byte) error { return errors.New("the node is away") }}
	l, err := down.Submit(t.Context(), creator.PublicKey(), created.ID, signed)
	must.Do(t, err)
	if l.Status != transaction.Submitted {
		t.Fatalf("the launch is %s, want submitted", l.Status)
	}
	record, err := b.tokens.Token(t.Context(), created.Mint)
	must.Do(t, err)
	if record.Status != token.Submitted || record.Visible {
		t.Errorf("the record is %s, visible %v; want submitted and not listed", record.Status, record.Visible)
	}

	b.pass(time.Hour) // long after the expiry, because it was submitted in time
	again, err := b.Submit(t.Context(), creator.PublicKey(), created.ID, signed)
	must.Do(t, err)
	if again.Status != transaction.Confirmed || again.Signature != l.Signature {
		t.Errorf("then %s with %s, want confirmed with %s", again.Status, again.Signature, l.Signature)
	}
}

func TestSubmitChainFailureIsFinal(t *testing.T) {
	b := newBench(t)
	poor := solana.NewWallet().PrivateKey
	b.ledger.Fund(t, poor.PublicKey().String(), 5_000_000)
	created := b.create(t, poor)
	signed := sign(t, created, poor)

	blind := b.Service
	blind.Chain = faulty{Chain: b.node, simulate: func(context.Context, []byte) (transaction.Simulation, error) {
		return transaction.Simulation{OK: true}, nil
	}}
	_, err := blind.Submit(t.Context(), poor.PublicKey(), created.ID, signed)
	wantCode(t, err, "transaction_failed")
	record, err := b.tokens.Token(t.Context(), created.Mint)
	must.Do(t, err)
	if record.Status != token.Failed {
		t.Errorf("the record is %s, want failed", record.Status)
	}

	// It is dead permanently: its nonce has moved on, so money does not revive it.
	b.ledger.Fund(t, poor.PublicKey().String(), solana.LAMPORTS_PER_SOL)
	l, err := b.Store.Launch(t.Context(), created.ID)
	must.Do(t, err)
	_ = b.node.Send(t.Context(), l.Messages[0].Signed)
	if _, found := b.mint(t, created.Mint); found {
		t.Error("a launch that was called failed has landed later")
	}
	state, _, err := b.node.Nonce(t.Context(), created.Nonce.Account)
	must.Do(t, err)
	if state.Value == created.Nonce.Value {
		t.Error("the nonce still has the value of the failed launch")
	}
	_, err = b.Submit(t.Context(), poor.PublicKey(), created.ID, signed)
	wantCode(t, err, "transaction_failed")

	// Its nonce and its wallet serve the next launch.
	second := b.create(t, poor)
	if second.Nonce.Account != created.Nonce.Account {
		t.Errorf("the next launch uses %s, want the freed nonce %s", second.Nonce.Account, created.Nonce.Account)
	}
	_, err = b.Submit(t.Context(), poor.PublicKey(), second.ID, sign(t, second, poor))
	must.Do(t, err)
}
