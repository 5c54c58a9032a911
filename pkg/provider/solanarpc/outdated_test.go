package solanarpc_test

import (
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// A transaction is outdated when the nonce or blockhash that it uses is rejected, and not when what
// it does is: so a network that advances no nonces any more is found out.
func TestSimulationNamesOutdated(t *testing.T) {
	payer, other := solana.PublicKey{1}, solana.PublicKey{2}
	transfer := systemprogram.Transfer{From: payer, To: other, Lamports: 1}.Instruction()
	advance := systemprogram.AdvanceNonceAccount{Nonce: other, Authority: payer}.Instruction()
	for _, c := range []struct {
		name           string
		first          solana.Instruction
		err            string
		outdated, busy bool
	}{
		{"a blockhash that is over", transfer, `"BlockhashNotFound"`, true, true},
		{"a nonce that is not advanced", advance, `{"InstructionError":[0,"InvalidInstructionData"]}`, true, false},
		{"a nonce of another value", advance, `{"InstructionError":[0,{"Custom":6}]}`, true, false},
		{"a later instruction", advance, `{"InstructionError":[1,{"Custom":1}]}`, false, false},
		{"a first instruction of another sort", transfer, `{"InstructionError":[0,{"Custom":1}]}`, false, false},
		{"a busy account", transfer, `"AccountInUse"`, false, true},
		{"nothing", transfer, `null`, false, false},
	} {
		message, err := wire.Compile(payer, solana.Hash{9}, []solana.Instruction{c.first, transfer})
		if err != nil {
			t.Fatal(err)
		}
		n := newNode(t, result(`{"context":{"slot":7},"value":{"err":`+c.err+`,"logs":[],"unitsConsumed":1}}`))
		got, err := n.Simulate(t.Context(), wire.NewTransaction(message).Bytes())
		if err != nil || got.Outdated != c.outdated || got.Busy != c.busy || got.OK != (c.err == "null") {
			t.Errorf("Simulate(), %s = %+v, %v; want outdated %t, busy %t", c.name, got, err, c.outdated, c.busy)
		}
	}
}
