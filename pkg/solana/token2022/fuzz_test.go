package token2022_test

import (
	"encoding/binary"
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/token2022"
)

// walk is a second implementation of the program's list of an account's extensions: accepted data
// has these extensions and no others. rest is the number of bytes after them; a single byte cannot
// begin an extension.
func walk(data []byte) (kinds []token2022.ExtensionType, rest int) {
	at := 166
	for at+4 <= len(data) {
		kind := binary.LittleEndian.Uint16(data[at:])
		if kind == 0 {
			break
		}
		kinds = append(kinds, token2022.ExtensionType(kind))
		at += 4 + int(binary.LittleEndian.Uint16(data[at+2:]))
	}
	return kinds, len(data) - at
}

// FuzzDecodeMint tests that an accepted mint has the numbers and the extensions of its bytes, and
// that zeros after the extensions change nothing.
func FuzzDecodeMint(f *testing.F) {
	f.Add(extended(baseMint(), 1, feeConfig(), metadata("k", "v")))
	f.Add(extended(baseMint(), 1, tlv(18, make([]byte, 64)), tlv(999, []byte{1})))
	f.Add(baseMint())
	f.Fuzz(func(t *testing.T, data []byte) {
		mint, err := token2022.DecodeMint(solana.Token2022ProgramID, data)
		if err != nil {
			if !errors.Is(err, token2022.ErrNotMint) {
				t.Errorf("%v is not ErrNotMint", err)
			}
			return
		}
		if mint.Supply != binary.LittleEndian.Uint64(data[36:]) || mint.Decimals != data[44] {
			t.Errorf("supply %d and %d decimals out of %x", mint.Supply, mint.Decimals, data[:46])
		}
		kinds, rest := walk(data)
		if !slices.Equal(mint.Extensions, kinds) {
			t.Errorf("extensions %v, want %v", mint.Extensions, kinds)
		}
		if len(data) == len(baseMint()) || rest == 1 {
			return
		}
		more := append(slices.Clone(data), make([]byte, 8)...)
		if len(more) == multisigLength {
			return
		}
		if again, err := token2022.DecodeMint(solana.Token2022ProgramID, more); err != nil || !reflect.DeepEqual(again, mint) {
			t.Errorf("with zeros behind it: %+v, %v; before %+v", again, err, mint)
		}
	})
}

// multisigLength is the length that no mint and no token account has, so that a
// multisig is never taken for one (spl-token, Multisig::LEN).
const multisigLength = 355

// FuzzDecodeAccount does the same as FuzzDecodeMint for token accounts.
func FuzzDecodeAccount(f *testing.F) {
	f.Add(extended(baseAccount(1), 2, tlv(7, nil), tlv(2, u64(42))))
	f.Add(extended(baseAccount(2), 2, tlv(2, u64(1))))
	f.Add(baseAccount(1))
	f.Fuzz(func(t *testing.T, data []byte) {
		account, err := token2022.DecodeAccount(solana.Token2022ProgramID, data)
		if err != nil {
			if !errors.Is(err, token2022.ErrNotTokenAccount) {
				t.Errorf("%v is not ErrNotTokenAccount", err)
			}
			return
		}
		if [32]byte(data[:32]) != account.Mint || [32]byte(data[32:64]) != account.Owner ||
			account.Amount != binary.LittleEndian.Uint64(data[64:]) || account.Frozen != (data[108] == 2) {
			t.Errorf("%+v out of %x", account, data[:165])
		}
		if kinds, _ := walk(data); !slices.Equal(account.Extensions, kinds) {
			t.Errorf("extensions %v, want %v", account.Extensions, kinds)
		}
		if account.Withheld != 0 && !slices.Contains(account.Extensions, token2022.ExtensionTransferFeeAmount) {
			t.Errorf("%d withheld without the extension that withholds", account.Withheld)
		}
	})
}
