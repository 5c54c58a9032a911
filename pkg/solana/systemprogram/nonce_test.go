package systemprogram_test

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/systemprogram"
)

func nonceBytes(version, state uint32) []byte {
	b := binary.LittleEndian.AppendUint32(nil, version)
	b = binary.LittleEndian.AppendUint32(b, state)
	b = append(b, slices.Repeat([]byte{1}, 32)...)
	b = append(b, slices.Repeat([]byte{2}, 32)...)
	return binary.LittleEndian.AppendUint64(b, 5000)
}

func TestDecodeNonce(t *testing.T) {
	got, err := systemprogram.DecodeNonce(solana.SystemProgramID, nonceBytes(1, 1))
	want := systemprogram.Nonce{LamportsPerSignature: 5000}
	copy(want.Authority[:], slices.Repeat([]byte{1}, 32))
	copy(want.Value[:], slices.Repeat([]byte{2}, 32))
	if err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
	for name, c := range map[string]struct {
		owner solana.PublicKey
		data  []byte
	}{
		"another owner":   {solana.TokenProgramID, nonceBytes(1, 1)},
		"nothing":         {solana.SystemProgramID, nil},
		"a missing byte":  {solana.SystemProgramID, nonceBytes(1, 1)[:79]},
		"an extra byte":   {solana.SystemProgramID, append(nonceBytes(1, 1), 0)},
		"old version":     {solana.SystemProgramID, nonceBytes(0, 1)},
		"not initialized": {solana.SystemProgramID, nonceBytes(1, 0)},
	} {
		if _, err := systemprogram.DecodeNonce(c.owner, c.data); !errors.Is(err, systemprogram.ErrNotNonce) {
			t.Errorf("DecodeNonce(), %s: %v, want ErrNotNonce", name, err)
		}
	}
}

func TestAddressWithSeed(t *testing.T) {
	// From the documentation's test of Pubkey::create_with_seed.
	got, err := systemprogram.AddressWithSeed(solana.PublicKey{}, "limber chicken: 4/45", solana.PublicKey{})
	if want := "9h1HyLCW5dZnBVap8C5egQ9Z6pHyjsh5MNy83iPqqRuq"; err != nil || got.String() != want {
		t.Errorf("%s, want %s (%v)", got, want, err)
	}
	if _, err := systemprogram.AddressWithSeed(solana.PublicKey{}, strings.Repeat("x", systemprogram.MaxSeedLength), solana.PublicKey{}); err != nil {
		t.Error(err)
	}
	if _, err := systemprogram.AddressWithSeed(solana.PublicKey{}, strings.Repeat("x", systemprogram.MaxSeedLength+1), solana.PublicKey{}); err == nil {
		t.Error("a seed of 33 bytes is accepted")
	}
}
