package guardian

import (
	"time"

	"github.com/gagliardetto/solana-go"
)

// The messages of the guardian over HTTP, of the endpoint and the client.

// SignRequest asks for a signature. Transaction is base64 in JSON.
type SignRequest struct {
	Mint        string `json:"mint"`
	Transaction []byte `json:"transaction"`
}

// SignAnswer is a signature, and what was signed.
type SignAnswer struct {
	Guardian  string `json:"guardian"`
	Kind      string `json:"kind"`
	Signature string `json:"signature"`
}

// About describes the guardian.
type About struct {
	Guardian     string `json:"guardian"`
	DelaySeconds int64  `json:"delaySeconds"`
}

// OrderRequest is an order of a hand-over or, without an address, its cancellation.
type OrderRequest struct {
	Mint         string           `json:"mint"`
	Number       int64            `json:"number"`
	NewAuthority solana.PublicKey `json:"newAuthority,omitzero"`
	EffectiveAt  time.Time        `json:"effectiveAt,omitzero"`
	Signature    solana.Signature `json:"signature,omitzero"`
}

// OrderAnswer is the newest order of a token's hand-over. Number is 0 without an order.
type OrderAnswer struct {
	OrderRequest

	Text        string    `json:"text,omitempty"` // the text that the creator signed
	SeenAt      time.Time `json:"seenAt,omitzero"`
	ExpiresAt   time.Time `json:"expiresAt,omitzero"`
	CancelledAt time.Time `json:"cancelledAt,omitzero"`
	// SignedAt is the time of the guardian's newest signature of the hand-over.
	SignedAt time.Time `json:"signedAt,omitzero"`
}
