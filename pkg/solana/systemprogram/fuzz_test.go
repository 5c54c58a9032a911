package systemprogram_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/systemprogram"
)

// FuzzDecodeNonce tests that an accepted account encodes to the input.
func FuzzDecodeNonce(f *testing.F) {
	f.Add(nonceBytes(1, 1))
	f.Add(nonceBytes(0, 1))
	f.Add(nonceBytes(1, 0)[:79])
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := systemprogram.DecodeNonce(solana.TokenProgramID, data); !errors.Is(err, systemprogram.ErrNotNonce) {
			t.Errorf("accepted from another owner: %v", err)
		}
		nonce, err := systemprogram.DecodeNonce(solana.SystemProgramID, data)
		if err != nil {
			if !errors.Is(err, systemprogram.ErrNotNonce) {
				t.Errorf("%v is not ErrNotNonce", err)
			}
			return
		}
		back := slices.Concat([]byte{1, 0, 0, 0, 1, 0, 0, 0}, nonce.Authority[:], nonce.Value[:])
		back = binary.LittleEndian.AppendUint64(back, nonce.LamportsPerSignature)
		if !bytes.Equal(back, data) {
			t.Errorf("%x becomes %x", data, back)
		}
	})
}
