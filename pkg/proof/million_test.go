package proof_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/allocation"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/proof/write"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/token/content"
	"tokenlaunch.example/service/pkg/token/terms"
)

const (
	million = 1_000_000
	// functionMiB is the memory of the function that plans and closes runs (infra/stack).
	functionMiB = 1769
	holdersFile = "holders"
)

// disk keeps the ledger's files in a folder.
type disk string

func (d disk) PutFile(_ context.Context, key, _ string, body io.ReadSeeker, _ int64) error {
	file, err := os.Create(filepath.Join(string(d), key))
	if err != nil {
		return err
	}
	_, err = io.Copy(file, body)
	return errors.Join(err, file.Close())
}

func (d disk) Open(_ context.Context, key string) (io.ReadCloser, error) {
	file, err := os.Open(filepath.Join(string(d), key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, content.ErrNoObject
	}
	return file, err
}

func (d disk) GetRange(ctx context.Context, key string, from, length int64) ([]byte, error) {
	file, err := d.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return io.ReadAll(io.NewSectionReader(file.(*os.File), from, length))
}

// crowd is a chain on which a million wallets hold the token.
type crowd struct{}

func (crowd) FinalizedAccount(context.Context, solana.PublicKey) (account onchain.Account, slot uint64, found bool, err error) {
	data := make([]byte, 82)
	binary.LittleEndian.PutUint64(data[36:], supplyOf(million))
	data[44], data[45] = 6, 1
	return onchain.Account{Owner: solana.Token2022ProgramID, Data: data}, 5, true, nil
}

func (crowd) Programs(_ context.Context, addresses []solana.PublicKey, _ uint64) ([]solana.PublicKey, error) {
	return make([]solana.PublicKey, len(addresses)), nil // the System program's
}

func (crowd) TokenAccounts(_ context.Context, _ solana.PublicKey, _ token2022.Mint, _ uint64, each func(snapshot.Account) error) (snapshot.Span, error) {
	for n, tried := 0, uint64(0); n < million; tried++ {
		owner := solana.PublicKey(sha256.Sum256(binary.LittleEndian.AppendUint64(nil, tried)))
		if !owner.IsOnCurve() {
			continue
		}
		if err := each(snapshot.Account{Address: owner, Owner: owner, Amount: held(n)}); err != nil {
			return snapshot.Span{}, err
		}
		n++
	}
	return snapshot.Span{First: 5, Last: 5}, nil
}

func held(n int) uint64 { return 1 + uint64(n)*2_654_435_761%1_000_000_007 }

func supplyOf(n int) (sum uint64) {
	for i := range n {
		sum += held(i)
	}
	return sum
}

// A million holders, from the snapshot's file to the manifest, in a process of its
// own without the race detector: how long it takes, and what it takes of memory.
func TestMillionLeaves(t *testing.T) {
	const take, measure = "PROOF_TAKE_SNAPSHOT", "PROOF_MEASURE"
	if folder := os.Getenv(take); folder != "" {
		snapshotter := snapshot.Snapshotter{
			Sources: []snapshot.Source{crowd{}}, Chain: crowd{}, Store: disk(folder), Folder: folder,
			Pause: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		}
		taken, err := snapshotter.Take(t.Context(), snapshot.Request{Mint: mint, Key: holdersFile})
		check(t, err)
		if taken.Eligible().Owners != million {
			t.Fatalf("%d owners share", taken.Eligible().Owners)
		}
		return
	}
	if folder := os.Getenv(measure); folder != "" {
		distribute(t, disk(folder))
		return
	}
	if testing.Short() {
		t.Skip("distributes to a million holders, which short mode leaves out")
	}
	folder := t.TempDir()
	binary := filepath.Join(folder, "proof.test")
	command(t, "", "go", "test", "-c", "-o", binary, ".")
	command(t, take+"="+folder, binary, "-test.run=^"+t.Name()+"$")
	out := command(t, measure+"="+folder, binary, "-test.run=^"+t.Name()+"$", "-test.v")
	_, after, _ := strings.Cut(out, "peak=")
	digits, _, _ := strings.Cut(after, " ")
	peak, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		t.Fatalf("no peak in\n%s", out)
	}
	_, times, _ := strings.Cut(out, "times: ")
	times, _, _ = strings.Cut(times, "\n")
	figures.Show(t, "distribution: 1,000,000 holders: %s; peak memory %d MiB of %d", times, peak>>20, functionMiB)
	if peak > functionMiB<<20 {
		t.Errorf("the peak is %d MiB", peak>>20)
	}
}

func command(t *testing.T, environment, name string, arguments ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), name, arguments...)
	c.Env = append(os.Environ(), environment, "FIGURES=")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}

// nowhere names files and keeps none.
type nowhere struct{ files chan int }

func (n nowhere) Save(_ context.Context, kind content.Kind, body []byte) (content.File, error) {
	cid := format.CID(sha256.Sum256(body))
	n.files <- len(body)
	return content.File{CID: cid, Key: kind.Key(cid)}, nil
}

// distribute plans and closes a run as the service does, from file to file.
func distribute(t *testing.T, files disk) {
	ctx := t.Context()
	began := time.Now()
	var times []string
	lap := func(what string) {
		times = append(times, what+" "+strconv.FormatFloat(time.Since(began).Seconds(), 'f', 1, 64)+" s")
		began = time.Now()
	}
	holdings := func() iter.Seq2[allocation.Holding, error] {
		return func(yield func(allocation.Holding, error) bool) {
			list, err := snapshot.Open(ctx, files, holdersFile)
			check(t, err)
			defer func() { _ = list.Close() }()
			for row, err := range list.Rows() {
				if !yield(allocation.Holding{Owner: row.Owner, Balance: row.Balance}, err) {
					return
				}
			}
		}
	}
	sum, _, err := allocation.Terms{Minimum: 1}.Sum(holdings())
	check(t, err)
	const total, worth = 5_000_000_000_000, 20
	shareTerms := allocation.Terms{Total: total, Eligible: sum.Sum, Minimum: 1}
	plan, err := allocation.NewPlan(shareTerms.Claims(holdings(), stream([]allocation.AmountsOwed(nil))), worth, million)
	check(t, err)
	file, err := os.Create(filepath.Join(string(files), "plan"))
	check(t, err)
	must(io.Copy(file, plan.File()))
	check(t, file.Close())
	lap("snapshot read twice, allocation and plan of " + strconv.Itoa(int(plan.Len())) + " payments")

	slot := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	saved := make(chan int, 1)
	count, bytes := 0, 0
	counted := make(chan struct{})
	go func() {
		defer close(counted)
		for n := range saved {
			count++
			bytes += n
		}
	}()
	w := write.New(nowhere{saved})
	outcomes := allocation.NewOutcomes(plan.Totals.Rows)
	batches := 0
	for i, batch := range allocation.Batches(plan.Len(), 19) {
		from, to := batch.Bytes()
		part, err := files.GetRange(ctx, "plan", from, to-from)
		check(t, err)
		s := signature(i)
		for _, p := range must(allocation.DecodePayments(part)) {
			check(t, outcomes.Add(allocation.Outcome{Payment: p, Signature: s, Received: p.Amount}))
		}
		check(t, w.Transaction(ctx, format.Transaction{Purpose: format.Pay, Signature: s, Slot: 9}))
		batches++
	}
	shared := plan.Totals.Share
	plan = nil
	lap(strconv.Itoa(batches) + " batches read")

	w.Leg(terms.SOL)
	for row, err := range outcomes.Close(terms.SOL, shareTerms.Claims(holdings(), stream([]allocation.AmountsOwed(nil))), worth) {
		check(t, err)
		check(t, w.Row(ctx, row))
	}
	_, sums := w.Sums(0)
	closed, err := w.Close(ctx, format.Manifest{
		Kind: format.Distribution, Number: 1, Creator: format.Key(creator), Cut: 9,
		RunID: terms.RunID(mint, slot), Slot: slot, Mint: format.Key(mint), Program: format.Key(solana.Token2022ProgramID),
		Wallet: format.Key(wallet), TokenAccount: format.Key(must(token2022.AssociatedAddress(wallet, mint, solana.Token2022ProgramID))),
		Settings: format.Settings{Interval: "24h", RewardToken: "SOL", MinimumHolding: 1, SellBps: 10_000, DeveloperWallet: format.Key(developer), Version: terms.LaunchVersion},
		Snapshot: format.Snapshot{ChainSlot: 5, Supply: format.Amount(sum.Sum), Eligible: format.Tally{Owners: uint64(sum.Owners), Balance: format.Amount(sum.Sum)}},
		Split:    format.Split{Spendable: 10, Slice: 10, Sell: 10}, Exchange: format.Sale{Sold: 10, Proceeds: total},
		Legs: []format.Leg{{
			Asset: "SOL", Decimals: 9, Total: total, RemainderOut: total - format.Amount(shared), WorthPaying: worth,
			Creators: []format.CreatorShare{{Wallet: format.Key(developer), PartBps: 10_000}},
		}},
		Statements: []format.Statement{
			{Asset: mint.String(), Opening: 10, Out: []format.Entry{{Name: format.Sold, Amount: 10}}},
			{
				Asset: "SOL", In: []format.Entry{{Name: format.Proceeds, Amount: total}}, Out: []format.Entry{{Name: format.ToHolders, Amount: sums.Received}},
				Closing: total - sums.Received, HeldFor: format.Entries(map[format.Name]uint64{
					format.Owed: uint64(sums.Carried), format.Carried: total - shared,
				}),
			},
		},
	})
	check(t, err)
	close(saved)
	<-counted
	lap("rows in " + strconv.Itoa(count) + " files of " + strconv.Itoa(bytes>>20) + " MiB, Merkle root and manifest")
	if closed.Manifest.Legs[0].Rows != million {
		t.Errorf("%d rows", closed.Manifest.Legs[0].Rows)
	}
	var taken runtime.MemStats
	runtime.ReadMemStats(&taken)
	t.Logf("peak=%d bytes", taken.Sys)
	t.Logf("times: %s", strings.Join(times, ", "))
}
