package peertest_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/peertest"
)

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

// equal checks that a message fits and its unsigned transaction is the client's.
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
