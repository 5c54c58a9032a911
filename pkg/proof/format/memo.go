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

// MemoProgram is the SPL Memo program, version 2; the memo is its instruction's
// data, in UTF-8.
var MemoProgram = solana.MustPublicKeyFromBase58("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")

// Marks begin the memo of an anchor: which format it is.
const (
	MemoMark = "tld2"
	// oldMark is that of version 1, whose proofs leave out what the wallet did beside.
	oldMark = "tld1"
)

// ErrOldProof appears when a proof is of version 1.
var ErrOldProof = errors.New("it is a proof of version 1, which does not name all that the wallet did: it can be incomplete, and nothing here can tell")

// Anchor is what an anchor's transaction says.
type Anchor struct {
	// Wallet paid for it and signed it, alone.
	Wallet    solana.PublicKey
	Signature solana.Signature
	// Accounts are those that the transaction names beside, so that it shows their balances
	// and stands in their histories.
	Accounts []solana.PublicKey
	Memo
}

// Memo fixes a proof: which it is of the token's, and the hashes of all that it says.
type Memo struct {
	RunID string
	// Number counts the token's proofs, from 1.
	Number uint64
	// Root is that of the rows, Manifest the hash of the manifest, Order that of the
	// settings' text, and Previous that of the manifest before, zero for the first.
	Root, Manifest, Order, Previous merkle.Hash
}

// String is the memo's text, in the one spelling that there is.
func (m Memo) String() string {
	return strings.Join([]string{
		MemoMark, m.RunID, strconv.FormatUint(m.Number, 10), m.Root.String(), m.Manifest.String(), m.Order.String(), m.Previous.String(),
	}, ":")
}

// ParseMemo reads what String gives, and nothing else. It fails with ErrOldProof for the
// memo of a version 1.
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

// ManifestCID is the content id of the manifest.
func (a Anchor) ManifestCID() string { return CID(a.Manifest) }
