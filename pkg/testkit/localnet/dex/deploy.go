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

// Deploy deploys both programs, Raydium's configuration and its fee account on a chain. A fork of
// mainnet already has the programs, and so does a validator that Chain has started, in its genesis.
// For any other chain, Deploy skips the test if no directory with the programs is set.
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

// Put is Deploy for code that is not a test, with the files of a directory.
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

// Genesis adds the programs and accounts of Put and PutLocker to a validator's genesis, if the
// directory has the files.
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

// PutLocker deploys Jupiter Lock on a chain. It returns fs.ErrNotExist if the directory lacks the
// program.
func PutLocker(ctx context.Context, chain *localchain.Chain, folder string) error {
	return writeProgram(ctx, chain, LockerProgram, filepath.Join(folder, lockerFile))
}

// exists reports whether an address has an account.
func exists(ctx context.Context, chain *localchain.Chain, address string) (bool, error) {
	var found struct{ Value *struct{ Lamports uint64 } }
	// No data is needed, so the slice is empty.
	err := chain.Call(ctx, &found, "getAccountInfo", address, map[string]any{
		"commitment": "processed", "encoding": "base64", "dataSlice": map[string]int{"offset": 0, "length": 0},
	})
	return found.Value != nil, err
}

// writeProgram deploys a program from a binary.
func writeProgram(ctx context.Context, chain *localchain.Chain, program, file string) error {
	content, err := os.ReadFile(file) // #nosec G304 -- of the directory that the caller names
	if err != nil {
		return fmt.Errorf("read a program: %w", err)
	}
	return chain.WriteProgram(ctx, program, content)
}

// account is an account that a program needs.
type account struct {
	address, owner string
	names          []string // of the account's file
	length         int      // of the account's data
}

// rentPerByte is the rent before its reduction, in lamports, for a byte of data and of the 128
// bytes that each account adds: enough on every chain.
const rentPerByte = 6_960

// of returns the account from its file.
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

// wrappedLamports returns the lamports that an account of wrapped SOL must have: the token balance
// and the reserve (spl-token, Account: amount at 64, is_native at 109).
func wrappedLamports(data []byte) uint64 {
	return binary.LittleEndian.Uint64(data[64:]) + binary.LittleEndian.Uint64(data[113:])
}

// nativeMint is the mint of wrapped SOL, which some chains lack: no authorities, 9 decimals.
func nativeMint() localchain.Account {
	data := make([]byte, 82)
	data[44], data[45] = 9, 1
	return localchain.Account{Lamports: 1_461_600, Owner: localchain.TokenProgram, Data: data}
}
