package verify

import (
	"fmt"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// ReadAnchor decodes the signed transaction of an anchor, and verifies the only signature. The
// first instruction creates the anchor's receipt.
func ReadAnchor(raw []byte) (format.Anchor, error) {
	tx, err := wire.ParseTransaction(raw)
	if err != nil {
		return format.Anchor{}, err
	}
	m := tx.Message()
	if len(m.Signers()) != 1 {
		return format.Anchor{}, fmt.Errorf("the anchor has %d signers, want one", len(m.Signers()))
	}
	a := format.Anchor{Wallet: m.FeePayer()}
	if err := tx.VerifySignature(a.Wallet); err != nil {
		return format.Anchor{}, err
	}
	a.Signature, _ = tx.ID()
	list := make([]chain.Instruction, 0, len(m.Instructions()))
	memos := 0
	for top, in := range m.Instructions() {
		one := chain.Instruction{Program: in.ProgramID, Data: in.Data, Top: top}
		for _, meta := range in.Accounts {
			one.Accounts = append(one.Accounts, meta.PublicKey)
		}
		list = append(list, one)
		if in.ProgramID != format.MemoProgram {
			continue
		}
		memos++
		if a.Memo, err = format.ParseMemo(string(in.Data)); err != nil {
			return format.Anchor{}, err
		}
	}
	if memos != 1 {
		return format.Anchor{}, fmt.Errorf("the anchor has %d memos, want one", memos)
	}
	if _, err := (custody{wallet: a.Wallet}).effects(format.Anchoring, chain.Transaction{Instructions: list}); err != nil {
		return format.Anchor{}, fmt.Errorf("the anchor: %w", err)
	}
	if first := list[0].Accounts; len(first) > 2 {
		a.Accounts = first[2:]
	}
	return a, nil
}
