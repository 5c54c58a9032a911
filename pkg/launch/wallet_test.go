package launch_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/lighthouse"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/launchtest"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/localnet/localchain"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/peertest"
)

// deployGuards lets assertions of Lighthouse about the creator hold, and others fail.
func (b *bench) deployGuards(t *testing.T) {
	t.Helper()
	err := localnet.DeployGuards(t.Context(), b.ledger.Local())
	if errors.Is(err, localchain.ErrPower) {
		t.Skip(err)
	}
	must.Do(t, err)
}

// clients are the official ones, and on a chain that takes a program at Lighthouse's address those
// that add an assertion.
func (b *bench) clients(t *testing.T) []peertest.Client {
	t.Helper()
	if b.ledger.Real {
		return peertest.Clients()
	}
	b.deployGuards(t)
	return append(peertest.Clients(), peertest.GuardingClients()...)
}

// guarded adds the instructions that Phantom and others add.
func guarded(about ...*solana.AccountMeta) func([]solana.Instruction) []solana.Instruction {
	return func(list []solana.Instruction) []solana.Instruction {
		guard := solana.NewInstruction(lighthouse.Program, about, []byte{5, 0, 1})
		return append(launchtest.Priced(200_000)(list), guard)
	}
}

// foreign puts signatures that do not fit into the places of the other signers.
func foreign(t *testing.T, signed string) string {
	t.Helper()
	tx, err := wire.ParseBase64(signed)
	must.Do(t, err)
	raw := tx.Bytes()
	for i := range tx.Missing() {
		copy(raw[1+(i+1)*solana.SignatureLength:], slices.Repeat([]byte{byte(i + 1)}, solana.SignatureLength))
	}
	tx, err = wire.ParseTransaction(raw)
	must.Do(t, err)
	return tx.Base64()
}

// A launch to which a wallet adds an assertion and a price lands as the wallet signed it, whatever
// the placeholders of the service's signatures contain.
func TestLaunchWithGuardAndPrice(t *testing.T) {
	for _, lifetime := range []launch.Lifetime{launch.OnNonce, launch.OnBlockhash} {
		b := newBench(t)
		b.Lifetime = lifetime
		b.deployGuards(t)
		for name, signatures := range map[string]func(*testing.T, string) string{
			"none": func(_ *testing.T, signed string) string { return signed }, "foreign": foreign,
		} {
			t.Run(fmt.Sprintf("%s, %s signatures", lifetime, name), func(t *testing.T) {
				creator := b.creator(t)
				created := b.create(t, creator)
				tx, err := wire.ParseTransaction(created.Fresh.Transaction)
				must.Do(t, err)
				if missing := tx.Missing(); len(missing) != 3 {
					t.Fatalf("it is issued with signatures: %v are missing, want all three", missing)
				}
				signed := launchtest.SignChanged(t, created.Fresh.Transaction, creator, guarded(solana.Meta(creator.PublicKey())))
				l, err := b.Submit(t.Context(), creator.PublicKey(), created.ID, signatures(t, signed))
				must.Do(t, err)
				if l.Status != transaction.Confirmed {
					t.Errorf("the launch is %s, want confirmed", l.Status)
				}
				want, err := wire.ParseBase64(signed)
				must.Do(t, err)
				sent, err := wire.ParseTransaction(l.Messages[0].Signed)
				must.Do(t, err)
				if !sent.Message().Equal(want.Message()) || len(sent.Missing()) > 0 {
					t.Errorf("recorded is another message than the wallet's, or signatures of %v are missing", sent.Missing())
				}
				if id, _ := want.ID(); l.Signature != id {
					t.Errorf("it landed as %s, want %s", l.Signature, id)
				}
				if _, found := b.mint(t, created.Mint); !found {
					t.Error("the mint does not exist")
				}
			})
		}
	}
}

// A failing guard is reported before anything is signed or recorded, and the same order then lands
// without the guard.
func TestFailingGuard(t *testing.T) {
	b := newBench(t)
	b.deployGuards(t)
	creator := b.creator(t)
	created := b.create(t, creator)
	signed := launchtest.SignChanged(t, created.Fresh.Transaction, creator, guarded(solana.Meta(solana.SystemProgramID)))
	_, err := b.Submit(t.Context(), creator.PublicKey(), created.ID, signed)
	wantCode(t, err, "transaction_failed")
	if status := b.status(t, created.ID); status != transaction.Pending {
		t.Errorf("the launch is %s, want pending", status)
	}
	_, err = b.Submit(t.Context(), creator.PublicKey(), created.ID, sign(t, created, creator))
	must.Do(t, err)
}

// The service does not sign a message with a forbidden change, and the error names the change.
func TestSubmitRejectsOtherChanges(t *testing.T) {
	b := newBench(t)
	creator := b.creator(t)
	created := b.create(t, creator)
	authority, err := b.Signer.PublicKey(t.Context())
	must.Do(t, err)
	transfer := func(from solana.PublicKey) solana.Instruction {
		data := binary.LittleEndian.AppendUint64([]byte{2, 0, 0, 0}, 1)
		return solana.NewInstruction(solana.SystemProgramID, []*solana.AccountMeta{solana.Meta(from).SIGNER().WRITE(), solana.Meta(creator.PublicKey()).WRITE()}, data)
	}
	add := func(more solana.Instruction) func([]solana.Instruction) []solana.Instruction {
		return func(list []solana.Instruction) []solana.Instruction { return append(list, more) }
	}
	count := len(created.Explanation)
	for name, c := range map[string]struct {
		change func([]solana.Instruction) []solana.Instruction
		want   string
	}{
		"a payment by the mint":       {add(transfer(created.Mint)), fmt.Sprintf("instruction %d was added", count+1)},
		"a payment by the service":    {add(transfer(authority)), fmt.Sprintf("instruction %d was added", count+1)},
		"a guard about the mint":      {guarded(solana.Meta(created.Mint)), "which signs for the issued instructions only"},
		"a guard about the authority": {guarded(solana.Meta(authority)), "which signs for the issued instructions only"},
		"no nonce":                    {func(l []solana.Instruction) []solana.Instruction { return l[1:] }, "instructions, and"},
		"a price out of bounds":       {launchtest.Priced(1 << 60), "the priority fee is"},
		"no funding":                  {func(l []solana.Instruction) []solana.Instruction { return l[:len(l)-1] }, "instructions, and"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := b.Submit(t.Context(), creator.PublicKey(), created.ID, launchtest.SignChanged(t, created.Fresh.Transaction, creator, c.change))
			wantCode(t, err, "invalid_transaction")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Submit() = %v, want %q in it", err, c.want)
			}
			if l, err := b.Store.Launch(t.Context(), created.ID); err != nil || len(l.Submitted()) > 0 {
				t.Errorf("%d messages are signed, %v", len(l.Submitted()), err)
			}
		})
	}
}

// Only the first recorded version of a message is ever sent. Submitting another version returns the
// result of the first.
func TestVersionsOfOneMessage(t *testing.T) {
	on := newNonceEnv(t)
	for _, lifetime := range []launch.Lifetime{launch.OnNonce, launch.OnBlockhash} {
		t.Run(string(lifetime), func(t *testing.T) {
			s := prepareOn(t, on, lifetime, fate{})
			var all sync.WaitGroup
			start := make(chan struct{})
			for n := range 6 {
				signed := launchtest.SignChanged(t, s.created.Fresh.Transaction, s.creator, launchtest.Priced(100_000+uint64(n)))
				service := s.Service(t, s.process(s.Watch))
				all.Go(func() {
					<-start
					l, err := service.Submit(context.Background(), s.creator.PublicKey(), s.created.ID, signed)
					if err != nil && apperr.KindOf(err) != apperr.Unavailable {
						t.Errorf("Submit() = %s, %v; want no error or one of kind Unavailable", l.Status, err)
					}
				})
			}
			close(start)
			all.Wait()
			clientReturns(t, s)
			first, err := s.Launches.Launch(t.Context(), s.created.ID)
			must.Do(t, err)
			service := s.Service(t, s.process(s.Watch))
			again, err := service.Submit(t.Context(), s.creator.PublicKey(), s.created.ID, s.signed)
			must.Do(t, err)
			if again.Signature != first.Signature || again.Status != transaction.Confirmed {
				t.Errorf("Submit() of another version = %s, %s; want %s, confirmed", again.Signature, again.Status, first.Signature)
			}
			s.check(t, transaction.Confirmed)
		})
	}
}
