package tables

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
)

// ledger is a fresh local chain with a wallet that has SOL and a durable nonce.
type ledger struct {
	chain *surfpool.Chain
	key   solana.PrivateKey
	payer payer
}

const (
	funds = 10 * solana.LAMPORTS_PER_SOL
	// amount is paid to each recipient, in lamports: more than the rent of an account.
	amount = 1_000_000
	// settles bounds how long the local chain takes for a transaction.
	settles = 20 * time.Second
)

func start(ctx context.Context, folder project.Folder) (*ledger, error) {
	chain, err := surfpool.Start(ctx, folder, surfpool.Options{})
	if err != nil {
		return nil, err
	}
	l := &ledger{chain: chain, key: solana.NewWallet().PrivateKey}
	l.payer.wallet = l.key.PublicKey()
	if err := l.prepare(ctx); err != nil {
		chain.Stop()
		return nil, err
	}
	return l, nil
}

func (l *ledger) prepare(ctx context.Context) error {
	if err := l.chain.Fund(ctx, l.payer.wallet.String(), funds); err != nil {
		return err
	}
	const seed = "lane"
	lane, err := systemprogram.AddressWithSeed(l.payer.wallet, seed, solana.SystemProgramID)
	if err != nil {
		return err
	}
	l.payer.lane = lane
	rent, err := l.rent(ctx, systemprogram.NonceAccountSize)
	if err != nil {
		return err
	}
	_, err = l.onBlockhash(ctx,
		systemprogram.CreateAccountWithSeed{
			Payer: l.payer.wallet, Account: lane, Base: l.payer.wallet, Seed: seed, Lamports: rent,
			Space: systemprogram.NonceAccountSize, Owner: solana.SystemProgramID,
		}.Instruction(),
		systemprogram.InitializeNonceAccount{Nonce: lane, Authority: l.payer.wallet}.Instruction())
	return err
}

func (l *ledger) rent(ctx context.Context, bytes uint64) (lamports uint64, err error) {
	return lamports, l.chain.Call(ctx, &lamports, "getMinimumBalanceForRentExemption", bytes)
}

// latest gives a blockhash and a slot that has one.
func (l *ledger) latest(ctx context.Context) (solana.Hash, uint64, error) {
	var answer struct {
		Context struct{ Slot uint64 }
		Value   struct{ Blockhash string }
	}
	if err := l.chain.Call(ctx, &answer, "getLatestBlockhash", confirmed); err != nil {
		return solana.Hash{}, 0, err
	}
	hash, err := solana.HashFromBase58(answer.Value.Blockhash)
	return hash, answer.Context.Slot, err
}

// laneValue reads the value of the wallet's nonce.
func (l *ledger) laneValue(ctx context.Context) (solana.Hash, error) {
	owner, data, err := l.account(ctx, l.payer.lane)
	if err != nil {
		return solana.Hash{}, err
	}
	nonce, err := systemprogram.DecodeNonce(owner, data)
	return nonce.Value, err
}

func (l *ledger) account(ctx context.Context, address solana.PublicKey) (owner solana.PublicKey, data []byte, err error) {
	var answer struct {
		Value *struct {
			Owner solana.PublicKey
			Data  []string
		}
	}
	if err := l.chain.Call(ctx, &answer, "getAccountInfo", address, map[string]string{"commitment": "confirmed", "encoding": "base64"}); err != nil {
		return owner, nil, err
	}
	if answer.Value == nil || len(answer.Value.Data) == 0 {
		return owner, nil, fmt.Errorf("there is nothing at %s", address)
	}
	data, err = base64.StdEncoding.DecodeString(answer.Value.Data[0])
	return answer.Value.Owner, data, err
}

// table reads a lookup table.
func (l *ledger) table(ctx context.Context, address solana.PublicKey) (table, error) {
	owner, data, err := l.account(ctx, address)
	if err != nil {
		return table{}, err
	}
	return readTable(address, owner, data)
}

var confirmed = map[string]string{"commitment": "confirmed"}

// cost is what a transaction took.
type cost struct {
	bytes int
	fee   uint64 // lamports, priority fee included
	units uint64
}

// execute signs a message and waits until it has succeeded.
func (l *ledger) execute(ctx context.Context, m message) (cost, error) {
	signature, err := l.key.Sign(m.signed)
	if err != nil {
		return cost{}, err
	}
	tx, err := m.transaction(signature)
	if err != nil {
		return cost{}, err
	}
	var id string
	encoded := map[string]any{"encoding": "base64", "skipPreflight": true}
	if err := l.chain.Call(ctx, &id, "sendTransaction", base64.StdEncoding.EncodeToString(tx), encoded); err != nil {
		return cost{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, settles)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		var answer *struct {
			Meta struct {
				Err                  any
				Fee                  uint64
				ComputeUnitsConsumed uint64
			}
		}
		err := l.chain.Call(ctx, &answer, "getTransaction", id, map[string]any{
			"commitment": "confirmed", "encoding": "base64", "maxSupportedTransactionVersion": 1,
		})
		switch {
		case err == nil && answer != nil && answer.Meta.Err != nil:
			return cost{}, fmt.Errorf("transaction %s failed: %v", id, answer.Meta.Err)
		case err == nil && answer != nil:
			return cost{bytes: m.size, fee: answer.Meta.Fee, units: answer.Meta.ComputeUnitsConsumed}, nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return cost{}, errors.Join(fmt.Errorf("transaction %s: %w", id, ctx.Err()), err)
		}
	}
}

func (l *ledger) onBlockhash(ctx context.Context, instructions ...solana.Instruction) (cost, error) {
	recent, _, err := l.latest(ctx)
	if err != nil {
		return cost{}, err
	}
	m, err := own(wire.Compile(l.payer.wallet, recent, instructions))
	if err != nil {
		return cost{}, err
	}
	return l.execute(ctx, m)
}

// pay pays as many of the recipients as one transaction takes, and sees that each has it.
func (l *ledger) pay(ctx context.Context, e encoding, recipients []solana.PublicKey) (paid int, c cost, err error) {
	if l.payer.value, err = l.laneValue(ctx); err != nil {
		return 0, c, err
	}
	sizes, m, err := pack(l.payer, e, l.payer.payments(recipients))
	if err != nil {
		return 0, c, err
	}
	paid = sizes[0]
	before, err := l.balances(ctx, recipients[:paid])
	if err != nil {
		return 0, c, err
	}
	if c, err = l.execute(ctx, m); err != nil {
		return 0, c, fmt.Errorf("pay %d by %s: %w", paid, e.name, err)
	}
	after, err := l.balances(ctx, recipients[:paid])
	if err != nil {
		return 0, c, err
	}
	for n := range after {
		if after[n] != before[n]+amount {
			return 0, c, fmt.Errorf("%s has %d lamports, not %d", recipients[n], after[n], before[n]+amount)
		}
	}
	return paid, c, nil
}

func (l *ledger) balances(ctx context.Context, addresses []solana.PublicKey) ([]uint64, error) {
	var answer struct{ Value []*struct{ Lamports uint64 } }
	if err := l.chain.Call(ctx, &answer, "getMultipleAccounts", addresses, confirmed); err != nil {
		return nil, err
	}
	list := make([]uint64, len(addresses))
	for n, a := range answer.Value {
		if a != nil {
			list[n] = a.Lamports
		}
	}
	return list, nil
}
