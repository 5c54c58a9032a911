package transaction

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// BlockhashLifetime is how long a transaction on a recent blockhash can land at
// least: 150 slots of 400 ms (Solana, MAX_PROCESSING_AGE).
const BlockhashLifetime = 60 * time.Second

// Recent is a recent blockhash.
type Recent struct {
	Blockhash solana.Hash
	// LastValid is the height of the last block that takes transactions on it.
	LastValid uint64
}

// Network is what preparing a transaction needs of the chain.
type Network interface {
	// Recent gives a recent blockhash, confirmed.
	Recent(ctx context.Context) (Recent, error)
	Balance(ctx context.Context, account solana.PublicKey) (lamports uint64, err error)
	// MinimumBalance is the rent that exempts an account of so many bytes.
	MinimumBalance(ctx context.Context, bytes uint64) (lamports uint64, err error)
	Simulate(ctx context.Context, tx []byte) (Simulation, error)
	// Missing lists those of the addresses where there is no account, confirmed.
	Missing(ctx context.Context, addresses ...solana.PublicKey) ([]solana.PublicKey, error)
}

// Preparer is the one way by which the service makes transactions for others to
// sign.
type Preparer struct {
	Chain Network
	// PriceMicroLamports is the priority fee per compute unit.
	PriceMicroLamports uint64
	Now                func() time.Time
	NewID              func() string
}

// Prepare makes a transaction of a draft: it simulates it, sets the compute-unit
// limit a fifth above what that took, adds the signatures of the draft's signers,
// and says what the caller pays and what he lacks. Nothing is recorded: that is for
// whoever knows what follows from the transaction. id is the transaction's; empty:
// a new one. It fails with wire.ErrTooLarge when the transaction would not fit into
// a packet.
func (p Preparer) Prepare(ctx context.Context, id string, d Draft) (Unsigned, error) {
	if id == "" {
		id = p.NewID()
	}
	u := Unsigned{
		ID: id, Kind: d.Kind, Caller: d.Caller, Mint: d.Mint, Cost: d.Cost,
		CreatedAt: p.Now().UTC().Truncate(time.Millisecond),
	}
	g, err := p.look(ctx, d)
	if err != nil {
		return Unsigned{}, err
	}
	u.ExpiresAt, u.LastValid = u.CreatedAt.Add(BlockhashLifetime), g.recent.LastValid
	if d.Nonce != nil {
		u.ExpiresAt = d.Nonce.Until
	}
	if u.Simulation, err = p.simulate(ctx, d, g); err != nil {
		return Unsigned{}, err
	}
	units := d.limit(u.Simulation)
	message, explanation, err := d.Compile(g.recent.Blockhash, units, p.PriceMicroLamports)
	if err != nil {
		return Unsigned{}, err
	}
	tx := wire.NewTransaction(message)
	if u.Cosigned, err = cosign(tx, d.Signers); err != nil {
		return Unsigned{}, fmt.Errorf("sign the %s transaction %s: %w", d.Kind, id, err)
	}
	u.Message, u.Transaction, u.Explanation = message.Bytes(), tx.Bytes(), explanation
	u.Cost.NetworkFee = networkFee(len(message.Signers()), computebudget.PriorityFee(units, p.PriceMicroLamports))
	u.Simulation = u.Simulation.Afford(g.balance, g.walletRent, u.Cost, d.Passing).Hold(d.Holds, d.Moves)
	return u, nil
}

// ground is what the chain says before a transaction is made.
type ground struct {
	recent     Recent // or the nonce's value
	balance    uint64 // of the caller
	walletRent uint64 // what an account without data must keep
	missing    []solana.PublicKey
}

// look asks the chain all that does not depend on each other at once.
func (p Preparer) look(ctx context.Context, d Draft) (g ground, err error) {
	questions := []func() error{
		func() (err error) { g.balance, err = p.Chain.Balance(ctx, d.Caller); return err },
		func() (err error) { g.walletRent, err = p.Chain.MinimumBalance(ctx, 0); return err },
	}
	if d.Nonce != nil {
		g.recent.Blockhash = d.Nonce.Value
	} else {
		questions = append(questions, func() (err error) { g.recent, err = p.Chain.Recent(ctx); return err })
	}
	if len(d.Programs) > 0 {
		questions = append(questions, func() (err error) { g.missing, err = p.Chain.Missing(ctx, d.Programs...); return err })
	}
	errs := make([]error, len(questions))
	var wait sync.WaitGroup
	for i, ask := range questions {
		wait.Go(func() { errs[i] = ask() })
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return ground{}, err
		}
	}
	return g, nil
}

// simulate offers no priority fee: it is for the limit that is found out here, and
// whoever has just enough for that would lack it for the greatest limit.
func (p Preparer) simulate(ctx context.Context, d Draft, g ground) (Simulation, error) {
	if len(g.missing) > 0 {
		return Simulation{Reason: ProgramUnavailable, Detail: fmt.Sprintf("This network has no program %s.", g.missing[0])}, nil
	}
	message, _, err := d.Compile(g.recent.Blockhash, d.mostUnits(), 0)
	if err != nil {
		return Simulation{}, err
	}
	return p.Chain.Simulate(ctx, wire.NewTransaction(message).Bytes())
}

// cosign adds the signatures of keys, and lists them.
func cosign(tx wire.Transaction, keys []ed25519.PrivateKey) ([]Cosignature, error) {
	var list []Cosignature
	for _, key := range keys {
		if err := tx.Sign(key); err != nil {
			return nil, err
		}
		signer := solana.PublicKeyFromBytes(key[ed25519.PrivateKeySize-ed25519.PublicKeySize:])
		signature, _ := tx.Signature(signer)
		list = append(list, Cosignature{Signer: signer, Signature: signature})
	}
	return list, nil
}
