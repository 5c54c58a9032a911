package wire_test

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/wire"
)

// key returns a key from one byte.
func key(n byte) solana.PublicKey { return solana.PublicKey{0: 1, 31: n} }

func meta(n byte, writable, signer bool) *solana.AccountMeta {
	return solana.NewAccountMeta(key(n), writable, signer)
}

var program = solana.PublicKey{0: 9, 31: 200}

func instruction(data string, metas ...*solana.AccountMeta) solana.Instruction {
	return solana.NewInstruction(program, metas, []byte(data))
}

func compile(t *testing.T, payer solana.PublicKey, instructions ...solana.Instruction) wire.Message {
	t.Helper()
	m, err := wire.Compile(payer, solana.Hash{7}, instructions)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// rights returns each account's rights in a message.
func rights(m wire.Message) map[solana.PublicKey]string {
	all := map[solana.PublicKey]string{}
	for _, a := range m.Accounts() {
		all[a.PublicKey] = map[bool]string{true: "signer "}[a.IsSigner] + map[bool]string{true: "writable", false: "readonly"}[a.IsWritable]
	}
	return all
}

func TestCompileMergesRights(t *testing.T) {
	// Key 3 is first a read-only signer and then a writable other; key 2, a
	// read-only signer, sorts before it. solana-go marks the wrong one writable.
	m := compile(t, key(1),
		instruction("a", meta(2, false, true), meta(3, false, true), meta(5, false, false)),
		instruction("b", meta(3, true, false), meta(4, true, false), meta(1, false, false)))
	want := map[solana.PublicKey]string{
		key(1): "signer writable", key(2): "signer readonly", key(3): "signer writable",
		key(4): "writable", key(5): "readonly", program: "readonly",
	}
	if got := rights(m); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := m.Signers(), []solana.PublicKey{key(1), key(3), key(2)}; !slices.Equal(got, want) {
		t.Errorf("signers %v, want %v", got, want)
	}
	if m.FeePayer() != key(1) || m.Recent() != (solana.Hash{7}) {
		t.Errorf("payer %s, recent %s", m.FeePayer(), m.Recent())
	}
	if header := m.Bytes()[:4]; !bytes.Equal(header, []byte{3, 1, 2, 6}) {
		t.Errorf("header %v", header)
	}
}

func TestCompiledMessageIsReadByOthers(t *testing.T) {
	m := compile(t, key(1),
		instruction("hello", meta(2, false, true), meta(3, true, true), meta(4, true, false), meta(5, false, false)),
		instruction("", meta(5, true, false)))
	theirs, err := solana.TransactionFromBytes(wire.NewTransaction(m).Bytes())
	if err != nil {
		t.Fatal(err)
	}
	metas, err := theirs.AccountMetaList()
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range m.Accounts() {
		if *metas[i] != a {
			t.Errorf("account %d: solana-go reads %+v, want %+v", i, *metas[i], a)
		}
	}
	if got := string(theirs.Message.Instructions[0].Data); got != "hello" {
		t.Errorf("data %q", got)
	}
}

func TestCompileDoesNotDependOnTheOrderOfAccounts(t *testing.T) {
	metas := []*solana.AccountMeta{meta(2, true, false), meta(3, false, true), meta(4, true, true), meta(5, false, false)}
	a := compile(t, key(1), instruction("a", metas...), instruction("b"))
	slices.Reverse(metas)
	b := compile(t, key(1), instruction("a", metas...), instruction("b"))
	if !reflect.DeepEqual(a.Accounts(), b.Accounts()) {
		t.Error("another order of accounts compiles to another message")
	}
}

func TestCompileChangesNothing(t *testing.T) {
	metas := []*solana.AccountMeta{meta(1, false, false), meta(2, false, true)}
	data := []byte("data")
	in := solana.NewInstruction(program, metas, data)
	m := compile(t, key(1), in)
	if *metas[0] != *meta(1, false, false) || *metas[1] != *meta(2, false, true) {
		t.Errorf("the accounts have changed: %+v, %+v", metas[0], metas[1])
	}
	before := m.Bytes()
	data[0] = 'X'
	m.Bytes()[5] = 'X'
	m.Instructions()[0].Data[1] = 'X'
	if !bytes.Equal(before, m.Bytes()) || string(m.Instructions()[0].Data) != "data" {
		t.Error("the message can be changed from outside")
	}
}

func TestCompileRefuses(t *testing.T) {
	many := func(n int) (list []*solana.AccountMeta) {
		for i := range n {
			list = append(list, meta(byte(i), true, false))
		}
		return list
	}
	instructions := func(n int) []solana.Instruction { return slices.Repeat([]solana.Instruction{instruction("")}, n) }
	for name, c := range map[string]struct {
		payer        solana.PublicKey
		instructions []solana.Instruction
		want         string
	}{
		"no payer":            {solana.PublicKey{}, instructions(1), "no fee payer"},
		"no instruction":      {key(1), nil, "0 instructions"},
		"65 instructions":     {key(1), instructions(65), "65 instructions"},
		"nil instruction":     {key(1), []solana.Instruction{nil}, "instruction 0 is missing"},
		"nil account":         {key(1), []solana.Instruction{instruction("", nil)}, "account 0 of instruction 0"},
		"65 accounts":         {key(1), []solana.Instruction{instruction("", many(65)...)}, "can be locked"},
		"40 accounts":         {key(1), []solana.Instruction{instruction("", many(40)...)}, "fit"},
		"program pays":        {program, instructions(1), "cannot pay"},
		"program is writable": {key(1), []solana.Instruction{instruction("", solana.NewAccountMeta(program, true, false))}, "cannot be writable"},
		"too long data":       {key(1), []solana.Instruction{instruction(strings.Repeat("x", 70_000))}, "fit"},
		"a repeated account":  {key(1), []solana.Instruction{instruction("", slices.Repeat([]*solana.AccountMeta{meta(2, false, false)}, 70_000)...)}, "fit"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := wire.Compile(c.payer, solana.Hash{}, c.instructions)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestCompileFillsThePacketToTheLastByte(t *testing.T) {
	size := func(n int) (int, error) {
		m, err := wire.Compile(key(1), solana.Hash{}, []solana.Instruction{
			instruction(strings.Repeat("x", n), meta(2, false, true), meta(3, true, false)),
		})
		return m.TransactionSize(), err
	}
	overhead, err := size(200)
	if err != nil {
		t.Fatal(err)
	}
	room := wire.MaxTransactionSize - (overhead - 200)
	if got, err := size(room); err != nil || got != wire.MaxTransactionSize {
		t.Errorf("%d bytes, %v", got, err)
	}
	if _, err := size(room + 1); !errors.Is(err, wire.ErrTooLarge) {
		t.Errorf("one byte more: %v", err)
	}
}
