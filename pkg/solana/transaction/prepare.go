package transaction

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// blockhashBlocks is the number of blocks that accept a blockhash (Agave, MAX_PROCESSING_AGE). It
// bounds the lifetime if the blockhash and the height are from two nodes, and the node with the
// height is behind.
const blockhashBlocks = 150

// Network is the subset of the RPC API that Preparer needs.
type Network interface {
	computebudget.Market
	// RecentBlockhash returns a recent blockhash, confirmed.
	RecentBlockhash(ctx context.Context) (onchain.Blockhash, error)
	// Height returns the height of the newest block.
	Height(ctx context.Context) (uint64, error)
	// SlotTime returns the present duration of a slot.
	SlotTime(ctx context.Context) (time.Duration, error)
	Balance(ctx context.Context, account solana.PublicKey) (lamports uint64, err error)
	// MinimumBalance returns the rent-exempt minimum of an account with the given number of bytes.
	MinimumBalance(ctx context.Context, bytes uint64) (lamports uint64, err error)
	Simulate(ctx context.Context, tx []byte) (Simulation, error)
	// Missing returns the addresses without an account, confirmed.
	Missing(ctx context.Context, addresses ...solana.PublicKey) ([]solana.PublicKey, error)
}

// Preparer builds all unsigned transactions of the service.
type Preparer struct {
	Chain Network
	// Price bounds the price of a compute unit.
	Price computebudget.Bounds
	Now   func() time.Time
	NewID func() string
}

// Prepare builds the transaction of a draft: it simulates the transaction, sets the compute unit
// limit to 120 % of the simulated units, adds the signatures of the draft's signers, and reports
// the cost and missing funds. Prepare stores nothing, because each caller of Prepare has its own
// record. id is the transaction's ID; if id is empty, Prepare creates a new ID.
//
// A transaction on a blockhash expires when the chain, at its present pace, passes the last block
// that accepts the blockhash. Blocks may be later than this estimate, and hardly ever much earlier.
//
// It returns wire.ErrTooLarge if the transaction does not fit into a packet, an apperr.Upstream
// that wraps onchain.ErrBehind if the nodes know only an expired blockhash, and an apperr.Upstream
// if the simulation fails temporarily.
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
	u.ExpiresAt, u.LastValid = u.CreatedAt.Add(g.lives).Truncate(time.Millisecond), g.recent.LastValid
	if d.Nonce != nil {
		u.ExpiresAt = d.Nonce.Until
	}
	if u.Simulation, err = p.simulate(ctx, d, g); err != nil {
		return Unsigned{}, err
	}
	if u.Simulation.Busy && (d.Nonce == nil || !u.Simulation.Outdated) {
		// A temporary failure of the node, and not of the transaction.
		return Unsigned{}, apperr.Upstream("The Solana network", fmt.Errorf("simulate the %s transaction %s: %s", d.Kind, id, u.Simulation.Detail))
	}
	units := d.limit(u.Simulation)
	message, explanation, err := d.Compile(g.recent.Hash, units, g.price)
	if err != nil {
		return Unsigned{}, err
	}
	tx := wire.NewTransaction(message)
	if u.Cosigned, err = cosign(tx, d.Signers); err != nil {
		return Unsigned{}, fmt.Errorf("sign the %s transaction %s: %w", d.Kind, id, err)
	}
	u.Message, u.Transaction, u.Explanation = message.Bytes(), tx.Bytes(), explanation
	u.Units, u.PriceMicroLamports = units, g.price
	u.Cost.NetworkFee = networkFee(len(message.Signers()), computebudget.PriorityFee(units, g.price))
	u.Simulation = u.Simulation.Afford(g.balance, g.walletRent, u.Cost, d.Returned).Hold(d.Holds, d.Moves)
	return u, nil
}

// chainState is the state of the chain before a transaction is built.
type chainState struct {
	recent     onchain.Blockhash // or the nonce's value
	lives      time.Duration     // remaining lifetime of recent
	price      uint64            // of a compute unit, in micro-lamports
	balance    uint64            // of the caller
	walletRent uint64            // minimum of an account without data
	missing    []solana.PublicKey
}

// look reads the state of the chain, with concurrent requests.
func (p Preparer) look(ctx context.Context, d Draft) (g chainState, err error) {
	questions := []func() error{
		func() (err error) { g.balance, err = p.Chain.Balance(ctx, d.Caller); return err },
		func() (err error) { g.walletRent, err = p.Chain.MinimumBalance(ctx, 0); return err },
		func() error { g.price = p.Price.Ask(ctx, p.Chain, d.writes()...); return nil },
	}
	var height uint64
	var slot time.Duration
	if d.Nonce != nil {
		g.recent.Hash = d.Nonce.Value
	} else {
		questions = append(questions,
			func() (err error) { g.recent, err = p.Chain.RecentBlockhash(ctx); return err },
			func() (err error) { height, err = p.Chain.Height(ctx); return err },
			func() (err error) { slot, err = p.Chain.SlotTime(ctx); return err })
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
			return chainState{}, err
		}
	}
	if d.Nonce != nil {
		return g, nil
	}
	if g.recent.LastValid <= height {
		return chainState{}, apperr.Upstream("The Solana network", fmt.Errorf(
			"the blockhash is taken until block %d, and the chain is at %d: %w", g.recent.LastValid, height, onchain.ErrBehind))
	}
	g.lives = time.Duration(min(g.recent.LastValid-height, blockhashBlocks)) * slot
	return g, nil
}

// writes lists the accounts that the draft's steps write.
func (d Draft) writes() []solana.PublicKey {
	var list []solana.PublicKey
	for _, s := range d.Steps {
		for _, a := range s.Instruction.Accounts() {
			if a.IsWritable && !slices.Contains(list, a.PublicKey) {
				list = append(list, a.PublicKey)
			}
		}
	}
	return list
}

// simulate sets no priority fee. The fee at the maximum limit would exceed the balance of a caller
// who can pay only the fee at the simulated limit.
func (p Preparer) simulate(ctx context.Context, d Draft, g chainState) (Simulation, error) {
	if len(g.missing) > 0 {
		return Simulation{Reason: ProgramUnavailable, Detail: fmt.Sprintf("This network has no program %s.", g.missing[0])}, nil
	}
	message, _, err := d.Compile(g.recent.Hash, d.maxUnits(), 0)
	if err != nil {
		return Simulation{}, err
	}
	return p.Chain.Simulate(ctx, wire.NewTransaction(message).Bytes())
}

// cosign adds signatures of keys, and returns the signatures.
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
