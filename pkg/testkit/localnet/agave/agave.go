// Package agave runs Agave's solana-test-validator, the network's own program, on loopback. The
// validator has the parts that Surfpool lacks: the cost model, locks of accounts, fees, indexes,
// and blocks that are final only after a vote. Surfpool can change accounts, programs and balances
// at any time; a validator receives them only in its genesis.
package agave

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/testkit/localnet/child"
	"tokenlaunch.example/service/pkg/testkit/localnet/localchain"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// Consensus is the validator's rule for the finality of blocks.
type Consensus string

const (
	// Tower finalizes a block after votes for 31 more blocks.
	Tower Consensus = "Tower"
	// Alpenglow finalizes a block with one round of votes. Mainnet uses Alpenglow since 21 October
	// 2026.
	Alpenglow Consensus = "Alpenglow"
)

// Name is the name of this package's chains, for messages.
const Name = "Agave"

// Variables of the environment.
const (
	// chainVariable selects a validator, in tests and in make run.
	chainVariable = "CHAIN"
	// pathVariable is the path of solana-test-validator. Without the variable, PATH is searched.
	pathVariable = "AGAVE_VALIDATOR"
)

// Named returns the consensus of the validator with this name. ok is false for all other chains.
func Named(chain string) (c Consensus, ok bool) {
	switch chain {
	case "agave":
		return Tower, true
	case "agave-alpenglow":
		return Alpenglow, true
	}
	return "", false
}

// Asked returns the consensus of the validator that the environment variable CHAIN selects.
func Asked() (c Consensus, ok bool) { return Named(os.Getenv(chainVariable)) }

// ErrMissing is returned if this machine has no validator.
var ErrMissing = errors.New("there is no solana-test-validator: name its file in " + pathVariable + " or put it on PATH. It is built by\n" +
	"  cargo install agave-validator --version 4.2.0 --bin solana-test-validator --locked --features agave-unstable-api\n" +
	"with the Debian packages clang libclang-dev llvm protobuf-compiler libudev-dev pkg-config libssl-dev cmake, in about 30 minutes on two cores")

// Find returns the validator's path, or ErrMissing.
func Find() (string, error) {
	name := os.Getenv(pathVariable)
	if name == "" {
		name = "solana-test-validator"
	}
	path, err := exec.LookPath(name)
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("find %s: %w", name, ErrMissing)
	}
	if err != nil {
		return "", fmt.Errorf("find the validator: %w", err)
	}
	return filepath.Abs(path)
}

// Options are the options of a start. Every field may be zero.
type Options struct {
	Consensus Consensus // Tower if empty
	// SlotTime is the time of a slot, in steps of 6.25 ms; MainnetSlot if zero.
	SlotTime time.Duration
	// Accounts are the genesis accounts by address, in addition to the mints of USDC and USDT.
	Accounts map[string]localchain.Account
	// Programs are the files of the genesis programs by address.
	Programs map[string]string
	// Log is the file for the validator's output; empty means a temporary file.
	Log string
}

const (
	// startTimeout bounds an attempt to start. A start takes some five seconds on an idle machine.
	startTimeout = time.Minute
	// starts is the maximum number of attempts, because another process may take one of the ports.
	starts = 3
	// keptShreds is the number of shreds of the ledger that the validator keeps on the disk: the
	// minimum that the validator accepts for certain, some minutes of full blocks.
	keptShreds = 10_000
	// tick is the validator's unit of time (solana-clock, DEFAULT_TICKS_PER_SECOND is 160).
	tick = time.Second / 160
)

// MainnetSlot is the slot time of mainnet since the autumn of 2026.
const MainnetSlot = 200 * time.Millisecond

// Start runs a validator with a new ledger, and waits until the validator produces blocks.
func Start(ctx context.Context, folder project.Folder, o Options) (chain *localchain.Chain, err error) {
	path, err := Find()
	if err != nil {
		return nil, err
	}
	for range starts {
		if chain, err = start(ctx, folder, path, o); err == nil || ctx.Err() != nil {
			break
		}
	}
	return chain, err
}

// host is a shell script that becomes the validator. A second process stays and reads standard
// input. When standard input closes, the second process kills the validator, removes its files, and
// kills the process group.
const host = `exec 4<&0
{ cat <&4 >/dev/null; kill -KILL $$; rm -rf "$SCRATCH_FOLDER"; kill -KILL 0; } 3>&- &
echo '{}' >&3
exec "$@" 3>&- 4<&- </dev/null`

func start(ctx context.Context, folder project.Folder, path string, o Options) (*localchain.Chain, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	scratch, err := os.MkdirTemp("", "agave-")
	if err != nil {
		return nil, fmt.Errorf("make the validator's folder: %w", err)
	}
	remove := func() { _ = os.RemoveAll(scratch) }
	c, err := begin(ctx, folder, path, scratch, o)
	if err != nil {
		remove()
		return nil, err
	}
	c.End = func() { c.Process.Stop(); remove() }
	if err := c.Process.AwaitHealthy(ctx, func(ctx context.Context) error { return producing(ctx, c) }); err != nil {
		c.Stop()
		return nil, err
	}
	return c, nil
}

func begin(ctx context.Context, folder project.Folder, path, scratch string, o Options) (*localchain.Chain, error) {
	issuer := solana.NewWallet().PrivateKey
	accounts := localchain.Stablecoins(issuer.PublicKey(), 0)
	maps.Copy(accounts, o.Accounts)
	genesis := filepath.Join(scratch, "genesis")
	if err := write(genesis, accounts); err != nil {
		return nil, err
	}
	port, err := freePorts(ctx)
	if err != nil {
		return nil, err
	}
	loopback, err := onlyLoopback(ctx, folder)
	if err != nil {
		return nil, err
	}
	if o.Log == "" {
		o.Log = filepath.Join(scratch, "output.log")
	}
	process, err := child.Start(ctx, child.Command{
		Name: "solana-test-validator",
		Path: "/bin/sh",
		Args: append([]string{"-c", host, "sh", path}, o.arguments(port, scratch, genesis, issuer.PublicKey())...),
		Env: append(os.Environ(), "HOME="+scratch, "TMPDIR="+scratch, "SCRATCH_FOLDER="+scratch,
			"RUST_LOG=warn", "LD_PRELOAD="+loopback),
		Dir: scratch,
		Log: o.Log,
	})
	if err != nil {
		return nil, err
	}
	c := At(fmt.Sprintf("http://127.0.0.1:%d", port), fmt.Sprintf("ws://127.0.0.1:%d", port+1))
	c.Process, c.Issuer = process, issuer
	return c, nil
}

// At returns the chain of a validator at these addresses, possibly of another process.
func At(rpcURL, wsURL string) *localchain.Chain {
	c := &localchain.Chain{RPCURL: rpcURL, WSURL: wsURL, Name: Name}
	c.Powers = powers{c}
	return c
}

// arguments returns the arguments for Agave 4.2.0, see `solana-test-validator --help`.
func (o Options) arguments(port int, scratch, genesis string, issuer solana.PublicKey) []string {
	arguments := []string{
		"--ledger", filepath.Join(scratch, "ledger"), "--reset", "--quiet",
		"--bind-address", "127.0.0.1",
		"--rpc-port", strconv.Itoa(port), // the next port is the websocket's
		"--faucet-port", strconv.Itoa(port + 2),
		"--gossip-port", strconv.Itoa(port + 3),
		"--dynamic-port-range", fmt.Sprintf("%d-%d", port+4, port+portsWide),
		"--mint", issuer.String(), "--account-dir", genesis,
		"--account-index", "spl-token-mint",
		"--limit-ledger-size", strconv.Itoa(keptShreds),
		"--ticks-per-slot", strconv.Itoa(max(1, int(cmp.Or(o.SlotTime, MainnetSlot)/tick))),
	}
	for _, address := range slices.Sorted(maps.Keys(o.Programs)) {
		arguments = append(arguments, "--bpf-program", address, o.Programs[address])
	}
	if o.Consensus == Alpenglow {
		arguments = append(arguments, "--alpenglow")
	}
	return arguments
}

// write writes a file for each account, in the format of `solana account --output json`.
func write(folder string, accounts map[string]localchain.Account) error {
	if err := os.Mkdir(folder, 0o700); err != nil {
		return fmt.Errorf("write the genesis: %w", err)
	}
	for address, a := range accounts {
		if a.Owner == "" {
			a.Owner = localchain.SystemProgram
		}
		text, err := json.Marshal(map[string]any{"pubkey": address, "account": map[string]any{
			"lamports": a.Lamports, "owner": a.Owner, "executable": a.Executable, "rentEpoch": 0, "space": len(a.Data),
			"data": []string{base64.StdEncoding.EncodeToString(a.Data), "base64"},
		}})
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, address+".json"), text, 0o600)
		}
		if err != nil {
			return fmt.Errorf("write the genesis: %w", err)
		}
	}
	return nil
}

const (
	// portsWide is the number of ports of a validator: four fixed ports, and at least the 26 ports
	// that the validator assigns (solana-net-utils, MINIMUM_VALIDATOR_PORT_RANGE_WIDTH).
	portsWide = 64
	// lowestPort and highestPort lie below the ports that Linux assigns to connections.
	lowestPort, highestPort = 10_000, 32_000
)

// freePorts returns the first of portsWide consecutive ports. The first four ports are free.
func freePorts(ctx context.Context) (int, error) {
	var last error
	for range 50 {
		first := lowestPort + rand.IntN((highestPort-lowestPort)/portsWide)*portsWide // #nosec G404 -- no secret
		if last = free(ctx, first, 4); last == nil {
			return first, nil
		}
	}
	return 0, fmt.Errorf("find ports for the validator: %w", last)
}

func free(ctx context.Context, first, ports int) error {
	for port := first; port < first+ports; port++ {
		listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			return err
		}
		if err := listener.Close(); err != nil {
			return err
		}
	}
	return nil
}

// onlyLoopback builds, on Linux, the library that keeps the validator's listeners on loopback.
// Without the library, the validator ignores --bind-address and opens its RPC and faucet on all
// interfaces (solana-test-validator 4.2.0, lib.rs rpc_addrs, and bin/solana-test-validator.rs
// faucet_addr).
func onlyLoopback(ctx context.Context, folder project.Folder) (string, error) {
	if runtime.GOOS != "linux" {
		return "", nil
	}
	source, library := folder.Path("infra/local/loopback.c"), folder.Path(".local/loopback.so")
	made, err := os.Stat(library)
	if is, err2 := os.Stat(source); err == nil && err2 == nil && made.ModTime().After(is.ModTime()) {
		return library, nil
	}
	if err := os.MkdirAll(filepath.Dir(library), 0o750); err != nil {
		return "", fmt.Errorf("make the folder of tools: %w", err)
	}
	fresh := fmt.Sprintf("%s.%d", library, os.Getpid())
	// #nosec G204 -- the project's own file
	if out, err := exec.CommandContext(ctx, "cc", "-shared", "-fPIC", "-O2", "-o", fresh, source, "-ldl").CombinedOutput(); err != nil {
		return "", fmt.Errorf("compile infra/local/loopback.c, which keeps the validator on loopback: %w\n%s", err, out)
	}
	if err := os.Rename(fresh, library); err != nil {
		return "", fmt.Errorf("keep the validator on loopback: %w", err)
	}
	return library, nil
}

// producing returns nil once programs of the genesis can be called, which is in the second block.
func producing(ctx context.Context, c *localchain.Chain) error {
	if err := c.Healthy(ctx); err != nil {
		return err
	}
	slot, err := c.Slot(ctx)
	if err == nil && slot < 2 {
		err = fmt.Errorf("it is at slot %d", slot)
	}
	return err
}
