package transaction

import (
	"crypto/ed25519"
	"crypto/sha256"
	"time"

	"github.com/gagliardetto/solana-go"
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
	KindFees      Kind = "fees"      // claims what a curve's position earned
	KindLock      Kind = "lock"      // locks tokens over time
	KindPromotion Kind = "promotion" // pays for featured placement
)

// Step is one instruction and what it does, in one sentence.
type Step struct {
	Instruction solana.Instruction
	Explanation string
}

// Draft says what transaction a caller is to get. Every unsigned transaction of the
// service is made of one, by Preparer.
type Draft struct {
	Kind Kind
	// Caller pays and signs.
	Caller solana.PublicKey
	// Mint is the token that it is about.
	Mint solana.PublicKey
	// Steps are its instructions without those of the compute budget and without
	// the one that advances a nonce or names the last signer: they are put in front.
	Steps []Step
	// Programs are those that it cannot do without and that a chain may lack: a
	// local one, offline. Where one is missing the simulation says so, and the
	// transaction is made all the same.
	Programs []solana.PublicKey
	// Signers sign at once, beside the caller: keys made for this transaction.
	Signers []ed25519.PrivateKey
	// Nonce is the durable nonce that the transaction uses; nil: a recent blockhash.
	Nonce *NonceUse
	// LastSigner is a key of the service that must sign, too, and does so last, when the
	// transaction may go; zero: none. On a nonce, its authority is that key.
	LastSigner solana.PublicKey
	// MostUnits is the compute-unit limit of the simulation, DefaultUnits that of the
	// transaction when the simulation could not tell what it takes. Zero: the most
	// that the network allows, and MostUnits.
	MostUnits, DefaultUnits uint32
	// Cost is what is known of it: Prepare adds the network fee. What of the rent the caller
	// gets back in the same transaction is Passing, in lamports: they must have it beside all
	// that they pay, and do not lose it.
	Cost    Cost
	Passing uint64
	// Holds is what the caller has of the tokens they part with, and Moves how
	// many these are, in base units.
	Holds, Moves uint64
}

// NonceUse is a durable nonce and who may advance it.
type NonceUse struct {
	Nonce
	Authority solana.PublicKey
	// Until is when the transaction is refused, for it never stops being able to land: the
	// nonce is kept for it until then at least.
	Until time.Time
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
	// ExpiresAt is when it can land no more, or is refused: on a blockhash what is left of
	// it at the chain's present pace, some 30 s.
	ExpiresAt time.Time
	// LastValid is the height of the last block that can take it; zero when it
	// uses a nonce.
	LastValid uint64
	// Units is its limit of compute units, PriceMicroLamports what it offers for each.
	Units              uint32
	PriceMicroLamports uint64
	Cost               Cost
	Explanation        []string // a sentence for each instruction
	Simulation         Simulation
}

// Pending makes the order of an unsigned transaction that comes back to the service until
// the given time, when the service adds its signatures. n is the nonce that it uses; zero: a
// blockhash.
func (u Unsigned) Pending(n Nonce, until time.Time) Prepared {
	m := Message{Digest: sha256.Sum256(u.Message), LastValid: u.LastValid}
	return Prepared{
		ID: u.ID, Caller: u.Caller, Mint: u.Mint, Nonce: n, Messages: []Message{m},
		CreatedAt: u.CreatedAt, ExpiresAt: until, Status: Pending,
	}
}
