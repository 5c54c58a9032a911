package systemprogram_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/systemprogram"
)

func parts(t testing.TB, in solana.Instruction) (accounts []solana.PublicKey, data []byte) {
	t.Helper()
	for _, meta := range in.Accounts() {
		accounts = append(accounts, meta.PublicKey)
	}
	data, err := in.Data()
	if err != nil {
		t.Fatal(err)
	}
	return accounts, data
}

// The layout, byte for byte; package peertest holds it against the official client.
func TestTransferWithSeed(t *testing.T) {
	in := systemprogram.TransferWithSeed{
		From: solana.PublicKey{1}, Base: solana.PublicKey{2}, To: solana.PublicKey{3}, Lamports: 0x0102, Seed: "ab", Owner: solana.PublicKey{4},
	}
	accounts, data := parts(t, in.Instruction())
	want := slices.Concat([]byte{11, 0, 0, 0}, []byte{2, 1, 0, 0, 0, 0, 0, 0}, []byte{2, 0, 0, 0, 0, 0, 0, 0}, []byte("ab"), in.Owner[:])
	if !bytes.Equal(data, want) {
		t.Errorf("%x, want %x", data, want)
	}
	got := in.Instruction().Accounts()
	if !slices.Equal(accounts, []solana.PublicKey{in.From, in.Base, in.To}) ||
		!got[0].IsWritable || got[0].IsSigner || got[1].IsWritable || !got[1].IsSigner || !got[2].IsWritable || got[2].IsSigner {
		t.Errorf("accounts %+v", got)
	}
}

func TestDecodeWithSeed(t *testing.T) {
	create := systemprogram.CreateAccountWithSeed{
		Payer: solana.PublicKey{1}, Account: solana.PublicKey{2}, Base: solana.PublicKey{3}, Seed: "0123456789abcdefABCD_-",
		Lamports: 890_880, Space: 7, Owner: solana.PublicKey{4},
	}
	send := systemprogram.TransferWithSeed{
		From: solana.PublicKey{1}, Base: solana.PublicKey{2}, To: solana.PublicKey{3}, Lamports: 650_240, Seed: "0123456789abcdef", Owner: solana.PublicKey{4},
	}
	createAccounts, createData := parts(t, create.Instruction())
	sendAccounts, sendData := parts(t, send.Instruction())
	if got, err := systemprogram.DecodeCreateAccountWithSeed(createAccounts, createData); err != nil || got != create {
		t.Errorf("DecodeCreateAccountWithSeed() = %+v, %v; want %+v", got, err, create)
	}
	if got, err := systemprogram.DecodeTransferWithSeed(sendAccounts, sendData); err != nil || got != send {
		t.Errorf("DecodeTransferWithSeed() = %+v, %v; want %+v", got, err, send)
	}
	for _, c := range []struct {
		kind systemprogram.Kind
		data []byte
	}{{systemprogram.KindCreateAccountWithSeed, createData}, {systemprogram.KindTransferWithSeed, sendData}} {
		if got, err := systemprogram.KindOf(c.data); err != nil || got != c.kind {
			t.Errorf("kind %d, %v", got, err)
		}
		for n := range c.data {
			_, create := systemprogram.DecodeCreateAccountWithSeed(createAccounts, c.data[:n])
			_, send := systemprogram.DecodeTransferWithSeed(sendAccounts, c.data[:n])
			if !errors.Is(create, systemprogram.ErrMalformed) || !errors.Is(send, systemprogram.ErrMalformed) {
				t.Errorf("%d of %d bytes: %v, %v", n, len(c.data), create, send)
			}
		}
	}
	for name, err := range map[string]error{
		"a byte too many, create":   second(systemprogram.DecodeCreateAccountWithSeed(createAccounts, append(slices.Clone(createData), 0))),
		"a byte too many, transfer": second(systemprogram.DecodeTransferWithSeed(sendAccounts, append(slices.Clone(sendData), 0))),
		"an account, create":        second(systemprogram.DecodeCreateAccountWithSeed(createAccounts[:1], createData)),
		"two accounts, transfer":    second(systemprogram.DecodeTransferWithSeed(sendAccounts[:2], sendData)),
		"the other, create":         second(systemprogram.DecodeCreateAccountWithSeed(sendAccounts, sendData)),
		"the other, transfer":       second(systemprogram.DecodeTransferWithSeed(createAccounts, createData)),
		"no kind":                   second(systemprogram.KindOf([]byte{3, 0, 0})),
	} {
		if !errors.Is(err, systemprogram.ErrMalformed) {
			t.Errorf("%s: %v, want ErrMalformed", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// FuzzDecodeWithSeed tests that an accepted instruction encodes to the input.
func FuzzDecodeWithSeed(f *testing.F) {
	keys := []solana.PublicKey{{1}, {2}, {3}}
	_, create := parts(f, systemprogram.CreateAccountWithSeed{Base: keys[2], Seed: "abc", Lamports: 1}.Instruction())
	_, send := parts(f, systemprogram.TransferWithSeed{Seed: "abc", Lamports: 1}.Instruction())
	f.Add(create)
	f.Add(send)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, in := range []struct {
			got solana.Instruction
			err error
		}{
			instructionOf(systemprogram.DecodeCreateAccountWithSeed(keys, data)),
			instructionOf(systemprogram.DecodeTransferWithSeed(keys, data)),
		} {
			if in.err != nil {
				continue
			}
			if _, back := parts(t, in.got); !bytes.Equal(back, data) {
				t.Errorf("%x becomes %x", data, back)
			}
		}
	})
}

func instructionOf[T interface{ Instruction() solana.Instruction }](decoded T, err error) struct {
	got solana.Instruction
	err error
} {
	return struct {
		got solana.Instruction
		err error
	}{decoded.Instruction(), err}
}
