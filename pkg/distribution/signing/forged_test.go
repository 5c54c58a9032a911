package signing_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// TestForgedMessagesAreNotSigned settles a run on the local chain. Whenever the engine asks for
// a signature, a distributor that was taken over asks first for what it would rather have:
// the same payment with another destination, amount, program or receipt, and the same message
// for another payment, run, wallet or token. It gets none.
func TestForgedMessagesAreNotSigned(t *testing.T) {
	t.Parallel()
	w := runworld.NewEnv(t).Fixture(t)
	w.Token.Settings.BurnBps, w.Token.Settings.SellBps = 1_000, 10_000
	w.Token.Settings.DeveloperFeeBps = 1_000
	w.Token.Settings.CreatorSplits = terms.NewSplits([]terms.Split{
		{Wallet: solana.NewWallet().PublicKey(), Bps: 7_000}, {Wallet: solana.NewWallet().PublicKey(), Bps: 3_000},
	})
	w.Holders(t, 3, 1_000_000_000)
	attempts := map[payout.Kind]int{}
	var mu sync.Mutex
	w.Prepare = func(worker *runworld.Worker) {
		worker.Engine.Wallet = thief{t: t, Direct: worker.Engine.Wallet.(signing.Direct), tried: func(kind payout.Kind, n int) {
			mu.Lock()
			defer mu.Unlock()
			attempts[kind] += n
		}}
		worker.Machine.Engine = worker.Engine
	}
	if r := w.Settle(t); r.Status() != run.Settled {
		t.Fatalf("the run is %s", r.Status())
	}
	for _, kind := range []payout.Kind{payout.Collect, payout.Burn, payout.Exchange, payout.Creator, payout.Pay, payout.Anchor, payout.Return} {
		if attempts[kind] == 0 {
			t.Errorf("no payment of kind %s was tried", kind)
		}
	}
	t.Logf("forged messages that were refused: %v", attempts)
}

// thief is a distributor that was taken over.
type thief struct {
	signing.Direct
	t     *testing.T
	tried func(kind payout.Kind, n int)
}

func (f thief) Sign(ctx context.Context, o payout.Order) (solana.Signature, error) {
	forged := forgeries(f.t, o)
	for name, order := range forged {
		if signature, err := f.Direct.Sign(ctx, order); !errors.Is(err, payout.ErrNotSigned) || signature != (solana.Signature{}) {
			f.t.Errorf("%s, %s: %v", o.Payment, name, err)
		}
	}
	f.tried(o.Payment.Kind, len(forged))
	signature, err := f.Direct.Sign(ctx, o)
	if err != nil {
		f.t.Errorf("%s is not signed: %v", o.Payment, err)
	}
	return signature, err
}

var attacker = solana.NewWallet().PublicKey()

// forgeries returns copies of an order with one change each.
func forgeries(t *testing.T, honest payout.Order) map[string]payout.Order {
	t.Helper()
	message, err := parse(honest.Message)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]payout.Order{}
	order := func(name string, change func(*payout.Order)) {
		o := honest
		change(&o)
		all[name] = o
	}
	order("no decision", func(o *payout.Order) { o.Payment.Batch += 1_000 })
	if honest.Payment.Kind == payout.Creator {
		order("the payment of another of the creator's wallets", func(o *payout.Order) { o.Payment.Batch = 1 - o.Payment.Batch })
		order("a wallet that the creator has not named", func(o *payout.Order) { o.Payment.Batch = 2 })
	}
	order("another kind", func(o *payout.Order) { o.Payment.Kind = "gift" })
	order("another run", func(o *payout.Order) { o.Payment.Run = uuid.NewString() })
	order("another wallet's id", func(o *payout.Order) { o.Wallet.ID = uuid.NewString() })
	order("another wallet", func(o *payout.Order) { o.Wallet.Address = attacker })
	order("another token", func(o *payout.Order) { o.Mint = attacker })
	order("no message", func(o *payout.Order) { o.Message = nil })
	order("half a message", func(o *payout.Order) { o.Message = o.Message[:len(o.Message)/2] })

	does := message.Instructions()
	rebuilt := func(name string, does []wire.Instruction) {
		raw, ok := compile(message, message.FeePayer(), does)
		if ok && !bytes.Equal(raw, honest.Message) {
			order(name, func(o *payout.Order) { o.Message = raw })
		}
	}
	wallet := honest.Wallet.Address
	rebuilt("a transfer more", append(slices.Clone(does), instruction(systemprogram.Transfer{From: wallet, To: attacker, Lamports: 1}.Instruction())))
	rebuilt("an unknown program", append(slices.Clone(does), wire.Instruction{ProgramID: attacker, Data: []byte{1}}))
	rebuilt("the account's authority handed on", append(slices.Clone(does), wire.Instruction{
		ProgramID: solana.SystemProgramID, Accounts: []solana.AccountMeta{*solana.Meta(wallet).WRITE().SIGNER()},
		Data: append([]byte{1, 0, 0, 0}, attacker[:]...), // Assign
	}))
	if raw, ok := compile(message, attacker, does); ok {
		order("another payer of the fee", func(o *payout.Order) { o.Message = raw })
	}
	if honest.Payment.Kind.Receipted() {
		rebuilt("without its receipt", does[1:])
		other := slices.Clone(does)
		other[0] = instruction(systemprogram.CreateAccountWithSeed{
			Payer: wallet, Account: attacker, Base: wallet, Seed: "another", Lamports: 890_880, Owner: solana.SystemProgramID,
		}.Instruction())
		rebuilt("another receipt", other)
	}
	if !slices.Contains([]payout.Kind{payout.Burn, payout.Creator, payout.Pay, payout.Anchor}, honest.Payment.Kind) {
		return all // of the others some accounts may be any
	}
	for n, in := range does {
		if in.ProgramID == solana.ComputeBudget {
			continue
		}
		for at := range in.Accounts {
			changed := slices.Clone(does)
			changed[n].Accounts = slices.Clone(in.Accounts)
			changed[n].Accounts[at].PublicKey = attacker
			changed[n].Accounts[at].IsSigner = false
			rebuilt(fmt.Sprintf("account %d of instruction %d", at, n), changed)
		}
		for at := range in.Data {
			if n == 0 { // what is lent to the receipt stays the wallet's
				break
			}
			changed := slices.Clone(does)
			changed[n].Data = bytes.Clone(in.Data)
			changed[n].Data[at]++
			rebuilt(fmt.Sprintf("byte %d of instruction %d", at, n), changed)
		}
	}
	return all
}

func parse(raw []byte) (wire.Message, error) {
	if !wire.IsV1(raw) {
		return wire.ParseMessage(raw)
	}
	tx, err := wire.ParseV1(append(bytes.Clone(raw), make([]byte, 64)...))
	return tx.Message(), err
}

func instruction(in solana.Instruction) wire.Instruction {
	data, _ := in.Data()
	out := wire.Instruction{ProgramID: in.ProgramID(), Data: data}
	for _, a := range in.Accounts() {
		out.Accounts = append(out.Accounts, *a)
	}
	return out
}

// compile makes a message like another one; false when that cannot be.
func compile(like wire.Message, payer solana.PublicKey, does []wire.Instruction) ([]byte, bool) {
	var list []solana.Instruction
	for _, in := range does {
		accounts := make(solana.AccountMetaSlice, len(in.Accounts))
		for n := range in.Accounts {
			accounts[n] = &in.Accounts[n]
		}
		list = append(list, solana.NewInstruction(in.ProgramID, accounts, in.Data))
	}
	var m wire.Message
	var err error
	if config, v1 := like.V1(); v1 {
		m, err = wire.CompileV1(payer, like.Recent(), config, list)
	} else {
		m, err = wire.Compile(payer, like.Recent(), list)
	}
	return m.Bytes(), err == nil
}
