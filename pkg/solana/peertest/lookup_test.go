package peertest_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/lookuptable"
	"tokenlaunch.example/service/pkg/solana/peertest"
	"tokenlaunch.example/service/pkg/solana/wire"
)

func tableGenerators() map[string]generate {
	return map[string]generate{
		"createTable": func(t *testing.T, g generator) pair {
			i := lookuptable.Create{Authority: g.key(), Payer: g.key(), RecentSlot: g.Uint64() >> (1 + g.IntN(40))}
			ours, _, err := i.Instruction()
			if err != nil {
				t.Fatal(err)
			}
			return pair{ours, peertest.Case{"authority": i.Authority, "payer": i.Payer, "slot": u64(i.RecentSlot)}}
		},
		"extendTable": func(_ *testing.T, g generator) pair {
			i := lookuptable.Extend{Table: g.key(), Authority: g.key(), Payer: g.key(), Addresses: g.keys(30)}
			return pair{i.Instruction(), peertest.Case{
				"table": i.Table, "authority": i.Authority, "payer": i.Payer, "addresses": i.Addresses,
			}}
		},
		"deactivateTable": func(_ *testing.T, g generator) pair {
			i := lookuptable.Deactivate{Table: g.key(), Authority: g.key()}
			return pair{i.Instruction(), peertest.Case{"table": i.Table, "authority": i.Authority}}
		},
		"closeTable": func(_ *testing.T, g generator) pair {
			i := lookuptable.Close{Table: g.key(), Authority: g.key(), To: g.key()}
			return pair{i.Instruction(), peertest.Case{"table": i.Table, "authority": i.Authority, "to": i.To}}
		},
	}
}

func TestLookupTablesAreReadAsTheOfficialClientDoes(t *testing.T) {
	g := newGenerator(5)
	var states []lookuptable.State
	var cases []peertest.Case
	for range perKind {
		authority, keys := g.maybe(), g.keys(wire.MaxTableAddresses)
		deactivated := uint64(math.MaxUint64)
		if g.IntN(2) == 0 {
			deactivated = g.u64()
		}
		data := binary.LittleEndian.AppendUint32(nil, 1)
		data = binary.LittleEndian.AppendUint64(data, deactivated)
		data = binary.LittleEndian.AppendUint64(data, g.u64()>>11) // the client reads it as a number of 53 bits
		data = append(data, byte(g.Uint32()), byte(min(1, len(bytes.Trim(authority[:], "\x00")))))
		data = append(append(data, authority[:]...), 0, 0)
		for _, k := range keys {
			data = append(data, k[:]...)
		}
		state, err := lookuptable.Decode(lookuptable.ProgramID, data)
		if err != nil {
			t.Fatal(err)
		}
		states = append(states, state)
		cases = append(cases, peertest.Case{"kind": "decodeTable", "data": data})
	}
	for i, got := range peertest.Encode(t, cases) {
		s := states[i]
		deactivated, authority := s.Deactivated, "undefined"
		if s.Active {
			deactivated = math.MaxUint64
		}
		if !s.Authority.IsZero() {
			authority = s.Authority.String()
		}
		want := []string{fmt.Sprint(deactivated), fmt.Sprint(s.Extended), fmt.Sprint(s.First), authority}
		for _, a := range s.Addresses {
			want = append(want, a.String())
		}
		theirs := strings.Split(got.Text, " ")
		if !slices.Equal(want, theirs) {
			t.Errorf("%v:\n ours  %v\n peers %v %s", cases[i], want, theirs, got.Error)
		}
	}
}

// drafted is a message's parts, and how the clients are told of them.
type drafted struct {
	payer        solana.PublicKey
	recent       solana.Hash
	instructions []solana.Instruction
	described    []peertest.Instruction
	pool         []solana.PublicKey // of whom it names some, programs included
}

func (g generator) drafted(t *testing.T) drafted {
	t.Helper()
	d := drafted{payer: g.key(), recent: solana.Hash(g.key())}
	programs := []solana.PublicKey{g.key(), g.key(), g.key()}
	d.pool = []solana.PublicKey{d.payer}
	for range 1 + g.IntN(20) {
		k := g.key()
		d.pool = append(d.pool, k, otherCase(g, k))
	}
	for range 1 + g.IntN(6) {
		var metas solana.AccountMetaSlice
		for range g.IntN(12) {
			metas = append(metas, solana.NewAccountMeta(d.pool[g.IntN(len(d.pool))], g.IntN(3) == 0, g.IntN(8) == 0))
		}
		one := solana.NewInstruction(programs[g.IntN(len(programs))], metas, []byte(g.text(10)))
		d.instructions, d.described = append(d.instructions, one), append(d.described, describe(t, one))
	}
	d.pool = append(d.pool, programs...)
	return d
}

func TestMessagesWithLookupsEqualTheOfficialClients(t *testing.T) {
	g := newGenerator(6)
	inputs, tables, cases := make([]drafted, messageCases), make([][]wire.Table, messageCases), make([]peertest.Case, messageCases)
	for i := range inputs {
		in := g.drafted(t)
		described := []map[string]any{}
		for range g.IntN(4) {
			table := wire.Table{Address: g.key(), Addresses: g.keys(5)}
			for range g.IntN(20) { // one may be there twice, or in two tables; programs and signers, too
				table.Addresses = append(table.Addresses, in.pool[g.IntN(len(in.pool))])
			}
			tables[i] = append(tables[i], table)
			described = append(described, map[string]any{"address": table.Address, "addresses": table.Addresses})
		}
		inputs[i] = in
		cases[i] = peertest.Case{"kind": "lookup", "payer": in.payer, "recent": in.recent, "instructions": in.described, "tables": described}
	}
	fitting, looked := 0, 0
	for i, got := range peertest.Encode(t, cases) {
		message, err := wire.CompileV0(inputs[i].payer, inputs[i].recent, inputs[i].instructions, tables[i]...)
		if !equal(t, i, message, err, got, wire.MaxTransactionSize) {
			continue
		}
		fitting++
		parsed, err := wire.ParseV0(message.Bytes(), tables[i]...)
		if err != nil || !reflect.DeepEqual(parsed.Accounts(), message.Accounts()) || !reflect.DeepEqual(parsed.Instructions(), message.Instructions()) {
			t.Errorf("case %d: it does not resolve to what was compiled: %v", i, err)
		}
		if _, err := wire.ParseV0(message.Bytes()); err != nil {
			looked++
		}
	}
	if fitting < messageCases/2 || looked < messageCases/4 {
		t.Errorf("of %d messages %d fit and %d look something up: the generator does not test much", messageCases, fitting, looked)
	}
}

func TestMessagesOfVersion1EqualTheOfficialClients(t *testing.T) {
	g := newGenerator(7)
	inputs, configs, cases := make([]drafted, messageCases), make([]wire.Config, messageCases), make([]peertest.Case, messageCases)
	for i := range inputs {
		in := g.drafted(t)
		c := wire.Config{PriorityFeeLamports: g.u64(), UnitLimit: g.Uint32N(3) * g.Uint32N(1_400_000), AccountsData: g.Uint32N(2) * (64 << 20)}
		inputs[i], configs[i] = in, c
		cases[i] = peertest.Case{
			"kind": "version1", "payer": in.payer, "recent": in.recent, "instructions": in.described,
			"fee": u64(c.PriorityFeeLamports), "units": c.UnitLimit, "accountsData": c.AccountsData,
		}
	}
	fitting := 0
	for i, got := range peertest.Encode(t, cases) {
		message, err := wire.CompileV1(inputs[i].payer, inputs[i].recent, configs[i], inputs[i].instructions)
		if equal(t, i, message, err, got, wire.MaxV1TransactionSize) {
			fitting++
		}
	}
	if fitting < messageCases*9/10 {
		t.Errorf("only %d of %d messages fit: the generator does not test much", fitting, messageCases)
	}
}

// equal says that a message fits and its unsigned transaction is the client's.
func equal(t *testing.T, i int, message wire.Message, err error, got peertest.Encoded, most int) bool {
	t.Helper()
	if errors.Is(err, wire.ErrTooLarge) {
		if got.Error == "" && len(got.Transaction) <= most {
			t.Errorf("case %d: the client makes %d bytes of it, and we refuse: %v", i, len(got.Transaction), err)
		}
		return false
	}
	if err != nil {
		t.Fatalf("case %d: %v", i, err)
	}
	ours := wire.NewTransaction(message).Bytes()
	if got.Error != "" || !bytes.Equal(ours, got.Transaction) || len(ours) != message.TransactionSize() {
		t.Errorf("case %d:\n ours  %x\n peers %x %s", i, ours, got.Transaction, got.Error)
		return false
	}
	return true
}
