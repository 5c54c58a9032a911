// Package dex deploys the programs of Raydium and Meteora, their accounts, and Jupiter Lock on a
// local chain, if the binaries are available.
//
// This repository has no binaries of these programs. DEX_PROGRAMS_DIR is a directory with the
// binaries, see Files. FORK_RPC_URL is a mainnet node; with this variable the chain forks mainnet,
// which has the programs. Tests that need the programs have names that begin with TestReal, start
// their chain with Chain, and are skipped if neither variable is set.
package dex

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"tokenlaunch.example/service/pkg/testkit/localnet"
)

// The environment variables.
const (
	folderVariable = "DEX_PROGRAMS_DIR"
	forkVariable   = "FORK_RPC_URL"
)

// Programs and accounts at their mainnet addresses.
const (
	RaydiumProgram     = "CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C"
	RaydiumConfig      = "D4FPEruKEHrG5TenZ2mpDGEfu1iUvTiqBxvpU8HLBvC2"
	RaydiumFeeReceiver = "DNXgeM9EiiaAbaWvwjHj9fQQLAX5ZsfHyvmYUNRAdNC8"
	MeteoraProgram     = "cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG"
	LockerProgram      = "LocpQgucEQHbqNABEYvBvwoxCPsSbG91A1QaQhQQqjn"
)

// Folder returns the directory of the programs. ok is false if the variable is not set.
func Folder() (folder string, ok bool) {
	folder = os.Getenv(folderVariable)
	return folder, folder != ""
}

// Need skips the test, with the reason, unless the programs are available. Need fails the test if a
// directory is set but a file is missing.
func Need(t testing.TB) {
	t.Helper()
	if node := os.Getenv(forkVariable); node != "" {
		if why := unreachable(node); why != "" {
			t.Skip("no fork of mainnet: the node that " + forkVariable + " names " + why)
		}
		return
	}
	folder, ok := Folder()
	if !ok {
		t.Skip("no programs of the exchanges: set " + folderVariable + " to a folder with their binaries, or " +
			forkVariable + " to a mainnet node")
	}
	if missing := missingFiles(folder); len(missing) > 0 {
		t.Fatalf("the folder that %s names (%s) lacks %v", folderVariable, filepath.Clean(folder), missing)
	}
}

// has returns the option that lets a new chain have the programs: a fork of mainnet if FORK_RPC_URL
// is set, or a validator with the directory's programs in its genesis.
func has(t testing.TB) localnet.ChainOption {
	t.Helper()
	Need(t)
	return func(o *localnet.Options) {
		o.Surfpool.RemoteRPCURL = os.Getenv(forkVariable)
		if folder, ok := Folder(); ok {
			if err := Genesis(&o.Agave, folder); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Chain starts a fresh chain that has the programs, or skips the test like Need.
func Chain(t testing.TB, options ...localnet.ChainOption) *localnet.Ledger {
	t.Helper()
	ledger := localnet.Chain(t, append([]localnet.ChainOption{has(t)}, options...)...)
	Deploy(t, ledger)
	return ledger
}

// LockerChain starts a fresh chain that has Jupiter Lock, from the file locker.so. The directory
// may lack this file; then LockerChain skips the test, with the reason.
func LockerChain(t testing.TB) *localnet.Ledger {
	t.Helper()
	ledger := Chain(t)
	there, err := exists(t.Context(), ledger.Local(), LockerProgram)
	if err == nil && !there {
		folder, _ := Folder()
		err = PutLocker(t.Context(), ledger.Local(), folder)
	}
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the folder that " + folderVariable + " names has no " + lockerFile + ", the program of Jupiter Lock")
	}
	if err != nil {
		t.Fatal(err)
	}
	return ledger
}
