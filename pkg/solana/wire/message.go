// Package wire holds the wire format of Solana: it compiles instructions into
// a legacy message or one of version 1, signs and serialises transactions, and reads
// the bytes of strangers.
//
// It promises that a compiled message fits, with all its signatures, into one
// packet; that the same accounts give the same bytes, whatever the order in
// which they were named; that nothing it is given is changed; and that no
// input makes it panic. What it reads, it reads exactly: a message that it
// accepts serialises to the very bytes that came in.
package wire

import (
	"bytes"
	"errors"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// Limits of a transaction.
const (
	// MaxTransactionSize is the longest serialised transaction, signatures
	// included, in bytes: the IPv6 minimum MTU of 1,280 less 48 of headers
	// (Agave, solana-packet, PACKET_DATA_SIZE).
	MaxTransactionSize = 1232
	// MaxAccountLocks is how many accounts a transaction may name (Agave,
	// MAX_TX_ACCOUNT_LOCKS; the feature that would double it has been given up). The
	// local chain does not enforce it, so it is enforced here.
	MaxAccountLocks = 64
	// MaxInstructions is the longest instruction trace, inner instructions
	// included (Agave, MAX_INSTRUCTION_TRACE_LENGTH).
	MaxInstructions = 64
)

// Instruction is one instruction of a message, its accounts resolved.
type Instruction struct {
	ProgramID solana.PublicKey
	Accounts  []solana.AccountMeta
	Data      []byte
}

// Keys gives the addresses of the instruction's accounts, in order.
func (in Instruction) Keys() []solana.PublicKey {
	keys := make([]solana.PublicKey, len(in.Accounts))
	for n, account := range in.Accounts {
		keys[n] = account.PublicKey
	}
	return keys
}

// Same says whether the instruction does what the other one does, with the same accounts.
// Who signs is said by the message as a whole.
func (in Instruction) Same(other solana.Instruction) bool {
	data, err := other.Data()
	if err != nil || in.ProgramID != other.ProgramID() || !bytes.Equal(in.Data, data) {
		return false
	}
	return slices.EqualFunc(in.Accounts, other.Accounts(), func(a solana.AccountMeta, b *solana.AccountMeta) bool {
		return a.PublicKey == b.PublicKey
	})
}

// version is how a message is encoded.
type version int

const (
	legacy version = iota
	version1
)

// Message is what signers sign: a legacy message, or one of version 1. Its zero value is
// empty and no valid message; others come from Compile, CompileV1, ParseMessage and
// ParseV1, and do not change.
type Message struct {
	version      version
	raw          []byte
	header       header
	accounts     []solana.PublicKey
	recent       solana.Hash
	instructions []compiledInstruction
	config       Config // of version 1 only
}

// header counts the kinds of accounts, which stand in this order: writable
// signers, read-only signers, writable others, read-only others.
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

// Bytes gives the serialised message, the bytes that are signed.
func (m Message) Bytes() []byte { return bytes.Clone(m.raw) }

// Equal reports whether both are the same message, byte for byte.
func (m Message) Equal(other Message) bool { return bytes.Equal(m.raw, other.raw) }

// FeePayer gives the first signer, who pays the fees; the zero key for the
// zero Message.
func (m Message) FeePayer() solana.PublicKey {
	if len(m.accounts) == 0 {
		return solana.PublicKey{}
	}
	return m.accounts[0]
}

// Recent gives the blockhash, or the nonce's value in a message that begins
// with AdvanceNonceAccount.
func (m Message) Recent() solana.Hash { return m.recent }

// OnRecent gives the same legacy message on another blockhash.
func (m Message) OnRecent(recent solana.Hash) (Message, error) {
	if m.version != legacy || len(m.raw) == 0 {
		return Message{}, errors.New("put a message on another blockhash: it is not a legacy one")
	}
	m.recent = recent
	m.raw = m.encode()
	return m, nil
}

// Signers gives the accounts that must sign, the fee payer first, in the order
// of their signatures.
func (m Message) Signers() []solana.PublicKey {
	return append([]solana.PublicKey(nil), m.accounts[:m.header.signers]...)
}

// Accounts gives every account of the message with its rights, in order.
func (m Message) Accounts() []solana.AccountMeta {
	metas := make([]solana.AccountMeta, len(m.accounts))
	for i := range metas {
		metas[i] = m.meta(i)
	}
	return metas
}

// Instructions gives the instructions with their accounts resolved. The rights
// of an account are those it has in the whole message.
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

// TransactionSize gives the size, in bytes, that a transaction with this
// message has once every signature is in its place (empty places are as long).
func (m Message) TransactionSize() int {
	if m.version == version1 {
		return len(m.raw) + m.header.signers*solana.SignatureLength
	}
	return shortLen(m.header.signers) + m.header.signers*solana.SignatureLength + len(m.raw)
}
