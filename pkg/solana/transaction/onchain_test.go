package transaction_test

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// ledger is a real chain, and a preparer on it.
type ledger struct {
	*localnet.Ledger
	*solanarpc.Client
	transaction.Preparer
}

func newLedger(t *testing.T) ledger {
	t.Helper()
	local := localnet.Chain(t)
	client, err := solanarpc.New(local.RPCURL)
	must.Do(t, err)
	return ledger{local, client, transaction.Preparer{
		Chain: client, Price: computebudget.Bounds{Floor: 1_000_000, Cap: 1_000_000}, Now: time.Now, NewID: uuid.NewString,
	}}
}

func (l ledger) rent(t *testing.T, bytes uint64) uint64 {
	t.Helper()
	lamports, err := l.MinimumBalance(t.Context(), bytes)
	must.Do(t, err)
	return lamports
}

func (l ledger) balance(t *testing.T, of solana.PublicKey) uint64 {
	t.Helper()
	lamports, err := l.Balance(t.Context(), of)
	must.Do(t, err)
	return lamports
}

// signed is the transaction with the caller's signature.
func signed(t *testing.T, u transaction.Unsigned, caller solana.PrivateKey) []byte {
	t.Helper()
	tx, err := wire.ParseTransaction(u.Transaction)
	must.Do(t, err)
	must.Do(t, tx.Sign(ed25519.PrivateKey(caller)))
	if missing := tx.Missing(); len(missing) > 0 {
		t.Fatalf("the signatures of %v are missing", missing)
	}
	return tx.Bytes()
}

// draft makes drafts that cost and need different sums.
type draft struct {
	name string
	make func(t *testing.T, l ledger, caller solana.PublicKey) transaction.Draft
}

func step(in solana.Instruction) transaction.Step {
	return transaction.Step{Instruction: in, Explanation: "Does something."}
}

var drafts = []draft{
	{"a fee only", func(_ *testing.T, _ ledger, caller solana.PublicKey) transaction.Draft {
		return transaction.Draft{Caller: caller, Steps: []transaction.Step{
			step(systemprogram.Transfer{From: caller, To: caller, Lamports: 1}.Instruction()),
		}}
	}},
	{"a deposit", func(_ *testing.T, _ ledger, caller solana.PublicKey) transaction.Draft {
		return transaction.Draft{Caller: caller, Cost: transaction.Cost{Deposit: 5_000_000}, Steps: []transaction.Step{
			step(systemprogram.Transfer{
				From: caller, To: solana.NewWallet().PublicKey(), Lamports: 5_000_000, References: []solana.PublicKey{key(77)},
			}.Instruction()),
		}}
	}},
	{"rent of an account with a separate key", func(t *testing.T, l ledger, caller solana.PublicKey) transaction.Draft {
		_, made, err := ed25519.GenerateKey(nil)
		must.Do(t, err)
		rent := l.rent(t, 100)
		return transaction.Draft{
			Caller: caller, Cost: transaction.Cost{Rent: rent}, Signers: []ed25519.PrivateKey{made},
			Steps: []transaction.Step{step(systemprogram.CreateAccount{
				Payer: caller, Account: address(made), Lamports: rent, Space: 100, Owner: solana.Token2022ProgramID,
			}.Instruction())},
		}
	}},
	{"wrapped SOL that passes", func(t *testing.T, l ledger, caller solana.PublicKey) transaction.Draft {
		return transaction.Draft{
			Caller: caller, Returned: l.rent(t, market.WrappedAccountSize) + 1_000, Steps: wrapAndUnwrap(t, caller, 1_000, 0, caller),
		}
	}},
	{"wrapped SOL, of which some stays elsewhere", func(t *testing.T, l ledger, caller solana.PublicKey) transaction.Draft {
		rent := l.rent(t, market.WrappedAccountSize)
		return transaction.Draft{
			Caller: caller, Returned: rent + 1_000, Cost: transaction.Cost{Rent: rent, Deposit: 4_000},
			Steps: wrapAndUnwrap(t, caller, 5_000, 4_000, solana.NewWallet().PublicKey()),
		}
	}},
}

// wrapAndUnwrap wraps lamports, moves some of them to the wrapped SOL of another, and
// unwraps the rest.
func wrapAndUnwrap(t *testing.T, caller solana.PublicKey, lamports, moved uint64, to solana.PublicKey) []transaction.Step {
	t.Helper()
	steps, err := market.WrapSteps(caller, lamports, false)
	must.Do(t, err)
	if moved > 0 {
		own, err := market.WrappedAddress(caller)
		must.Do(t, err)
		create, account, err := token2022.CreateAssociatedIdempotent{
			Payer: caller, Wallet: to, Mint: solana.WrappedSol, Program: solana.TokenProgramID,
		}.Instruction()
		must.Do(t, err)
		steps = append(steps, step(create), step(token2022.TransferChecked{
			Program: solana.TokenProgramID, Source: own, Mint: solana.WrappedSol, Destination: account, Owner: caller,
			Amount: moved, Decimals: 9,
		}.Instruction()))
	}
	unwrap, err := market.UnwrapStep(caller)
	must.Do(t, err)
	return append(steps, unwrap)
}

func (l ledger) prepare(t *testing.T, d transaction.Draft) transaction.Unsigned {
	t.Helper()
	u, err := l.Prepare(t.Context(), "", d)
	must.Do(t, err)
	return u
}

// TestChainAcceptsPrepared, to the lamport.
func TestChainAcceptsPrepared(t *testing.T) {
	l := newLedger(t)
	for _, d := range drafts {
		t.Run(d.name, func(t *testing.T) {
			caller := solana.NewWallet().PrivateKey
			l.Fund(t, caller.PublicKey().String(), solana.LAMPORTS_PER_SOL)
			u := l.prepare(t, d.make(t, l, caller.PublicKey()))
			if !u.Simulation.OK {
				t.Fatalf("simulation = %+v, want OK", u.Simulation)
			}
			before := l.balance(t, caller.PublicKey())
			must.Do(t, l.Execute(t.Context(), signed(t, u, caller)))
			if paid := before - l.balance(t, caller.PublicKey()); paid != u.Cost.Total() {
				t.Errorf("the caller paid %d lamports, announced were %d: %+v", paid, u.Cost.Total(), u.Cost)
			}
			height, err := l.Height(t.Context())
			must.Do(t, err)
			if u.LastValid <= height || u.LastValid > height+1_000 {
				t.Errorf("it lands until block %d; the chain is at %d", u.LastValid, height)
			}
		})
	}
}

// TestMissingAmountSuffices tests that the transaction lands with the missing amount, and fails
// with a lamport less.
func TestMissingAmountSuffices(t *testing.T) {
	l := newLedger(t)
	for _, d := range drafts {
		for _, has := range []uint64{0, walletRent, 895_000} {
			t.Run(fmt.Sprintf("%s, of %d", d.name, has), func(t *testing.T) {
				caller := solana.NewWallet().PrivateKey
				l.give(t, caller.PublicKey(), has)
				draft := d.make(t, l, caller.PublicKey())
				draft.MaxUnits = 60_000 // for which it offers a fee until its use is known
				u := l.prepare(t, draft)
				missing := u.Simulation.MissingLamports
				if missing == 0 {
					t.Fatalf("no amount is missing: %s", u.Simulation.Detail)
				}
				tx := signed(t, u, caller)
				l.give(t, caller.PublicKey(), has+missing-1)
				if s, err := l.Simulate(t.Context(), tx); err != nil || s.OK {
					t.Errorf("with %d lamports of %d: it would land (%v)", missing-1, missing, err)
				}
				l.give(t, caller.PublicKey(), has+missing)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				if err := l.Execute(ctx, tx); err != nil {
					t.Errorf("with the %d lamports: %v", missing, err)
				}
			})
		}
	}
}

// TestSufficientBalanceIsReported tests the sum that a transaction is said to need, for a wallet
// with a large balance.
func TestSufficientBalanceIsReported(t *testing.T) {
	l := newLedger(t)
	for _, d := range drafts {
		t.Run(d.name, func(t *testing.T) {
			caller := solana.NewWallet().PrivateKey
			l.give(t, caller.PublicKey(), solana.LAMPORTS_PER_SOL)
			draft := d.make(t, l, caller.PublicKey())
			needed := l.prepare(t, draft).Cost.Total() + max(draft.Returned, walletRent)
			l.give(t, caller.PublicKey(), needed-1)
			if s := l.prepare(t, draft).Simulation; s.OK || s.MissingLamports != 1 {
				t.Errorf("with a lamport less: %v %s, %d missing", s.OK, s.Detail, s.MissingLamports)
			}
			l.give(t, caller.PublicKey(), needed)
			u := l.prepare(t, draft)
			if !u.Simulation.OK {
				t.Fatalf("with all of it: %s", u.Simulation.Detail)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if err := l.Execute(ctx, signed(t, u, caller)); err != nil {
				t.Error(err)
			}
		})
	}
}

// give lets a wallet have the given lamports.
func (l ledger) give(t *testing.T, to solana.PublicKey, lamports uint64) {
	t.Helper()
	l.SetAccount(t, to.String(), surfpool.Account{Lamports: lamports})
}
