package snapshot_test

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/proof/snapshot"
)

const (
	holdersKey = "snapshots/mint/run.holders"
	taxKey     = "collect/mint/run.accounts"
)

func rows(t *testing.T, s *shelf) (list []snapshot.Row) {
	t.Helper()
	f, err := snapshot.Open(t.Context(), s, holdersKey)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // It is in memory.
	for r, err := range f.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

func taxes(t *testing.T, s *shelf) (list []snapshot.Tax) {
	t.Helper()
	f, err := snapshot.OpenTax(t.Context(), s, taxKey)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // It is in memory.
	for tax, err := range f.Each() {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, tax)
	}
	return list
}

func TestTake(t *testing.T) {
	pool, multisig, program := offCurve(t, 1), offCurve(t, 2), key(7)
	reserved := solana.MustPublicKeyFromBase58("Sysvar1111111111111111111111111111111111111") // on the curve, without an account
	n := &node{
		accounts: []snapshot.Account{
			{Address: key(101), Owner: key(1), Amount: 60, Withheld: 3},
			{Address: key(102), Owner: key(1), Amount: 40, Frozen: true},
			{Address: key(103), Owner: key(2), Amount: 99, Withheld: 1},
			{Address: key(104), Owner: key(3), Withheld: 7},
			{Address: key(105), Owner: key(4), Amount: 1000},
			{Address: key(106), Owner: key(5), Amount: 500, Withheld: 2},
			{Address: key(107), Owner: snapshot.IncineratorAddress, Amount: 300},
			{Address: key(108), Owner: pool, Amount: 700},
			{Address: key(109), Owner: multisig, Amount: 200},
			{Address: key(110), Owner: program, Amount: 150},
			{Address: key(111), Owner: reserved, Amount: 120},
		},
		programs: map[solana.PublicKey]solana.PublicKey{program: solana.StakeProgramID, multisig: solana.StakeProgramID},
	}
	n.settle(11)
	s := &shelf{}
	request := snapshot.Request{
		Mint: mint, Key: holdersKey, TaxKey: taxKey,
		Policy: snapshot.Policy{
			Distribution: key(4), Vaults: []solana.PublicKey{key(5)}, Listed: []solana.PublicKey{multisig, reserved}, Minimum: 100,
		},
	}
	got, err := snapshotter(t, s, n).Take(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	want := snapshot.Summary{
		Mint: mint, Span: snapshot.Span{First: 100, Last: 100}, Supply: 3193, Balances: 3169,
		WithheldInAccounts: 13, WithheldOnMint: 11, Accounts: 11, Minimum: 100,
	}
	want.By[snapshot.Eligible] = snapshot.Tally{Owners: 2, Balance: 300}
	want.By[snapshot.BelowMinimum] = snapshot.Tally{Owners: 1, Balance: 99}
	want.By[snapshot.DistributionWallet] = snapshot.Tally{Owners: 1, Balance: 1000}
	want.By[snapshot.Vault] = snapshot.Tally{Owners: 1, Balance: 500}
	want.By[snapshot.Incinerator] = snapshot.Tally{Owners: 1, Balance: 300}
	want.By[snapshot.OffCurve] = snapshot.Tally{Owners: 1, Balance: 700}
	want.By[snapshot.ProgramOwned] = snapshot.Tally{Owners: 2, Balance: 270}
	if got.Summary != want {
		t.Errorf("summary\n%+v, want\n%+v", got, want)
	}
	standings := map[solana.PublicKey]snapshot.Row{}
	list := rows(t, s)
	for _, r := range list {
		standings[r.Owner] = r
	}
	for owner, want := range map[solana.PublicKey]snapshot.Row{
		key(1):   {Balance: 100, Standing: snapshot.Eligible}, // exactly the minimum, in two accounts
		multisig: {Balance: 200, Standing: snapshot.Eligible},
		key(2):   {Balance: 99, Standing: snapshot.BelowMinimum},
		program:  {Balance: 150, Standing: snapshot.ProgramOwned},
		reserved: {Balance: 120, Standing: snapshot.ProgramOwned},
		pool:     {Balance: 700, Standing: snapshot.OffCurve},
	} {
		want.Owner = owner
		if standings[owner] != want {
			t.Errorf("%+v, want %+v", standings[owner], want)
		}
		if r, found, err := snapshot.Find(t.Context(), s, holdersKey, owner); r != want || !found || err != nil {
			t.Errorf("found %+v, %v, %v", r, found, err)
		}
	}
	if _, found, err := snapshot.Find(t.Context(), s, holdersKey, key(3)); found || err != nil {
		t.Errorf("who has nothing: %v, %v", found, err)
	}
	if !slices.IsSortedFunc(list, func(a, b snapshot.Row) int { return bytes.Compare(a.Owner[:], b.Owner[:]) }) {
		t.Error("the rows are not sorted")
	}
	if got := taxes(t, s); !slices.Equal(got, []snapshot.Tax{{key(104), 7}, {key(101), 3}, {key(106), 2}, {key(103), 1}}) {
		t.Errorf("tax %+v", got)
	}
	if got, err := snapshot.ReadTax(t.Context(), s, taxKey, 1, 2); err != nil || !slices.Equal(got, []snapshot.Tax{{key(101), 3}, {key(106), 2}}) {
		t.Errorf("a batch: %+v, %v", got, err)
	}
	if _, err := snapshot.ReadTax(t.Context(), s, taxKey, 3, 2); err == nil {
		t.Error("a batch over the end is read")
	}
	summary, err := snapshot.ReadTaxSummary(t.Context(), s, taxKey)
	if want := (snapshot.TaxSummary{Mint: mint, Span: got.Span, WithheldOnMint: 11, Withheld: 13, Accounts: 4}); err != nil || summary != want {
		t.Errorf("tax summary %+v, %v", summary, err)
	}
	f, err := snapshot.Open(t.Context(), s, holdersKey)
	if err != nil {
		t.Fatal(err)
	}
	header := s.files[holdersKey][:snapshot.HeaderLength]
	if sealed := len(header) - sha256.Size; f.Taken != got || sha256.Sum256(header[:sealed]) != got.Digest || !bytes.Equal(header[sealed:], got.Digest[:]) {
		t.Errorf("%+v, digest %x of %x", f.Taken, got.Digest, header)
	}

	// A later caller gets what is stored, whatever the chain says by then.
	n.accounts = nil
	listed := n.listed
	again, err := snapshotter(t, s, n).Take(t.Context(), request)
	if err != nil || again != got || n.listed != listed || s.puts != 2 {
		t.Errorf("again %+v, %v, %d listings, %d writes", again, err, n.listed, s.puts)
	}
	request.Mint = key(9)
	if _, err := snapshotter(t, s, n).Take(t.Context(), request); err == nil {
		t.Error("the snapshot of another mint is taken for this one's")
	}
}

// TestTwoAtOnce: of two that take the snapshot at once, both get that of one.
func TestTwoAtOnce(t *testing.T) {
	s := &shelf{}
	first := &node{accounts: []snapshot.Account{{Address: key(101), Owner: key(1), Amount: 60}}}
	first.settle(0)
	second := &node{accounts: []snapshot.Account{{Address: key(101), Owner: key(1), Amount: 70}}}
	second.settle(0)
	request := snapshot.Request{Mint: mint, Key: holdersKey, Policy: snapshot.Policy{Minimum: 1}}
	first.during = func() {
		if _, err := snapshotter(t, s, second).Take(t.Context(), request); err != nil {
			t.Error(err)
		}
	}
	got, err := snapshotter(t, s, first).Take(t.Context(), request)
	if err != nil || got.Balances != 70 || s.puts != 1 {
		t.Errorf("%+v, %v, %d writes", got, err, s.puts)
	}
}

func TestCollectable(t *testing.T) {
	n := &node{accounts: []snapshot.Account{{Address: key(101), Owner: key(1), Amount: 60, Withheld: 3}, {Address: key(102), Owner: key(1), Amount: 60}}}
	n.settle(5)
	n.mints[0].supply++ // It need not add up.
	s := &shelf{}
	want := snapshot.TaxSummary{Mint: mint, Span: n.span, WithheldOnMint: 5, Withheld: 3, Accounts: 1}
	for range 2 {
		if got, err := snapshotter(t, s, n).Collectable(t.Context(), mint, taxKey); err != nil || got != want {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if n.listed != 1 || s.puts != 1 {
		t.Errorf("%d listings, %d writes", n.listed, s.puts)
	}
}
