package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// ParseOwn reads a serialised transaction of this service, which may be a version 1 transaction,
// like our payouts, or a legacy transaction. Untrusted transactions must go through
// ParseTransaction, which accepts only legacy transactions.
func ParseOwn(raw []byte) (Transaction, error) {
	if IsV1(raw) {
		return ParseV1(raw)
	}
	return ParseTransaction(raw)
}

// ParseOwnMessage reads a message of this service, without signatures; see ParseOwn.
func ParseOwnMessage(raw []byte) (Message, error) {
	if !IsV1(raw) {
		return ParseMessage(raw)
	}
	const signers = 1 // the position of the number of signers
	if len(raw) <= signers {
		return Message{}, errors.New("read a message of version 1: it ends after its version")
	}
	t, err := ParseV1(append(bytes.Clone(raw), make([]byte, int(raw[signers])*len(solana.Signature{}))...))
	return t.Message(), err
}

// IsV1 reports whether bytes begin like a version 1 transaction.
func IsV1(raw []byte) bool { return len(raw) > 0 && raw[0] == versionByte1 }

// ParseV1 reads a serialised version 1 transaction: the message, and then as many signatures as the
// message has signers. Any signature may be empty (all zero). ParseV1 verifies no signature,
// rejects trailing bytes and configuration values that Config does not have, and never panics.
func ParseV1(raw []byte) (Transaction, error) {
	if len(raw) > MaxV1TransactionSize {
		return Transaction{}, fmt.Errorf("read a transaction of version 1: %w: %d bytes of at most %d", ErrTooLarge, len(raw), MaxV1TransactionSize)
	}
	t, err := parseV1(bytes.Clone(raw))
	if err != nil {
		return Transaction{}, fmt.Errorf("read a transaction of version 1: %w", err)
	}
	return t, nil
}

// parseV1 retains raw.
func parseV1(raw []byte) (Transaction, error) {
	if !IsV1(raw) {
		return Transaction{}, errors.New("it is of another version")
	}
	r := &reader{rest: raw[1:]}
	m := r.messageV1()
	if r.err != nil {
		return Transaction{}, r.err
	}
	size := len(raw) - len(r.rest)
	m.raw = raw[:size:size]
	t := Transaction{message: m}
	for range m.header.signers {
		var signature solana.Signature
		copy(signature[:], r.take(len(signature), "the signatures"))
		t.signatures = append(t.signatures, signature)
	}
	if err := r.end(); err != nil {
		return Transaction{}, err
	}
	if m.header.signers > MaxV1Signers {
		return Transaction{}, fmt.Errorf("%d signers, at most %d can be", m.header.signers, MaxV1Signers)
	}
	return t, m.check()
}

// messageV1 reads the parts after the version; see encodeV1.
func (r *reader) messageV1() Message {
	m := Message{version: version1}
	m.header.signers = int(r.byte("the header"))
	m.header.readonlySigners = int(r.byte("the header"))
	m.header.readonlyUnsigned = int(r.byte("the header"))
	mask := r.uint32("the mask")
	copy(m.recent[:], r.take(len(m.recent), "the blockhash"))
	instructions, accounts := int(r.byte("the counts")), int(r.byte("the counts"))
	if r.err == nil && (instructions > MaxInstructions || accounts > MaxAccountLocks) {
		r.err = fmt.Errorf("%d instructions and %d accounts, at most %d and %d can be", instructions, accounts, MaxInstructions, MaxAccountLocks)
	}
	for i := 0; i < accounts && r.err == nil; i++ {
		var key solana.PublicKey
		copy(key[:], r.take(len(key), "the account keys"))
		m.accounts = append(m.accounts, key)
	}
	m.config = r.config(mask)
	lengths := make([][2]int, 0, MaxInstructions)
	for i := 0; i < instructions && r.err == nil; i++ {
		m.instructions = append(m.instructions, compiledInstruction{program: r.byte("an instruction's program")})
		lengths = append(lengths, [2]int{int(r.byte("an instruction's accounts")), int(r.uint16("an instruction's data"))})
	}
	for i := 0; i < len(lengths) && r.err == nil; i++ {
		m.instructions[i].accounts = r.take(lengths[i][0], "an instruction's accounts")
		m.instructions[i].data = r.take(lengths[i][1], "an instruction's data")
	}
	return m
}

// config reads the values that a mask announces.
func (r *reader) config(mask uint32) (c Config) {
	fee := mask & maskPriorityFee
	if mask&^(maskPriorityFee|maskUnitLimit|maskAccountsData) != 0 || fee != 0 && fee != maskPriorityFee {
		r.err = errors.Join(r.err, fmt.Errorf("the mask %#b of the configuration is not known", mask))
		return Config{}
	}
	if fee != 0 {
		if b := r.take(8, "the priority fee"); b != nil {
			c.PriorityFeeLamports = binary.LittleEndian.Uint64(b)
		}
	}
	if mask&maskUnitLimit != 0 {
		c.UnitLimit = r.uint32("the unit limit")
	}
	if mask&maskAccountsData != 0 {
		c.AccountsData = r.uint32("the size of the accounts' data")
	}
	return c
}

func (r *reader) uint32(what string) uint32 {
	if b := r.take(4, what); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) uint16(what string) uint16 {
	if b := r.take(2, what); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}
