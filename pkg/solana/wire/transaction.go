package wire

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/auth/ed25519strict"
)

// Errors about signatures.
var (
	// ErrNotSigner is returned for a key that is not a signer of the message.
	ErrNotSigner = errors.New("is not a signer of the message")
	// ErrUnsigned is returned if a signer's place is empty.
	ErrUnsigned = errors.New("has not signed")
	// ErrBadSignature is returned for a signature that does not fit the message.
	ErrBadSignature = errors.New("has a signature that does not fit the message")
)

// Transaction is a message with a place for each signature. A copy shares the places; a Clone does
// not.
type Transaction struct {
	message    Message
	signatures []solana.Signature
}

// NewTransaction returns the transaction of a message without signatures.
func NewTransaction(m Message) Transaction {
	return Transaction{message: m, signatures: make([]solana.Signature, m.header.signers)}
}

// Message returns the message that the signers sign.
func (t Transaction) Message() Message { return t.message }

// Clone returns a copy with its own places.
func (t Transaction) Clone() Transaction {
	return Transaction{message: t.message, signatures: slices.Clone(t.signatures)}
}

// Bytes returns the serialised transaction. Empty places are zeros.
func (t Transaction) Bytes() []byte {
	b := make([]byte, 0, t.message.TransactionSize())
	if t.message.version == version1 { // here the message comes first, with the number of signatures
		b = append(b, t.message.raw...)
	} else {
		b = appendShort(b, len(t.signatures))
	}
	for _, s := range t.signatures {
		b = append(b, s[:]...)
	}
	if t.message.version == version1 {
		return b
	}
	return append(b, t.message.raw...)
}

// Base64 returns the serialised transaction in standard base64 with padding.
func (t Transaction) Base64() string { return base64.StdEncoding.EncodeToString(t.Bytes()) }

// ID returns the fee payer's signature, which is the network's ID of the transaction. It returns
// false if the fee payer has not signed.
func (t Transaction) ID() (solana.Signature, bool) {
	if len(t.signatures) == 0 || t.signatures[0].IsZero() {
		return solana.Signature{}, false
	}
	return t.signatures[0], true
}

// Signature returns the unverified signature of a signer. It returns false if the key is not a
// signer or the place is empty.
func (t Transaction) Signature(signer solana.PublicKey) (solana.Signature, bool) {
	i := t.place(signer)
	if i < 0 || t.signatures[i].IsZero() {
		return solana.Signature{}, false
	}
	return t.signatures[i], true
}

// Missing returns the signers whose place is empty.
func (t Transaction) Missing() []solana.PublicKey {
	var missing []solana.PublicKey
	for i, s := range t.signatures {
		if s.IsZero() {
			missing = append(missing, t.message.accounts[i])
		}
	}
	return missing
}

// Sign puts the signature of key into its place. It returns ErrNotSigner if the message has no such
// signer. Sign does not verify the signature, because verifying takes twice as long as signing. key
// must come from package ed25519, so that its halves belong together.
func (t Transaction) Sign(key ed25519.PrivateKey) error {
	if len(key) != ed25519.PrivateKeySize {
		return errors.New("sign a transaction: not an ed25519 key")
	}
	signer := solana.PublicKey(key[ed25519.PrivateKeySize-ed25519.PublicKeySize:])
	i := t.place(signer)
	if i < 0 {
		return fmt.Errorf("sign a transaction: %s %w", signer, ErrNotSigner)
	}
	t.signatures[i] = solana.Signature(ed25519.Sign(key, t.message.raw))
	return nil
}

// SetSignature puts a signature into its place and replaces a previous signature. It returns
// ErrNotSigner, or ErrBadSignature if the signature does not fit the message, so a transaction
// never carries a wrong signature of the service.
func (t Transaction) SetSignature(signer solana.PublicKey, signature solana.Signature) error {
	i := t.place(signer)
	if i < 0 {
		return fmt.Errorf("sign a transaction: %s %w", signer, ErrNotSigner)
	}
	if !ed25519strict.Verify(signer[:], t.message.raw, signature[:]) {
		return fmt.Errorf("sign a transaction: %s %w", signer, ErrBadSignature)
	}
	t.signatures[i] = signature
	return nil
}

// VerifySignature checks a signer's signature as the chain does. It returns ErrNotSigner,
// ErrUnsigned or ErrBadSignature.
func (t Transaction) VerifySignature(signer solana.PublicKey) error {
	i := t.place(signer)
	switch {
	case i < 0:
		return fmt.Errorf("%s %w", signer, ErrNotSigner)
	case t.signatures[i].IsZero():
		return fmt.Errorf("%s %w", signer, ErrUnsigned)
	case !ed25519strict.Verify(signer[:], t.message.raw, t.signatures[i][:]):
		return fmt.Errorf("%s %w", signer, ErrBadSignature)
	}
	return nil
}

// place returns the index of a signer's signature, or -1 if the key is not a signer.
func (t Transaction) place(signer solana.PublicKey) int {
	return slices.Index(t.message.accounts[:len(t.signatures)], signer)
}
