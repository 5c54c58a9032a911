// Package lookuptable encodes the instructions of Solana's address lookup table
// program and reads its tables. The layouts are those of
// solana-address-lookup-table-interface: ProgramInstruction and ProgramState, bincode,
// integers little-endian.
package lookuptable

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/wire"
)

// ProgramID is the address of the program.
var ProgramID = solana.MustPublicKeyFromBase58("AddressLookupTab1e1111111111111111111111111")

// CooldownSlots is how long a deactivated table stays, at least, before it can be
// closed: as long as its slot is among the recent ones (MAX_ENTRIES of the sysvar
// SlotHashes).
const CooldownSlots = 513

// ErrNotTable appears when an account is no initialized lookup table.
var ErrNotTable = errors.New("the account is not a lookup table")

// State is a lookup table as an account has it.
type State struct {
	// Authority may extend, deactivate and close it; zero when nobody may.
	Authority solana.PublicKey
	// Active says that it was not deactivated; else that was in the slot Deactivated.
	Active      bool
	Deactivated uint64
	// Extended is the slot in which it was extended last: the addresses from First on,
	// which transactions may use from the next slot on.
	Extended  uint64
	First     uint8
	Addresses []solana.PublicKey
}

// Layout of an account: u32 kind, u64 slot of deactivation or its maximum, u64 slot of
// the last extension, u8 first address of that, u8 option and 32 bytes of authority, two
// bytes of padding, and the addresses from 56 on (LOOKUP_TABLE_META_SIZE).
const (
	kindTable         = 1
	deactivatedOffset = 4
	extendedOffset    = 12
	firstOffset       = 20
	optionOffset      = 21
	authorityOffset   = 22
	addressesOffset   = 56
)

// Size is the length of a table with so many addresses, in bytes.
func Size(addresses int) uint64 {
	return addressesOffset + uint64(max(addresses, 0))*solana.PublicKeyLength
}

// Decode reads a table, given the account's owner and data. It fails with ErrNotTable.
func Decode(owner solana.PublicKey, data []byte) (State, error) {
	switch {
	case owner != ProgramID:
		return State{}, fmt.Errorf("%w: its owner is %s", ErrNotTable, owner)
	case len(data) < addressesOffset, (len(data)-addressesOffset)%solana.PublicKeyLength != 0, len(data) > int(Size(wire.MaxTableAddresses)): //nolint:gosec // A small number.
		return State{}, fmt.Errorf("%w: it has %d bytes", ErrNotTable, len(data))
	case binary.LittleEndian.Uint32(data) != kindTable:
		return State{}, fmt.Errorf("%w: it is not initialized", ErrNotTable)
	case data[optionOffset] > 1:
		return State{}, fmt.Errorf("%w: its authority is unreadable", ErrNotTable)
	}
	s := State{
		Extended: binary.LittleEndian.Uint64(data[extendedOffset:]), First: data[firstOffset],
		Deactivated: binary.LittleEndian.Uint64(data[deactivatedOffset:]),
	}
	if s.Deactivated == math.MaxUint64 {
		s.Active, s.Deactivated = true, 0
	}
	if data[optionOffset] == 1 {
		copy(s.Authority[:], data[authorityOffset:])
	}
	for rest := data[addressesOffset:]; len(rest) > 0; rest = rest[solana.PublicKeyLength:] {
		s.Addresses = append(s.Addresses, solana.PublicKeyFromBytes(rest[:solana.PublicKeyLength]))
	}
	return s, nil
}

// Usable gives the addresses that a transaction may use which lands after the slot in
// which the table was read; none of a table that was deactivated, for that may be closed
// before it lands.
func (s State) Usable(readAt uint64) []solana.PublicKey {
	switch {
	case !s.Active:
		return nil
	case readAt <= s.Extended:
		return s.Addresses[:min(int(s.First), len(s.Addresses))]
	}
	return s.Addresses
}

// Address gives the address of the table that an authority creates with a recent slot,
// and the bump that the instruction needs.
func Address(authority solana.PublicKey, slot uint64) (address solana.PublicKey, bump uint8, err error) {
	address, bump, err = solana.FindProgramAddress([][]byte{authority[:], binary.LittleEndian.AppendUint64(nil, slot)}, ProgramID)
	if err != nil {
		return solana.PublicKey{}, 0, fmt.Errorf("derive the lookup table of %s at slot %d: %w", authority, slot, err)
	}
	return address, bump, nil
}
