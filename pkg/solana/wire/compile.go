package wire

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gagliardetto/solana-go"
)

// ErrTooLarge is returned if a transaction with all its signatures would be longer than
// MaxTransactionSize.
var ErrTooLarge = errors.New("the transaction does not fit into one packet")

// Compile assembles a legacy message. recent is a blockhash, or a nonce's value if the first
// instruction is AdvanceNonceAccount. The payer pays the fees, is a writable signer, and comes
// first.
//
// The order of the accounts is the order of @solana/kit and @solana/web3.js: payer, writable
// signers, read-only signers, writable non-signers, read-only non-signers, each group sorted by
// address. So the order depends only on the set of accounts, and the official clients compile the
// same instructions to the same bytes.
//
// Compile returns ErrTooLarge if the message does not fit into one packet, and fails if the
// instructions or their accounts exceed the network's limits. Compile does not change the
// instructions.
func Compile(payer solana.PublicKey, recent solana.Hash, instructions []solana.Instruction) (Message, error) {
	m, err := compile(Message{recent: recent}, payer, instructions)
	if err != nil {
		return Message{}, fmt.Errorf("compile a message: %w", err)
	}
	return m, nil
}

// compile completes a message whose version and lifetime are set.
func compile(m Message, payer solana.PublicKey, instructions []solana.Instruction) (Message, error) {
	if payer.IsZero() {
		return Message{}, errors.New("no fee payer")
	}
	if len(instructions) == 0 || len(instructions) > MaxInstructions {
		return Message{}, fmt.Errorf("%d instructions, want 1 to %d", len(instructions), MaxInstructions)
	}
	accounts, byKey, err := collect(payer, instructions)
	if err != nil {
		return Message{}, err
	}
	m.accounts = make([]solana.PublicKey, len(accounts))
	m.instructions = make([]compiledInstruction, len(instructions))
	for i, a := range accounts {
		a.index = uint8(i)
		m.accounts[i] = a.key
		switch {
		case a.signer && a.writable:
			m.header.signers++
		case a.signer:
			m.header.signers++
			m.header.readonlySigners++
		case !a.writable:
			m.header.readonlyUnsigned++
		}
	}
	for i, in := range instructions {
		metas := in.Accounts()
		c := compiledInstruction{program: byKey[in.ProgramID()].index, accounts: make([]uint8, len(metas))}
		for j, meta := range metas {
			c.accounts[j] = byKey[meta.PublicKey].index
		}
		data, err := in.Data()
		if err != nil {
			return Message{}, fmt.Errorf("data of instruction %d: %w", i, err)
		}
		c.data = bytes.Clone(data)
		if len(c.accounts) > m.version.maxIndexes() || len(c.data) > m.version.limit() {
			return Message{}, fmt.Errorf("instruction %d: %w", i, ErrTooLarge)
		}
		m.instructions[i] = c
	}
	m.raw = m.encode()
	if size, limit := m.TransactionSize(), m.version.limit(); size > limit {
		return Message{}, fmt.Errorf("%w: %d bytes of at most %d", ErrTooLarge, size, limit)
	}
	return m, nil
}

func (m Message) encode() []byte {
	b := make([]byte, 0, m.version.limit())
	if m.version == version1 {
		return m.encodeV1(b)
	}
	b = append(b, byte(m.header.signers), byte(m.header.readonlySigners), byte(m.header.readonlyUnsigned)) //nolint:gosec // At most MaxAccountLocks.
	b = appendShort(b, len(m.accounts))
	for _, key := range m.accounts {
		b = append(b, key[:]...)
	}
	b = append(b, m.recent[:]...)
	b = appendShort(b, len(m.instructions))
	for _, c := range m.instructions {
		b = append(b, c.program)
		b = appendBytes(b, c.accounts)
		b = appendBytes(b, c.data)
	}
	return b
}

// account is a key with the union of the rights that the instructions request.
type account struct {
	key      solana.PublicKey
	address  string
	index    uint8 // in the message
	signer   bool
	writable bool
	payer    bool
	program  bool
}

// collect returns every account once, in the order of the message and by key.
func collect(payer solana.PublicKey, instructions []solana.Instruction) (list []*account, byKey map[solana.PublicKey]*account, err error) {
	byKey = make(map[solana.PublicKey]*account)
	add := func(key solana.PublicKey) *account {
		a, ok := byKey[key]
		if !ok {
			a = &account{key: key}
			byKey[key] = a
			list = append(list, a)
		}
		return a
	}
	first := add(payer)
	first.payer, first.signer, first.writable = true, true, true
	for i, in := range instructions {
		if in == nil {
			return nil, nil, fmt.Errorf("instruction %d is missing", i)
		}
		add(in.ProgramID()).program = true
		for j, meta := range in.Accounts() {
			if meta == nil {
				return nil, nil, fmt.Errorf("account %d of instruction %d is missing", j, i)
			}
			a := add(meta.PublicKey)
			a.signer = a.signer || meta.IsSigner
			a.writable = a.writable || meta.IsWritable
		}
	}
	if len(list) > MaxAccountLocks {
		return nil, nil, fmt.Errorf("%d accounts, at most %d can be locked", len(list), MaxAccountLocks)
	}
	for _, a := range list {
		if a.program && a.payer {
			return nil, nil, fmt.Errorf("the program %s cannot pay fees", a.key)
		}
		if a.program && a.writable {
			return nil, nil, fmt.Errorf("the program %s cannot be writable", a.key)
		}
		a.address = a.key.String()
	}
	slices.SortFunc(list, compareAccounts)
	return list, byKey, nil
}

func compareAccounts(a, b *account) int {
	return cmp.Or(
		trueFirst(a.payer, b.payer),
		trueFirst(a.signer, b.signer),
		trueFirst(a.writable, b.writable),
		compareAddresses(a.address, b.address),
	)
}

func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	default:
		return 1
	}
}

// compareAddresses orders base58 addresses as the official clients do, by Intl.Collator("en",
// {caseFirst: "lower", sensitivity: "variant"}). Letters are first compared regardless of case,
// digits before letters. If the addresses are equal so far, the first difference of case decides,
// lower before upper.
func compareAddresses(a, b string) int {
	for i := range min(len(a), len(b)) {
		if c := cmp.Compare(lower(a[i]), lower(b[i])); c != 0 {
			return c
		}
	}
	if c := cmp.Compare(len(a), len(b)); c != 0 {
		return c
	}
	return strings.Compare(b, a) // Upper case has the smaller code.
}

// lower returns the lower case of a letter of base58, and returns digits unchanged.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
