package transaction_test

import (
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
)

// fee is the network fee of one signature and the priority fee for 1,200 units.
const fee = 5_012

func TestSimulationResults(t *testing.T) {
	program := key(9)
	refused := transaction.Simulation{Reason: transaction.ProgramError, Detail: "No.", Logs: []string{"no"}, ComputeUnits: 400}
	ok := transaction.Simulation{OK: true, ComputeUnits: 1_000}
	for name, c := range map[string]struct {
		change func(*network, *transaction.Draft)
		want   transaction.Simulation
		fee    uint64
	}{
		"success": {func(*network, *transaction.Draft) {}, ok, fee},
		"a program rejects": {
			func(n *network, _ *transaction.Draft) { n.simulation = refused }, refused, 5_030,
		},
		"the program is missing": {
			func(n *network, d *transaction.Draft) {
				d.Programs, n.missing = []solana.PublicKey{key(8), program}, []solana.PublicKey{program}
			},
			transaction.Simulation{Reason: transaction.ProgramUnavailable, Detail: "This network has no program " + program.String() + "."},
			5_030,
		},
		"the program is there": {
			func(_ *network, d *transaction.Draft) { d.Programs = []solana.PublicKey{program} }, ok, fee,
		},
		"everything is missing": {
			func(n *network, d *transaction.Draft) {
				d.Programs, n.missing, n.lamports, d.Moves = []solana.PublicKey{program}, []solana.PublicKey{program}, 0, 7
			},
			transaction.Simulation{
				Reason: transaction.ProgramUnavailable, Detail: "This network has no program " + program.String() + ".",
				MissingLamports: 1_000_000 + 5_030 + walletRent, MissingTokens: 7,
			},
			5_030,
		},
		"money is missing": {
			func(n *network, _ *transaction.Draft) { n.lamports, n.simulation = 5_000, refused },
			transaction.Simulation{
				Reason: transaction.InsufficientFunds, Detail: "The wallet has 0.000005 SOL and needs 0.00189591 SOL.",
				MissingLamports: 1_000_000 + 5_030 + walletRent - 5_000, Logs: []string{"no"}, ComputeUnits: 400,
			},
			5_030,
		},
		"money is missing, and the simulation does not notice": {
			func(n *network, _ *transaction.Draft) { n.lamports = 1_000_000 + fee + walletRent - 1 },
			transaction.Simulation{
				Reason: transaction.InsufficientFunds, Detail: "The wallet has 0.001895891 SOL and needs 0.001895892 SOL.",
				MissingLamports: 1, ComputeUnits: 1_000,
			},
			fee,
		},
		"there is just enough": {
			func(n *network, _ *transaction.Draft) { n.lamports = 1_000_000 + fee + walletRent }, ok, fee,
		},
		"tokens are missing": {
			func(n *network, d *transaction.Draft) { d.Holds, d.Moves, n.simulation = 40, 100, refused },
			transaction.Simulation{
				Reason: transaction.InsufficientTokens, Detail: "The wallet has 40 base units of the token and needs 100.",
				MissingTokens: 60, Logs: []string{"no"}, ComputeUnits: 400,
			},
			5_030,
		},
		"there are just enough tokens": {
			func(_ *network, d *transaction.Draft) { d.Holds, d.Moves = 100, 100 }, ok, fee,
		},
		"money and tokens are missing": {
			func(n *network, d *transaction.Draft) { n.lamports, d.Moves = 5_000, 100 },
			transaction.Simulation{
				Reason: transaction.InsufficientFunds, Detail: "The wallet has 0.000005 SOL and needs 0.001895892 SOL.",
				MissingLamports: 1_000_000 + fee + walletRent - 5_000, MissingTokens: 100, ComputeUnits: 1_000,
			},
			fee,
		},
	} {
		n, d := rich(), payment(1_000_000)
		c.change(n, &d)
		u := n.prepare(t, d)
		if !reflect.DeepEqual(u.Simulation, c.want) {
			t.Errorf("%s: %+v, want %+v", name, u.Simulation, c.want)
		}
		if want := (transaction.Cost{NetworkFee: c.fee, Deposit: 1_000_000}); u.Cost != want {
			t.Errorf("%s: the cost is %+v, want %+v", name, u.Cost, want)
		}
		if asked := slices.Contains(n.asked, "simulation"); asked == (c.want.Reason == transaction.ProgramUnavailable) {
			t.Errorf("%s: simulated %v", name, asked)
		}
	}
}

// TestAfford holds what is missing against the two moments that count: when most is
// given away, and the end.
func TestAfford(t *testing.T) {
	cost := transaction.Cost{NetworkFee: 5_000, Rent: 2_000_000, Deposit: 1_000_000}
	const total = 3_005_000
	for _, c := range []struct {
		name             string
		cost             transaction.Cost
		balance, passing uint64
		missing          uint64
	}{
		{"nothing", cost, 0, 0, total + walletRent},
		{"all but a lamport", cost, total - 1, 0, walletRent + 1},
		{"the whole balance", cost, total, 0, 0},
		{"too little is left", cost, total + 1, 0, walletRent - 1},
		{"a lamport too little is left", cost, total + walletRent - 1, 0, 1},
		{"enough is left", cost, total + walletRent, 0, 0},
		{"passing rent that is less than must be left", cost, total, 400_000, walletRent},
		{"passing rent, enough is left", cost, total + walletRent, 400_000, 0},
		{"passing rent that is more than must be left", cost, total + walletRent, 2_039_280, 2_039_280 - walletRent},
		{"all that passes", cost, total + 2_039_280, 2_039_280, 0},
		{"all that passes but a lamport", cost, total + 2_039_279, 2_039_280, 1},
		{"only the fee", transaction.Cost{NetworkFee: 5_000}, 5_000, 0, 0},
		{"too little is left after the fee", transaction.Cost{NetworkFee: 5_000, Deposit: 100_000}, 105_000, 0, walletRent},
		{"enough is left once the fee is paid", transaction.Cost{NetworkFee: 5_000, Deposit: walletRent}, 5_000 + walletRent, 0, 0},
		{"more than there is", transaction.Cost{NetworkFee: 5_000, Deposit: math.MaxUint64}, 1, 0, math.MaxUint64 - 1},
	} {
		got := transaction.Simulation{OK: true}.Afford(c.balance, walletRent, c.cost, c.passing)
		if got.MissingLamports != c.missing || got.OK != (c.missing == 0) || got.OK == (got.Reason == transaction.InsufficientFunds) {
			t.Errorf("%s: %+v, want %d missing", c.name, got, c.missing)
		}
		if c.missing > 0 && c.missing < math.MaxUint64-1 {
			if again := (transaction.Simulation{OK: true}).Afford(c.balance+c.missing, walletRent, c.cost, c.passing); !again.OK {
				t.Errorf("%s: with that it is %+v", c.name, again)
			}
		}
	}
}

func TestLimitsOfComputeUnits(t *testing.T) {
	for _, c := range []struct {
		name                    string
		maximum, byDefault      uint32
		ok                      bool
		took                    uint64
		wantSimulated, wantUnit uint32
	}{
		{"a fifth more than it took", 5_000, 3_000, true, 1_001, 5_000, 1_201},
		{"but never more than the most", 5_000, 3_000, true, 4_999, 5_000, 5_000},
		{"an extreme offer", 5_000, 3_000, true, math.MaxUint64, 5_000, 5_000},
		{"refused", 5_000, 3_000, false, 1_000, 5_000, 3_000},
		{"rejected, without a default", 5_000, 0, false, 1_000, 5_000, 5_000},
		{"no limits", 0, 0, true, 1_000, computebudget.MaxUnitLimit, 1_200},
		{"no limits, rejected", 0, 0, false, 1_000, computebudget.MaxUnitLimit, computebudget.MaxUnitLimit},
	} {
		n, d := rich(), payment(1)
		d.MaxUnits, d.DefaultUnits = c.maximum, c.byDefault
		n.simulation = transaction.Simulation{OK: c.ok, ComputeUnits: c.took, Reason: transaction.ProgramError}
		m := message(t, n.prepare(t, d))
		checkBudget(t, c.name+": simulated", n.simulated[0].Message(), c.wantSimulated, 0)
		checkBudget(t, c.name+": prepared", m, c.wantUnit, 10_000)
	}
}

// checkBudget holds the first two instructions against the limit and the price.
func checkBudget(t *testing.T, what string, m wire.Message, units uint32, price uint64) {
	t.Helper()
	for i, want := range []solana.Instruction{computebudget.SetUnitLimit(units), computebudget.SetUnitPrice(price)} {
		data, err := want.Data()
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Instructions()[i]; got.ProgramID != want.ProgramID() || !slices.Equal(got.Data, data) {
			t.Errorf("%s: instruction %d is %v %v, want %v", what, i, got.ProgramID, got.Data, data)
		}
	}
}

func TestTransactionOnBlockhash(t *testing.T) {
	n := rich()
	n.simulation.Logs, n.simulation.Slot = []string{"log"}, 99
	u := n.prepare(t, payment(1_000_000))
	m := message(t, u)
	if m.Recent() != recent.Hash || n.simulated[0].Message().Recent() != recent.Hash {
		t.Errorf("it uses %s, and was simulated on %s", m.Recent(), n.simulated[0].Message().Recent())
	}
	made := noon.UTC().Truncate(time.Millisecond)
	want := transaction.Unsigned{
		ID: "new", Kind: transaction.KindPromotion, Caller: caller, Mint: key(2), Message: u.Message, Transaction: u.Transaction,
		CreatedAt: made, ExpiresAt: made.Add(148 * 214 * time.Millisecond), LastValid: 4_711, Units: 1_200, PriceMicroLamports: 10_000,
		Cost: transaction.Cost{NetworkFee: fee, Deposit: 1_000_000}, Simulation: n.simulation,
		Explanation: []string{
			"Limits the compute units to 1200.",
			"Adds a priority fee of 0.000000012 SOL.", "Pays.",
		},
	}
	if !reflect.DeepEqual(u, want) {
		t.Errorf("got  %+v\nwant %+v", u, want)
	}
	if got := len(m.Instructions()); got != len(u.Explanation) {
		t.Errorf("%d instructions, %d explanations", got, len(u.Explanation))
	}
	issued := u.Issue(key(5), made.Add(20*time.Second))
	wantIssued := transaction.Issued{
		ID: "new", Kind: transaction.KindPromotion, Caller: caller, Mint: key(2), Subject: key(5), Message: u.Message, LastValid: 4_711,
		CreatedAt: made, ExpiresAt: made.Add(148 * 214 * time.Millisecond), Fate: transaction.Open, DueAt: made.Add(20 * time.Second),
	}
	if !reflect.DeepEqual(issued, wantIssued) {
		t.Errorf("recorded as %+v, want %+v", issued, wantIssued)
	}
}

// TestBlockhashTimeLeft tests the number of blocks at the chain's pace, bounded by the maximum if
// one node lags.
func TestBlockhashTimeLeft(t *testing.T) {
	for _, c := range []struct {
		slot   time.Duration
		height uint64
		want   time.Duration
	}{
		{200 * time.Millisecond, 4_561, 30 * time.Second},
		{250 * time.Millisecond, 4_561, 37_500 * time.Millisecond},
		{400 * time.Millisecond, 4_561, time.Minute},
		{400 * time.Millisecond, 4_710, 400 * time.Millisecond},
		{200 * time.Millisecond, 4_000, 30 * time.Second},
		{213_700 * time.Microsecond, 4_708, 641 * time.Millisecond},
	} {
		n := rich()
		n.slot, n.height = c.slot, c.height
		u := n.prepare(t, payment(1))
		if got := u.ExpiresAt.Sub(u.CreatedAt); got != c.want {
			t.Errorf("slots of %s, at block %d: it expires after %s, want %s", c.slot, c.height, got, c.want)
		}
	}
	for _, height := range []uint64{4_711, 5_000} {
		n := rich()
		n.height = height
		if u, err := n.preparer().Prepare(t.Context(), "", payment(1)); !errors.Is(err, onchain.ErrBehind) || apperr.KindOf(err) != apperr.Unavailable {
			t.Errorf("a blockhash that is over: %+v, %v", u, err)
		}
	}
}

// TestUnitPrice tests that the price follows others' offers for the written accounts, within
// bounds.
func TestUnitPrice(t *testing.T) {
	for offered, want := range map[uint64]uint64{0: 10_000, 9_999: 10_000, 10_001: 10_001, 50_000: 50_000, math.MaxUint64: 50_000} {
		n := rich()
		n.offered = offered
		u := n.prepare(t, payment(1))
		checkBudget(t, "prepared", message(t, u), 1_200, want)
		if fee := transaction.LamportsPerSignature + computebudget.PriorityFee(1_200, want); u.Cost.NetworkFee != fee {
			t.Errorf("the fee of a price of %d is %d, want %d", want, u.Cost.NetworkFee, fee)
		}
		if !slices.Equal(n.writes, []solana.PublicKey{caller, key(3)}) {
			t.Errorf("requested the price of %v", n.writes)
		}
	}
	n := rich()
	n.offered, n.failing, n.err = 20_000, "price", errors.New("away")
	checkBudget(t, "without an estimate", message(t, n.prepare(t, payment(1))), 1_200, 10_000)
}

func TestTransactionOnNonce(t *testing.T) {
	n, d := rich(), payment(1_000_000)
	until := noon.Add(transaction.Lifetime - time.Second)
	d.Nonce = &transaction.NonceUse{
		Nonce: transaction.Nonce{Account: key(6), Value: solana.Hash{8}}, Authority: key(7), Until: until,
	}
	u, err := n.preparer().Prepare(t.Context(), "given", d)
	if err != nil {
		t.Fatal(err)
	}
	m := message(t, u)
	first := m.Instructions()[0]
	advance, _ := systemprogram.AdvanceNonceAccount{Nonce: key(6), Authority: key(7)}.Instruction().Data()
	if first.ProgramID != solana.SystemProgramID || !slices.Equal(first.Data, advance) || m.Recent() != (solana.Hash{8}) {
		t.Errorf("the first instruction is %+v, on %s", first, m.Recent())
	}
	if len(m.Instructions()) != 4 || len(u.Explanation) != 4 || u.Explanation[0] != "Uses up a one-time number of the service, so this transaction can land once." {
		t.Errorf("%d instructions: %q", len(m.Instructions()), u.Explanation)
	}
	if slices.Contains(n.asked, "recent") || slices.Contains(n.asked, "slot") || u.LastValid != 0 || !u.ExpiresAt.Equal(until) || u.ID != "given" {
		t.Errorf("requested %v; %+v", n.asked, u)
	}
	if u.Cost.NetworkFee != fee+transaction.LamportsPerSignature {
		t.Errorf("the network fee of two signatures is %d", u.Cost.NetworkFee)
	}
	want := transaction.Prepared{
		ID: "given", Caller: caller, Mint: key(2), Nonce: d.Nonce.Nonce,
		Messages:  []transaction.Message{{Digest: sha256.Sum256(u.Message)}},
		CreatedAt: u.CreatedAt, ExpiresAt: until, Status: transaction.Pending,
	}
	if got := u.Pending(d.Nonce.Nonce, until); !reflect.DeepEqual(got, want) {
		t.Errorf("recorded as %+v, want %+v", got, want)
	}
}

// twoKeys are made for a transaction.
func twoKeys() []ed25519.PrivateKey {
	return []ed25519.PrivateKey{
		ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)),
		ed25519.NewKeyFromSeed([]byte("01234567890123456789012345678901")),
	}
}

func address(private ed25519.PrivateKey) solana.PublicKey {
	return solana.PublicKeyFromBytes(private.Public().(ed25519.PublicKey))
}

func TestOtherSignersSignAtOnce(t *testing.T) {
	n, d, keys := rich(), payment(1), twoKeys()
	d.Signers = keys
	for _, k := range keys {
		d.Steps = append(d.Steps, transaction.Step{
			Instruction: systemprogram.CreateAccount{Payer: caller, Account: address(k), Lamports: 1, Owner: key(4)}.Instruction(),
			Explanation: "Creates.",
		})
	}
	u := n.prepare(t, d)
	tx, err := wire.ParseTransaction(u.Transaction)
	if err != nil {
		t.Fatal(err)
	}
	if missing := tx.Missing(); !slices.Equal(missing, []solana.PublicKey{caller}) {
		t.Errorf("the signatures of %v are missing, want the caller's", missing)
	}
	for i, k := range keys {
		if err := tx.VerifySignature(address(k)); err != nil {
			t.Error(err)
		}
		signature, _ := tx.Signature(address(k))
		if u.Cosigned[i] != (transaction.Cosignature{Signer: address(k), Signature: signature}) {
			t.Errorf("signature %d is recorded as %+v", i, u.Cosigned[i])
		}
	}
	if len(n.simulated[0].Missing()) != 3 {
		t.Error("a key signed for a simulation")
	}
	if u.Cost.NetworkFee != fee+2*transaction.LamportsPerSignature {
		t.Errorf("the network fee of three signatures is %d", u.Cost.NetworkFee)
	}

	d = payment(1)
	d.Signers = keys[:1]
	if _, err := n.preparer().Prepare(t.Context(), "", d); !errors.Is(err, wire.ErrNotSigner) {
		t.Errorf("a key that has no part in it: %v", err)
	}
}

func TestPrepareRejectsOversizedDrafts(t *testing.T) {
	for _, there := range []bool{true, false} {
		n, d := rich(), payment(1)
		d.Programs = []solana.PublicKey{key(9)}
		if !there {
			n.missing = d.Programs
		}
		for i := range byte(40) {
			d.Steps = append(d.Steps, transaction.Step{
				Instruction: systemprogram.Transfer{From: caller, To: key(100 + i), Lamports: 1}.Instruction(), Explanation: "Pays.",
			})
		}
		if _, err := n.preparer().Prepare(t.Context(), "", d); !errors.Is(err, wire.ErrTooLarge) {
			t.Errorf("program there %v: %v", there, err)
		}
	}
}

// A missing response of the network is an error, whatever its other responses.
func TestPrepareNetworkUnavailable(t *testing.T) {
	away := errors.New("away")
	for _, question := range []string{"recent", "height", "slot", "balance", "rent", "missing", "simulation"} {
		n, d := rich(), payment(1)
		d.Programs = []solana.PublicKey{key(9)}
		n.failing, n.err = question, away
		if u, err := n.preparer().Prepare(t.Context(), "", d); !errors.Is(err, away) || u.Transaction != nil {
			t.Errorf("Prepare() without %s: %v, want the node's error and no transaction", question, err)
		}
		if !slices.Contains(n.asked, question) {
			t.Errorf("requested %v", n.asked)
		}
	}
}

func TestTotals(t *testing.T) {
	if got := (transaction.Cost{NetworkFee: 1, Rent: 20, Protocol: 300, Deposit: 4_000}).Total(); got != 4_321 {
		t.Errorf("Total() = %d, want 4321", got)
	}
	if got := (transaction.Cost{NetworkFee: 1, Deposit: math.MaxUint64}).Total(); got != math.MaxUint64 {
		t.Errorf("Total() that overflows = %d, want 2^64-1", got)
	}
}
