package dex

import (
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
)

// chunk is how many bytes of a program one call writes.
const chunk = 400_000

// Deploy puts both programs, Raydium's configuration and its fee account on a chain.
// On a fork of mainnet they are there. A chain that is neither a fork nor has a
// folder to take them from skips the test.
func Deploy(t testing.TB, ledger *localnet.Ledger) {
	t.Helper()
	Need(t)
	if exists(t, ledger, RaydiumProgram) {
		return
	}
	folder, ok := Folder()
	if !ok {
		t.Skip("this chain is no fork of mainnet, and " + folderVariable + " names no folder: start it with dex.Chain")
	}
	writeProgram(t, ledger, RaydiumProgram, filepath.Join(folder, raydiumFile))
	writeProgram(t, ledger, MeteoraProgram, filepath.Join(folder, meteoraFile))
	writeAccount(t, ledger, folder, accounts[0])
	writeAccount(t, ledger, folder, accounts[1])
	if !exists(t, ledger, solana.WrappedSol.String()) {
		writeNativeMint(t, ledger)
	}
}

// exists says whether there is an account at an address.
func exists(t testing.TB, ledger *localnet.Ledger, address string) bool {
	t.Helper()
	var found struct{ Value *struct{ Lamports uint64 } }
	// Of a program's data only the length of the slice is wanted: none.
	ledger.Call(t, &found, "getAccountInfo", address, map[string]any{
		"commitment": "processed", "encoding": "base64", "dataSlice": map[string]int{"offset": 0, "length": 0},
	})
	return found.Value != nil
}

// writeProgram makes a program of a binary, piece by piece.
func writeProgram(t testing.TB, ledger *localnet.Ledger, program, file string) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(content); at += chunk {
		piece := content[at:min(at+chunk, len(content))]
		ledger.Call(t, nil, "surfnet_writeProgram", program, hex.EncodeToString(piece), at)
	}
}

// account is one that a program needs beside itself.
type account struct {
	address, owner string
	names          []string // of its file
	length         int      // of its data
}

// writeAccount makes an account of its file.
func writeAccount(t testing.TB, ledger *localnet.Ledger, folder string, a account) {
	t.Helper()
	data, err := a.read(folder)
	if err != nil {
		t.Fatal(err)
	}
	var lamports uint64
	ledger.Call(t, &lamports, "getMinimumBalanceForRentExemption", len(data))
	if a.owner == surfpool.TokenProgram {
		lamports = wrappedLamports(data)
	}
	ledger.SetAccount(t, a.address, surfpool.Account{Lamports: lamports, Owner: a.owner, Data: data})
}

// wrappedLamports is what an account of wrapped SOL must have: what it says that it
// holds, and the reserve beside it (spl-token, Account: amount at 64, is_native at
// 109).
func wrappedLamports(data []byte) uint64 {
	return binary.LittleEndian.Uint64(data[64:]) + binary.LittleEndian.Uint64(data[113:])
}

// writeNativeMint makes the mint of wrapped SOL, which some chains lack: no
// authorities, 9 decimals.
func writeNativeMint(t testing.TB, ledger *localnet.Ledger) {
	t.Helper()
	data := make([]byte, 82)
	data[44], data[45] = 9, 1
	ledger.SetAccount(t, solana.WrappedSol.String(), surfpool.Account{Lamports: 1_461_600, Owner: surfpool.TokenProgram, Data: data})
}
