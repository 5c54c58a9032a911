package audit

import (
	"encoding/binary"
	"fmt"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/chain"
	"tokenlaunch.example/service/pkg/solana/token2022"
)

// Kinds without a name in package token2022 (spl-token-2022, TokenInstruction).
const (
	kindInitMint  token2022.InstructionKind = 0
	kindInitMint2 token2022.InstructionKind = 20 << 8
	kindBatch     token2022.InstructionKind = 255 << 8
)

// Authority types of accounts (spl-token-2022, AuthorityType).
const (
	authorityOwner token2022.AuthorityType = 2
	authorityClose token2022.AuthorityType = 3
)

// authorityNames are the report's names of a mint's authorities.
var authorityNames = map[token2022.AuthorityType]string{
	token2022.AuthorityMintTokens: "mint", token2022.AuthorityFreezeAccount: "freeze",
	token2022.AuthorityTransferFeeConfig: "fee", token2022.AuthorityWithdrawWithheld: "withdraw",
}

// op is an instruction that concerns the mint.
type op struct {
	token2022.Movement

	// fee is the withheld amount of a transfer. known reports whether the instruction states the
	// fee.
	fee   uint64
	known bool
	// sources are the accounts of a harvest or of a withdrawal from accounts.
	sources []solana.PublicKey
	basis   Basis
	// by is the program of the message's instruction.
	by solana.PublicKey
}

// ops returns the instructions that concern the mint, in order, and records the instructions that
// are not movements.
func (b *book) ops(t chain.Transaction) ([]*op, error) {
	var list []*op
	var by solana.PublicKey
	for _, in := range t.Instructions {
		if !in.Inner {
			by = in.Program
		}
		if in.Program != solana.Token2022ProgramID {
			continue
		}
		o, err := b.read(t, in)
		if err != nil {
			return nil, fmt.Errorf("%w: transaction %s: %w", ErrInconsistent, t.Signature, err)
		}
		if o != nil {
			o.by = by
			list = append(list, o)
		}
	}
	return list, nil
}

// read returns an instruction of the token program if the instruction moves tokens or tax of the
// mint.
func (b *book) read(t chain.Transaction, in chain.Instruction) (*op, error) {
	kind, err := token2022.InstructionKindOf(in.Data)
	if err != nil {
		return nil, err
	}
	first := len(in.Accounts) > 0 && in.Accounts[0] == b.mint
	switch kind { //nolint:exhaustive // Others move nothing.
	case kindBatch:
		b.history.Batches++
		return nil, nil
	case kindInitMint, kindInitMint2:
		if first && b.history.Created == nil && !b.moved {
			b.history.Created = &Place{t.Signature, t.Slot}
		}
		return nil, nil
	case token2022.KindInitFee, token2022.KindSetFee:
		if first {
			return nil, b.feeChange(t, kind, in)
		}
		return nil, nil
	case token2022.KindSetAuthority, token2022.KindApprove, token2022.KindApproveChecked, token2022.KindRevoke, token2022.KindCloseAccount:
		if first {
			return nil, b.authorityChange(t, in)
		}
		return nil, b.accountChange(t, kind, in)
	case token2022.KindHarvest:
		if !first {
			return nil, nil
		}
		return &op{Movement: token2022.Movement{Kind: kind, Mint: b.mint}, sources: in.Accounts[1:]}, nil
	}
	m, ok, err := token2022.ReadMovement(in.Accounts, in.Data)
	if err != nil || !ok || m.Mint != b.mint {
		return nil, err
	}
	o := &op{Movement: m}
	switch kind { //nolint:exhaustive // Others have nothing more.
	case token2022.KindTransferWithFee:
		const feeOffset = 2 + 8 + 1 // tags, amount, decimals
		if len(in.Data) < feeOffset+8 {
			return nil, fmt.Errorf("%w: a transfer without its fee", token2022.ErrMalformed)
		}
		if o.known = true; o.From != o.To { // A transfer to the same account has no fee.
			o.fee = binary.LittleEndian.Uint64(in.Data[feeOffset:])
		}
	case token2022.KindWithdrawAccounts:
		if len(in.Data) < 3 || len(in.Accounts) < 3+int(in.Data[2]) {
			return nil, fmt.Errorf("%w: a withdrawal without its sources", token2022.ErrMalformed)
		}
		o.sources = in.Accounts[len(in.Accounts)-int(in.Data[2]):]
	}
	return o, nil
}

// feeChange records InitializeTransferFeeConfig and SetTransferFee.
func (b *book) feeChange(t chain.Transaction, kind token2022.InstructionKind, in chain.Instruction) error {
	change := FeeChange{Place: Place{t.Signature, t.Slot}}
	rest := in.Data[2:]
	if kind == token2022.KindInitFee {
		var withdraw solana.PublicKey
		var ok bool
		if change.Authority, rest, ok = optional(rest); ok {
			withdraw, rest, ok = optional(rest)
		}
		if !ok {
			return fmt.Errorf("%w: a fee without its authorities", token2022.ErrMalformed)
		}
		b.authorities["fee"], b.authorities["withdraw"] = change.Authority, withdraw
	} else if len(in.Accounts) > 1 {
		change.Authority = in.Accounts[1]
	}
	if len(rest) < 2+8 {
		return fmt.Errorf("%w: a fee of %d bytes", token2022.ErrMalformed, len(rest))
	}
	change.Fee = Fee{binary.LittleEndian.Uint16(rest), binary.LittleEndian.Uint64(rest[2:])}
	b.fees = append(b.fees, change)
	b.offer(change.Fee)
	return nil
}

// optional reads an optional address, and returns the rest of the data.
func optional(data []byte) (key solana.PublicKey, rest []byte, ok bool) {
	switch {
	case len(data) > 0 && data[0] == 0:
		return key, data[1:], true
	case len(data) > solana.PublicKeyLength && data[0] == 1:
		return solana.PublicKey(data[1 : 1+solana.PublicKeyLength]), data[1+solana.PublicKeyLength:], true
	}
	return key, nil, false
}

// setAuthority reads a SetAuthority.
func setAuthority(in chain.Instruction) (kind token2022.AuthorityType, to solana.PublicKey, err error) {
	if len(in.Data) < 2 || len(in.Accounts) < 2 {
		return 0, to, fmt.Errorf("%w: an authority of %d bytes", token2022.ErrMalformed, len(in.Data))
	}
	to, _, ok := optional(in.Data[2:])
	if !ok {
		return 0, to, fmt.Errorf("%w: an authority of %d bytes", token2022.ErrMalformed, len(in.Data))
	}
	return token2022.AuthorityType(in.Data[1]), to, nil
}

// authorityChange records a new authority of the mint.
func (b *book) authorityChange(t chain.Transaction, in chain.Instruction) error {
	if in.Data[0] != byte(token2022.KindSetAuthority>>8) {
		return nil // The mint was closed.
	}
	kind, to, err := setAuthority(in)
	if err != nil {
		return err
	}
	name := authorityNames[kind]
	if name == "" {
		name = fmt.Sprintf("type %d", kind)
	}
	b.authorities[name] = to
	b.changes = append(b.changes, AuthorityChange{Place{t.Signature, t.Slot}, name, in.Accounts[1], to})
	return nil
}

// accountChange records a change of a destination that is not a movement.
func (b *book) accountChange(t chain.Transaction, kind token2022.InstructionKind, in chain.Instruction) error {
	if len(in.Accounts) == 0 || b.destinations[in.Accounts[0]] == nil {
		return nil
	}
	change := AccountChange{Place: Place{t.Signature, t.Slot}, Account: in.Accounts[0]}
	switch kind { //nolint:exhaustive // The caller has no others.
	case token2022.KindSetAuthority:
		authority, to, err := setAuthority(in)
		if err != nil {
			return err
		}
		change.To = to
		switch authority { //nolint:exhaustive // Accounts have no others that matter.
		case authorityOwner:
			change.What = "owner"
		case authorityClose:
			change.What = "close authority"
		default:
			return nil
		}
	case token2022.KindApprove, token2022.KindApproveChecked:
		at := 1
		if kind == token2022.KindApproveChecked {
			at = 2 // after the mint
		}
		if len(in.Accounts) <= at {
			return fmt.Errorf("%w: an approval of none", token2022.ErrMalformed)
		}
		change.What, change.To = "delegate", in.Accounts[at]
	case token2022.KindRevoke:
		change.What = "delegate revoked"
	case token2022.KindCloseAccount:
		change.What = "closed"
	}
	b.accountChanges = append(b.accountChanges, change)
	return nil
}
