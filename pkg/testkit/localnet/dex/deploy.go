package dex

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
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
	chain := &surfpool.Chain{RPCURL: ledger.RPCURL}
	there, err := exists(t.Context(), chain, RaydiumProgram)
	if err != nil {
		t.Fatal(err)
	}
	if there {
		return
	}
	folder, ok := Folder()
	if !ok {
		t.Skip("this chain is no fork of mainnet, and " + folderVariable + " names no folder: start it with dex.Chain")
	}
	if err := Put(t.Context(), chain, folder); err != nil {
		t.Fatal(err)
	}
}

// Put does as Deploy outside of tests, with the files of a folder.
func Put(ctx context.Context, chain *surfpool.Chain, folder string) error {
	for program, file := range map[string]string{RaydiumProgram: raydiumFile, MeteoraProgram: meteoraFile} {
		if err := writeProgram(ctx, chain, program, filepath.Join(folder, file)); err != nil {
			return err
		}
	}
	for _, a := range accounts {
		if err := writeAccount(ctx, chain, folder, a); err != nil {
			return err
		}
	}
	there, err := exists(ctx, chain, solana.WrappedSol.String())
	if err != nil || there {
		return err
	}
	return writeNativeMint(ctx, chain)
}

// PutLocker puts Jupiter Lock on a chain. It fails with fs.ErrNotExist where the folder lacks it.
func PutLocker(ctx context.Context, chain *surfpool.Chain, folder string) error {
	return writeProgram(ctx, chain, LockerProgram, filepath.Join(folder, lockerFile))
}

// exists says whether there is an account at an address.
func exists(ctx context.Context, chain *surfpool.Chain, address string) (bool, error) {
	var found struct{ Value *struct{ Lamports uint64 } }
	// Of a program's data only the length of the slice is wanted: none.
	err := chain.Call(ctx, &found, "getAccountInfo", address, map[string]any{
		"commitment": "processed", "encoding": "base64", "dataSlice": map[string]int{"offset": 0, "length": 0},
	})
	return found.Value != nil, err
}

// writeProgram makes a program of a binary, piece by piece.
func writeProgram(ctx context.Context, chain *surfpool.Chain, program, file string) error {
	content, err := os.ReadFile(file) // #nosec G304 -- of the folder that the caller names
	if err != nil {
		return fmt.Errorf("read a program: %w", err)
	}
	for at := 0; at < len(content); at += chunk {
		piece := content[at:min(at+chunk, len(content))]
		if err := chain.Call(ctx, nil, "surfnet_writeProgram", program, hex.EncodeToString(piece), at); err != nil {
			return err
		}
	}
	return nil
}

// account is one that a program needs beside itself.
type account struct {
	address, owner string
	names          []string // of its file
	length         int      // of its data
}

// writeAccount makes an account of its file.
func writeAccount(ctx context.Context, chain *surfpool.Chain, folder string, a account) error {
	data, err := a.read(folder)
	if err != nil {
		return err
	}
	var lamports uint64
	if err := chain.Call(ctx, &lamports, "getMinimumBalanceForRentExemption", len(data)); err != nil {
		return err
	}
	if a.owner == surfpool.TokenProgram {
		lamports = wrappedLamports(data)
	}
	return chain.SetAccount(ctx, a.address, surfpool.Account{Lamports: lamports, Owner: a.owner, Data: data})
}

// wrappedLamports is what an account of wrapped SOL must have: what it says that it
// holds, and the reserve beside it (spl-token, Account: amount at 64, is_native at
// 109).
func wrappedLamports(data []byte) uint64 {
	return binary.LittleEndian.Uint64(data[64:]) + binary.LittleEndian.Uint64(data[113:])
}

// writeNativeMint makes the mint of wrapped SOL, which some chains lack: no
// authorities, 9 decimals.
func writeNativeMint(ctx context.Context, chain *surfpool.Chain) error {
	data := make([]byte, 82)
	data[44], data[45] = 9, 1
	return chain.SetAccount(ctx, solana.WrappedSol.String(), surfpool.Account{Lamports: 1_461_600, Owner: surfpool.TokenProgram, Data: data})
}
