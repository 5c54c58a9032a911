package signing_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha512"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/aws/capstable"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// written is a ledger that distributors write, this one as it likes.
type written struct {
	mu       sync.Mutex
	run      run.Run
	payments map[payout.ID]payout.Payment
}

func (l *written) Head(context.Context, solana.PublicKey) (run.Head, error) {
	return run.Head{Active: l.run.Slot}, nil
}

func (l *written) Run(context.Context, solana.PublicKey, time.Time) (run.Run, error) {
	return l.run, nil
}

func (l *written) Payment(_ context.Context, id payout.ID) (payout.Payment, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p, ok := l.payments[id]
	if !ok {
		return payout.Payment{}, payout.ErrNotFound
	}
	return p, nil
}

// sight is a chain on which every wallet has the given lamports at a slot.
type sight struct {
	signing.Chain

	mu             sync.Mutex
	slot, lamports uint64
}

func (s *sight) AccountsAt(_ context.Context, _ uint64, addresses ...solana.PublicKey) ([]*onchain.Account, uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]*onchain.Account, len(addresses))
	list[0] = &onchain.Account{Lamports: s.lamports, Owner: solana.SystemProgramID}
	return list, s.slot, nil
}

// show lets the next slot show the given lamports.
func (s *sight) show(lamports uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slot++
	s.lamports = lamports
}

type mac struct{}

func (mac) Sum512(_ context.Context, message []byte) ([64]byte, error) {
	h := hmac.New(sha512.New, []byte("a key of the test"))
	h.Write(message)
	return [64]byte(h.Sum(nil)), nil
}

const (
	fee    = 5_000
	amount = 1_000_000
)

// robbed is the service with a distributor that was taken over, which writes what it likes
// into the ledger: decisions to pay itself.
type robbed struct {
	testing.TB

	ledger *written
	chain  *sight
	core   signing.Core
	caps   capstable.Caps
	wallet token.Wallet
	now    time.Time
}

func rob(t testing.TB) *robbed {
	t.Helper()
	aws := localnet.AWS(t)
	r := &robbed{TB: t, now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}
	signer := wallet.Signer{Derivation: wallet.Derivation{MAC: mac{}}}
	r.caps = capstable.Caps{
		Client: dynamo.New(aws.Config(t.Context())), Table: aws.CreateTable(t, schema.Caps), Now: func() time.Time { return r.now },
	}
	r.ledger, r.chain = &written{}, &sight{}
	r.chain.show(100 * solana.LAMPORTS_PER_SOL)
	r.core = signing.Core{
		Wallets: signer, Payments: r.ledger, Runs: r.ledger, Caps: r.caps, Chain: r.chain, Log: slog.New(slog.DiscardHandler),
		Limits: signing.Limits{RunLamports: 5_100_000, WalletDayLamports: 8_200_000, DayLamports: 82_000_000},
	}
	r.use(uuid.NewString())
	r.open()
	return r
}

// use takes another wallet.
func (r *robbed) use(id string) {
	r.Helper()
	address, err := r.core.Wallets.Derivation.Address(r.Context(), id)
	if err != nil {
		r.Fatal(err)
	}
	r.wallet = token.Wallet{ID: id, Address: address}
}

// open writes a run that pays the attacker as its creator, in a hundred legs.
func (r *robbed) open() {
	r.ledger.mu.Lock()
	defer r.ledger.mu.Unlock()
	legs := make([]run.Leg, 100)
	for n := range legs {
		legs[n] = run.Leg{Creator: amount}
	}
	r.ledger.payments = map[payout.ID]payout.Payment{}
	r.ledger.run = run.Run{
		ID: uuid.NewString(), Mint: solana.NewWallet().PublicKey(), Slot: r.now, Token: run.Token{Wallet: r.wallet},
		Settings: terms.Settings{DeveloperWallet: attacker}, Payment: &run.Payment{Legs: legs},
	}
}

// order writes the decision of a leg, and returns the message that pays it.
func (r *robbed) order(leg, generation int, recent byte) payout.Order {
	r.Helper()
	id := payout.ID{Run: r.ledger.run.ID, Kind: payout.Creator, Leg: leg}
	answer, err := r.core.Do(r.Context(), signing.Request{Seeds: []payout.SeedOrder{{Wallet: r.wallet, Payment: id, Generation: generation}}})
	if err != nil || answer.Seeds[0].Err() != nil {
		r.Fatal(err, answer)
	}
	seed := answer.Seeds[0].Seed
	address, err := systemprogram.AddressWithSeed(r.wallet.Address, seed, solana.SystemProgramID)
	if err != nil {
		r.Fatal(err)
	}
	r.ledger.mu.Lock()
	r.ledger.payments[id] = payout.Payment{
		ID: id, Mint: r.ledger.run.Mint, Asset: terms.SOL, Amount: amount, BoundAt: r.now,
		Receipt: &payout.Receipt{Address: address, Seed: seed, Generation: generation},
	}
	r.ledger.mu.Unlock()
	message, err := wire.Compile(r.wallet.Address, solana.Hash{recent}, []solana.Instruction{
		systemprogram.CreateAccountWithSeed{
			Payer: r.wallet.Address, Account: address, Base: r.wallet.Address, Seed: seed, Lamports: 890_880, Owner: solana.SystemProgramID,
		}.Instruction(),
		computebudget.SetUnitLimit(1_000),
		systemprogram.Transfer{From: r.wallet.Address, To: attacker, Lamports: amount}.Instruction(),
	})
	if err != nil {
		r.Fatal(err)
	}
	return payout.Order{Wallet: r.wallet, Mint: r.ledger.run.Mint, Payment: id, Message: message.Bytes()}
}

// take asks for the legs from to to, and returns the number of legs it got.
func (r *robbed) take(from, to int) (got int) {
	r.Helper()
	var orders []payout.Order
	for leg := from; leg < to; leg++ {
		orders = append(orders, r.order(leg, 0, 1))
	}
	return r.ask(orders...)
}

func (r *robbed) ask(orders ...payout.Order) (got int) {
	r.Helper()
	answer, err := r.core.Do(r.Context(), signing.Request{Sign: orders})
	if err != nil {
		r.Fatal(err)
	}
	for n, result := range answer.Signed {
		switch err := result.Err(); {
		case err == nil && !result.Signature.IsZero():
			got++
		case !errors.Is(err, payout.ErrCap):
			r.Fatalf("%s: %v", orders[n].Payment, err)
		}
	}
	return got
}

func (r *robbed) want(what string, got, want int) {
	r.Helper()
	if got != want {
		r.Errorf("%s: %d payments are signed, want %d", what, got, want)
	}
}

// TestCompromisedDistributorStaysWithinCaps lets a taken-over distributor write decisions that pay the
// attacker, and have the decisions signed: all at once, again, under other generations, in other runs and of
// other wallets. The outflow is at most the caps.
func TestCompromisedDistributorStaysWithinCaps(t *testing.T) {
	r := rob(t)
	r.want("of a run", r.take(0, 20), 5)
	r.want("once more", r.take(20, 40), 0)
	for n := range 3 {
		r.want("another generation", r.ask(r.order(0, n+1, 1)), 0)
	}
	r.open()
	r.want("of a wallet in a day", r.take(0, 20), 3)
	r.open()
	r.want("in a third run", r.take(0, 20), 0)
	for range 9 {
		r.use(uuid.NewString())
		r.open()
		r.want("of another wallet", r.take(0, 5), 5)
		r.open()
		r.want("of the day of that wallet", r.take(0, 4), 3)
	}
	r.use(uuid.NewString())
	r.open()
	r.want("of all wallets in a day", r.take(0, 4), 0)
	r.now = r.now.Add(12 * time.Hour)
	r.want("on the next day", r.take(0, 20), 5)
}

// What is signed again is not counted again, and another attempt at the same payment counts
// its fee alone: of all that create one receipt, one lands.
func TestAttemptsAtOnePaymentCountOnce(t *testing.T) {
	r := rob(t)
	moved := func(want uint64) {
		t.Helper()
		for _, scope := range []string{"RUN#" + r.ledger.run.ID, "WALLET#" + r.wallet.Address.String(), "DAY"} {
			got, err := r.caps.Moved(t.Context(), scope)
			if err != nil || got[terms.SOL] != want {
				t.Errorf("%s has moved %v, %v; want %d", scope, got, err, want)
			}
		}
	}
	first := r.order(0, 0, 1)
	for range 3 {
		r.want("the same message", r.ask(first), 1)
	}
	moved(amount + fee)
	for n := range byte(4) {
		r.want("another attempt", r.ask(r.order(0, 0, 2+n)), 1)
	}
	moved(amount + 5*fee)
	r.want("too much", r.ask(r.order(1, 0, 1), r.order(2, 0, 1), r.order(3, 0, 1), r.order(4, 0, 1), r.order(5, 0, 1)), 4)
	moved(5*amount + 9*fee)
}

// An operator's lift holds for its cap, its asset and its time alone.
func TestOperatorLiftsCap(t *testing.T) {
	r := rob(t)
	r.want("of a run", r.take(0, 20), 5)
	lift := capstable.Lift{
		Scope: "RUN#" + r.ledger.run.ID, Asset: terms.SOL, Limit: 7_200_000, Until: r.now.Add(time.Hour), By: "an operator", Why: "a test",
	}
	if err := r.caps.Lift(t.Context(), lift); err != nil {
		t.Fatal(err)
	}
	r.want("lifted", r.take(5, 20), 2)
	r.now = r.now.Add(time.Hour)
	r.want("after its time", r.take(7, 20), 0)
	list, err := r.caps.Lifts(t.Context())
	if err != nil || len(list) != 1 || list[0].By != lift.By || list[0].Why != lift.Why || list[0].Limit != lift.Limit || list[0].Scope != lift.Scope {
		t.Errorf("lifted: %+v, %v", list, err)
	}
	for name, change := range map[string]func(*capstable.Lift){
		"a scope":  func(l *capstable.Lift) { l.Scope = "ALL" },
		"a name":   func(l *capstable.Lift) { l.By = "" },
		"a reason": func(l *capstable.Lift) { l.Why = "" },
		"a time":   func(l *capstable.Lift) { l.Until = r.now },
	} {
		bad := lift
		bad.Until = r.now.Add(time.Hour)
		change(&bad)
		if err := r.caps.Lift(t.Context(), bad); err == nil {
			t.Errorf("a cap is lifted without %s", name)
		}
	}
}

// Signers that count at the same time stay within a cap together.
func TestSignersAtOnceStayWithinACap(t *testing.T) {
	r := rob(t)
	orders := make([]payout.Order, 20)
	for leg := range orders {
		orders[leg] = r.order(leg, 0, 1)
	}
	got := make([]int, len(orders))
	var all sync.WaitGroup
	for n, o := range orders {
		all.Go(func() {
			if _, err := (signing.Direct{Core: r.core}).Sign(t.Context(), o); err == nil {
				got[n] = 1
			}
		})
	}
	all.Wait()
	sum := 0
	for _, n := range got {
		sum += n
	}
	if sum > 5 {
		t.Errorf("%d payments are signed, 5 may be", sum)
	}
}

// What came in since the last sighting leaves without counting against the limits, once.
func TestCapsCreditIncome(t *testing.T) {
	r := rob(t)
	r.want("of the stock", r.take(0, 20), 5)
	r.chain.show(r.chain.lamports + 3_100_000)
	r.want("of what came in", r.take(20, 40), 3)
	r.want("once more", r.take(40, 60), 0)
	r.open()
	r.want("in another run, of the stock", r.take(0, 20), 3)
	r.chain.show(r.chain.lamports - 3_100_000)
	r.want("after it left", r.take(20, 40), 0)
	r.chain.show(r.chain.lamports + 1_100_000)
	r.want("of what came in again", r.take(40, 60), 1)
}

// The first sighting of a wallet shows its stock. No sighting that is older than another one
// shows an income.
func TestCapsCreditNoStock(t *testing.T) {
	r := rob(t)
	r.want("at the first sighting", r.take(0, 20), 5)
	r.chain.show(r.chain.lamports - 50_000_000)
	r.want("after it fell", r.take(20, 22), 0)
	r.chain.slot--
	r.chain.lamports += 50_000_000
	r.want("at an older slot", r.take(22, 24), 0)
}

// Credit that is not used ends: a wallet's old stock is under the limits.
func TestCapsCreditEnds(t *testing.T) {
	r := rob(t)
	r.want("of a run", r.take(0, 20), 5)
	r.chain.show(r.chain.lamports + 50_000_000)
	r.want("of what came in", r.take(20, 21), 1)
	r.now = r.now.Add(signing.CreditLasts)
	r.want("a period later", r.take(21, 22), 1)
	r.now = r.now.Add(signing.CreditLasts)
	r.want("two periods later", r.take(22, 40), 0)
}

// A run plans within what may leave, and then is not refused.
func TestCapsRoomIsSigned(t *testing.T) {
	r := rob(t)
	room := func() uint64 {
		t.Helper()
		room, err := signing.Direct{Core: r.core}.Room(t.Context(), r.ledger.run.Mint, r.ledger.run.ID, terms.SOL)
		if err != nil {
			t.Fatal(err)
		}
		return room
	}
	r.want("before the room is known", r.take(0, 1), 1)
	r.chain.show(r.chain.lamports + 2_000_000)
	left := room()
	if left < 2_000_000 {
		t.Fatalf("Room() = %d; want at least what came in", left)
	}
	n := int(left / (amount + fee))
	r.want("within the room", r.take(1, 1+n), n)
	r.want("beyond it", r.take(1+n, 2+n), 0)
	if left := room(); left >= amount {
		t.Errorf("Room() = %d after it is used; want less than %d", left, amount)
	}
	if _, err := (signing.Direct{Core: r.core}).Room(t.Context(), r.ledger.run.Mint, uuid.NewString(), terms.SOL); !errors.Is(err, payout.ErrConflict) {
		t.Errorf("Room() of another run: %v; want ErrConflict", err)
	}
}

// When payments have used up a limit, a run can still pay the fees that end it.
func TestCapsLeaveFees(t *testing.T) {
	r := rob(t)
	r.want("of a run", r.take(0, 20), 5)
	spend := signing.Spend{
		Run: r.ledger.run.ID, Wallet: r.wallet.Address, Charges: []signing.Charge{{Payment: "an anchor", Fee: fee}},
		Limits: map[terms.Asset]signing.Limit{terms.SOL: {Run: 5*(amount+fee) + fee, WalletDay: 1 << 40, Day: 1 << 40}},
	}
	if err := r.caps.Spend(t.Context(), spend); err != nil {
		t.Errorf("Spend() of a fee: %v", err)
	}
}

// Receipts whose rent comes back are no income.
func TestCapsCreditNoReturns(t *testing.T) {
	r := rob(t)
	r.want("of a run", r.take(0, 20), 5)
	spend := signing.Spend{
		Run: r.ledger.run.ID, Wallet: r.wallet.Address, Charges: []signing.Charge{{Payment: "a return", Fee: fee, Returns: 40_000_000}},
		Limits: map[terms.Asset]signing.Limit{terms.SOL: {Run: 1 << 40, WalletDay: 1 << 40, Day: 1 << 40}},
	}
	if err := r.caps.Spend(t.Context(), spend); err != nil {
		t.Fatal(err)
	}
	r.chain.show(r.chain.lamports + 40_000_000)
	r.want("of what came back", r.take(20, 24), 0)
}
