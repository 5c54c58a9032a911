package wire_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/wire"
)

// table is a lookup table of keys that are told by one byte.
func table(address byte, keys ...byte) wire.Table {
	t := wire.Table{Address: key(address)}
	for _, k := range keys {
		t.Addresses = append(t.Addresses, key(k))
	}
	return t
}

// looking is a message that takes keys 3 (writable) and 5 from table 100, and key 4
// (writable) from table 101.
func looking(t testing.TB) (wire.Message, []wire.Table) {
	t.Helper()
	tables := []wire.Table{table(100, 9, 3, 5, 2), table(101, 4)}
	m, err := wire.CompileV0(key(1), solana.Hash{7}, []solana.Instruction{
		instruction("data", meta(2, false, true), meta(3, true, false), meta(4, true, false), meta(5, false, false), meta(6, true, false)),
	}, tables...)
	if err != nil {
		t.Fatal(err)
	}
	return m, tables
}

func TestLookupsResolveToWhatWasMeant(t *testing.T) {
	m, tables := looking(t)
	parsed, err := wire.ParseV0(m.Bytes(), tables...)
	if err != nil {
		t.Fatal(err)
	}
	got := parsed.Instructions()[0]
	want := []solana.AccountMeta{*meta(2, false, true), *meta(3, true, false), *meta(4, true, false), *meta(5, false, false), *meta(6, true, false)}
	if got.ProgramID != program || !slices.Equal(got.Accounts, want) || string(got.Data) != "data" {
		t.Errorf("got %+v", got)
	}
	if !parsed.Equal(m) || !slices.Equal(parsed.Accounts(), m.Accounts()) {
		t.Error("it is another message")
	}
}

// A table with other addresses than were meant gives other accounts, and says so.
func TestAnotherTableResolvesToOtherAccounts(t *testing.T) {
	m, tables := looking(t)
	tables[0].Addresses = slices.Clone(tables[0].Addresses)
	tables[0].Addresses[1] = key(77)
	parsed, err := wire.ParseV0(m.Bytes(), tables...)
	if err != nil {
		t.Fatal(err)
	}
	if got := parsed.Instructions()[0].Accounts[1].PublicKey; got != key(77) {
		t.Errorf("the transfer would go to %s, and is read as going to %s", key(77), got)
	}
}

func TestParseV0Refuses(t *testing.T) {
	m, tables := looking(t)
	raw := m.Bytes()
	lookups := bytes.Index(raw, tables[0].Address[:])
	set := func(at int, b byte) []byte {
		c := bytes.Clone(raw)
		c[at] = b
		return c
	}
	short := []wire.Table{table(100, 9, 3), tables[1]}
	twice := []wire.Table{table(100, 9, 3, 3, 2), tables[1]}
	for name, c := range map[string]struct {
		raw    []byte
		tables []wire.Table
		want   string
	}{
		"nothing":                    {nil, tables, "another version"},
		"a legacy message":           {sample(t)[messageAt:], tables, "another version"},
		"version 1":                  {set(0, 0x81), tables, "another version"},
		"a table that is not known":  {raw, tables[:1], "is not known"},
		"a table that is shorter":    {raw, short, "has 2 addresses, and index 2"},
		"an index out of range":      {set(lookups+33, 4), tables, "index 4 is taken"},
		"an account twice":           {raw, twice, "stands twice"},
		"a byte too much":            {append(bytes.Clone(raw), 0), tables, "follow the end"},
		"a named account in a table": {raw, []wire.Table{table(100, 9, 2, 5, 3), tables[1]}, "stands twice"},
		"a program out of a table":   {set(bytes.Index(raw, []byte("data"))-8, 8), tables, "program of instruction 0"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := wire.ParseV0(c.raw, c.tables...)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want one with %q", err, c.want)
			}
		})
	}
	for n := range raw {
		if _, err := wire.ParseV0(raw[:n], tables...); err == nil {
			t.Errorf("the first %d of %d bytes are accepted", n, len(raw))
		}
	}
}

func TestCompileV0Refuses(t *testing.T) {
	many := make([]*solana.AccountMeta, 0, 65)
	full := wire.Table{Address: key(100)}
	for n := range byte(65) {
		many = append(many, meta(n+10, true, false))
		full.Addresses = append(full.Addresses, key(n+10))
	}
	if _, err := wire.CompileV0(key(1), solana.Hash{}, []solana.Instruction{instruction("", many[:61]...)}, full); err != nil {
		t.Errorf("61 accounts of a table: %v", err)
	}
	if _, err := wire.CompileV0(key(1), solana.Hash{}, []solana.Instruction{instruction("", many...)}, full); err == nil || !strings.Contains(err.Error(), "can be locked") {
		t.Errorf("65 accounts of a table: %v", err)
	}
	full.Addresses = make([]solana.PublicKey, wire.MaxTableAddresses+1)
	if _, err := wire.CompileV0(key(1), solana.Hash{}, []solana.Instruction{instruction("")}, full); err == nil || !strings.Contains(err.Error(), "at most 256") {
		t.Errorf("a table of 257: %v", err)
	}
}

func TestCompileV1KeepsToTheLimits(t *testing.T) {
	size := func(n int) (int, error) {
		m, err := wire.CompileV1(key(1), solana.Hash{}, wire.Config{UnitLimit: 1}, []solana.Instruction{
			instruction(strings.Repeat("x", n), meta(2, false, true)),
		})
		return m.TransactionSize(), err
	}
	overhead, err := size(2_000)
	if err != nil {
		t.Fatal(err)
	}
	room := wire.MaxV1TransactionSize - (overhead - 2_000)
	if got, err := size(room); err != nil || got != wire.MaxV1TransactionSize {
		t.Errorf("%d bytes, %v", got, err)
	}
	if _, err := size(room + 1); !errors.Is(err, wire.ErrTooLarge) {
		t.Errorf("one byte more: %v", err)
	}
	if _, err := wire.CompileV1(key(1), solana.Hash{}, wire.Config{}, []solana.Instruction{
		instruction("", slices.Repeat([]*solana.AccountMeta{meta(2, false, false)}, 256)...),
	}); !errors.Is(err, wire.ErrTooLarge) {
		t.Errorf("256 accounts of an instruction: %v", err)
	}
	signers := func(n byte) error {
		var metas []*solana.AccountMeta
		for i := range n - 1 { // and the payer
			metas = append(metas, meta(i+2, false, true))
		}
		_, err := wire.CompileV1(key(1), solana.Hash{}, wire.Config{}, []solana.Instruction{instruction("", metas...)})
		return err
	}
	if err := signers(wire.MaxV1Signers); err != nil {
		t.Errorf("12 signers: %v", err)
	}
	if err := signers(wire.MaxV1Signers + 1); err == nil || !strings.Contains(err.Error(), "13 signers") {
		t.Errorf("13 signers: %v", err)
	}
}

// What is accepted comes back as the very bytes, and nothing panics.
func FuzzParseV0(f *testing.F) {
	m, tables := looking(f)
	f.Add(m.Bytes())
	f.Add(m.Bytes()[:50])
	f.Fuzz(func(t *testing.T, raw []byte) {
		parsed, err := wire.ParseV0(raw, tables...)
		if err != nil {
			return
		}
		if !bytes.Equal(parsed.Bytes(), raw) {
			t.Errorf("the message comes back as %x", parsed.Bytes())
		}
		for _, in := range parsed.Instructions() {
			_ = in.Accounts
		}
		_, _ = parsed.Signers(), wire.NewTransaction(parsed).Missing()
	})
}
