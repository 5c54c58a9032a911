package dex

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/localnet/agave"
	"tokenlaunch.example/service/pkg/testkit/localnet/localchain"
)

// Deploy puts both programs, Raydium's configuration and its fee account on a chain.
// On a fork of mainnet they are there, and in the genesis of a validator that Chain has
// started. A chain that is neither of them nor has a folder to take them from skips the test.
func Deploy(t testing.TB, ledger *localnet.Ledger) {
	t.Helper()
	Need(t)
	there, err := exists(t.Context(), ledger.Local(), RaydiumProgram)
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
	err = Put(t.Context(), ledger.Local(), folder)
	if errors.Is(err, localchain.ErrPower) {
		t.Skip("this validator's genesis has no programs: start it with dex.Chain")
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Put does as Deploy outside of tests, with the files of a folder.
func Put(ctx context.Context, chain *localchain.Chain, folder string) error {
	for program, file := range programs {
		if err := writeProgram(ctx, chain, program, filepath.Join(folder, file)); err != nil {
			return err
		}
	}
	for _, a := range accounts {
		one, err := a.of(folder)
		if err != nil {
			return err
		}
		if err := chain.SetAccount(ctx, a.address, one); err != nil {
			return err
		}
	}
	there, err := exists(ctx, chain, solana.WrappedSol.String())
	if err != nil || there {
		return err
	}
	return chain.SetAccount(ctx, solana.WrappedSol.String(), nativeMint())
}

// Genesis adds to a validator's genesis what Put and PutLocker put on a chain, as far as the folder
// has it.
func Genesis(o *agave.Options, folder string) error {
	o.Programs, o.Accounts = map[string]string{}, map[string]localchain.Account{solana.WrappedSol.String(): nativeMint()}
	for program, file := range programs {
		o.Programs[program] = filepath.Join(folder, file)
	}
	locker := filepath.Join(folder, lockerFile)
	if _, err := os.Stat(locker); err == nil {
		o.Programs[LockerProgram] = locker
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("look for the program of Jupiter Lock: %w", err)
	}
	for _, a := range accounts {
		one, err := a.of(folder)
		if err != nil {
			return err
		}
		o.Accounts[a.address] = one
	}
	return nil
}

// PutLocker puts Jupiter Lock on a chain. It fails with fs.ErrNotExist where the folder lacks it.
func PutLocker(ctx context.Context, chain *localchain.Chain, folder string) error {
	return writeProgram(ctx, chain, LockerProgram, filepath.Join(folder, lockerFile))
}

// exists says whether there is an account at an address.
func exists(ctx context.Context, chain *localchain.Chain, address string) (bool, error) {
	var found struct{ Value *struct{ Lamports uint64 } }
	// Of a program's data only the length of the slice is wanted: none.
	err := chain.Call(ctx, &found, "getAccountInfo", address, map[string]any{
		"commitment": "processed", "encoding": "base64", "dataSlice": map[string]int{"offset": 0, "length": 0},
	})
	return found.Value != nil, err
}

// writeProgram makes a program of a binary.
func writeProgram(ctx context.Context, chain *localchain.Chain, program, file string) error {
	content, err := os.ReadFile(file) // #nosec G304 -- of the folder that the caller names
	if err != nil {
		return fmt.Errorf("read a program: %w", err)
	}
	return chain.WriteProgram(ctx, program, content)
}

// account is one that a program needs beside itself.
type account struct {
	address, owner string
	names          []string // of its file
	length         int      // of its data
}

// rentPerByte is the rent before it was lowered, in lamports, for a byte of data and of the
// 128 bytes that each account adds: enough on every chain.
const rentPerByte = 6_960

// of makes the account of its file.
func (a account) of(folder string) (localchain.Account, error) {
	data, err := a.read(folder)
	if err != nil {
		return localchain.Account{}, err
	}
	lamports := uint64(128+len(data)) * rentPerByte
	if a.owner == localchain.TokenProgram {
		lamports = wrappedLamports(data)
	}
	return localchain.Account{Lamports: lamports, Owner: a.owner, Data: data}, nil
}

// wrappedLamports is what an account of wrapped SOL must have: what it says that it
// holds, and the reserve beside it (spl-token, Account: amount at 64, is_native at
// 109).
func wrappedLamports(data []byte) uint64 {
	return binary.LittleEndian.Uint64(data[64:]) + binary.LittleEndian.Uint64(data[113:])
}

// nativeMint is the mint of wrapped SOL, which some chains lack: no authorities, 9 decimals.
func nativeMint() localchain.Account {
	data := make([]byte, 82)
	data[44], data[45] = 9, 1
	return localchain.Account{Lamports: 1_461_600, Owner: localchain.TokenProgram, Data: data}
}
