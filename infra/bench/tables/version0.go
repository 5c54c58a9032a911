package tables

import (
	"errors"
	"fmt"

	bin "github.com/gagliardetto/binary"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/wire"
)

// message is what is signed, in whatever encoding.
type message struct {
	signed []byte // what the wallet signs
	size   int    // of the transaction
	// transaction is its bytes with the wallet's signature.
	transaction func(solana.Signature) ([]byte, error)
}

// own is a message of the service's own encoder.
func own(m wire.Message, err error) (message, error) {
	return message{m.Bytes(), m.TransactionSize(), func(signature solana.Signature) ([]byte, error) {
		tx := wire.NewTransaction(m)
		err := tx.SetSignature(m.FeePayer(), signature)
		return tx.Bytes(), err
	}}, err
}

// version0 is a message of version 0 that takes accounts from tables. The service has no
// such transactions: this is solana-go's encoder.
func version0(p payer, instructions []solana.Instruction, tables []table) (message, error) {
	if len(instructions) > wire.MaxInstructions {
		return message{}, wire.ErrTooLarge
	}
	tx, err := solana.NewTransaction(instructions, p.value, solana.TransactionPayer(p.wallet), solana.TransactionAddressTables(known(tables)))
	if err != nil {
		return message{}, fmt.Errorf("compile a message of version 0: %w", err)
	}
	tx.Message.SetVersion(solana.MessageVersionV0)
	keys, err := tx.Message.GetAllKeys()
	if err != nil {
		return message{}, err
	}
	raw, err := tx.Message.MarshalBinary()
	if err != nil {
		return message{}, err
	}
	const one = 1 + solana.SignatureLength // the wallet signs alone
	if size := one + len(raw); size > wire.MaxTransactionSize || len(keys) > wire.MaxAccountLocks {
		return message{}, fmt.Errorf("%w: %d bytes, %d accounts", wire.ErrTooLarge, size, len(keys))
	}
	return message{raw, one + len(raw), func(signature solana.Signature) ([]byte, error) {
		return append(append([]byte{1}, signature[:]...), raw...), nil
	}}, nil
}

func known(tables []table) map[solana.PublicKey]solana.PublicKeySlice {
	list := make(map[solana.PublicKey]solana.PublicKeySlice, len(tables))
	for _, t := range tables {
		list[t.address] = t.addresses
	}
	return list
}

// errOther: a message does something else than what was meant.
var errOther = errors.New("the message resolves to other instructions")

// same resolves a message of version 0 as the network would, and compares every account of
// every instruction with what was meant: that is what makes lookup tables safe to sign.
func same(m message, meant []solana.Instruction, tables []table) error {
	var resolved solana.Message
	if err := resolved.UnmarshalWithDecoder(bin.NewBinDecoder(m.signed)); err != nil {
		return err
	}
	if err := resolved.SetAddressTables(known(tables)); err != nil {
		return err
	}
	keys, err := resolved.GetAllKeys()
	if err != nil {
		return err
	}
	if len(resolved.Instructions) != len(meant) {
		return errOther
	}
	for n, in := range meant {
		data, err := in.Data()
		if err != nil {
			return err
		}
		got := resolved.Instructions[n]
		if keys[got.ProgramIDIndex] != in.ProgramID() || string(got.Data) != string(data) || len(got.Accounts) != len(in.Accounts()) {
			return errOther
		}
		for i, meta := range in.Accounts() {
			if keys[got.Accounts[i]] != meta.PublicKey {
				return errOther
			}
		}
	}
	return nil
}
