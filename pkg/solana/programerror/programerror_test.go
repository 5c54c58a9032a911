package programerror_test

import (
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/solana/locker"
	"tokenlaunch.example/service/pkg/solana/meteora"
	"tokenlaunch.example/service/pkg/solana/programerror"
	"tokenlaunch.example/service/pkg/solana/raydium"
)

// The same code means different things to different programs.
func TestExplain(t *testing.T) {
	t22 := solana.Token2022ProgramID
	for _, c := range []struct {
		program solana.PublicKey
		code    uint32
		want    string
	}{
		{solana.SystemProgramID, 0x0, "already in use"},
		{solana.SystemProgramID, programerror.SystemInsufficientFunds, "enough SOL"},
		{t22, 0x0, "rent"},
		{t22, 0x1, "enough tokens"},
		{t22, 0x4, "does not own"},
		{t22, 0x5, "fixed"},
		{t22, 0x1d, "given up"},
		{t22, 0x1e, "out of range"},
		{t22, 0x1f, "checked transfer"},
		{t22, 0x20, "differs"},
		{t22, 0x7777, "The Token-2022 program refused with error 0x7777."},
		{solana.TokenProgramID, 0x1, "enough tokens"},
		{solana.SPLAssociatedTokenAccountProgramID, 0x0, "another wallet"},
		{raydium.Mainnet.Program, 0x1775, "slippage"},
		{raydium.Devnet.Program, 0x1777, "does not take this mint"},
		{meteora.Program, 0x1772, "slippage"},
		{meteora.Program, 0x1787, "locked"},
		{meteora.Program, 0x1, "Meteora's pool program refused with error 0x1."},
		{locker.Program, 0x1775, "Jupiter Lock refused with error 0x1775."},
		{solana.MemoProgramID, 0x2, "The program " + solana.MemoProgramID.String() + " refused with error 0x2."},
	} {
		if got := programerror.Explain(c.program, c.code); !strings.Contains(got, c.want) {
			t.Errorf("%s 0x%x: %q, want %q", c.program, c.code, got, c.want)
		}
	}
	if s, ok := programerror.ExplainCause("MissingRequiredSignature"); !ok || s != "A signature is missing." {
		t.Errorf("ExplainCause(MissingRequiredSignature) = %q, want \"A signature is missing.\"", s)
	}
	if s, ok := programerror.ExplainCause("Other"); ok {
		t.Errorf("ExplainCause(Other) = %q, want no explanation", s)
	}
}
