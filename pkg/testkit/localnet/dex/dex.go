// Package dex puts the programs of Raydium and Meteora, what they need, and Jupiter Lock on a
// local chain, where their binaries are at hand.
//
// This repository has no binaries of theirs. DEX_PROGRAMS_DIR names a folder that has
// them, see Files; FORK_RPC_URL names a mainnet node, and then the chain forks
// mainnet, where they are anyway. Tests that need them have names that begin with
// TestReal, start their chain with Chain, and are skipped where there is neither.
package dex

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"tokenlaunch.example/service/pkg/testkit/localnet"
)

// Names of the environment's variables.
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

// Folder gives the folder of the programs; ok is false when none is named.
func Folder() (folder string, ok bool) {
	folder = os.Getenv(folderVariable)
	return folder, folder != ""
}

// Need skips the test, saying why, unless the programs can be had. It fails the test
// when a folder is named and something is missing in it.
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

// has makes a chain that is started with it one that has the programs: a fork of mainnet when
// FORK_RPC_URL names a node, or a validator whose genesis has those of the folder.
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

// Chain starts a fresh chain that has the programs, or skips the test as Need does.
func Chain(t testing.TB, options ...localnet.ChainOption) *localnet.Ledger {
	t.Helper()
	ledger := localnet.Chain(t, append([]localnet.ChainOption{has(t)}, options...)...)
	Deploy(t, ledger)
	return ledger
}

// LockerChain starts a fresh chain that has Jupiter Lock, of the file locker.so, which the folder
// may lack; without it the test is skipped, saying why.
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
