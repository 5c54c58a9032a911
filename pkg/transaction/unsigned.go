package transaction

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
)

const (
	// LamportsPerSignature is the base fee (Solana, "Transaction fees").
	LamportsPerSignature = 5_000
	// BlockhashLifetime is how long a transaction on a recent blockhash can land at
	// least: 150 slots of 400 ms (Solana, MAX_PROCESSING_AGE).
	BlockhashLifetime = 60 * time.Second
)

// Kind says what a transaction is for.
type Kind string

// Kinds.
const (
	KindLaunch    Kind = "launch"    // creates a token; submitted to the service
	KindTax       Kind = "tax"       // changes a token's tax
	KindPool      Kind = "pool"      // creates a constant-product pool
	KindCurve     Kind = "curve"     // creates a launchpad curve
	KindCancel    Kind = "cancel"    // withdraws a curve's liquidity
	KindBuy       Kind = "buy"       // buys on a curve
	KindSell      Kind = "sell"      // sells on a curve
	KindPromotion Kind = "promotion" // pays for featured placement
)

// Step is one instruction and what it does, in one sentence.
type Step struct {
	Instruction solana.Instruction
	Explanation string
}

// Cost is what the caller pays, in lamports.
type Cost struct {
	NetworkFee uint64 // base fee and priority fee
	Rent       uint64 // of the accounts that the transaction creates and leaves open
	Protocol   uint64 // what a program charges beside, such as a pool's creation fee
	// Deposit is what goes elsewhere: into a pool, to a distribution wallet, to us.
	Deposit uint64
}

// Total is the sum, in lamports.
func (c Cost) Total() uint64 { return c.NetworkFee + c.Rent + c.Protocol + c.Deposit }

// Draft says what transaction a caller is to get. Every unsigned transaction of the
// service is made of one, by Preparer.
type Draft struct {
	Kind Kind
	// Caller pays and signs.
	Caller solana.PublicKey
	// Mint is the token that it is about.
	Mint solana.PublicKey
	// Steps are its instructions without those of the compute budget and without
	// the one that advances a nonce: they are put in front.
	Steps []Step
	// Programs are those that it cannot do without and that a chain may lack: a
	// local one, offline. Where one is missing the simulation says so, and the
	// transaction is made all the same.
	Programs []solana.PublicKey
	// Signers sign at once, beside the caller: keys made for this transaction.
	Signers []ed25519.PrivateKey
	// Nonce is what the transaction stands on; nil: a recent blockhash.
	Nonce *NonceUse
	// MostUnits is the compute-unit limit of the simulation, DefaultUnits that of the
	// transaction when the simulation could not tell what it takes.
	MostUnits, DefaultUnits uint32
	// Cost is what is known of it: Prepare adds the network fee. What of the rent the
	// caller gets back in the same transaction is Passing: he must have it, and does
	// not lose it.
	Cost    Cost
	Passing uint64
	// Holds is what the caller has of the tokens that he parts with, and Moves how
	// many these are, in base units.
	Holds, Moves uint64
}

// NonceUse is a durable nonce and who may advance it.
type NonceUse struct {
	Nonce
	Authority solana.PublicKey
}

// Unsigned is what a caller gets to sign, and what it will do and cost.
type Unsigned struct {
	ID     string // a UUID
	Kind   Kind
	Caller solana.PublicKey
	Mint   solana.PublicKey
	// Message is the compiled message that the caller is to sign, to the byte, and
	// Cosigned the signatures of the draft's signers.
	Message  []byte
	Cosigned []Cosignature
	// Transaction is the whole of it, with the caller's place empty.
	Transaction []byte
	CreatedAt   time.Time // in milliseconds' resolution, as ExpiresAt
	ExpiresAt   time.Time
	// LastValid is the height of the last block that can take it; zero when it
	// stands on a nonce.
	LastValid   uint64
	Cost        Cost
	Explanation []string // a sentence for each instruction
	Simulation  Simulation
}

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
// a new one. A transaction that would not fit into a packet is an error.
func (p Preparer) Prepare(ctx context.Context, id string, d Draft) (Unsigned, error) {
	if id == "" {
		id = p.NewID()
	}
	now := p.Now().UTC().Truncate(time.Millisecond)
	u := Unsigned{ID: id, Kind: d.Kind, Caller: d.Caller, Mint: d.Mint, CreatedAt: now, Cost: d.Cost}
	value, err := p.standOn(ctx, d, &u)
	if err != nil {
		return Unsigned{}, err
	}
	funds, err := p.funds(ctx, d.Caller)
	if err != nil {
		return Unsigned{}, err
	}
	if u.Simulation, err = p.simulate(ctx, d, value); err != nil {
		return Unsigned{}, err
	}
	units := d.DefaultUnits
	if u.Simulation.OK {
		units = uint32(min(u.Simulation.ComputeUnits*6/5, uint64(d.MostUnits))) //nolint:gosec // bounded by min
	}
	message, explanation, err := p.compile(d, value, units)
	if err != nil {
		return Unsigned{}, err
	}
	tx := wire.NewTransaction(message)
	for _, key := range d.Signers {
		if err := tx.Sign(key); err != nil {
			return Unsigned{}, fmt.Errorf("sign a %s transaction: %w", d.Kind, err)
		}
		signer := solana.PublicKeyFromBytes(key.Public().(ed25519.PublicKey)) //nolint:forcetypeassert // what it is
		signature, _ := tx.Signature(signer)
		u.Cosigned = append(u.Cosigned, Cosignature{Signer: signer, Signature: signature})
	}
	u.Message, u.Transaction, u.Explanation = message.Bytes(), tx.Bytes(), explanation
	u.Cost.NetworkFee = uint64(len(message.Signers()))*LamportsPerSignature + computebudget.PriorityFee(units, p.PriceMicroLamports)
	if u.Simulation.Reason != ProgramUnavailable {
		u.Simulation = u.Simulation.Afford(funds.balance, u.Cost.Total()+d.Passing, funds.walletRent)
	}
	u.Simulation = u.Simulation.Hold(d.Holds, d.Moves)
	return u, nil
}

// standOn gives what the transaction stands on, and until when it can land.
func (p Preparer) standOn(ctx context.Context, d Draft, u *Unsigned) (solana.Hash, error) {
	if d.Nonce != nil {
		u.ExpiresAt = u.CreatedAt.Add(Lifetime)
		return d.Nonce.Value, nil
	}
	recent, err := p.Chain.Recent(ctx)
	if err != nil {
		return solana.Hash{}, err
	}
	u.ExpiresAt, u.LastValid = u.CreatedAt.Add(BlockhashLifetime), recent.LastValid
	return recent.Blockhash, nil
}

// compile puts the compute budget, and what advances the nonce, in front.
func (p Preparer) compile(d Draft, value solana.Hash, units uint32) (wire.Message, []string, error) {
	steps := []Step{
		{computebudget.SetUnitLimit(units), fmt.Sprintf("Limits the computing that the network may charge for to %d units.", units)},
		{computebudget.SetUnitPrice(p.PriceMicroLamports), fmt.Sprintf(
			"Offers the network a priority fee of %d lamports.", computebudget.PriorityFee(units, p.PriceMicroLamports))},
	}
	if d.Nonce != nil {
		advance := systemprogram.AdvanceNonceAccount{Nonce: d.Nonce.Account, Authority: d.Nonce.Authority}
		steps = append([]Step{{advance.Instruction(), "Uses up a nonce of the service, so that the transaction can land only once."}}, steps...)
	}
	steps = append(steps, d.Steps...)
	list, explanation := make([]solana.Instruction, len(steps)), make([]string, len(steps))
	for i, s := range steps {
		list[i], explanation[i] = s.Instruction, s.Explanation
	}
	message, err := wire.Compile(d.Caller, value, list)
	if err != nil {
		return wire.Message{}, nil, fmt.Errorf("compile a %s transaction of %s: %w", d.Kind, d.Mint, err)
	}
	return message, explanation, nil
}

// funds is what the chain says about a caller's money.
type funds struct {
	balance    uint64
	walletRent uint64 // what an account without data must keep
}

func (p Preparer) funds(ctx context.Context, caller solana.PublicKey) (f funds, err error) {
	if f.walletRent, err = p.Chain.MinimumBalance(ctx, 0); err != nil {
		return f, err
	}
	f.balance, err = p.Chain.Balance(ctx, caller)
	return f, err
}

func (p Preparer) simulate(ctx context.Context, d Draft, value solana.Hash) (Simulation, error) {
	if len(d.Programs) > 0 {
		missing, err := p.Chain.Missing(ctx, d.Programs...)
		if err != nil {
			return Simulation{}, err
		}
		if len(missing) > 0 {
			return Simulation{Reason: ProgramUnavailable, Detail: fmt.Sprintf("This network has no program %s.", missing[0])}, nil
		}
	}
	message, _, err := p.compile(d, value, d.MostUnits)
	if err != nil {
		return Simulation{}, err
	}
	return p.Chain.Simulate(ctx, wire.NewTransaction(message).Bytes())
}
