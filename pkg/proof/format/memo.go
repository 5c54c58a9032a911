package format

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/proof/merkle"
)

// MemoProgram is the SPL Memo program, version 2. The instruction's data is the memo, in UTF-8.
var MemoProgram = solana.MustPublicKeyFromBase58("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")

// Marks are the first field of an anchor's memo, and identify the format.
const (
	MemoMark = "tld2"
	// oldMark is the mark of version 1. A version 1 proof does not name all transactions of the
	// wallet.
	oldMark = "tld1"
)

// ErrOldProof is returned for a proof of version 1.
var ErrOldProof = errors.New("it is a proof of version 1, which does not name all that the wallet did: it can be incomplete, and nothing here can tell")

// Anchor is the content of an anchor's transaction.
type Anchor struct {
	// Wallet is the fee payer and the only signer.
	Wallet    solana.PublicKey
	Signature solana.Signature
	// Accounts are the additional accounts of the transaction: the transaction shows their
	// balances and appears in their histories.
	Accounts []solana.PublicKey
	Memo
}

// Memo fixes a proof: the proof's number and the hashes of its content.
type Memo struct {
	RunID string
	// Number is the number of the proof among the token's proofs, from 1.
	Number uint64
	// Root is the Merkle root of the rows. Manifest, Order and Previous are the hashes of the
	// manifest, the settings' text and the previous manifest. Previous is zero for the first
	// proof.
	Root, Manifest, Order, Previous merkle.Hash
}

// String returns the canonical text of the memo.
func (m Memo) String() string {
	return strings.Join([]string{
		MemoMark, m.RunID, strconv.FormatUint(m.Number, 10), m.Root.String(), m.Manifest.String(), m.Order.String(), m.Previous.String(),
	}, ":")
}

// ParseMemo parses a text of String. It returns ErrOldProof for the memo of a version 1 proof, and
// rejects any other text.
func ParseMemo(text string) (Memo, error) {
	parts := strings.Split(text, ":")
	if parts[0] == oldMark {
		return Memo{}, ErrOldProof
	}
	if len(parts) != 7 || parts[0] != MemoMark {
		return Memo{}, errors.New("the memo is not that of a proof")
	}
	var m Memo
	id, err := uuid.Parse(parts[1])
	if err != nil {
		return Memo{}, fmt.Errorf("the memo's run: %w", err)
	}
	m.RunID = id.String()
	if m.Number, err = parseAmount(parts[2]); err != nil || m.Number == 0 {
		return Memo{}, fmt.Errorf("the memo's number is %.30q", parts[2])
	}
	for i, hash := range []*merkle.Hash{&m.Root, &m.Manifest, &m.Order, &m.Previous} {
		if *hash, err = merkle.ParseHash(parts[3+i]); err != nil {
			return Memo{}, fmt.Errorf("hash %d of the memo: %w", i, err)
		}
	}
	if m.String() != text {
		return Memo{}, errors.New("the memo is not in its one spelling")
	}
	return m, nil
}

// ManifestCID returns the content id of the manifest.
func (a Anchor) ManifestCID() string { return CID(a.Manifest) }
