package wire_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/wire"
)

// sample is a transaction of two signers, three other accounts and one
// instruction, and where its parts lie.
func sample(t testing.TB) []byte {
	t.Helper()
	m, err := wire.Compile(key(1), solana.Hash{7}, []solana.Instruction{
		instruction("data", meta(2, false, true), meta(3, true, false), meta(4, false, false)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return wire.NewTransaction(m).Bytes()
}

// Offsets in sample: a count and two signatures, then the message.
const (
	messageAt      = 1 + 2*64
	keysAt         = messageAt + 4
	instructionsAt = keysAt + 5*32 + 32
	accountsAt     = instructionsAt + 3
)

func TestParseRefuses(t *testing.T) {
	good := sample(t)
	if _, err := wire.ParseTransaction(good); err != nil {
		t.Fatal(err)
	}
	set := func(at int, values ...byte) []byte {
		b := bytes.Clone(good)
		copy(b[at:], values)
		return b
	}
	insert := func(at, remove int, values ...byte) []byte {
		return slices.Concat(good[:at], values, good[at+remove:])
	}
	for name, c := range map[string]struct {
		raw  []byte
		want string
	}{
		"nothing":                     {nil, "too early"},
		"an extra byte":               {insert(len(good), 0, 0), "follow the end"},
		"no signatures":               {insert(0, messageAt, 0), "places for 0 signatures, its message for 2"},
		"a missing signature":         {insert(0, 65, 1), "places for 1 signatures"},
		"65535 signatures":            {insert(0, 1, 0xff, 0xff, 0x03), "too early, in the signatures"},
		"a length of 22 bits":         {insert(0, 1, 0xff, 0xff, 0x7f), "16 bits"},
		"a length without end":        {insert(0, 1, 0xff, 0xff, 0xff, 0x01), "16 bits"},
		"a length not the shortest":   {insert(0, 1, 0x82, 0x00), "shortest"},
		"0 not the shortest":          {insert(0, 1, 0x80, 0x00), "shortest"},
		"version 0":                   {insert(messageAt, 0, 0x80), "versioned"},
		"version 1":                   {insert(messageAt, 0, 0x81), "versioned"},
		"no signer":                   {set(messageAt, 0, 0), "no signer"},
		"no writable signer":          {set(messageAt+1, 2), "no writable signer"},
		"more signers than keys":      {set(messageAt, 6), "more accounts than there are"},
		"more read-only than keys":    {set(messageAt+2, 4), "more accounts than there are"},
		"more keys than bytes":        {set(messageAt+3, 100), "too early, in the account keys"},
		"a key twice":                 {set(keysAt+32, good[keysAt:keysAt+32]...), "occurs twice"},
		"a program out of range":      {set(instructionsAt+1, 5), "program of instruction 0"},
		"the payer as program":        {set(instructionsAt+1, 0), "program of instruction 0"},
		"an account out of range":     {set(accountsAt, 5), "names an account"},
		"an account far out of range": {set(accountsAt, 255), "names an account"},
		"too long":                    {append(bytes.Clone(good), make([]byte, 1000)...), "fit into one packet"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := wire.ParseTransaction(c.raw)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want one with %q", err, c.want)
			}
		})
	}
	for n := range good {
		if _, err := wire.ParseTransaction(good[:n]); err == nil {
			t.Errorf("the first %d of %d bytes are accepted", n, len(good))
		}
	}
}

func TestVersionedTransactionsAreReported(t *testing.T) {
	versioned := slices.Insert(sample(t), messageAt, 0x80)
	if _, err := wire.ParseTransaction(versioned); !errors.Is(err, wire.ErrVersioned) {
		t.Error(err)
	}
}

func TestParseBase64Refuses(t *testing.T) {
	good := base64.StdEncoding.EncodeToString(sample(t))
	if _, err := wire.ParseBase64(good); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"not base64":     "!" + good[1:],
		"no padding":     strings.TrimRight(good, "=") + "A",
		"hexadecimal":    "xyz",
		"trailing bits":  good[:len(good)-3] + "B==",
		"a space before": " " + good,
	} {
		if _, err := wire.ParseBase64(text); !errors.Is(err, wire.ErrNotBase64) {
			t.Errorf("ParseBase64(), %s: %v, want ErrNotBase64", name, err)
		}
	}
	if _, err := wire.ParseBase64(strings.Repeat("A", 1<<20)); !errors.Is(err, wire.ErrTooLarge) {
		t.Error(err)
	}
	if _, err := wire.ParseBase64(""); err == nil {
		t.Error("no message is accepted")
	}
}

// An accepted transaction serializes to the input, and nothing panics.
func FuzzParseTransaction(f *testing.F) {
	good := sample(f)
	f.Add(good)
	f.Add(good[messageAt:])
	f.Add(slices.Insert(bytes.Clone(good), messageAt, 0x80))
	f.Add([]byte{0xff, 0xff, 0x03})
	f.Fuzz(func(t *testing.T, raw []byte) {
		message, err := wire.ParseMessage(raw)
		if err == nil && !bytes.Equal(message.Bytes(), raw) {
			t.Errorf("the message becomes %x", message.Bytes())
		}
		tx, err := wire.ParseTransaction(raw)
		if err != nil {
			return
		}
		whole(t, tx, raw)
		for _, signer := range tx.Message().Signers() {
			_ = tx.VerifySignature(signer)
		}
	})
}

// whole checks that an accepted transaction equals the input, has a payer, and can be read.
func whole(t *testing.T, tx wire.Transaction, raw []byte) {
	t.Helper()
	if !bytes.Equal(tx.Bytes(), raw) {
		t.Errorf("the transaction becomes %x", tx.Bytes())
	}
	if len(tx.Message().Signers()) == 0 || tx.Message().FeePayer() != tx.Message().Signers()[0] {
		t.Error("no payer")
	}
	for _, in := range tx.Message().Instructions() {
		_ = in.Accounts
	}
	_ = tx.Missing()
}
