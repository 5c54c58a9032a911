package snapshot_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/asset"
	"tokenlaunch.example/service/pkg/snapshot"
)

// key gives an address that a private key belongs to, always the same for n.
func key(n int) solana.PublicKey {
	seed := make([]byte, ed25519.SeedSize)
	binary.LittleEndian.PutUint64(seed, uint64(n))
	return solana.PublicKey(ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey))
}

// offCurve gives an address that no private key belongs to.
func offCurve(t *testing.T, n int) solana.PublicKey {
	t.Helper()
	address, _, err := solana.FindProgramAddress([][]byte{{byte(n)}}, solana.TokenProgramID)
	if err != nil {
		t.Fatal(err)
	}
	return address
}

var mint = key(-1)

// node is a chain with one mint, taxed or not, and its accounts, which tests change.
type node struct {
	accounts []snapshot.Account
	mints    []state // read one after the other; the last stays
	span     snapshot.Span
	programs map[solana.PublicKey]solana.PublicKey

	mu              sync.Mutex
	listed, lookups int
	largest         int     // look-up
	failures        []error // of listings
	unanswered      int     // look-ups
	during          func()  // called in the middle of a listing
}

// state is that of the mint at a slot.
type state struct{ slot, supply, withheld uint64 }

func (s state) data() []byte {
	data := make([]byte, 166, 278)
	binary.LittleEndian.PutUint64(data[36:], s.supply)
	data[44], data[45], data[165] = 6, 1, 1
	data = binary.LittleEndian.AppendUint16(data, 1) // TransferFeeConfig
	data = binary.LittleEndian.AppendUint16(data, 108)
	config := make([]byte, 108)
	binary.LittleEndian.PutUint64(config[64:], s.withheld)
	return append(data, config...)
}

func (n *node) FinalizedAccount(_ context.Context, address solana.PublicKey) (program solana.PublicKey, data []byte, slot uint64, found bool, err error) {
	if address != mint || len(n.mints) == 0 {
		return solana.PublicKey{}, nil, 0, false, nil
	}
	s := n.mints[0]
	if len(n.mints) > 1 {
		n.mints = n.mints[1:]
	}
	return solana.Token2022ProgramID, s.data(), s.slot, true, nil
}

func (n *node) TokenAccounts(_ context.Context, program, of solana.PublicKey, _ uint64, each func(snapshot.Account) error) (snapshot.Span, error) {
	if program != solana.Token2022ProgramID || of != mint {
		return snapshot.Span{}, errors.New("another mint")
	}
	n.listed++
	if len(n.failures) > 0 {
		err := n.failures[0]
		n.failures = n.failures[1:]
		return snapshot.Span{}, err
	}
	for i, a := range n.accounts {
		if i == len(n.accounts)/2 && n.during != nil {
			n.during()
		}
		if err := each(a); err != nil {
			return snapshot.Span{}, err
		}
	}
	return n.span, nil
}

var errBusy = errors.New("the node is busy")

func (n *node) Programs(_ context.Context, addresses []solana.PublicKey, _ uint64) ([]solana.PublicKey, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.unanswered > 0 {
		n.unanswered--
		return nil, errBusy
	}
	n.lookups++
	n.largest = max(n.largest, len(addresses))
	programs := make([]solana.PublicKey, len(addresses))
	for i, a := range addresses {
		programs[i] = n.programs[a]
	}
	return programs, nil
}

// settle makes the mint one to which the accounts add up.
func (n *node) settle(withheldOnMint uint64) {
	supply := withheldOnMint
	for _, a := range n.accounts {
		supply += a.Amount + a.Withheld
	}
	n.span = snapshot.Span{First: 100, Last: 100}
	n.mints = []state{{slot: 100, supply: supply, withheld: withheldOnMint}}
}

// shelf is a store in memory.
type shelf struct {
	mu    sync.Mutex
	files map[string][]byte
	puts  int
	reads int
}

func (s *shelf) PutFile(_ context.Context, key, _ string, body io.ReadSeeker, size int64) error {
	content, err := io.ReadAll(body)
	if err == nil && int64(len(content)) != size {
		err = errors.New("another size")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, there := s.files[key]; there || err != nil {
		return err
	}
	if s.files == nil {
		s.files = map[string][]byte{}
	}
	s.puts++
	s.files[key] = content
	return nil
}

func (s *shelf) Open(_ context.Context, key string) (io.ReadCloser, error) {
	content, there := s.files[key]
	if !there {
		return nil, asset.ErrNoObject
	}
	return io.NopCloser(bytes.NewReader(content)), nil
}

func (s *shelf) GetRange(_ context.Context, key string, from, length int64) ([]byte, error) {
	content, there := s.files[key]
	if !there {
		return nil, asset.ErrNoObject
	}
	s.reads++
	from = min(from, int64(len(content)))
	return bytes.Clone(content[from:min(from+length, int64(len(content)))]), nil
}

func noPause(ctx context.Context, _ time.Duration) error { return ctx.Err() }

func taker(t *testing.T, s *shelf, n *node) snapshot.Taker {
	t.Helper()
	return snapshot.Taker{Sources: []snapshot.Source{n}, Chain: n, Store: s, Folder: t.TempDir(), Pause: noPause}
}

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
		},
		programs: map[solana.PublicKey]solana.PublicKey{program: solana.StakeProgramID, multisig: solana.StakeProgramID},
	}
	n.settle(11)
	s := &shelf{}
	request := snapshot.Request{
		Mint: mint, Key: holdersKey, TaxKey: taxKey,
		Policy: snapshot.Policy{
			Distribution: key(4), Vaults: []solana.PublicKey{key(5)}, Listed: []solana.PublicKey{multisig}, Minimum: 100,
		},
	}
	got, err := taker(t, s, n).Take(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	want := snapshot.Summary{
		Mint: mint, Span: snapshot.Span{First: 100, Last: 100}, Supply: 3073, Balances: 3049,
		WithheldInAccounts: 13, WithheldOnMint: 11, Accounts: 10, Minimum: 100,
	}
	want.By[snapshot.Eligible] = snapshot.Tally{Owners: 2, Balance: 300}
	want.By[snapshot.BelowMinimum] = snapshot.Tally{Owners: 1, Balance: 99}
	want.By[snapshot.DistributionWallet] = snapshot.Tally{Owners: 1, Balance: 1000}
	want.By[snapshot.Vault] = snapshot.Tally{Owners: 1, Balance: 500}
	want.By[snapshot.Incinerator] = snapshot.Tally{Owners: 1, Balance: 300}
	want.By[snapshot.OffCurve] = snapshot.Tally{Owners: 1, Balance: 700}
	want.By[snapshot.ProgramOwned] = snapshot.Tally{Owners: 1, Balance: 150}
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
	excluded, err := f.Exclusions(2)
	if err != nil || len(excluded) != 2 || excluded[0].Owner != key(4) || excluded[1].Owner != pool {
		t.Errorf("exclusions %+v, %v", excluded, err)
	}

	// Whoever asks again gets what is stored, whatever the chain says by then.
	n.accounts = nil
	listed := n.listed
	again, err := taker(t, s, n).Take(t.Context(), request)
	if err != nil || again != got || n.listed != listed || s.puts != 2 {
		t.Errorf("again %+v, %v, %d listings, %d writes", again, err, n.listed, s.puts)
	}
	request.Mint = key(9)
	if _, err := taker(t, s, n).Take(t.Context(), request); err == nil {
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
		if _, err := taker(t, s, second).Take(t.Context(), request); err != nil {
			t.Error(err)
		}
	}
	got, err := taker(t, s, first).Take(t.Context(), request)
	if err != nil || got.Balances != 70 || s.puts != 1 {
		t.Errorf("%+v, %v, %d writes", got, err, s.puts)
	}
}

func TestWhatCannotBeBelieved(t *testing.T) {
	account := snapshot.Account{Address: key(101), Owner: key(1), Amount: 60, Withheld: 3}
	for name, c := range map[string]struct {
		change func(*node)
		err    error // nil: it is taken
		listed int
	}{
		"all in order":                    {func(*node) {}, nil, 1},
		"an account is missing":           {func(n *node) { n.accounts = n.accounts[:1] }, snapshot.ErrDoesNotAddUp, 3},
		"an account is listed twice":      {func(n *node) { n.accounts = append(n.accounts, account) }, snapshot.ErrDoesNotAddUp, 3},
		"withheld tax is missing":         {func(n *node) { n.accounts[0].Withheld = 0 }, snapshot.ErrDoesNotAddUp, 3},
		"amounts over 64 bits":            {func(n *node) { n.accounts[0].Amount = 1 << 63; n.accounts[1].Amount = 1 << 63 }, snapshot.ErrDoesNotAddUp, 3},
		"listed before the mint was read": {func(n *node) { n.span = snapshot.Span{First: 99, Last: 99} }, snapshot.ErrOtherSlot, 3},
		"begun before the mint was read":  {func(n *node) { n.span = snapshot.Span{First: 99, Last: 100} }, snapshot.ErrOtherSlot, 3},
		"its slots are the wrong way":     {func(n *node) { n.span = snapshot.Span{First: 101, Last: 100} }, snapshot.ErrOtherSlot, 3},
		"a slot that never comes":         {func(n *node) { n.span = snapshot.Span{First: 1 << 60, Last: 1 << 60} }, snapshot.ErrOtherSlot, 3},
		"the node fails twice":            {func(n *node) { n.failures = []error{io.ErrUnexpectedEOF, io.ErrUnexpectedEOF} }, nil, 3},
		"the node fails three times":      {func(n *node) { n.failures = slices.Repeat([]error{io.ErrUnexpectedEOF}, 3) }, io.ErrUnexpectedEOF, 3},
		"finalized later": {func(n *node) {
			n.span.Last = 102
			late := n.mints[0]
			late.slot = 102
			n.mints = append(n.mints, n.mints[0], late)
		}, nil, 1},
		"harvested before the listing":     {func(n *node) { n.mints = []state{{99, 130, 0}, {101, 130, 10}} }, nil, 1},
		"harvested after the listing":      {func(n *node) { n.mints = []state{{100, 130, 10}, {101, 130, 13}} }, nil, 1},
		"harvested after, and not by much": {func(n *node) { n.mints = []state{{100, 130, 11}, {100, 130, 12}} }, snapshot.ErrDoesNotAddUp, 3},
	} {
		t.Run(name, func(t *testing.T) {
			n := &node{accounts: []snapshot.Account{account, {Address: key(102), Owner: key(2), Amount: 57}}}
			n.settle(10)
			c.change(n)
			s := &shelf{}
			summary, err := taker(t, s, n).Take(t.Context(), snapshot.Request{Mint: mint, Key: holdersKey, Policy: snapshot.Policy{Minimum: 1}})
			if !errors.Is(err, c.err) || (err == nil) != (c.err == nil) || n.listed != c.listed {
				t.Errorf("%v after %d listings, want %v after %d", err, n.listed, c.err, c.listed)
			}
			if (err == nil) != (s.puts == 1) {
				t.Errorf("%d files are stored", s.puts)
			}
			if err == nil && (summary.Supply != 130 || summary.WithheldOnMint != 10 || summary.Slot() != n.span.Last) {
				t.Errorf("%+v", summary)
			}
		})
	}
}

func TestNoMint(t *testing.T) {
	n := &node{}
	if _, err := taker(t, &shelf{}, n).Take(t.Context(), snapshot.Request{Mint: mint, Key: holdersKey}); err == nil || n.listed != 0 {
		t.Errorf("%v after %d listings", err, n.listed)
	}
}

// TestAnotherSource: what the first source says is not believed, what the second
// says is.
func TestAnotherSource(t *testing.T) {
	good := &node{accounts: []snapshot.Account{{Address: key(101), Owner: key(1), Amount: 60, Withheld: 3}}}
	good.settle(0)
	bad := &node{accounts: []snapshot.Account{{Address: key(101), Owner: key(1), Amount: 60}}, span: good.span}
	s := &shelf{}
	take := taker(t, s, good)
	take.Sources = []snapshot.Source{bad, good}
	if _, err := take.Take(t.Context(), snapshot.Request{Mint: mint, Key: holdersKey}); err != nil || bad.listed != 1 || good.listed != 1 {
		t.Errorf("%v after %d and %d listings", err, bad.listed, good.listed)
	}
}

// TestLookUps: owners are looked up by the hundred, and only those whom it matters for.
func TestLookUps(t *testing.T) {
	n := &node{}
	for i := range 2500 {
		n.accounts = append(n.accounts, snapshot.Account{Address: key(10_000 + i), Owner: key(i), Amount: uint64(i)})
	}
	rand.Shuffle(len(n.accounts), func(i, j int) { n.accounts[i], n.accounts[j] = n.accounts[j], n.accounts[i] })
	n.settle(0)
	s := &shelf{}
	got, err := taker(t, s, n).Take(t.Context(), snapshot.Request{Mint: mint, Key: holdersKey, Policy: snapshot.Policy{Minimum: 1000}})
	if err != nil || got.Owners() != 2499 || got.Eligible().Owners != 1500 {
		t.Fatalf("%+v, %v", got, err)
	}
	if n.largest != snapshot.MaxPrograms || n.lookups != 15 {
		t.Errorf("%d look-ups of up to %d", n.lookups, n.largest)
	}
	for i := range 2500 {
		row, found, err := snapshot.Find(t.Context(), s, holdersKey, key(i))
		if err != nil || found != (i > 0) || row.Balance != uint64(i) {
			t.Fatalf("owner %d: %+v, %v, %v", i, row, found, err)
		}
	}
}

// TestBusyNode: look-ups that are put off are made again, and the snapshot is not
// stored when they are put off for ever.
func TestBusyNode(t *testing.T) {
	for unanswered, ok := range map[int]bool{0: true, 3: true, 4: false} {
		n := &node{accounts: []snapshot.Account{{Address: key(101), Owner: key(1), Amount: 60}}, unanswered: unanswered}
		n.settle(0)
		s := &shelf{}
		_, err := taker(t, s, n).Take(t.Context(), snapshot.Request{Mint: mint, Key: holdersKey})
		if (err == nil) != ok || (s.puts == 1) != ok || !ok && !errors.Is(err, errBusy) {
			t.Errorf("%d times: %v, %d files", unanswered, err, s.puts)
		}
	}
}

// TestFind finds everybody, and nobody who is not there, however the addresses are
// spread, in few reads.
func TestFind(t *testing.T) {
	const owners = 20_000
	const closeTogether = "close together" // where a search comes past the ends of what it has read
	for name, spread := range map[string]func(n int) uint64{
		"evenly":               func(n int) uint64 { return uint64(n) * (math.MaxUint64 / owners) },
		closeTogether:          func(n int) uint64 { return 1<<40 + 2*uint64(n) },
		"together and far":     func(n int) uint64 { return 2*uint64(n) + uint64(n/19_000)<<62 },
		"more and more rarely": func(n int) uint64 { return uint64(n) * uint64(n) * uint64(n) * uint64(n) * 100 },
	} {
		address := func(n int) (key solana.PublicKey) {
			binary.BigEndian.PutUint64(key[:], spread(n))
			key[31] = 1
			return key
		}
		n := &node{}
		for i := range owners {
			n.accounts = append(n.accounts, snapshot.Account{Owner: address(i), Amount: uint64(i) + 1})
		}
		n.settle(0)
		s := &shelf{}
		if _, err := taker(t, s, n).Take(t.Context(), snapshot.Request{Mint: mint, Key: holdersKey, Policy: snapshot.Policy{Minimum: owners}}); err != nil {
			t.Fatal(err)
		}
		step := 19
		if name == closeTogether {
			step = 3
		}
		for i := 0; i < owners; i += step {
			s.reads = 0
			row, found, err := snapshot.Find(t.Context(), s, holdersKey, address(i))
			if err != nil || !found || row.Balance != uint64(i)+1 || s.reads > 9 {
				t.Fatalf("%s: owner %d: %+v, %v, %v in %d reads", name, i, row, found, err, s.reads)
			}
			missing := address(i)
			missing[31] = byte(i % 2 * 2)
			if row, found, err := snapshot.Find(t.Context(), s, holdersKey, missing); found || err != nil {
				t.Fatalf("%s: beside owner %d: %+v, %v, %v", name, i, row, found, err)
			}
		}
	}
}

func TestCollectable(t *testing.T) {
	n := &node{accounts: []snapshot.Account{{Address: key(101), Owner: key(1), Amount: 60, Withheld: 3}, {Address: key(102), Owner: key(1), Amount: 60}}}
	n.settle(5)
	n.mints[0].supply++ // It need not add up.
	s := &shelf{}
	want := snapshot.TaxSummary{Mint: mint, Span: n.span, WithheldOnMint: 5, Withheld: 3, Accounts: 1}
	for range 2 {
		if got, err := taker(t, s, n).Collectable(t.Context(), mint, taxKey); err != nil || got != want {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if n.listed != 1 || s.puts != 1 {
		t.Errorf("%d listings, %d writes", n.listed, s.puts)
	}
}
