package dex_test

import (
	"testing"

	"tokenlaunch.example/service/pkg/localnet/dex"
)

// The programs are on the chain, can be called, and the accounts are what they say.
func TestRealProgramsAreOnTheChain(t *testing.T) {
	ledger := dex.Chain(t)
	for _, program := range []string{dex.RaydiumProgram, dex.MeteoraProgram} {
		var info struct {
			Value *struct {
				Executable bool
				Owner      string
			}
		}
		ledger.Call(t, &info, "getAccountInfo", program, map[string]string{"encoding": "base64", "commitment": "processed"})
		if info.Value == nil || !info.Value.Executable {
			t.Errorf("%s is no program: %+v", program, info.Value)
		}
	}
}
