// Package locker encodes the instructions of Jupiter Lock that the service uses, derives the
// addresses of its escrows, and decodes them.
//
// An escrow of ours can be cancelled by no one, and its recipient does not change. Layouts are
// those of the program's source (programs/locker, its v2 instructions, which take transfer
// fees); integers are little-endian. Decoders take any bytes and never panic.
package locker

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"
)

// Fixed addresses; the tests derive the second again.
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

// EscrowAddress derives the escrow of a base, a key that is used for that one escrow.
func EscrowAddress(base solana.PublicKey) (solana.PublicKey, error) {
	address, _, err := solana.FindProgramAddress([][]byte{[]byte("escrow"), base[:]}, Program)
	if err != nil {
		return solana.PublicKey{}, fmt.Errorf("derive an escrow of Jupiter Lock: %w", err)
	}
	return address, nil
}

// Schedule says what is released when: First at Start, and Each after every Period, so many
// times. Times are Unix seconds, amounts base units.
type Schedule struct {
	Start  uint64
	First  uint64
	Period uint64 // seconds
	Each   uint64
	Times  uint64
}

// Divide gives the schedule by which so many base units are released in equal parts, the first
// at a time and each later one so many seconds after the one before. What does not divide comes
// with the first, so that the parts add up to the unit. There is at least one part.
func Divide(locked uint64, first time.Time, parts, period int) Schedule {
	s := Schedule{Start: uint64(max(0, first.Unix())), First: locked, Period: 1}
	if parts < 2 || period < 1 {
		return s // the program wants a period also where no other part follows
	}
	n := uint64(parts)
	s.Each, s.Times, s.Period = locked/n, n-1, uint64(period)
	s.First = locked - s.Each*s.Times
	return s
}

// CreateEscrow makes an escrow and moves in what its schedule releases: of a taxed token, so
// much that this arrives.
type CreateEscrow struct {
	Schedule

	// Base signs; Escrow follows from it, and EscrowToken, which must exist, is the escrow's
	// associated account.
	Base, Escrow, EscrowToken solana.PublicKey
	// Sender pays the rent of the escrow, and SenderToken is what is sent from.
	Sender, SenderToken, Recipient solana.PublicKey
	Mint, TokenProgram             solana.PublicKey
}

// Instruction encodes it. Base and Sender sign.
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

// Claim pays out what of an escrow is released and was not claimed, up to Most.
type Claim struct {
	Most                      uint64
	Escrow, EscrowToken       solana.PublicKey
	Recipient, RecipientToken solana.PublicKey
	Mint, TokenProgram        solana.PublicKey
}

// Instruction encodes it. Recipient signs.
func (c Claim) Instruction() solana.Instruction {
	data := append(binary.LittleEndian.AppendUint64(claim[:], c.Most), 0)
	return instruction(data,
		writable(c.Escrow), readonly(c.Mint), writable(c.EscrowToken),
		solana.NewAccountMeta(c.Recipient, true, true), writable(c.RecipientToken),
		readonly(solana.MemoProgramID), readonly(c.TokenProgram))
}

// Escrow is what the chain has of one.
type Escrow struct {
	Schedule

	Recipient, Mint, Creator, Base solana.PublicKey
	// UpdateMode and CancelMode say who may change the recipient and cancel: 0, no one.
	UpdateMode, CancelMode uint8
	Claimed                uint64
}

// ErrNotEscrow appears for an account that is no escrow of the program.
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

// instruction appends what Anchor wants behind the accounts of an instruction that writes events.
func instruction(data []byte, accounts ...*solana.AccountMeta) solana.Instruction {
	return solana.NewInstruction(Program, append(accounts, readonly(EventAuthority), readonly(Program)), data)
}
