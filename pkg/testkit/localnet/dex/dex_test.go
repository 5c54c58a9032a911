package dex_test

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/localnet/agave"
	"tokenlaunch.example/service/pkg/testkit/localnet/dex"
)

// account is the chain's record of an account.
type account struct {
	Executable bool
	Owner      string
	Lamports   uint64
	Data       []string
}

func read(t *testing.T, ledger *localnet.Ledger, address string) *account {
	t.Helper()
	var info struct{ Value *account }
	ledger.Call(t, &info, "getAccountInfo", address, map[string]string{"encoding": "base64", "commitment": "processed"})
	return info.Value
}

// check reports whether the programs and what they need are on a chain.
func check(t *testing.T, ledger *localnet.Ledger) {
	t.Helper()
	for _, program := range []string{dex.RaydiumProgram, dex.MeteoraProgram} {
		if a := read(t, ledger, program); a == nil || !a.Executable {
			t.Errorf("%s is no program: %+v", program, a)
		}
	}
	for address, owner := range map[string]string{
		dex.RaydiumConfig: dex.RaydiumProgram, dex.RaydiumFeeReceiver: solana.TokenProgramID.String(),
		solana.WrappedSol.String(): solana.TokenProgramID.String(),
	} {
		if a := read(t, ledger, address); a == nil || a.Owner != owner || a.Lamports == 0 {
			t.Errorf("%s: %+v, want one of %s", address, a, owner)
		}
	}
}

func TestRealProgramsAreOnTheChain(t *testing.T) {
	ledger := dex.Chain(t)
	check(t, ledger)
	// An account of wrapped SOL has the lamports that it says it holds, and its reserve.
	receiver := read(t, ledger, dex.RaydiumFeeReceiver)
	data, err := base64.StdEncoding.DecodeString(receiver.Data[0])
	if err != nil || len(data) != 165 {
		t.Fatalf("%d bytes, %v", len(data), err)
	}
	if held, reserve := binary.LittleEndian.Uint64(data[64:]), binary.LittleEndian.Uint64(data[113:]); receiver.Lamports != held+reserve || reserve == 0 {
		t.Errorf("%d lamports, of which it holds %d in addition to %d", receiver.Lamports, held, reserve)
	}
}

// A chain that has the programs represents mainnet here: one that forks it has them,
// too, and no folder is needed.
func TestRealProgramsAreOnAFork(t *testing.T) {
	folder, ok := dex.Folder()
	if !ok {
		dex.Need(t)
		t.Skip("a fork of mainnet needs no other chain to stand for it")
	}
	t.Setenv("FORK_RPC_URL", "")
	t.Setenv("DEX_PROGRAMS_DIR", folder)
	mainnet := dex.Chain(t)
	t.Setenv("FORK_RPC_URL", mainnet.RPCURL)
	t.Setenv("DEX_PROGRAMS_DIR", "")
	check(t, dex.Chain(t))
}

// recorder is a test that notes why it is skipped or fails, and goes no further.
type recorder struct {
	testing.TB

	skip, fail string
}

func (r *recorder) Helper() {}

func (r *recorder) Skip(args ...any) {
	r.skip = fmt.Sprint(args...)
	runtime.Goexit()
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.fail = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// need returns the result of Need for an environment.
func need(t *testing.T, folder, node string) (skip, fail string) {
	t.Helper()
	t.Setenv("DEX_PROGRAMS_DIR", folder)
	t.Setenv("FORK_RPC_URL", node)
	r, done := &recorder{TB: t}, make(chan struct{})
	go func() {
		defer close(done)
		dex.Need(r)
	}()
	<-done
	return r.skip, r.fail
}

func TestWhyATestIsSkipped(t *testing.T) {
	whole := t.TempDir()
	for _, names := range dex.Files() {
		write(t, whole, names[len(names)-1], []byte("x")) // the last name does, too
	}
	for name, c := range map[string]struct {
		folder, node string
		skip, fail   string
	}{
		"nothing":      {"", "", "DEX_PROGRAMS_DIR", ""},
		"an empty one": {t.TempDir(), "", "", "raydium_cp_swap.so cp_amm.so raydium-amm-config raydium-create-pool-fee-receive"},
		"all of it":    {whole, "", "", ""},
		"no network":   {whole, "http://127.0.0.1:1/?api-key=secret", "is there a network?", ""},
		"no address":   {"", "::", "valid address", ""},
	} {
		skip, fail := need(t, c.folder, c.node)
		if (skip == "") != (c.skip == "") || (fail == "") != (c.fail == "") || !strings.Contains(skip, c.skip) || !strings.Contains(fail, c.fail) {
			t.Errorf("%s: skipped %q, failed %q", name, skip, fail)
		}
		if strings.Contains(skip, "secret") {
			t.Errorf("%s: shows the node's key: %q", name, skip)
		}
	}
}

func write(t *testing.T, folder, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// The accounts are taken as bytes or as the Solana command prints them.
func TestRealAccountsOfEitherForm(t *testing.T) {
	folder, ok := dex.Folder()
	if !ok {
		dex.Need(t)
		t.Skip("a fork of mainnet needs no files")
	}
	t.Setenv("FORK_RPC_URL", "")
	printed := t.TempDir()
	for _, names := range dex.Files() {
		content, err := os.ReadFile(filepath.Join(folder, names[0]))
		if err != nil {
			t.Skipf("the folder has %s under another name", names[0])
		}
		if len(names) == 1 {
			write(t, printed, names[0], content)
			continue
		}
		text := fmt.Sprintf(`{"pubkey":"x","account":{"lamports":1,"data":[%q,"base64"],"owner":"x"}}`, base64.StdEncoding.EncodeToString(content))
		write(t, printed, names[len(names)-1], []byte(text))
	}
	bytes := dex.Chain(t)
	t.Setenv("DEX_PROGRAMS_DIR", printed)
	text := dex.Chain(t)
	for _, address := range []string{dex.RaydiumConfig, dex.RaydiumFeeReceiver} {
		if a, b := read(t, bytes, address), read(t, text, address); !reflect.DeepEqual(a, b) {
			t.Errorf("%s: %+v, and out of JSON %+v", address, a, b)
		}
	}
}

// A validator takes from the folder what Surfpool is given afterwards. The program of memos, which
// every chain has, represents the programs of the exchanges.
func TestAgaveGenesisHasThePrograms(t *testing.T) {
	if _, ok := agave.Asked(); !ok {
		t.Skip("no validator is asked for: make test-agave sets CHAIN=agave")
	}
	memo := read(t, localnet.Chain(t), solana.MemoProgramID.String())
	program, err := base64.StdEncoding.DecodeString(memo.Data[0])
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, names := range dex.Files() {
		content := program
		switch names[0] {
		case "raydium-amm-config":
			content = make([]byte, 236)
		case "raydium-create-pool-fee-receive":
			content = make([]byte, 165)
			binary.LittleEndian.PutUint64(content[113:], 2_039_280) // its reserve
		}
		write(t, folder, names[0], content)
	}
	write(t, folder, "locker.so", program)
	t.Setenv("FORK_RPC_URL", "")
	t.Setenv("DEX_PROGRAMS_DIR", folder)
	ledger := dex.LockerChain(t)
	check(t, ledger)
	if a := read(t, ledger, dex.LockerProgram); a == nil || !a.Executable {
		t.Errorf("%s is no program: %+v", dex.LockerProgram, a)
	}
}
