package transaction

import (
	"crypto/ed25519"
	"crypto/sha256"
	"time"

	"github.com/gagliardetto/solana-go"
)

// Kind is the purpose of a transaction.
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
	KindFees      Kind = "fees"      // claims the earnings of a curve's position
	KindLock      Kind = "lock"      // locks tokens over time
	KindPromotion Kind = "promotion" // pays for featured placement
)

// Step is an instruction with an explanation in one sentence.
type Step struct {
	Instruction solana.Instruction
	Explanation string
}

// Draft describes a transaction for a caller. Preparer builds every unsigned transaction of the
// service from a Draft.
type Draft struct {
	Kind Kind
	// Caller pays and signs.
	Caller solana.PublicKey
	// Mint is the transaction's token.
	Mint solana.PublicKey
	// Steps are the instructions. Compile puts the instructions of the compute budget, the nonce
	// and the last signer in front.
	Steps []Step
	// Programs are the required programs that a chain may lack, such as a local, offline chain. If
	// a program is missing, the simulation reports this, and the transaction is built nevertheless.
	Programs []solana.PublicKey
	// Signers are keys created for this transaction. Prepare signs with these keys.
	Signers []ed25519.PrivateKey
	// Nonce is the durable nonce that the transaction uses; nil: a recent blockhash.
	Nonce *NonceUse
	// LastSigner is a key of the service that signs last, on submit. Zero means no such key. If the
	// transaction uses a nonce, this key is the nonce's authority.
	LastSigner solana.PublicKey
	// MaxUnits is the compute unit limit of the simulation; zero means the network's maximum.
	// DefaultUnits is the transaction's limit if the simulation fails; zero means MaxUnits.
	MaxUnits, DefaultUnits uint32
	// Cost is the known part of the cost: Prepare adds the network fee. Returned is an amount in
	// lamports that the caller must have in addition, and that the same transaction returns to the
	// caller.
	Cost     Cost
	Returned uint64
	// Holds is the caller's balance of the moved token, and Moves the moved amount, both in base
	// units.
	Holds, Moves uint64
}

// NonceUse is a durable nonce with the nonce's authority.
type NonceUse struct {
	Nonce
	Authority solana.PublicKey
	// Until is the expiry of the transaction. The chain accepts the transaction as long as the
	// nonce has its value, so the nonce is reserved at least until this time.
	Until time.Time
}

// Unsigned is a transaction for a caller to sign, with the cost and the simulation.
type Unsigned struct {
	ID     string // a UUID
	Kind   Kind
	Caller solana.PublicKey
	Mint   solana.PublicKey
	// Message is the compiled message that the caller signs, to the byte. Cosigned has the
	// signatures of the draft's signers.
	Message  []byte
	Cosigned []Cosignature
	// Transaction is the whole transaction, without the caller's signature.
	Transaction []byte
	CreatedAt   time.Time // with a resolution of milliseconds, as ExpiresAt
	// ExpiresAt is the time after which the transaction can no longer land, or is rejected. On a
	// blockhash this is the remaining lifetime at the chain's present pace, some 30 s.
	ExpiresAt time.Time
	// LastValid is the height of the last block that accepts the transaction, or zero on a nonce.
	LastValid uint64
	// Units is the compute unit limit, PriceMicroLamports the price of a unit.
	Units              uint32
	PriceMicroLamports uint64
	Cost               Cost
	Explanation        []string // a sentence for each instruction
	Simulation         Simulation
}

// Pending returns the order of an unsigned transaction that the caller submits to the service
// before until. n is the transaction's nonce, or zero on a blockhash.
func (u Unsigned) Pending(n Nonce, until time.Time) Prepared {
	m := Message{Digest: sha256.Sum256(u.Message), LastValid: u.LastValid}
	return Prepared{
		ID: u.ID, Caller: u.Caller, Mint: u.Mint, Nonce: n, Messages: []Message{m},
		CreatedAt: u.CreatedAt, ExpiresAt: until, Status: Pending,
	}
}
