package launch_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/peertest"
)

// blockhashLife is after how many slots a blockhash is outdated, with some to spare.
const blockhashLife = 160

// newBlockhashBench is newBench, launching on blockhashes.
func newBlockhashBench(t *testing.T) *bench {
	t.Helper()
	b := newBench(t)
	b.Lifetime = launch.OnBlockhash
	return b
}

// signFresh signs a transaction in base64.
func signFresh(t *testing.T, f launch.Fresh, creator solana.PrivateKey) string {
	t.Helper()
	tx, err := wire.ParseTransaction(f.Transaction)
	must.Do(t, err)
	must.Do(t, tx.Sign(ed25519.PrivateKey(creator)))
	return tx.Base64()
}

// outdated lets every blockhash that was given out expire.
func (b *bench) outdated(t *testing.T) {
	t.Helper()
	b.ledger.PassSlots(t, blockhashLife)
}

// land signs and submits a fresh transaction, and what takes its place: a busy chain may be
// so slow that it is outdated, too.
func (b *bench) land(t *testing.T, created launch.Created, f launch.Fresh, creator solana.PrivateKey) launch.Launch {
	t.Helper()
	const patience = 5
	for range patience {
		l, err := b.Submit(t.Context(), created.Caller, created.ID, signFresh(t, f, creator))
		if expired, ok := errors.AsType[*launch.ExpiredError](err); ok {
			f = expired.Fresh
			continue
		}
		must.Do(t, err)
		if l.Status == transaction.Confirmed {
			return l
		}
	}
	t.Fatalf("it does not land, submitted %d times", patience)
	return launch.Launch{}
}

// submit submits what was signed, and wants it confirmed.
func (b *bench) submit(t *testing.T, created launch.Created, signed string) launch.Launch {
	t.Helper()
	l, err := b.Submit(t.Context(), created.Caller, created.ID, signed)
	must.Do(t, err)
	if l.Status != transaction.Confirmed {
		t.Fatalf("the launch is %s, want confirmed", l.Status)
	}
	return l
}

// wantFresh wants the rejection of an outdated transaction, and returns the fresh transaction.
func wantFresh(t *testing.T, err error) launch.Fresh {
	t.Helper()
	wantCode(t, err, "transaction_expired")
	expired, ok := errors.AsType[*launch.ExpiredError](err)
	if !ok {
		t.Fatal("no fresh transaction")
	}
	return expired.Fresh
}

func TestOfficialClientsLandOnBlockhash(t *testing.T) {
	b := newBlockhashBench(t)
	for _, client := range b.clients(t) {
		t.Run(string(client), func(t *testing.T) {
			creator := b.creator(t)
			created := b.create(t, creator)
			signed := peertest.Sign(t, client, base64.StdEncoding.EncodeToString(created.Fresh.Transaction), ed25519.PrivateKey(creator))
			b.submit(t, created, signed)
		})
	}
	if size, err := b.nonces.Size(t.Context()); err != nil || size != 0 {
		t.Errorf("%d nonces were leased, %v; want none", size, err)
	}
}

func TestBlockhashLaunchMatchesRequest(t *testing.T) {
	b := newBlockhashBench(t)
	creator := b.creator(t)
	d := b.draft(t, creator)
	before, err := b.node.Balance(t.Context(), creator.PublicKey())
	must.Do(t, err)
	created, err := b.Create(t.Context(), creator.PublicKey(), uuid.NewString(), d)
	must.Do(t, err)
	if !created.Simulation.OK || len(created.Explanation) != len(message(t, created.Fresh).Instructions()) {
		t.Errorf("the simulation is %+v, and the explanation %q", created.Simulation, created.Explanation)
	}
	t.Logf("%d bytes, %d compute units", message(t, created.Fresh).TransactionSize(), created.Simulation.ComputeUnits)
	l := b.submit(t, created, signFresh(t, created.Fresh, creator))
	b.checkMint(t, d, l)
	after, err := b.node.Balance(t.Context(), creator.PublicKey())
	must.Do(t, err)
	if got, want := before-after, created.Cost.Total(); got != want {
		t.Errorf("the launch took %d lamports, want the announced %d", got, want)
	}
}

func message(t *testing.T, f launch.Fresh) wire.Message {
	t.Helper()
	tx, err := wire.ParseTransaction(f.Transaction)
	must.Do(t, err)
	return tx.Message()
}

// The remaining time follows from the chain: a number of blocks, at the measured block time.
func TestBlockhashLaunchExpiry(t *testing.T) {
	b := newBlockhashBench(t)
	creator := b.creator(t)
	created := b.create(t, creator)
	pace, err := b.node.SlotTime(t.Context())
	must.Do(t, err)
	height, err := b.node.ConfirmedHeight(t.Context())
	must.Do(t, err)
	left := created.Fresh.ExpiresAt.Sub(created.CreatedAt)
	if created.Fresh.LastValid <= height || left <= 0 || left > time.Duration(created.Fresh.LastValid)*pace {
		t.Errorf("expires in %s, at block %d; the chain is at %d, and a slot takes %s", left, created.Fresh.LastValid, height, pace)
	}
	if !created.ExpiresAt.Equal(created.CreatedAt.Add(transaction.Lifetime)) {
		t.Errorf("the order lives until %s", created.ExpiresAt)
	}
}

func TestLaunchNeedsServiceSignature(t *testing.T) {
	b := newBlockhashBench(t)
	creator := b.creator(t)
	created := b.create(t, creator)
	tx, err := wire.ParseBase64(signFresh(t, created.Fresh, creator))
	must.Do(t, err)
	last, err := b.Signer.PublicKey(t.Context())
	must.Do(t, err)
	if missing := tx.Missing(); len(missing) != 2 || !slices.Contains(missing, last) || !slices.Contains(missing, created.Mint) {
		t.Fatalf("signatures of %v are missing, want those of %s and the mint %s", missing, last, created.Mint)
	}
	_ = b.node.Send(t.Context(), tx.Bytes())
	if _, found := b.mint(t, created.Mint); found {
		t.Error("the mint exists after sending the transaction past the service")
	}
}

// The order outlives its transactions: each outdated transaction is answered with a fresh one of
// the same token, and any transaction that can still land is accepted.
func TestOrderOutlivesTransactions(t *testing.T) {
	b := newBlockhashBench(t)
	creator := b.creator(t)
	created := b.create(t, creator)
	first := signFresh(t, created.Fresh, creator)
	b.outdated(t)
	_, err := b.Submit(t.Context(), creator.PublicKey(), created.ID, first)
	told := wantFresh(t, err)
	asked, err := b.Refresh(t.Context(), creator.PublicKey(), created.ID)
	must.Do(t, err)
	original := message(t, created.Fresh)
	for name, f := range map[string]launch.Fresh{"told": told, "asked for": asked} {
		m := message(t, f)
		if m.Recent() == original.Recent() || f.LastValid <= created.Fresh.LastValid {
			t.Errorf("the %s transaction uses %s, until block %d", name, m.Recent(), f.LastValid)
		}
		if again, err := original.OnRecent(m.Recent()); err != nil || !again.Equal(m) {
			t.Errorf("the %s transaction differs in more than its blockhash (%v)", name, err)
		}
	}
	l := b.land(t, created, told, creator)
	if l.Mint != created.Mint {
		t.Errorf("the mint is %s, and was %s", l.Mint, created.Mint)
	}
	// Every version submitted now is the same launch.
	for _, signed := range []string{first, signFresh(t, asked, creator), signFresh(t, told, creator)} {
		if again := b.submit(t, created, signed); again.Signature != l.Signature {
			t.Errorf("then it landed as %s, and before as %s", again.Signature, l.Signature)
		}
	}
	if _, err := b.Refresh(t.Context(), creator.PublicKey(), created.ID); err == nil {
		t.Error("a launch that landed is refreshed")
	}
}

func TestOrderEnds(t *testing.T) {
	b := newBlockhashBench(t)
	creator, stranger := b.creator(t), b.creator(t)
	created := b.create(t, creator)
	for _, id := range []string{created.ID, uuid.NewString(), "x", ""} {
		_, err := b.Refresh(t.Context(), stranger.PublicKey(), id)
		wantCode(t, err, "not_found")
		_, err = b.Status(t.Context(), stranger.PublicKey(), id)
		wantCode(t, err, "not_found")
	}
	b.pass(transaction.Lifetime)
	_, err := b.Refresh(t.Context(), creator.PublicKey(), created.ID)
	wantCode(t, err, "transaction_expired")
	_, err = b.Submit(t.Context(), creator.PublicKey(), created.ID, signFresh(t, created.Fresh, creator))
	wantCode(t, err, "transaction_expired")
	if _, ok := errors.AsType[*launch.ExpiredError](err); ok {
		t.Error("an order that is over is refreshed")
	}
}

func TestRefreshOnNonceReturnsSameTransaction(t *testing.T) {
	b := newBench(t)
	creator := b.creator(t)
	created := b.create(t, creator)
	f, err := b.Refresh(t.Context(), creator.PublicKey(), created.ID)
	must.Do(t, err)
	if string(f.Transaction) != string(created.Fresh.Transaction) || !f.ExpiresAt.Equal(created.ExpiresAt) || f.LastValid != 0 {
		t.Errorf("%+v, want %+v", f, created.Fresh)
	}
	b.submit(t, created, signFresh(t, f, creator))
}

// Two messages of an order may be on their way at once. One at most lands, and the record
// names the one.
func TestTwoMessagesOfOrderCreateOneToken(t *testing.T) {
	b := newBlockhashBench(t)
	creator := b.creator(t)
	created := b.create(t, creator)
	b.ledger.PassSlots(t, 2) // so that the next blockhash is another one
	second, err := b.Refresh(t.Context(), creator.PublicKey(), created.ID)
	must.Do(t, err)
	var all sync.WaitGroup
	for _, f := range []launch.Fresh{created.Fresh, second, created.Fresh, second} {
		all.Go(func() {
			l, err := b.Submit(context.Background(), creator.PublicKey(), created.ID, signFresh(t, f, creator))
			if apperr.KindOf(err) == apperr.Unavailable {
				return // asked while the other was landing
			}
			if err != nil || l.Status == transaction.Failed {
				t.Errorf("Submit() = %s, %v; want a launch that has not failed", l.Status, err)
			}
		})
	}
	all.Wait()
	l := b.submit(t, created, signFresh(t, second, creator))
	outcomes, err := b.node.Outcomes(t.Context(), l.Signature)
	must.Do(t, err)
	record, err := b.tokens.Token(t.Context(), created.Mint)
	must.Do(t, err)
	if outcomes[0].State != transaction.Succeeded || record.Signature != l.Signature {
		t.Errorf("the record has %s, the token's %s; the chain has %s", l.Signature, record.Signature, outcomes[0].State)
	}
	if _, total, err := b.tokens.List(t.Context(), 1, 10); err != nil || total != 1 {
		t.Errorf("the list has %d tokens, %v; want 1", total, err)
	}
}

// A message that was submitted and lost is answered with a fresh one, once it is outdated.
func TestLostMessageIsReplaced(t *testing.T) {
	b := newBlockhashBench(t)
	creator := b.creator(t)
	created := b.create(t, creator)
	signed := signFresh(t, created.Fresh, creator)
	lossy := b.Service
	lossy.ConfirmWithin = 10 * time.Millisecond
	lossy.Chain = faulty{Chain: b.node, send: func(context.Context, []byte) error { return nil }}
	l, err := lossy.Submit(t.Context(), creator.PublicKey(), created.ID, signed)
	must.Do(t, err)
	if l.Status != transaction.Submitted {
		t.Fatalf("the launch is %s, want submitted", l.Status)
	}
	b.outdated(t)
	_, err = lossy.Submit(t.Context(), creator.PublicKey(), created.ID, signed)
	landed := b.land(t, created, wantFresh(t, err), creator)
	if landed.Signature == l.Signature {
		t.Error("the record names the message that was lost")
	}
	if record, err := b.tokens.Token(t.Context(), created.Mint); err != nil || record.Signature != landed.Signature {
		t.Errorf("the token's record names %s, %v", record.Signature, err)
	}
}

// Preparing a launch detects a network that does not accept durable nonces (any more).
func TestLaunchUsesBlockhashIfNoncesAreRejected(t *testing.T) {
	b := newBench(t)
	creator := b.creator(t)
	refusing := b.Service
	refuse := simulating{b.node, func(ctx context.Context, tx []byte) (transaction.Simulation, error) {
		parsed, err := wire.ParseTransaction(tx)
		if err != nil {
			return transaction.Simulation{}, err
		}
		s, err := b.node.Simulate(ctx, tx)
		if first := parsed.Message().Instructions()[0]; first.ProgramID == solana.SystemProgramID {
			s.OK, s.Outdated = false, true
		}
		return s, err
	}}
	refusing.Chain, refusing.Preparer.Chain = refuse, refuse
	created, err := refusing.Create(t.Context(), creator.PublicKey(), "a", b.draft(t, creator))
	must.Do(t, err)
	if created.OnNonce() || created.Fresh.LastValid == 0 {
		t.Fatalf("it uses the nonce %s", created.Nonce.Account)
	}
	if free := b.free(t); free != 1 {
		t.Errorf("%d nonces are free, want also the released one", free)
	}
	b.submit(t, created, signFresh(t, created.Fresh, creator))
}
