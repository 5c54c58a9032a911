package wire

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/gagliardetto/solana-go"
)

// Limits of a version 1 transaction (SIMD-0385): the maximum size in bytes, and the maximum number
// of signers. In other versions, the size bounds the number of signers.
const (
	MaxV1TransactionSize = 4096
	MaxV1Signers         = 12
)

// Config is the compute budget in a version 1 message. Other versions have instructions for the
// budget. A zero value requests nothing, and the network uses zero.
type Config struct {
	PriorityFeeLamports uint64 // a total, not a price for a unit
	UnitLimit           uint32
	// AccountsData is the maximum number of bytes of loaded accounts, programs included.
	AccountsData uint32
}

// Bits of the mask that announces values (SIMD-0385, TransactionConfigMask).
const (
	maskPriorityFee  = 0b00011
	maskUnitLimit    = 0b00100
	maskAccountsData = 0b01000
)

// versionByte1 is the first byte of a version 1 message, and of a version 1 transaction.
const versionByte1 = versionBit | 1

// CompileV1 assembles a version 1 message, as Compile assembles a legacy message. The message may
// be three times as long.
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

// V1 returns the configuration of a version 1 message, or false for other versions.
func (m Message) V1() (Config, bool) { return m.config, m.version == version1 }

// most returns the maximum length of a transaction, in bytes.
func (v version) limit() int {
	if v == version1 {
		return MaxV1TransactionSize
	}
	return MaxTransactionSize
}

// maxIndexes returns the maximum number of accounts of an instruction. In versions other than 1,
// the size of the transaction bounds the number.
func (v version) maxIndexes() int {
	if v == version1 {
		return math.MaxUint8
	}
	return MaxTransactionSize
}

// encodeV1 appends the bytes of a message. Callers have checked the counts.
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
		b = append(b, c.program, byte(len(c.accounts)))              //nolint:gosec // At most maxIndexes.
		b = binary.LittleEndian.AppendUint16(b, uint16(len(c.data))) //nolint:gosec // At most MaxTransactionSize.
	}
	for _, c := range m.instructions {
		b = append(append(b, c.accounts...), c.data...)
	}
	return b
}
