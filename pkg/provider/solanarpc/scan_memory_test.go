package solanarpc_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/base58"

	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/token/content"
)

const (
	manyAccounts = 1_000_000
	// functionMiB is the memory of the functions that take snapshots.
	functionMiB = 1769
	// peakMiB is the memory limit of the process: less than the million accounts are once,
	// of 81 bytes each.
	peakMiB = 64
)

// crowd is a node with a mint of the given number of accounts, which it makes up as they are
// read. Every tenth owner has two; about half of all are off the curve, as random
// addresses are.
type crowd struct {
	accounts int
}

const crowdAmount, crowdTax = 1_000_003, 7

// address makes up the nth address of a kind, spread evenly.
func crowdAddress(kind byte, n int) (key solana.PublicKey) {
	source := rand.NewPCG(uint64(n), uint64(kind))
	for at := 0; at < len(key); at += 8 {
		binary.LittleEndian.PutUint64(key[at:], source.Uint64())
	}
	return key
}

func (c crowd) supply() uint64 { return uint64(c.accounts) * (crowdAmount + crowdTax) }

func (c crowd) RoundTrip(r *http.Request) (*http.Response, error) {
	var call struct {
		Method string
		Params []json.RawMessage
	}
	if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
		return nil, err
	}
	var body io.Reader
	switch call.Method {
	case "getProgramAccounts":
		body = &crowdAnswer{crowd: c}
	case "getAccountInfo":
		data := make([]byte, 82)
		binary.LittleEndian.PutUint64(data[36:], c.supply())
		data[45] = 1
		body = strings.NewReader(fmt.Sprintf(`{"result":{"context":{"slot":9},"value":{"lamports":1,"owner":%q,"data":[%q,"base64"]}}}`,
			solana.Token2022ProgramID, base64.StdEncoding.EncodeToString(data)))
	case "getMultipleAccounts":
		one := fmt.Sprintf(`{"lamports":1,"owner":%q,"data":["","base64"],"space":0}`, solana.SystemProgramID)
		n := bytes.Count(call.Params[0], []byte(`"`)) / 2
		body = strings.NewReader(`{"result":{"context":{"slot":9},"value":[` + strings.Repeat(one+",", n-1) + one + `]}}`)
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(body), Request: r}, nil
}

// crowdAnswer is the response to getProgramAccounts.
type crowdAnswer struct {
	crowd

	next int
	rest []byte
}

func (a *crowdAnswer) Read(p []byte) (int, error) {
	for len(a.rest) == 0 {
		switch {
		case a.next > a.accounts:
			return 0, io.EOF
		case a.next == a.accounts:
			a.rest = append(a.rest[:0], `]},"id":1}`...)
		default:
			a.rest = a.rest[:0]
			separator := ","
			if a.next == 0 {
				separator = `{"jsonrpc":"2.0","result":{"context":{"slot":9},"value":[`
			}
			owner := a.next - a.next%10/9 // The tenth is the ninth once more.
			a.rest = appendEntry(append(a.rest, separator...), crowdAddress(1, a.next), tokenAccount(crowdAddress(2, owner), crowdAmount, crowdTax))
		}
		a.next++
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// appendEntry appends the result of entryOf, in a fraction of its time.
func appendEntry(b []byte, address solana.PublicKey, part []byte) []byte {
	b = base58.AppendEncode32(append(b, `{"pubkey":"`...), (*[32]byte)(&address))
	b = base64.StdEncoding.AppendEncode(append(b, `","account":{"lamports":2157600,"owner":"TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb","data":["`...), part)
	return append(b, `","base64"],"executable":false,"rentEpoch":18446744073709551615,"space":182}}`...)
}

// disk is a store in a directory.
type disk string

func (d disk) path(key string) string { return filepath.Join(string(d), filepath.Base(key)) }

func (d disk) PutFile(_ context.Context, key, _ string, body io.ReadSeeker, _ int64) error {
	file, err := os.Create(d.path(key))
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // A short file is found when it is read.
	_, err = io.Copy(file, body)
	return err
}

func (d disk) Open(_ context.Context, key string) (io.ReadCloser, error) {
	file, err := os.Open(d.path(key))
	if os.IsNotExist(err) {
		err = content.ErrNoObject
	}
	return file, err
}

func (d disk) GetRange(ctx context.Context, key string, from, length int64) ([]byte, error) {
	file, err := d.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.NewSectionReader(file.(*os.File), from, length))
}

// TestMillionHolders takes a snapshot of a million accounts, from the node's response to the stored
// files, in a separate process without the race detector: its peak memory is less than one copy of
// the accounts.
func TestMillionHolders(t *testing.T) {
	const run = "CHAIN_A_MILLION_HOLDERS"
	if os.Getenv(run) != "" {
		takeMany(t)
		return
	}
	if testing.Short() {
		t.Skip("takes some ten seconds, which short mode leaves out")
	}
	binary := filepath.Join(t.TempDir(), "chain.test")
	execute(t, "", "go", "test", "-c", "-o", binary, ".")
	out := execute(t, run+"=1", binary, "-test.run=^"+t.Name()+"$", "-test.v")
	_, line, found := strings.Cut(out, "figures=")
	line, _, _ = strings.Cut(line, "\n")
	digits, rest, _ := strings.Cut(line, " ")
	peak, err := strconv.Atoi(digits)
	if !found || err != nil {
		t.Fatalf("no peak in\n%s", out)
	}
	figures.Show(t, "snapshot of %d accounts: %s; peak memory %d MiB of %d", manyAccounts, rest, peak, functionMiB)
	if peak > peakMiB {
		t.Errorf("the peak is %d MiB, more than %d", peak, peakMiB)
	}
}

func execute(t *testing.T, environment, name string, arguments ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, arguments...)
	command.Env = append(os.Environ(), environment)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}

func takeMany(t *testing.T) {
	t.Helper()
	// On a busy machine the collector runs late. The limit makes it collect garbage in time, and
	// reachable memory can still exceed the limit.
	const limit = 3 * peakMiB / 4 << 20
	debug.SetMemoryLimit(limit)
	const part = 10 // Making the answer up is not what is measured: a tenth shows what it takes.
	began := time.Now()
	size, err := io.Copy(io.Discard, &crowdAnswer{crowd: crowd{accounts: manyAccounts / part}})
	if err != nil {
		t.Fatal(err)
	}
	making := part * time.Since(began)
	client, err := solanarpc.New("http://node/")
	if err != nil {
		t.Fatal(err)
	}
	client = client.WithTransport(crowd{accounts: manyAccounts})
	source := &timed{Client: client}
	s := disk(t.TempDir())
	snapshotter := snapshot.Snapshotter{Sources: []snapshot.Source{source}, Chain: client, Store: s, Folder: t.TempDir(), Pause: client.Pause}
	began = time.Now()
	taken, err := snapshotter.Take(t.Context(), snapshot.Request{
		Mint: scannedMint, Key: holdersKey, TaxKey: taxKey, Policy: snapshot.Policy{Minimum: crowdAmount},
	})
	if err != nil {
		t.Fatal(err)
	}
	taking := time.Since(began) - source.took
	began = time.Now()
	f, err := snapshot.Open(t.Context(), s, holdersKey)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // It is only read.
	var sum uint64
	for row, err := range f.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		sum += row.Balance
	}
	reading := time.Since(began)
	if sum != manyAccounts*crowdAmount || taken.Owners() != manyAccounts/10*9 || taken.Accounts != manyAccounts {
		t.Errorf("snapshot = %+v, want all accounts and balances", taken)
	}
	row, found, err := snapshot.Find(t.Context(), s, holdersKey, crowdAddress(2, 8))
	if err != nil || !found || row.Balance != 2*crowdAmount {
		t.Errorf("Find() = %+v, %t, %v; want a balance of %d", row, found, err, 2*crowdAmount)
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	short := func(d time.Duration) time.Duration { return d.Round(100 * time.Millisecond) }
	t.Logf("figures=%d an answer of %d MB; decode and sort %s; add up %d owners, look up %d and write %s; read back %s", memory.Sys>>20,
		size*part/1e6, short(source.took-making), taken.Owners(), taken.Eligible().Owners, short(taking), short(reading))
}

// timed is a client that takes the time of its listing.
type timed struct {
	*solanarpc.Client
	took time.Duration
}

func (c *timed) TokenAccounts(ctx context.Context, mint solana.PublicKey, state token2022.Mint, from uint64, each func(snapshot.Account) error) (snapshot.Span, error) {
	began := time.Now()
	defer func() { c.took = time.Since(began) }()
	return c.Client.TokenAccounts(ctx, mint, state, from, each)
}
