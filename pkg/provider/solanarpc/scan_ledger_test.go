package solanarpc_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/snapshot"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
	"tokenlaunch.example/service/pkg/token/content"
)

// shelf is a store in memory.
type shelf struct {
	mu    sync.Mutex
	files map[string][]byte
}

func (s *shelf) PutFile(_ context.Context, key, _ string, body io.ReadSeeker, _ int64) error {
	content, err := io.ReadAll(body)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files == nil {
		s.files = map[string][]byte{}
	}
	if s.files[key] == nil {
		s.files[key] = content
	}
	return err
}

func (s *shelf) Open(_ context.Context, key string) (io.ReadCloser, error) {
	if s.files[key] == nil {
		return nil, content.ErrNoObject
	}
	return io.NopCloser(bytes.NewReader(s.files[key])), nil
}

func (s *shelf) GetRange(_ context.Context, key string, from, length int64) ([]byte, error) {
	if s.files[key] == nil {
		return nil, content.ErrNoObject
	}
	body := s.files[key][min(from, int64(len(s.files[key]))):]
	return body[:min(length, int64(len(body)))], nil
}

const (
	holdersKey = "snapshots/mint/run.holders"
	taxKey     = "collect/mint/run.accounts"
	// finality is more slots than a finalized one lies back.
	finality = 40
)

func snapshotter(t *testing.T, c *solanarpc.Client, s *shelf) snapshot.Snapshotter {
	t.Helper()
	return snapshot.Snapshotter{Sources: []snapshot.Source{c}, Chain: c, Store: s, Folder: t.TempDir(), Pause: c.Pause}
}

// pay transfers tokens from the creator, with the tax.
func (x taxed) pay(t *testing.T, from, to solana.PublicKey, amount uint64) {
	t.Helper()
	x.execute(t, []wallet{x.creator}, token2022.TransferChecked{
		Source: from, Mint: x.mint, Destination: to, Owner: x.creator.PublicKey, Amount: amount, Decimals: 6,
	}.Instruction())
}

// further creates a token account that is not the associated one.
func (x taxed) further(t *testing.T, w wallet, seed string) solana.PublicKey {
	t.Helper()
	const space = 182
	address, err := systemprogram.AddressWithSeed(x.payer.PublicKey, seed, solana.Token2022ProgramID)
	if err != nil {
		t.Fatal(err)
	}
	rent, err := x.MinimumBalance(within(t), space)
	if err != nil {
		t.Fatal(err)
	}
	initialize := append([]byte{18}, w.Bytes()...) // InitializeAccount3: owner
	x.execute(t, []wallet{x.payer},
		systemprogram.CreateAccountWithSeed{
			Payer: x.payer.PublicKey, Account: address, Base: x.payer.PublicKey, Seed: seed,
			Lamports: rent, Space: space, Owner: solana.Token2022ProgramID,
		}.Instruction(),
		solana.NewInstruction(solana.Token2022ProgramID, solana.AccountMetaSlice{
			solana.NewAccountMeta(address, true, false), solana.NewAccountMeta(x.mint, false, false),
		}, initialize))
	return address
}

func TestSnapshotOnTheChain(t *testing.T) {
	x := newTaxed(t)
	from, _ := x.account(t, x.creator)
	rich, small, sold, frozen := newWallet(t), newWallet(t), newWallet(t), newWallet(t)
	program := newWallet(t) // The account under its address belongs to a program.
	x.SetAccount(t, program.String(), surfpool.Account{Lamports: lamportsPerSOL, Owner: solana.StakeProgramID.String(), Data: []byte{1}})
	pool, _, err := solana.FindProgramAddress([][]byte{[]byte("pool")}, solana.TokenProgramID)
	if err != nil {
		t.Fatal(err)
	}
	to := map[string]solana.PublicKey{"another account of rich": x.further(t, rich, "second")}
	for name, w := range map[string]wallet{"rich": rich, "small": small, "sold": sold, "frozen": frozen, "program": program, "pool": {PublicKey: pool}} {
		to[name], _ = x.account(t, w)
	}
	for name, amount := range map[string]uint64{
		"rich": 40_000, "another account of rich": 20_000, "small": 100, "sold": 8_000, "frozen": 4_000, "program": 12_000, "pool": 100_000,
	} {
		x.pay(t, from, to[name], amount)
	}
	// A holder who has sold everything has no balance, except the tax withheld on their purchases.
	x.Fund(t, sold.String(), lamportsPerSOL)
	x.execute(t, []wallet{sold}, token2022.TransferChecked{
		Source: to["sold"], Mint: x.mint, Destination: to["rich"], Owner: sold.PublicKey, Amount: 7_800, Decimals: 6,
	}.Instruction())
	// Accounts of our tokens cannot be frozen, so this one is made frozen.
	state, _, err := x.Account(within(t), to["frozen"])
	if err != nil {
		t.Fatal(err)
	}
	state.Data[108] = 2
	x.SetAccount(t, to["frozen"].String(), surfpool.Account{Lamports: state.Lamports, Owner: state.Owner.String(), Data: state.Data})
	x.execute(t, []wallet{x.payer}, token2022.HarvestWithheldToMint{Mint: x.mint, Sources: []solana.PublicKey{to["pool"]}}.Instruction())
	x.PassSlots(t, finality)

	s := &shelf{}
	request := snapshot.Request{
		Mint: x.mint, Key: holdersKey, TaxKey: taxKey,
		Policy: snapshot.Policy{Distribution: x.distribution.PublicKey, Vaults: []solana.PublicKey{x.creator.PublicKey}, Minimum: 1_000},
	}
	taken, err := snapshotter(t, x.Client, s).Take(within(t), request)
	if err != nil {
		t.Fatal(err)
	}
	tax := func(amount uint64) uint64 { return (amount*250 + 9_999) / 10_000 }
	wantTax := []snapshot.Tax{
		{Account: to["rich"], Withheld: tax(40_000) + tax(7_800)},
		{Account: to["another account of rich"], Withheld: tax(20_000)},
		{Account: to["program"], Withheld: tax(12_000)},
		{Account: to["sold"], Withheld: tax(8_000)},
		{Account: to["frozen"], Withheld: tax(4_000)},
		{Account: to["small"], Withheld: tax(100)},
	}
	if taken.Supply != 1_000_000 || taken.WithheldOnMint != tax(100_000) || taken.Accounts != 8 {
		t.Errorf("snapshot = %+v, want a supply of 1000000 in 8 accounts", taken.Summary)
	}
	for owner, want := range map[solana.PublicKey]snapshot.Row{
		rich.PublicKey:      {Balance: 67_800 - tax(40_000) - tax(7_800) - tax(20_000), Standing: snapshot.Eligible},
		frozen.PublicKey:    {Balance: 4_000 - tax(4_000), Standing: snapshot.Eligible},
		small.PublicKey:     {Balance: 100 - tax(100), Standing: snapshot.BelowMinimum},
		program.PublicKey:   {Balance: 12_000 - tax(12_000), Standing: snapshot.ProgramOwned},
		pool:                {Balance: 100_000 - tax(100_000), Standing: snapshot.OffCurve},
		x.creator.PublicKey: {Balance: 1_000_000 - 184_100, Standing: snapshot.Vault},
	} {
		want.Owner = owner
		if row, found, err := snapshot.Find(t.Context(), s, holdersKey, owner); err != nil || !found || row != want {
			t.Errorf("%+v, %v, %v, want %+v", row, found, err, want)
		}
	}
	if taken.Owners() != 6 || taken.Eligible().Owners != 2 {
		t.Errorf("snapshot = %+v, want 6 owners, 2 of them eligible", taken.Summary)
	}
	list, err := snapshot.ReadTax(t.Context(), s, taxKey, 0, len(wantTax))
	if err != nil || !slices.Equal(list, wantTax) {
		t.Errorf("tax %+v, %v, want %+v", list, err, wantTax)
	}
}

// TestTokenAccountsOfTheOlderProgram tests that mints of the older token program are listed, too.
func TestTokenAccountsOfTheOlderProgram(t *testing.T) {
	x := newLedger(t)
	x.CreateMints(t)
	holder := newWallet(t)
	x.FundToken(t, holder.String(), scannedMint.String(), 500, surfpool.TokenProgram)
	// The scan asks for slot 17 or later, which a validator that has just begun has to finalize.
	x.PassSlots(t, finality+17)
	list, span, err := scan(within(t), x.Client, solana.TokenProgramID)
	if err != nil || len(list) != 1 || list[0].Owner != holder.PublicKey || list[0].Amount != 500 || list[0].Withheld != 0 || span.First < 17 {
		t.Errorf("TokenAccounts() = %+v, %+v, %v; want one with 500", list, span, err)
	}
}

// TestTokenAccountsByAccountType tests that the filter that lets a node use its index of mints
// leaves out no account of a taxed mint, whatever the account's extensions.
func TestTokenAccountsByAccountType(t *testing.T) {
	x := newTaxed(t)
	for _, w := range []wallet{newWallet(t), newWallet(t)} {
		x.account(t, w)
	}
	x.further(t, newWallet(t), "without an immutable owner")
	x.PassSlots(t, finality)
	listed := func(state token2022.Mint) (list []snapshot.Account) {
		if _, err := x.TokenAccounts(within(t), x.mint, state, 0, func(a snapshot.Account) error {
			list = append(list, a)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(list, func(a, b snapshot.Account) int { return bytes.Compare(a.Address[:], b.Address[:]) })
		return list
	}
	state := x.state(t)
	if !state.ExtendsAccounts() {
		t.Fatal("the accounts of the mint need no extensions")
	}
	with, without := listed(state), listed(token2022.Mint{Program: solana.Token2022ProgramID})
	if len(with) != 4 || !slices.Equal(with, without) {
		t.Errorf("with the filter %+v, without %+v; want the same 4", with, without)
	}
}

// lying changes the answers to a method on their way.
type lying struct {
	method string
	change func(answer []byte) []byte
}

func (l lying) RoundTrip(r *http.Request) (*http.Response, error) {
	call, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(call))
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || !bytes.Contains(call, []byte(`"`+l.method+`"`)) {
		return response, err
	}
	answer, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(l.change(answer)))
	return response, err
}

var slotOf = regexp.MustCompile(`"slot":(\d+)`)

// shifted makes a response one of a slot that lies the given number of slots further.
func shifted(slots int) func([]byte) []byte {
	return func(answer []byte) []byte {
		return slotOf.ReplaceAllFunc(answer, func(match []byte) []byte {
			slot, _ := strconv.Atoi(string(match[len(`"slot":`):])) // The expression matches only a number.
			return strconv.AppendInt([]byte(`"slot":`), int64(slot+slots), 10)
		})
	}
}

// TestLyingNodesOnTheChain tests that a response of another slot, or of another moment than the
// mint's, is rejected.
func TestLyingNodesOnTheChain(t *testing.T) {
	x := newTaxed(t)
	from, _ := x.account(t, x.creator)
	to, _ := x.account(t, newWallet(t))
	x.pay(t, from, to, 500)
	x.PassSlots(t, finality)
	var before []byte
	record := lying{"getProgramAccounts", func(answer []byte) []byte { before = answer; return answer }}
	honest := x.WithTransport(record)
	if _, err := snapshotter(t, honest, &shelf{}).Take(within(t), snapshot.Request{Mint: x.mint, Key: holdersKey}); err != nil {
		t.Fatal(err)
	}
	x.execute(t, []wallet{x.creator}, token2022.BurnChecked{Account: from, Mint: x.mint, Owner: x.creator.PublicKey, Amount: 7, Decimals: 6}.Instruction())
	x.PassSlots(t, finality)
	for name, c := range map[string]struct {
		change func([]byte) []byte
		err    error
	}{
		"of an earlier slot":                  {shifted(-10), snapshot.ErrOtherSlot},
		"of a slot to come":                   {shifted(1000), snapshot.ErrOtherSlot},
		"an earlier response with its slot":   {func([]byte) []byte { return before }, snapshot.ErrOtherSlot},
		"an earlier response with a new slot": {func(now []byte) []byte { return slotOf.ReplaceAll(before, slotOf.Find(now)) }, snapshot.ErrDoesNotAddUp},
	} {
		s := &shelf{}
		liar := x.WithTransport(lying{"getProgramAccounts", c.change})
		liar.Pause = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
		if _, err := snapshotter(t, liar, s).Take(within(t), snapshot.Request{Mint: x.mint, Key: holdersKey}); !errors.Is(err, c.err) || len(s.files) > 0 {
			t.Errorf("%s: %v, %d files", name, err, len(s.files))
		}
	}
}
