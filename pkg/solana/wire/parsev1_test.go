package wire_test

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/wire"
)

// sampleV1 is a transaction of version 1 with two signers, three other accounts, all of
// the configuration, and two instructions.
func sampleV1(t testing.TB) []byte {
	t.Helper()
	config := wire.Config{PriorityFeeLamports: 7_000_000_001, UnitLimit: 9_000, AccountsData: 64 << 20}
	m, err := wire.CompileV1(key(1), solana.Hash{7}, config, []solana.Instruction{
		instruction("data", meta(2, false, true), meta(3, true, false), meta(4, false, false)),
		instruction("", meta(2, false, true)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return wire.NewTransaction(m).Bytes()
}

// Offsets in sampleV1.
const (
	v1MaskAt    = 4
	v1CountsAt  = v1MaskAt + 4 + 32
	v1KeysAt    = v1CountsAt + 2
	v1ConfigAt  = v1KeysAt + 5*32
	v1HeadersAt = v1ConfigAt + 8 + 4 + 4
	v1BodyAt    = v1HeadersAt + 2*4
)

func TestParseV1RoundTrip(t *testing.T) {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, config := range map[string]wire.Config{
		"nothing": {}, "a limit": {UnitLimit: 1}, "a fee": {PriorityFeeLamports: 1},
		"all": {PriorityFeeLamports: 1 << 60, UnitLimit: 2, AccountsData: 3},
	} {
		m, err := wire.CompileV1(solana.PublicKey(public), solana.Hash{9}, config, []solana.Instruction{
			instruction(strings.Repeat("x", 300), meta(2, false, true), meta(4, false, false)), instruction("y"),
		})
		if err != nil {
			t.Fatal(err)
		}
		tx := wire.NewTransaction(m)
		if err := tx.Sign(private); err != nil {
			t.Fatal(err)
		}
		parsed, err := wire.ParseOwn(tx.Bytes())
		if err != nil {
			t.Fatalf("ParseOwn(), %s: %v", name, err)
		}
		got, ok := parsed.Message().V1()
		if !ok || got != config || !parsed.Message().Equal(m) || !bytes.Equal(parsed.Bytes(), tx.Bytes()) {
			t.Errorf("V1(), %s = %+v, %t; want %+v and the same bytes", name, got, ok, config)
		}
		if !reflect.DeepEqual(parsed.Message().Instructions(), m.Instructions()) || parsed.Message().Recent() != m.Recent() {
			t.Errorf("%s: other instructions", name)
		}
		if err := parsed.VerifySignature(solana.PublicKey(public)); err != nil {
			t.Errorf("VerifySignature(), %s: %v", name, err)
		}
		if _, err := wire.ParseTransaction(tx.Bytes()); err == nil {
			t.Errorf("%s: a stranger's may be of version 1", name)
		}
	}
	legacy, err := wire.ParseOwn(sample(t))
	if _, v1 := legacy.Message().V1(); v1 || err != nil {
		t.Errorf("a legacy transaction: %v, %v", v1, err)
	}
}

func TestParseV1Refuses(t *testing.T) {
	good := sampleV1(t)
	if _, err := wire.ParseV1(good); err != nil {
		t.Fatal(err)
	}
	set := func(at int, values ...byte) []byte {
		b := bytes.Clone(good)
		copy(b[at:], values)
		return b
	}
	for name, c := range map[string]struct {
		raw  []byte
		want string
	}{
		"nothing":                  {nil, "another version"},
		"a legacy transaction":     {sample(t), "another version"},
		"version 2":                {set(0, 0x82), "another version"},
		"an extra byte":            {append(bytes.Clone(good), 0), "follow the end"},
		"no signer":                {slices.Concat(set(1, 0, 0)[:len(good)-2*64]), "no signer"},
		"an extra signer":          {set(1, 3), "too early, in the signatures"},
		"13 signers":               {append(set(1, 13), make([]byte, 11*64)...), "13 signers"},
		"no writable signer":       {set(2, 2), "no writable signer"},
		"more read-only than keys": {set(3, 4), "more accounts than there are"},
		"half a priority fee":      {set(v1MaskAt, 0b1101), "the mask"},
		"a value not known":        {set(v1MaskAt, 0b11111), "the mask"},
		"65 instructions":          {set(v1CountsAt, 65), "65 instructions"},
		"65 accounts":              {set(v1CountsAt+1, 65), "65 accounts"},
		"a key twice":              {set(v1KeysAt+32, good[v1KeysAt:v1KeysAt+32]...), "occurs twice"},
		"a program out of range":   {set(v1HeadersAt, 5), "program of instruction 0"},
		"the payer as program":     {set(v1HeadersAt, 0), "program of instruction 0"},
		"more data than bytes":     {set(v1HeadersAt+2, 0xff, 0xff), "too early"},
		"an account out of range":  {set(v1BodyAt, 5), "names an account"},
		"too long":                 {append(bytes.Clone(good), make([]byte, wire.MaxV1TransactionSize)...), "fit into one packet"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := wire.ParseV1(c.raw)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want one with %q", err, c.want)
			}
		})
	}
	for n := range good {
		if _, err := wire.ParseV1(good[:n]); err == nil {
			t.Errorf("the first %d of %d bytes are accepted", n, len(good))
		}
	}
	if _, err := wire.ParseV1(append(bytes.Clone(good), make([]byte, wire.MaxV1TransactionSize)...)); !errors.Is(err, wire.ErrTooLarge) {
		t.Error(err)
	}
}

// An accepted transaction serializes to the same bytes, and nothing panics.
func FuzzParseV1(f *testing.F) {
	good := sampleV1(f)
	f.Add(good)
	f.Add(good[:100])
	f.Add([]byte{0x81, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, raw []byte) {
		tx, err := wire.ParseV1(raw)
		if err != nil {
			return
		}
		whole(t, tx, raw)
		_ = tx.Message().TransactionSize()
	})
}
