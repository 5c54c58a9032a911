package tables

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// The program of lookup tables, by solana-address-lookup-table-interface: ProgramInstruction
// and ProgramState, bincode, integers little-endian. In all that the bench does the wallet
// pays, and is the tables' authority.

// tableProgram is the address of the program.
var tableProgram = solana.MustPublicKeyFromBase58("AddressLookupTab1e1111111111111111111111111")

const (
	// mostAddresses is how many addresses a table holds, for an index is one byte
	// (LOOKUP_TABLE_MAX_ADDRESSES), and metaSize where they begin in its account
	// (LOOKUP_TABLE_META_SIZE).
	mostAddresses = 256
	metaSize      = 56
	// cooldown is how many slots a table stays after it was deactivated (MAX_ENTRIES of the
	// sysvar SlotHashes).
	cooldown = 513
)

// Tags of ProgramInstruction.
const (
	tagCreate     = 0
	tagExtend     = 2
	tagDeactivate = 3
	tagClose      = 4
)

// table is a lookup table as it is on the chain.
type table struct {
	address   solana.PublicKey
	addresses []solana.PublicKey
}

// createTable makes an empty table, whose address it gives; slot is a recent one.
func (p payer) createTable(slot uint64) (solana.Instruction, solana.PublicKey, error) {
	seed := binary.LittleEndian.AppendUint64(nil, slot)
	address, bump, err := solana.FindProgramAddress([][]byte{p.wallet[:], seed}, tableProgram)
	if err != nil {
		return nil, address, fmt.Errorf("derive the lookup table of %s at slot %d: %w", p.wallet, slot, err)
	}
	data := append(binary.LittleEndian.AppendUint32(nil, tagCreate), seed...)
	return p.onTable(address, append(data, bump), p.meta(false), p.meta(true), system()), address, nil
}

// extendTable appends addresses to a table.
func (p payer) extendTable(address solana.PublicKey, addresses []solana.PublicKey) solana.Instruction {
	data := binary.LittleEndian.AppendUint32(nil, tagExtend)
	data = binary.LittleEndian.AppendUint64(data, uint64(len(addresses)))
	for _, a := range addresses {
		data = append(data, a[:]...)
	}
	return p.onTable(address, data, p.meta(false), p.meta(true), system())
}

// deactivateTable makes a table unusable; cooldown later it may be closed.
func (p payer) deactivateTable(address solana.PublicKey) solana.Instruction {
	return p.onTable(address, binary.LittleEndian.AppendUint32(nil, tagDeactivate), p.meta(false))
}

// closeTable removes a deactivated table, and gives the wallet its rent.
func (p payer) closeTable(address solana.PublicKey) solana.Instruction {
	to := solana.NewAccountMeta(p.wallet, true, false)
	return p.onTable(address, binary.LittleEndian.AppendUint32(nil, tagClose), p.meta(false), to)
}

func (p payer) onTable(address solana.PublicKey, data []byte, others ...*solana.AccountMeta) solana.Instruction {
	metas := append(solana.AccountMetaSlice{solana.NewAccountMeta(address, true, false)}, others...)
	return solana.NewInstruction(tableProgram, metas, data)
}

// meta is the wallet, which signs.
func (p payer) meta(writable bool) *solana.AccountMeta {
	return solana.NewAccountMeta(p.wallet, writable, true)
}

func system() *solana.AccountMeta {
	return solana.NewAccountMeta(solana.SystemProgramID, false, false)
}

// readTable reads the addresses of a table's account.
func readTable(address, owner solana.PublicKey, data []byte) (table, error) {
	if owner != tableProgram || len(data) < metaSize || (len(data)-metaSize)%solana.PublicKeyLength != 0 {
		return table{}, errors.New("the account is not a lookup table")
	}
	t := table{address: address}
	for rest := data[metaSize:]; len(rest) > 0; rest = rest[solana.PublicKeyLength:] {
		t.addresses = append(t.addresses, solana.PublicKeyFromBytes(rest[:solana.PublicKeyLength]))
	}
	return t, nil
}
