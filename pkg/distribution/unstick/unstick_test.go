package unstick_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/s3store"
	"tokenlaunch.example/service/pkg/distribution/journal"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/distribution/unstick"
	"tokenlaunch.example/service/pkg/proof/format"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/solana/onchain"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/localnet/surfpool"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/runworld"
	"tokenlaunch.example/service/pkg/token/terms"
)

// tokens is one whole token, in base units.
const tokens = 1_000_000

// office is a token with holders, and the desk that looks into it.
type office struct {
	*runworld.Fixture

	desk    unstick.Desk
	holders []solana.PublicKey
	had     []uint64
	late    uint64
	partner solana.PublicKey
}

func open(t *testing.T) *office {
	t.Helper()
	o := &office{Fixture: runworld.NewEnv(t).Fixture(t)}
	o.Token.Settings.DeveloperFeeBps = 900
	creator := solana.NewWallet().PublicKey()
	// The creator's share goes to two wallets.
	o.partner = solana.NewWallet().PublicKey()
	o.Token.Settings.CreatorSplits = terms.NewSplits([]terms.Split{{Wallet: creator, Bps: 6_000}, {Wallet: o.partner, Bps: 4_000}})
	o.holders = append(o.Holders(t, 3, 1_000*tokens), creator)
	for _, h := range o.holders {
		o.had = append(o.had, o.Lamports(t, h))
	}
	files := s3store.Bucket{
		Client: s3.NewFromConfig(localnet.AWS(t).Config(t.Context()), func(o *s3.Options) { o.UsePathStyle = true }), Name: o.Files,
	}
	log := o.Log.Logger(0)
	copied := journal.Runs{Store: o.Runs, Copies: files, Log: log}
	o.Prepare = func(worker *runworld.Worker) {
		worker.Engine.Phases = run.Phases{Store: copied}
		worker.Machine.Engine, worker.Machine.Store = worker.Engine, copied
	}
	o.desk = unstick.Desk{
		Restorer: journal.Restorer{Ledger: o.Runs, Copies: files}, Runs: copied, Engine: o.Worker(t, nil).Engine, Now: o.Clock.Now,
	}
	o.desk.Engine.Wallet, o.desk.Engine.Phases, o.desk.Engine.Records = nil, nil, nil // nothing is signed
	return o
}

// resolve places the order twice: what is done stays.
func (o *office) resolve(t *testing.T, order unstick.Order) unstick.Case {
	t.Helper()
	c, err := o.desk.Resolve(t.Context(), o.Token.Mint, o.Token.Wallet, order)
	must.Do(t, err)
	before, err := o.Runs.Head(t.Context(), o.Token.Mint)
	must.Do(t, err)
	_, err = o.desk.Resolve(t.Context(), o.Token.Mint, o.Token.Wallet, order)
	must.Do(t, err)
	after, err := o.Runs.Head(t.Context(), o.Token.Mint)
	must.Do(t, err)
	if after.Version != before.Version || after.Frozen != "" {
		t.Errorf("resolved again, the head went from version %d to %d: %q", before.Version, after.Version, after.Frozen)
	}
	return c
}

func (o *office) why(t *testing.T) unstick.Case {
	t.Helper()
	c, err := o.desk.Why(t.Context(), o.Token.Mint, o.Token.Wallet)
	must.Do(t, err)
	return c
}

// goOn lets the run of a slot go on, as the sweep of overdue runs does.
func (o *office) goOn(t *testing.T, slot time.Time) run.Run {
	t.Helper()
	o.Again(slot)
	o.Drive(t, nil)
	return o.Look(t, slot)
}

// paysAgain fails unless the next run is settled, its proof holds, and all have what the
// proofs say: the creator's share is in no row.
func (o *office) paysAgain(t *testing.T) run.Run {
	t.Helper()
	o.Give(t, o.holders[0], 2_000*tokens)
	r := o.Settle(t)
	for n, h := range o.holders[:len(o.holders)-1] {
		said, got := o.Says(t, h, terms.SOL), o.Lamports(t, h)-o.had[n]
		if said.Received != got || said.Reserved != 0 {
			t.Errorf("holder %d received %d, and the proofs say %+v", n, got, said)
		}
	}
	var creator uint64
	for _, r := range o.Settled(t) {
		creator += uint64(o.Manifest(t, r).Legs[0].Creator().Received)
	}
	// What landed late of the creator's is reserved in the first proof, and in no later one.
	creator += o.late
	if got := o.Lamports(t, o.partner) + o.Lamports(t, o.holders[len(o.holders)-1]) - o.had[len(o.holders)-1]; got != creator {
		t.Errorf("the creator received %d, and the proofs say %d", got, creator)
	}
	if c := o.why(t); c.Frozen != "" || len(c.Unknown) > 0 || c.Behind || c.Run != nil {
		t.Errorf("the token is still a case: %+v", c)
	}
	return r
}

// refused returns the first check that the proof of a run fails against the chain.
func (o *office) refused(t *testing.T, r run.Run) verify.Check {
	t.Helper()
	checks := o.Report(t, r).Checks
	i := slices.IndexFunc(checks, func(c verify.Check) bool { return c.Verdict == verify.Failed })
	if i < 0 {
		t.Fatal("the chain does not refuse the proof")
	}
	return checks[i]
}

// drain takes lamports from the wallet once, when all is paid and the books are to be
// closed.
type drain struct {
	run.Engine

	take func()
}

func (d drain) Return(ctx context.Context, r payout.Returning) (payout.Next, error) {
	next, err := d.Engine.Return(ctx, r)
	if err == nil && next.Done && r.Final {
		d.take()
	}
	return next, err
}

// drained lets a run fail after it has paid, because the given lamports are gone, and returns it.
func drained(t *testing.T, o *office, lamports uint64) run.Run {
	t.Helper()
	o.Settle(t) // what the wallet was given is in the first proof
	o.Give(t, o.holders[0], 2_000*tokens)
	prepare, done := o.Prepare, false
	before := make([]uint64, len(o.holders))
	for n, h := range o.holders {
		before[n] = o.Lamports(t, h)
	}
	o.Prepare = func(worker *runworld.Worker) {
		prepare(worker)
		worker.Machine.Engine = drain{worker.Machine.Engine, func() {
			if !done {
				done = true
				o.Skim(t, o.Bank.PublicKey(), lamports)
			}
		}}
	}
	r := o.Distribute(t)
	o.Prepare = prepare
	if r.Status() != run.Failed || r.End.Code != run.CodeBooks {
		t.Fatalf("the run is %s: %+v", r.Status(), r.End)
	}
	for n, h := range o.holders {
		if o.Lamports(t, h) == before[n] {
			t.Fatalf("holder %d was not paid before the books were closed", n)
		}
	}
	return r
}

// TestRunThatPaidIsProven tests a run with unbalanced books that only the operator's decision explains.
func TestRunThatPaidIsProven(t *testing.T) {
	o := open(t)
	const gone = 7_000
	r := drained(t, o, gone)
	next := o.Slot()
	o.Drive(t, nil)
	if _, err := o.Runs.Run(t.Context(), o.Token.Mint, next); !errors.Is(err, run.ErrNotFound) {
		t.Fatalf("a frozen token opens a run: %v", err)
	}
	c := o.why(t)
	if c.Frozen == "" || c.Run == nil || c.Run.ID != r.ID || len(c.Discrepancies) != 1 || c.Discrepancies[0].Asset != terms.SOL || c.Discrepancies[0].Missing != gone || c.Discrepancies[0].Short != 0 {
		t.Fatalf("%+v", c)
	}
	// Looked at again it is still missing.
	_, err := o.desk.Resolve(t.Context(), o.Token.Mint, o.Token.Wallet, unstick.Order{})
	must.Do(t, err)
	if r = o.goOn(t, r.Slot); r.Status() != run.Failed {
		t.Fatalf("without a word the run is %s", r.Status())
	}
	if _, err := o.desk.Resolve(t.Context(), o.Token.Mint, o.Token.Wallet, unstick.Order{Reason: "a \"word\""}); !errors.Is(err, unstick.ErrReason) {
		t.Errorf("a reason that cannot be published: %v", err)
	}
	o.resolve(t, unstick.Order{Reason: "a test took it"})
	o.Unheld(true) // what the wallet signed is not our payment, whatever the word
	if r = o.goOn(t, r.Slot); r.Status() != run.Settled {
		t.Fatalf("the run is %s: %+v", r.Status(), r.End)
	}
	if c := o.refused(t, r); c.Name != "transactions on chain" {
		t.Errorf("refused for %s: %s", c.Name, c.Detail)
	}
	o.Unheld(false)
	for _, s := range o.Manifest(t, r).Statements {
		want := uint64(0)
		if s.Asset == terms.RewardSOL {
			want = gone
		}
		if s.Of(format.Adjustment) != want {
			t.Errorf("%s", s)
		}
	}
	o.paysAgain(t)
}

// TestBooksBalanceOnceTheMoneyIsBack: no adjustment is entered that is not needed.
func TestBooksBalanceOnceTheMoneyIsBack(t *testing.T) {
	o := open(t)
	r := drained(t, o, 7_000)
	o.Pay(t, o.Token.Wallet.Address, 7_000)
	o.resolve(t, unstick.Order{Reason: "a test took it"})
	o.Unheld(true) // no entry explains what the wallet signed
	if r = o.goOn(t, r.Slot); r.Status() != run.Settled {
		t.Fatalf("the run is %s: %+v", r.Status(), r.End)
	}
	if c := o.refused(t, r); c.Name != "transactions on chain" {
		t.Errorf("refused for %s: %s", c.Name, c.Detail)
	}
	o.Unheld(false)
	for _, s := range o.Manifest(t, r).Statements {
		if s.Of(format.Adjustment) != 0 {
			t.Errorf("%s", s)
		}
	}
	o.paysAgain(t)
}

// TestUnknownPaymentIsDecidedLater lets each transaction with a receipt in turn land, unknown to every node
// until the run is proven.
func TestUnknownPaymentIsDecidedLater(t *testing.T) {
	kinds := map[payout.Kind]bool{}
	for number := 2; number <= 4; number++ {
		t.Run(fmt.Sprint(number), func(t *testing.T) {
			o := open(t)
			o.Settle(t) // what the wallet was given is in the first proof
			o.Give(t, o.holders[0], 2_000*tokens)
			net := o.NewNetwork(t)
			slot := o.Slot()
			o.Drive(t, func() *fault.Process { return net.Process(runworld.Hides, number) })
			r := o.Look(t, slot)
			if r.Status() != run.Settled && r.Status() != run.Skipped {
				t.Fatalf("the run is %s: %+v", r.Status(), r.End)
			}
			head, err := o.Runs.Head(t.Context(), o.Token.Mint)
			must.Do(t, err)
			names := append(slices.Clone(head.Unknown), head.Unproven.Unknowns...)
			if len(names) != 1 {
				t.Fatalf("undecided are %v", names)
			}
			kinds[names[0].ID.Kind] = true
			t.Logf("undecided is %s", names[0].ID)
			if len(head.Unknown) == 0 { // of the anchor: the next proof has it
				o.Give(t, o.holders[0], 2_000*tokens)
				o.Settle(t)
			}
			if c := o.why(t); len(c.Unknown) != 1 || len(c.Unknown[0].Readings) != 1 || c.Unknown[0].Kept == 0 {
				t.Fatalf("%+v", c)
			}
			if names[0].ID.Kind == payout.Creator {
				o.late = uint64(o.Manifest(t, r).Legs[0].Creator().Reserved)
			}
			o.resolve(t, unstick.Order{})
			o.paysAgain(t)
			o.paysAgain(t)
		})
	}
	if !testing.Short() && (!kinds[payout.Pay] || !kinds[payout.Creator]) {
		t.Errorf("undecided were %v", kinds)
	}
}

// TestUndecidedSaleIsShared tests that the tokens of an undecided sale have left, and that the books hold them
// for the next sale and do not balance, until a node reports that the sale landed.
func TestUndecidedSaleIsShared(t *testing.T) {
	o := open(t)
	net := o.NewNetwork(t)
	slot := o.Slot()
	o.Drive(t, func() *fault.Process { return net.Process(runworld.Hides, 1) })
	if r := o.Look(t, slot); r.Status() != run.Failed || r.End.Code != run.CodeBooks {
		t.Fatalf("the run is %s: %+v", r.Status(), r.End)
	}
	if c := o.why(t); len(c.Unknown) != 1 || c.Unknown[0].Payment.ID.Kind != payout.Exchange || c.Discrepancies[0].Short == 0 {
		t.Fatalf("%s", c)
	}
	t.Logf("%s", o.why(t))
	o.resolve(t, unstick.Order{})
	r := o.goOn(t, slot)
	if r.Status() != run.Settled || r.Closing.Owed[terms.SOL] == 0 {
		t.Fatalf("the run is %s: %+v", r.Status(), r.End)
	}
	o.paysAgain(t)
}

// wrong is a provider on another network until it is mended.
type wrong struct {
	payout.Chain

	calls *int
}

var errGenesis = errors.New("the provider is on another network")

func (w wrong) Finality(ctx context.Context) (onchain.Tip, error) {
	if *w.calls--; *w.calls >= 0 {
		return onchain.Tip{}, errGenesis
	}
	return w.Chain.Finality(ctx)
}

func (w wrong) RecentBlockhash(ctx context.Context) (onchain.Blockhash, error) {
	if *w.calls--; *w.calls >= 0 {
		return onchain.Blockhash{}, errGenesis
	}
	return w.Chain.RecentBlockhash(ctx)
}

// TestProviderOnAnotherNetworkFreezesNothing tests that the token waits, and pays when the provider is mended.
func TestProviderOnAnotherNetworkFreezesNothing(t *testing.T) {
	o := open(t)
	calls := 20
	prepare := o.Prepare
	o.Prepare = func(worker *runworld.Worker) {
		prepare(worker)
		worker.Engine.Chains = []payout.Chain{wrong{worker.Engine.Chains[0], &calls}}
		worker.Machine.Engine = worker.Engine
	}
	if r := o.Distribute(t); r.Status() != run.Settled {
		t.Fatalf("the run is %s: %+v", r.Status(), r.End)
	}
	if calls >= 0 {
		t.Fatalf("%d refusals are left", calls)
	}
	o.paysAgain(t)
}

// items are those of the ledger.
func (o *office) items(t *testing.T) []map[string]types.AttributeValue {
	t.Helper()
	out, err := o.Runs.Client.Scan(context.WithoutCancel(t.Context()), &dynamodb.ScanInput{TableName: &o.Table, ConsistentRead: new(true)})
	must.Do(t, err)
	return out.Items
}

// noting takes a backup after each time that a run was saved.
type noting struct {
	run.Store

	saved func(r run.Run)
}

func (s noting) Save(ctx context.Context, r run.Run) error {
	err := s.Store.Save(ctx, r)
	if err == nil {
		s.saved(r)
	}
	return err
}

// TestRestoredLedgerIsBroughtForward tests a backup from before the first payment.
func TestRestoredLedgerIsBroughtForward(t *testing.T) {
	o := open(t)
	var backup []map[string]types.AttributeValue
	prepare := o.Prepare
	o.Prepare = func(worker *runworld.Worker) {
		prepare(worker)
		worker.Machine.Store = noting{worker.Machine.Store, func(r run.Run) {
			if r.Payment != nil && backup == nil {
				backup = o.items(t)
			}
		}}
	}
	r := o.Settle(t)
	o.Prepare = prepare
	var balances []uint64
	for _, h := range o.holders {
		balances = append(balances, o.Lamports(t, h))
	}
	for _, item := range o.items(t) {
		_, err := o.Runs.Client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{
			TableName: &o.Table, Key: map[string]types.AttributeValue{"pk": item["pk"], "sk": item["sk"]},
		})
		must.Do(t, err)
	}
	for _, item := range backup {
		_, err := o.Runs.Client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &o.Table, Item: item})
		must.Do(t, err)
	}
	if c := o.why(t); !c.Behind {
		t.Fatalf("%+v", c)
	}
	o.resolve(t, unstick.Order{})
	if again := o.goOn(t, r.Slot); again.Status() != run.Settled {
		t.Fatalf("the run is %s", again.Status())
	}
	for n, h := range o.holders {
		if got := o.Lamports(t, h); got != balances[n] {
			t.Errorf("holder %d has %d, and had %d", n, got, balances[n])
		}
	}
	o.paysAgain(t)
}

// TestOperatorDecisionCountsWhereChainIsSilent tests that lost amounts are owed again.
func TestOperatorDecisionCountsWhereChainIsSilent(t *testing.T) {
	o := open(t)
	net := o.NewNetwork(t)
	hiding := func(number int) *fault.Process {
		return net.Process(runworld.Hides, number)
	}
	o.Slot()
	o.Drive(t, func() *fault.Process { return hiding(4) })
	head, err := o.Runs.Head(t.Context(), o.Token.Mint)
	must.Do(t, err)
	if len(head.Unknown) != 1 || head.Unknown[0].ID.Kind != payout.Pay {
		t.Fatalf("undecided are %v", head.Unknown)
	}
	lost, err := o.Payments.Payment(t.Context(), head.Unknown[0].ID)
	must.Do(t, err)
	// As if it had never landed: what it moved is back.
	for n, h := range o.holders[:3] {
		o.Ledger.SetAccount(t, h.String(), surfpool.Account{Lamports: o.had[n]})
	}
	wallet := o.Token.Wallet.Address
	o.Ledger.SetAccount(t, wallet.String(), surfpool.Account{Lamports: o.Lamports(t, wallet) + lost.Amount})

	engine := o.desk.Engine
	o.desk.Engine = o.Worker(t, hiding(0)).Engine
	resolve := func(order unstick.Order) (unstick.Case, error) {
		return o.desk.Resolve(t.Context(), o.Token.Mint, o.Token.Wallet, order)
	}
	if _, err := resolve(unstick.Order{Lost: []string{lost.ID.String()}}); !errors.Is(err, unstick.ErrReason) {
		t.Errorf("a word without a reason: %v", err)
	}
	for _, order := range []unstick.Order{{}, {Reason: "it landed", Landed: []solana.Signature{lost.Attempts[0].Signature}}} {
		if c, err := resolve(order); err != nil || len(c.Unknown) != 1 {
			t.Errorf("%+v, where no node knows: %+v, %v", order, c, err)
		}
	}
	c, err := resolve(unstick.Order{Reason: "no node has it", Lost: []string{lost.ID.String()}})
	must.Do(t, err)
	if len(c.Unknown) > 0 {
		t.Fatalf("%s", c)
	}
	o.desk.Engine = engine
	o.Unheld(true) // the chain was changed past every transaction
	o.paysAgain(t)
	o.Unheld(false)
	o.paysAgain(t)
}
