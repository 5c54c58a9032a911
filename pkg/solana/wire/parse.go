package wire

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// ErrVersioned is returned for a transaction of version 0 or later. A legacy message within a
// client's class for versioned transactions is accepted, because the class serialises the message
// as a legacy transaction.
var ErrVersioned = errors.New("the transaction is a versioned one, where a legacy transaction was expected")

// versionBit marks the first byte of a versioned message. The first byte of a legacy message is the
// number of signers.
const versionBit = 0x80

// ParseMessage reads a serialised legacy message. ParseMessage accepts the messages that the
// network's own checks accept (Agave, Message::sanitize), rejects trailing bytes, and never panics.
func ParseMessage(raw []byte) (Message, error) {
	if len(raw) > MaxTransactionSize {
		return Message{}, fmt.Errorf("read a message: %w", ErrTooLarge)
	}
	m, err := parseMessage(bytes.Clone(raw))
	if err != nil {
		return Message{}, fmt.Errorf("read a message: %w", err)
	}
	return m, nil
}

// parseMessage retains raw.
func parseMessage(raw []byte) (Message, error) {
	if len(raw) > 0 && raw[0]&versionBit != 0 {
		return Message{}, ErrVersioned
	}
	r := &reader{rest: raw}
	m := r.message()
	if err := r.end(); err != nil {
		return Message{}, err
	}
	m.raw = raw
	return m, m.check()
}

// message reads the parts of a legacy message.
func (r *reader) message() (m Message) {
	m.header.signers = int(r.byte("the header"))
	m.header.readonlySigners = int(r.byte("the header"))
	m.header.readonlyUnsigned = int(r.byte("the header"))
	count := r.length(solana.PublicKeyLength, "the account keys")
	for range count {
		var key solana.PublicKey
		copy(key[:], r.take(len(key), "the account keys"))
		m.accounts = append(m.accounts, key)
	}
	copy(m.recent[:], r.take(len(m.recent), "the blockhash"))
	const minimum = 3 // A program, and two empty lists.
	count = r.length(minimum, "the instructions")
	for range count {
		var c compiledInstruction
		c.program = r.byte("an instruction's program")
		c.accounts = r.take(r.length(1, "an instruction's accounts"), "an instruction's accounts")
		c.data = r.take(r.length(1, "an instruction's data"), "an instruction's data")
		m.instructions = append(m.instructions, c)
	}
	return m
}

// end returns the error of a message after its last part was read.
func (r *reader) end() error {
	if r.err == nil && len(r.rest) > 0 {
		return fmt.Errorf("%d bytes follow the end of the message", len(r.rest))
	}
	return r.err
}

// check validates the parts of a message.
func (m Message) check() error {
	n := len(m.accounts)
	switch {
	case m.header.signers == 0:
		return errors.New("the message has no signer")
	case m.header.readonlySigners >= m.header.signers:
		return errors.New("the message has no writable signer to pay its fees")
	case m.header.signers+m.header.readonlyUnsigned > n:
		return errors.New("the header counts more accounts than there are")
	}
	seen := make(map[solana.PublicKey]bool, n)
	for _, key := range m.accounts {
		if seen[key] {
			return fmt.Errorf("the account %s occurs twice in the message", key)
		}
		seen[key] = true
	}
	for i, c := range m.instructions {
		if int(c.program) >= n || c.program == 0 {
			return fmt.Errorf("the program of instruction %d is none of the message's accounts", i)
		}
		for _, index := range c.accounts {
			if int(index) >= n {
				return fmt.Errorf("instruction %d names an account that is not in the message", i)
			}
		}
	}
	return nil
}

// ParseTransaction reads a serialised legacy transaction: as many signatures as the message has
// signers, and the message. Any signature may be empty (all zero). ParseTransaction verifies no
// signature, rejects trailing bytes, and never panics.
func ParseTransaction(raw []byte) (Transaction, error) {
	if len(raw) > MaxTransactionSize {
		return Transaction{}, fmt.Errorf("read a transaction: %w: %d bytes of at most %d", ErrTooLarge, len(raw), MaxTransactionSize)
	}
	t, err := parseTransaction(raw)
	if err != nil {
		return Transaction{}, fmt.Errorf("read a transaction: %w", err)
	}
	return t, nil
}

func parseTransaction(raw []byte) (Transaction, error) {
	r := &reader{rest: raw}
	var t Transaction
	count := r.length(solana.SignatureLength, "the signatures")
	for range count {
		var signature solana.Signature
		copy(signature[:], r.take(len(signature), "the signatures"))
		t.signatures = append(t.signatures, signature)
	}
	if r.err != nil {
		return Transaction{}, r.err
	}
	var err error
	if t.message, err = parseMessage(bytes.Clone(r.rest)); err != nil {
		return Transaction{}, err
	}
	if len(t.signatures) != t.message.header.signers {
		return Transaction{}, fmt.Errorf("the transaction has places for %d signatures, its message for %d",
			len(t.signatures), t.message.header.signers)
	}
	return t, nil
}

// ParseBase64 reads a transaction in standard base64 with padding.
func ParseBase64(text string) (Transaction, error) {
	if len(text) > base64.StdEncoding.EncodedLen(MaxTransactionSize) {
		return Transaction{}, fmt.Errorf("read a transaction: %w", ErrTooLarge)
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil {
		return Transaction{}, ErrNotBase64
	}
	return ParseTransaction(raw)
}

// ErrNotBase64 is returned for a text that is not standard base64.
var ErrNotBase64 = errors.New("the transaction is not base64")
