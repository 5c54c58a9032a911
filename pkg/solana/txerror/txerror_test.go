package txerror_test

import (
	"encoding/json"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/txerror"
	"tokenlaunch.example/service/pkg/solana/wire"
)

func TestTransactionErrors(t *testing.T) {
	message, err := wire.Compile(solana.PublicKey{1}, solana.Hash{}, []solana.Instruction{
		token2022.MintTo{Mint: solana.PublicKey{2}, Account: solana.PublicKey{3}, Authority: solana.PublicKey{1}}.Instruction(),
	})
	if err != nil {
		t.Fatal(err)
	}
	tx := wire.NewTransaction(message).Bytes()
	inner := []string{
		"Program ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL invoke [1]",
		"Program 11111111111111111111111111111111 failed: custom program error: 0x1",
		"Program ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL failed: custom program error: 0x1",
	}
	strange := []string{
		"Program failed: custom program error: 0x1", "Program x failed: custom program error: 0x1",
		"Program 11111111111111111111111111111111 failed: custom program error: 0xzz", "",
	}
	for _, c := range []struct {
		raw  string
		tx   []byte
		logs []string
		text string
		want string
	}{
		{`"BlockhashNotFound"`, nil, nil, "BlockhashNotFound", "The transaction is too old, or its one-time number has been used."},
		{`"SomethingNew"`, nil, nil, "SomethingNew", "The network refused the transaction: SomethingNew."},
		{`{"InsufficientFundsForRent":{"account_index":1}}`, nil, nil, "InsufficientFundsForRent", "An account would be left with too little SOL for its rent."},
		{`{"InstructionError":[0,{"Custom":5}]}`, tx, nil, "instruction 0: custom program error 0x5", "Instruction 1 failed: The supply of this token is fixed: no more can be minted."},
		{`{"InstructionError":[0,{"Custom":1}]}`, tx, inner, "instruction 0: custom program error 0x1", "Instruction 1 failed: The paying account does not have enough SOL."},
		{`{"InstructionError":[0,{"Custom":5}]}`, tx, strange, "instruction 0: custom program error 0x5", "Instruction 1 failed: The supply of this token is fixed: no more can be minted."},
		{`{"InstructionError":[7,{"Custom":5}]}`, tx, nil, "instruction 7: custom program error 0x5", "Instruction 8 failed with error 0x5."},
		{`{"InstructionError":[0,{"Custom":5}]}`, []byte("no transaction"), nil, "instruction 0: custom program error 0x5", "Instruction 1 failed with error 0x5."},
		{`{"InstructionError":[3,"MissingRequiredSignature"]}`, nil, nil, "instruction 3: MissingRequiredSignature", "Instruction 4 failed: A signature is missing."},
		{`{"InstructionError":[3,{"BorshIoError":"Unknown"}]}`, nil, nil, "instruction 3: BorshIoError", "Instruction 4 failed with BorshIoError."},
	} {
		var e *txerror.Error
		if err := json.Unmarshal([]byte(c.raw), &e); err != nil {
			t.Errorf("Unmarshal(%s) = %v", c.raw, err)
			continue
		}
		if e.Error() != c.text {
			t.Errorf("%s: %q, want %q", c.raw, e.Error(), c.text)
		}
		if got := e.Explain(c.tx, c.logs); got != c.want {
			t.Errorf("%s: %q, want %q", c.raw, got, c.want)
		}
	}
	for _, raw := range []string{
		`1`, `[]`, `{}`, `{"a":1,"b":2}`, `{"InstructionError":1}`, `{"InstructionError":[1]}`,
		`{"InstructionError":["x","y"]}`, `{"InstructionError":[1,2]}`, `{"InstructionError":[1,{"Custom":-1}]}`,
	} {
		var e *txerror.Error
		if err := json.Unmarshal([]byte(raw), &e); err == nil {
			t.Errorf("%s is read as %+v", raw, e)
		}
	}
}
