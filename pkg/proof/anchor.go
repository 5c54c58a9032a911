package proof

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/proof/merkle"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/token/content"
)

// MemoProgram is the SPL Memo program, version 2; the memo is its instruction's
// data, in UTF-8.
var MemoProgram = solana.MustPublicKeyFromBase58("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")

// memoMark begins the memo of an anchor: which format it is.
const memoMark = "tld1"

// AnchorMemo is the memo that fixes a proof: the run, the Merkle root of its rows,
// and the hash of its manifest. It has 171 bytes.
func AnchorMemo(runID string, root, manifest merkle.Hash) string {
	return memoMark + ":" + runID + ":" + root.String() + ":" + manifest.String()
}

// Anchor is what an anchor's transaction says.
type Anchor struct {
	// Wallet paid for it and signed it, alone.
	Wallet    solana.PublicKey
	Signature solana.Signature
	RunID     string
	Root      merkle.Hash
	Manifest  merkle.Hash
}

// ManifestCID is the content id of the manifest.
func (a Anchor) ManifestCID() string { return CID(a.Manifest) }

// ReadAnchor reads the signed transaction of an anchor, and verifies its one
// signature. Its first instruction makes its receipt.
func ReadAnchor(raw []byte) (Anchor, error) {
	tx, err := wire.ParseTransaction(raw)
	if err != nil {
		return Anchor{}, err
	}
	m := tx.Message()
	if len(m.Signers()) != 1 {
		return Anchor{}, fmt.Errorf("the anchor has %d signers, want one", len(m.Signers()))
	}
	a := Anchor{Wallet: m.FeePayer()}
	if err := tx.VerifySignature(a.Wallet); err != nil {
		return Anchor{}, err
	}
	a.Signature, _ = tx.ID()
	list := make([]chain.Instruction, 0, len(m.Instructions()))
	memos := 0
	for _, in := range m.Instructions() {
		list = append(list, instructionOf(in))
		if in.ProgramID != MemoProgram {
			continue
		}
		memos++
		if err := a.read(string(in.Data)); err != nil {
			return Anchor{}, err
		}
	}
	if memos != 1 {
		return Anchor{}, fmt.Errorf("the anchor has %d memos, want one", memos)
	}
	if _, err := readReceipts(a.Wallet, Anchoring, list); err != nil {
		return Anchor{}, fmt.Errorf("the anchor: %w", err)
	}
	return a, nil
}

func instructionOf(in wire.Instruction) chain.Instruction {
	one := chain.Instruction{Program: in.ProgramID, Data: in.Data}
	for _, meta := range in.Accounts {
		one.Accounts = append(one.Accounts, meta.PublicKey)
	}
	return one
}

func (a *Anchor) read(memo string) error {
	parts := strings.Split(memo, ":")
	if len(parts) != 4 || parts[0] != memoMark {
		return errors.New("the memo is not that of a proof")
	}
	id, err := uuid.Parse(parts[1])
	if err != nil {
		return fmt.Errorf("the memo's run: %w", err)
	}
	a.RunID = id.String()
	if a.Root, err = merkle.ParseHash(parts[2]); err != nil {
		return fmt.Errorf("the memo's root: %w", err)
	}
	if a.Manifest, err = merkle.ParseHash(parts[3]); err != nil {
		return fmt.Errorf("the memo's manifest: %w", err)
	}
	if AnchorMemo(a.RunID, a.Root, a.Manifest) != memo {
		return errors.New("the memo is not in its one spelling")
	}
	return nil
}

// KeepAnchor saves the signed transaction, and gives its content id: that of the
// whole proof. It refuses one that Verify would refuse.
func KeepAnchor(ctx context.Context, store Store, raw []byte) (cid string, err error) {
	if _, err := ReadAnchor(raw); err != nil {
		return "", fmt.Errorf("keep an anchor: %w", err)
	}
	cid = CID(sha256.Sum256(raw))
	saved, err := store.Save(ctx, content.ProofAnchor, raw)
	if err != nil {
		return "", fmt.Errorf("keep an anchor: %w", err)
	}
	if saved.CID != cid {
		return "", fmt.Errorf("keep an anchor: it is %s and was saved as %s", cid, saved.CID)
	}
	return cid, nil
}
