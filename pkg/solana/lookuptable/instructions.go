package lookuptable

import (
	"encoding/binary"

	"github.com/gagliardetto/solana-go"
)

// Tags of ProgramInstruction.
const (
	tagCreate     = 0
	tagExtend     = 2
	tagDeactivate = 3
	tagClose      = 4
)

// Create makes an empty table at the Address of Authority and RecentSlot, which must be
// among the last 512 that have a block.
type Create struct {
	Authority, Payer solana.PublicKey
	RecentSlot       uint64
}

// Instruction encodes it and gives the table's address. Authority and Payer sign.
func (c Create) Instruction() (solana.Instruction, solana.PublicKey, error) {
	table, bump, err := Address(c.Authority, c.RecentSlot)
	if err != nil {
		return nil, solana.PublicKey{}, err
	}
	data := binary.LittleEndian.AppendUint32(nil, tagCreate)
	data = append(binary.LittleEndian.AppendUint64(data, c.RecentSlot), bump)
	return instruction(data, writable(table), signer(c.Authority), payer(c.Payer), system()), table, nil
}

// Extend appends addresses to a table; Payer pays for the room.
type Extend struct {
	Table, Authority, Payer solana.PublicKey
	Addresses               []solana.PublicKey
}

// Instruction encodes it. Authority and Payer sign.
func (e Extend) Instruction() solana.Instruction {
	data := binary.LittleEndian.AppendUint32(nil, tagExtend)
	data = binary.LittleEndian.AppendUint64(data, uint64(len(e.Addresses)))
	for _, a := range e.Addresses {
		data = append(data, a[:]...)
	}
	return instruction(data, writable(e.Table), signer(e.Authority), payer(e.Payer), system())
}

// Deactivate makes a table unusable, once transactions that were signed before can land
// no more: after CooldownSlots it may be closed.
type Deactivate struct{ Table, Authority solana.PublicKey }

// Instruction encodes it. Authority signs.
func (d Deactivate) Instruction() solana.Instruction {
	return instruction(binary.LittleEndian.AppendUint32(nil, tagDeactivate), writable(d.Table), signer(d.Authority))
}

// Close removes a deactivated table; To gets its rent.
type Close struct{ Table, Authority, To solana.PublicKey }

// Instruction encodes it. Authority signs.
func (c Close) Instruction() solana.Instruction {
	return instruction(binary.LittleEndian.AppendUint32(nil, tagClose), writable(c.Table), signer(c.Authority), writable(c.To))
}

func instruction(data []byte, metas ...*solana.AccountMeta) solana.Instruction {
	return solana.NewInstruction(ProgramID, metas, data)
}

func writable(key solana.PublicKey) *solana.AccountMeta {
	return solana.NewAccountMeta(key, true, false)
}

func signer(key solana.PublicKey) *solana.AccountMeta { return solana.NewAccountMeta(key, false, true) }

func payer(key solana.PublicKey) *solana.AccountMeta { return solana.NewAccountMeta(key, true, true) }

func system() *solana.AccountMeta {
	return solana.NewAccountMeta(solana.SystemProgramID, false, false)
}
