// Package agave runs Agave's solana-test-validator, the network's own program, on loopback. It
// has what Surfpool leaves out: the cost model, locks of accounts, fees, indexes, and blocks that
// are final only after a vote. What Surfpool changes at any time is given to a validator with its
// genesis: accounts, programs, and who has SOL.
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

// Consensus is how a validator finds a block final.
type Consensus string

const (
	// Tower finds a block final when 31 more have been voted for.
	Tower Consensus = "Tower"
	// Alpenglow finds a block final with one round of votes; it is mainnet's since 21 October 2026.
	Alpenglow Consensus = "Alpenglow"
)

// Name is the name of the chains of this package, for messages.
const Name = "Agave"

// Variables of the environment.
const (
	// chainVariable asks for a validator, in tests and in make run.
	chainVariable = "CHAIN"
	// pathVariable is the file of solana-test-validator; without it, it is looked for on PATH.
	pathVariable = "AGAVE_VALIDATOR"
)

// Named gives the consensus of a validator that is called so; ok is false for all other chains.
func Named(chain string) (c Consensus, ok bool) {
	switch chain {
	case "agave":
		return Tower, true
	case "agave-alpenglow":
		return Alpenglow, true
	}
	return "", false
}

// Asked gives the consensus of the validator that the environment variable CHAIN asks for.
func Asked() (c Consensus, ok bool) { return Named(os.Getenv(chainVariable)) }

// ErrMissing means that there is no validator on this machine.
var ErrMissing = errors.New("there is no solana-test-validator: name its file in " + pathVariable + " or put it on PATH. It is built by\n" +
	"  cargo install agave-validator --version 4.2.0 --bin solana-test-validator --locked --features agave-unstable-api\n" +
	"with the Debian packages clang libclang-dev llvm protobuf-compiler libudev-dev pkg-config libssl-dev cmake, in about 30 minutes on two cores")

// Find gives the validator's file, or ErrMissing.
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

// Options of a start. Everything may be zero.
type Options struct {
	Consensus Consensus // Tower if empty
	// SlotTime is the time of a slot, in steps of 6.25 ms; MainnetSlot if zero.
	SlotTime time.Duration
	// Accounts are those of the genesis by address, in addition to the mints of USDC and USDT.
	Accounts map[string]localchain.Account
	// Programs are the files of the genesis's programs by address.
	Programs map[string]string
	// Log is the file for the validator's output; one that ends with it if empty.
	Log string
}

const (
	// startTimeout bounds one try of a start. A start takes some five seconds on an idle machine.
	startTimeout = time.Minute
	// starts is the number of tries, because another process may take one of the ports.
	starts = 3
	// keptShreds is how much of the ledger the validator keeps on the disk: the least that it
	// takes for certain is some minutes of full blocks.
	keptShreds = 10_000
	// tick is the validator's unit of time (solana-clock, DEFAULT_TICKS_PER_SECOND is 160).
	tick = time.Second / 160
)

// MainnetSlot is the time of mainnet's slots since the autumn of 2026.
const MainnetSlot = 200 * time.Millisecond

// Start runs a validator with a new ledger, and waits until it makes blocks.
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

// host is a shell that becomes the validator. What it leaves beside it reads standard input, and
// when that closes kills the validator, removes its files, and ends itself with the group.
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

// At is the chain that a validator runs at these addresses, also in another process.
func At(rpcURL, wsURL string) *localchain.Chain {
	c := &localchain.Chain{RPCURL: rpcURL, WSURL: wsURL, Name: Name}
	c.Powers = powers{c}
	return c
}

// arguments are those of `solana-test-validator --help` of Agave 4.2.0.
func (o Options) arguments(port int, scratch, genesis string, issuer solana.PublicKey) []string {
	arguments := []string{
		"--ledger", filepath.Join(scratch, "ledger"), "--reset", "--quiet",
		"--bind-address", "127.0.0.1",
		"--rpc-port", strconv.Itoa(port), // the next one is the websocket's
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

// write makes a file of each account, as `solana account --output json` prints it.
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
	// portsWide is the number of ports of a validator: its own four, and at least the 26 that it
	// assigns (solana-net-utils, MINIMUM_VALIDATOR_PORT_RANGE_WIDTH).
	portsWide = 64
	// lowestPort and highestPort lie below those that Linux gives to connections.
	lowestPort, highestPort = 10_000, 32_000
)

// freePorts finds the first of portsWide ports in a row the first four of which are free.
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

// onlyLoopback builds, on Linux, the library that keeps the validator's listeners on loopback. Without it
// the validator ignores --bind-address and opens its RPC and faucet on all interfaces (solana-test-validator 4.2.0,
// lib.rs rpc_addrs, and bin/solana-test-validator.rs faucet_addr).
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

// producing returns nil when programs of the genesis can be called, which is in the second block.
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
