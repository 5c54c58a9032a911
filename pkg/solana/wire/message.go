// Package wire implements the wire format of Solana. Package wire compiles instructions into a
// legacy or version 1 message, signs and serialises transactions, and parses untrusted bytes.
//
// Package wire promises:
//   - A compiled message, with all its signatures, fits into one packet.
//   - The same accounts produce the same bytes, in whatever order the caller lists the accounts.
//   - Arguments are never changed.
//   - No input causes a panic.
//   - Parsing is exact: an accepted message serialises to the parsed bytes.
package wire

import (
	"bytes"
	"errors"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// Limits of a transaction.
const (
	// MaxTransactionSize is the maximum length of a serialised transaction, signatures included, in
	// bytes: the IPv6 minimum MTU of 1,280 less 48 of headers (Agave, solana-packet,
	// PACKET_DATA_SIZE).
	MaxTransactionSize = 1232
	// MaxAccountLocks is the maximum number of accounts of a transaction (Agave,
	// MAX_TX_ACCOUNT_LOCKS; the feature that would double the limit has been given up). Package
	// wire enforces the limit, because the local chain does not.
	MaxAccountLocks = 64
	// MaxInstructions is the maximum length of the instruction trace, inner instructions included
	// (Agave, MAX_INSTRUCTION_TRACE_LENGTH).
	MaxInstructions = 64
)

// Instruction is an instruction of a message, with resolved accounts.
type Instruction struct {
	ProgramID solana.PublicKey
	Accounts  []solana.AccountMeta
	Data      []byte
}

// Keys returns the addresses of the instruction's accounts, in order.
func (in Instruction) Keys() []solana.PublicKey {
	keys := make([]solana.PublicKey, len(in.Accounts))
	for n, account := range in.Accounts {
		keys[n] = account.PublicKey
	}
	return keys
}

// Same reports whether the instruction has the program, data and accounts of another instruction.
// Same ignores who signs, because the message as a whole decides the signers.
func (in Instruction) Same(other solana.Instruction) bool {
	data, err := other.Data()
	if err != nil || in.ProgramID != other.ProgramID() || !bytes.Equal(in.Data, data) {
		return false
	}
	return slices.EqualFunc(in.Accounts, other.Accounts(), func(a solana.AccountMeta, b *solana.AccountMeta) bool {
		return a.PublicKey == b.PublicKey
	})
}

// version is the encoding of a message.
type version int

const (
	legacy version = iota
	version1
)

// Message is the signed part of a transaction: a legacy or a version 1 message. The zero Message is
// empty and not valid. Compile, CompileV1, ParseMessage and ParseV1 return other messages, which do
// not change.
type Message struct {
	version      version
	raw          []byte
	header       header
	accounts     []solana.PublicKey
	recent       solana.Hash
	instructions []compiledInstruction
	config       Config // of version 1 only
}

// header counts the kinds of accounts, which have this order: writable signers, read-only signers,
// writable non-signers, read-only non-signers.
type header struct {
	signers          int // writable and read-only
	readonlySigners  int
	readonlyUnsigned int
}

type compiledInstruction struct {
	program  uint8
	accounts []uint8
	data     []byte
}

// Bytes returns the serialised message, the bytes that signers sign.
func (m Message) Bytes() []byte { return bytes.Clone(m.raw) }

// Equal reports whether two messages are the same, byte for byte.
func (m Message) Equal(other Message) bool { return bytes.Equal(m.raw, other.raw) }

// FeePayer returns the first signer, who pays the fees, or the zero key for the zero Message.
func (m Message) FeePayer() solana.PublicKey {
	if len(m.accounts) == 0 {
		return solana.PublicKey{}
	}
	return m.accounts[0]
}

// Recent returns the blockhash, or the nonce's value if the message begins with
// AdvanceNonceAccount.
func (m Message) Recent() solana.Hash { return m.recent }

// OnRecent returns the same legacy message with another blockhash.
func (m Message) OnRecent(recent solana.Hash) (Message, error) {
	if m.version != legacy || len(m.raw) == 0 {
		return Message{}, errors.New("put a message on another blockhash: it is not a legacy one")
	}
	m.recent = recent
	m.raw = m.encode()
	return m, nil
}

// Signers returns the accounts that must sign, the fee payer first, in the order of their
// signatures.
func (m Message) Signers() []solana.PublicKey {
	return append([]solana.PublicKey(nil), m.accounts[:m.header.signers]...)
}

// Accounts returns every account of the message with its rights, in order.
func (m Message) Accounts() []solana.AccountMeta {
	metas := make([]solana.AccountMeta, len(m.accounts))
	for i := range metas {
		metas[i] = m.meta(i)
	}
	return metas
}

// Instructions returns the instructions with resolved accounts. The rights of an account are its
// rights in the whole message.
func (m Message) Instructions() []Instruction {
	list := make([]Instruction, len(m.instructions))
	for i, c := range m.instructions {
		metas := make([]solana.AccountMeta, len(c.accounts))
		for j, index := range c.accounts {
			metas[j] = m.meta(int(index))
		}
		list[i] = Instruction{
			ProgramID: m.accounts[c.program],
			Accounts:  metas,
			Data:      bytes.Clone(c.data),
		}
	}
	return list
}

func (m Message) meta(i int) solana.AccountMeta {
	signer := i < m.header.signers
	writable := i < len(m.accounts)-m.header.readonlyUnsigned
	if signer {
		writable = i < m.header.signers-m.header.readonlySigners
	}
	return solana.AccountMeta{PublicKey: m.accounts[i], IsSigner: signer, IsWritable: writable}
}

// TransactionSize returns the size in bytes of a transaction with this message and all signatures.
// An empty place is as long as a signature.
func (m Message) TransactionSize() int {
	if m.version == version1 {
		return len(m.raw) + m.header.signers*solana.SignatureLength
	}
	return shortLen(m.header.signers) + m.header.signers*solana.SignatureLength + len(m.raw)
}
