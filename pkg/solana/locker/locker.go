// Package locker encodes the service's instructions of Jupiter Lock, derives the addresses of
// escrows, and decodes escrows.
//
// No key can cancel one of our escrows or change the recipient. Layouts are from the program's
// source (programs/locker, the v2 instructions, which take transfer fees). Integers are
// little-endian. Decoders accept any bytes and never panic.
package locker

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"
)

// Fixed addresses; the tests derive EventAuthority again.
var (
	// Program is Jupiter Lock, of mainnet and devnet.
	Program = solana.MustPublicKeyFromBase58("LocpQgucEQHbqNABEYvBvwoxCPsSbG91A1QaQhQQqjn")
	// EventAuthority signs the calls by which the program writes its events.
	EventAuthority = solana.MustPublicKeyFromBase58("AqUDk3wybxjZujrNbKmjr2YTUZ8RA1a1nyGgs1zSmvTG")
)

// EscrowSize is the size of an escrow's account, in bytes (state/vesting_escrow.rs).
const EscrowSize = discriminatorSize + 288

const discriminatorSize = 8

// discriminator is the first bytes of Anchor's hash of a name.
func discriminator(name string) [discriminatorSize]byte {
	sum := sha256.Sum256([]byte(name))
	return [discriminatorSize]byte(sum[:discriminatorSize])
}

var (
	createVestingEscrow = discriminator("global:create_vesting_escrow_v2")
	claim               = discriminator("global:claim_v2")
	escrowTag           = discriminator("account:VestingEscrow")
)

// EscrowAddress derives the escrow of a base, a key that is used for only one escrow.
func EscrowAddress(base solana.PublicKey) (solana.PublicKey, error) {
	address, _, err := solana.FindProgramAddress([][]byte{[]byte("escrow"), base[:]}, Program)
	if err != nil {
		return solana.PublicKey{}, fmt.Errorf("derive an escrow of Jupiter Lock: %w", err)
	}
	return address, nil
}

// Schedule is the release of an escrow: First at Start, then Each after every Period, Times times.
// Times are Unix seconds, amounts base units.
type Schedule struct {
	Start  uint64
	First  uint64
	Period uint64 // seconds
	Each   uint64
	Times  uint64
}

// Divide returns a schedule that releases locked base units in equal parts, the first part at the
// time first and each later part period seconds after the part before. The remainder of the
// division is released with the first part, so the parts add up to the unit. There is at least one
// part.
func Divide(locked uint64, first time.Time, parts, period int) Schedule {
	s := Schedule{Start: uint64(max(0, first.Unix())), First: locked, Period: 1}
	if parts < 2 || period < 1 {
		return s // the program requires a period even if no other part follows
	}
	n := uint64(parts)
	s.Each, s.Times, s.Period = locked/n, n-1, uint64(period)
	s.First = locked - s.Each*s.Times
	return s
}

// CreateEscrow creates an escrow and moves in the tokens that its schedule releases. For a taxed
// token, the program moves more, so that the schedule's amount arrives.
type CreateEscrow struct {
	Schedule

	// Base signs. Escrow is derived from Base. EscrowToken is the escrow's associated account and
	// must exist.
	Base, Escrow, EscrowToken solana.PublicKey
	// Sender pays the rent of the escrow. SenderToken is the source of the tokens.
	Sender, SenderToken, Recipient solana.PublicKey
	Mint, TokenProgram             solana.PublicKey
}

// Instruction encodes the creation. Base and Sender sign.
func (c CreateEscrow) Instruction() solana.Instruction {
	data := createVestingEscrow[:]
	for _, n := range []uint64{c.Start, c.Start, c.Period, c.First, c.Each, c.Times} {
		data = binary.LittleEndian.AppendUint64(data, n)
	}
	data = append(data, 0, 0, 0) // the recipient stays, no cancellation, no further accounts
	return instruction(data,
		solana.NewAccountMeta(c.Base, true, true), writable(c.Escrow), readonly(c.Mint), writable(c.EscrowToken),
		solana.NewAccountMeta(c.Sender, true, true), writable(c.SenderToken), readonly(c.Recipient),
		readonly(c.TokenProgram), readonly(solana.SystemProgramID))
}

// Claim pays out the released and unclaimed tokens of an escrow, up to Max.
type Claim struct {
	Max                       uint64
	Escrow, EscrowToken       solana.PublicKey
	Recipient, RecipientToken solana.PublicKey
	Mint, TokenProgram        solana.PublicKey
}

// Instruction encodes the claim. Recipient signs.
func (c Claim) Instruction() solana.Instruction {
	data := append(binary.LittleEndian.AppendUint64(claim[:], c.Max), 0)
	return instruction(data,
		writable(c.Escrow), readonly(c.Mint), writable(c.EscrowToken),
		solana.NewAccountMeta(c.Recipient, true, true), writable(c.RecipientToken),
		readonly(solana.MemoProgramID), readonly(c.TokenProgram))
}

// Escrow is the on-chain state of an escrow.
type Escrow struct {
	Schedule

	Recipient, Mint, Creator, Base solana.PublicKey
	// UpdateMode and CancelMode are the rights to change the recipient and to cancel: 0, no key.
	UpdateMode, CancelMode uint8
	Claimed                uint64
}

// ErrNotEscrow is returned for an account that is not an escrow of the program.
var ErrNotEscrow = errors.New("this is no escrow of Jupiter Lock")

// DecodeEscrow reads an escrow.
func DecodeEscrow(owner solana.PublicKey, data []byte) (e Escrow, err error) {
	if owner != Program || len(data) < EscrowSize || [discriminatorSize]byte(data) != escrowTag {
		return Escrow{}, ErrNotEscrow
	}
	const keys, modes, numbers = discriminatorSize, discriminatorSize + 4*32, discriminatorSize + 4*32 + 8
	for i, key := range []*solana.PublicKey{&e.Recipient, &e.Mint, &e.Creator, &e.Base} {
		*key = solana.PublicKeyFromBytes(data[keys+32*i : keys+32*(i+1)])
	}
	e.UpdateMode, e.CancelMode = data[modes+1], data[modes+2]
	for i, n := range []*uint64{&e.Start, &e.Period, &e.First, &e.Each, &e.Times, &e.Claimed} {
		*n = binary.LittleEndian.Uint64(data[numbers+8*i:])
	}
	return e, nil
}

func readonly(key solana.PublicKey) *solana.AccountMeta {
	return solana.NewAccountMeta(key, false, false)
}

func writable(key solana.PublicKey) *solana.AccountMeta {
	return solana.NewAccountMeta(key, true, false)
}

// instruction appends the accounts that Anchor requires behind the accounts of an instruction that
// writes events.
func instruction(data []byte, accounts ...*solana.AccountMeta) solana.Instruction {
	return solana.NewInstruction(Program, append(accounts, readonly(EventAuthority), readonly(Program)), data)
}
