package wire

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/gagliardetto/solana-go"
)

// Limits of a transaction of version 1 (SIMD-0385): its size, in bytes, and how many sign
// it, which is bounded by the size in others.
const (
	MaxV1TransactionSize = 4096
	MaxV1Signers         = 12
)

// Config is what a message of version 1 says of itself, where others have instructions
// of the compute budget. What is zero is not asked for, and then the network takes zero.
type Config struct {
	PriorityFeeLamports uint64 // for all of it, not for a unit
	UnitLimit           uint32
	// AccountsData is how many bytes the accounts may have that it loads, programs
	// included.
	AccountsData uint32
}

// Bits of the mask that says which values follow (SIMD-0385, TransactionConfigMask).
const (
	maskPriorityFee  = 0b00011
	maskUnitLimit    = 0b00100
	maskAccountsData = 0b01000
)

// versionByte1 is the first byte of a message of version 1, and of a transaction.
const versionByte1 = versionBit | 1

// CompileV1 assembles a message of version 1, as Compile does a legacy one. It may be
// three times as long.
func CompileV1(payer solana.PublicKey, recent solana.Hash, config Config, instructions []solana.Instruction) (Message, error) {
	m, err := compile(Message{recent: recent, version: version1, config: config}, payer, instructions)
	if err == nil && m.header.signers > MaxV1Signers {
		err = fmt.Errorf("%d signers, at most %d can be", m.header.signers, MaxV1Signers)
	}
	if err != nil {
		return Message{}, fmt.Errorf("compile a message of version 1: %w", err)
	}
	return m, nil
}

// V1 gives the configuration of a message of version 1; false for other versions.
func (m Message) V1() (Config, bool) { return m.config, m.version == version1 }

// most is how long a transaction may be, in bytes.
func (v version) most() int {
	if v == version1 {
		return MaxV1TransactionSize
	}
	return MaxTransactionSize
}

// mostIndexes is how many accounts an instruction may name; of other versions than 1 the
// size bounds them.
func (v version) mostIndexes() int {
	if v == version1 {
		return math.MaxUint8
	}
	return MaxTransactionSize
}

// encodeV1 appends the bytes of a message; that its counts are small was checked.
func (m Message) encodeV1(b []byte) []byte {
	mask, values := uint32(0), []byte(nil)
	if m.config.PriorityFeeLamports > 0 {
		mask |= maskPriorityFee
		values = binary.LittleEndian.AppendUint64(values, m.config.PriorityFeeLamports)
	}
	if m.config.UnitLimit > 0 {
		mask |= maskUnitLimit
		values = binary.LittleEndian.AppendUint32(values, m.config.UnitLimit)
	}
	if m.config.AccountsData > 0 {
		mask |= maskAccountsData
		values = binary.LittleEndian.AppendUint32(values, m.config.AccountsData)
	}
	b = append(b, versionByte1, byte(m.header.signers), byte(m.header.readonlySigners), byte(m.header.readonlyUnsigned)) //nolint:gosec // At most MaxAccountLocks.
	b = binary.LittleEndian.AppendUint32(b, mask)
	b = append(b, m.recent[:]...)
	b = append(b, byte(len(m.instructions)), byte(len(m.accounts))) //nolint:gosec // At most MaxInstructions and MaxAccountLocks.
	for _, key := range m.accounts {
		b = append(b, key[:]...)
	}
	b = append(b, values...)
	for _, c := range m.instructions {
		b = append(b, c.program, byte(len(c.accounts)))              //nolint:gosec // At most mostIndexes.
		b = binary.LittleEndian.AppendUint16(b, uint16(len(c.data))) //nolint:gosec // At most MaxTransactionSize.
	}
	for _, c := range m.instructions {
		b = append(append(b, c.accounts...), c.data...)
	}
	return b
}
