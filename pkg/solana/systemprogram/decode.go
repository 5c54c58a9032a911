package systemprogram

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// Kind is the tag of an instruction of the System program.
type Kind uint32

// The kinds that a reader distinguishes.
const (
	KindCreateAccount         Kind = tagCreateAccount
	KindTransfer              Kind = tagTransfer
	KindCreateAccountWithSeed Kind = tagCreateAccountWithSeed
	KindTransferWithSeed      Kind = tagTransferWithSeed
	// KindCreateAccountAllowPrefund creates an account at an address that already has lamports
	// (SIMD-0312).
	KindCreateAccountAllowPrefund Kind = 13
)

// ErrMalformed is returned for an instruction of another kind, or with too many bytes.
var ErrMalformed = errors.New("the instruction of the System program is malformed")

// KindOf reads an instruction's kind. It returns ErrMalformed if data is too short.
func KindOf(data []byte) (Kind, error) {
	if len(data) < 4 {
		return 0, fmt.Errorf("%w: it has %d bytes", ErrMalformed, len(data))
	}
	return Kind(binary.LittleEndian.Uint32(data)), nil
}

// DecodeCreateAccountWithSeed reads the instruction that CreateAccountWithSeed encodes. Further
// accounts are ignored, as the program does. It returns ErrMalformed for other data.
func DecodeCreateAccountWithSeed(accounts []solana.PublicKey, data []byte) (CreateAccountWithSeed, error) {
	r := fields{rest: data}
	r.tag(tagCreateAccountWithSeed)
	c := CreateAccountWithSeed{Base: r.key(), Seed: r.text(), Lamports: r.number(), Space: r.number(), Owner: r.key()}
	if err := r.end(accounts, 2); err != nil {
		return CreateAccountWithSeed{}, err
	}
	c.Payer, c.Account = accounts[0], accounts[1]
	return c, nil
}

// DecodeTransfer reads the instruction that Transfer encodes. Further accounts are References. It
// returns ErrMalformed for other data.
func DecodeTransfer(accounts []solana.PublicKey, data []byte) (Transfer, error) {
	r := fields{rest: data}
	r.tag(tagTransfer)
	t := Transfer{Lamports: r.number()}
	if err := r.end(accounts, 2); err != nil {
		return Transfer{}, err
	}
	t.From, t.To = accounts[0], accounts[1]
	if len(accounts) > 2 {
		t.References = accounts[2:]
	}
	return t, nil
}

// DecodeTransferWithSeed reads the instruction that TransferWithSeed encodes. It returns
// ErrMalformed for other data.
func DecodeTransferWithSeed(accounts []solana.PublicKey, data []byte) (TransferWithSeed, error) {
	r := fields{rest: data}
	r.tag(tagTransferWithSeed)
	t := TransferWithSeed{Lamports: r.number(), Seed: r.text(), Owner: r.key()}
	if err := r.end(accounts, 3); err != nil {
		return TransferWithSeed{}, err
	}
	t.From, t.Base, t.To = accounts[0], accounts[1], accounts[2]
	return t, nil
}

// fields reads the fields of an instruction in order. A missing field is zero, and sets bad.
type fields struct {
	rest []byte
	bad  bool
}

func (f *fields) take(n int) []byte {
	if f.bad || n > len(f.rest) {
		f.bad = true
		return make([]byte, min(n, solana.PublicKeyLength))
	}
	taken := f.rest[:n]
	f.rest = f.rest[n:]
	return taken
}

func (f *fields) tag(want Kind) {
	if Kind(binary.LittleEndian.Uint32(f.take(4))) != want {
		f.bad = true
	}
}

func (f *fields) number() uint64 { return binary.LittleEndian.Uint64(f.take(8)) }

func (f *fields) key() solana.PublicKey {
	return solana.PublicKeyFromBytes(f.take(solana.PublicKeyLength))
}

func (f *fields) text() string {
	n := f.number()
	if n > MaxSeedLength {
		f.bad = true
		return ""
	}
	return string(f.take(int(n)))
}

func (f *fields) end(accounts []solana.PublicKey, minimum int) error {
	if f.bad || len(f.rest) > 0 || len(accounts) < minimum {
		return fmt.Errorf("%w: it has %d bytes too many, and %d accounts", ErrMalformed, len(f.rest), len(accounts))
	}
	return nil
}
