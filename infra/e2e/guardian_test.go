package e2e_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/infra/local/runner"
	"tokenlaunch.example/service/infra/local/walkthrough"
	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/ledgertable"
	"tokenlaunch.example/service/pkg/client"
	"tokenlaunch.example/service/pkg/distribution/guardian"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/proof/verify"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/figures"
)

// guardianDoes is the time within which the service asks the guardian.
const guardianDoes = 5 * time.Minute

// TestTaxOfGuardedTokenIsDistributed launches a token with a guardian, trades, and distributes the tax
// by two signatures of three. While the guardian is silent, and while the guardian signs other bytes, the
// run waits and signs nothing. The run continues when the guardian responds. Both verifiers
// name the members.
func TestTaxOfGuardedTokenIsDistributed(t *testing.T) {
	s := deployed(t)
	l := newLaunch(t, s)
	l.Creation.Guardian = s.Guardian.Key
	if err := l.Run(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, logOf(err))
	}
	token := l.Submitted.Token
	if token.Guardian == nil || *token.Guardian != s.Guardian.Key {
		t.Errorf("the token has the guardian %v, want %s", token.Guardian, s.Guardian.Key)
	}
	guardianCosts(t, l)
	d := walkthrough.Distribution{
		Launch: l, Schedule: s, RPCURL: s.Chain.RPCURL, Market: s.Market,
		Table: func(name, value string) { t.Logf("%-14s%s", name, value) },
	}
	if err := d.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	books := ledgerOf(t, s, &d)
	asked := make(chan string, 100)
	tell := func(how string) {
		select {
		case asked <- how:
		default:
		}
	}
	silent := s.Guardian.Play(func(http.ResponseWriter, *http.Request, http.Handler) {
		tell("silent")
		panic(http.ErrAbortHandler) // closes the connection
	})
	t.Cleanup(silent)
	if err := d.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	books.waits(asked, "silent")
	lying := s.Guardian.Play(func(w http.ResponseWriter, r *http.Request, itself http.Handler) {
		other, err := anotherBlockhash(r)
		if err != nil {
			t.Error(err)
		}
		itself.ServeHTTP(w, other)
		tell("lying")
	})
	books.waits(asked, "lying")
	lying()
	measured := s.Guardian.Play(func(w http.ResponseWriter, r *http.Request, itself http.Handler) {
		began := time.Now()
		itself.ServeHTTP(w, r)
		figures.Show(t, "the guardian signed a collection in %s, with a key and a node of the local stack", time.Since(began).Round(time.Millisecond))
	})
	t.Cleanup(measured)
	began := time.Now()
	if err := d.Await(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Logf("the run settled %.1f s after the guardian responded again", time.Since(began).Seconds())
	if d.Run.Collected.Uint64() == 0 || d.Run.PaidHolders < 20 || !d.Report.OK() {
		t.Errorf("the run is %+v", d.Run)
	}
	for _, p := range books.collections(d.Run.ID) {
		if p.Status() != payout.Landed || len(p.Attempts) != 1 {
			t.Errorf("collection %s is %s with %d attempts; only the guardian's right signature makes an attempt", p.ID, p.Status(), len(p.Attempts))
		}
	}
	members := "the guardian " + s.Guardian.Key.String() + " and the creator " + l.Wallet.Address()
	if !slices.ContainsFunc(d.Report.Checks, func(c verify.Check) bool {
		return c.Name == "wallet on chain" && c.Verdict == verify.Proven && strings.HasSuffix(c.Detail, members)
	}) {
		t.Errorf("the verifier does not name the members: %+v", d.Report.Checks)
	}
	if said := typescriptVerifies(t, s, d.Run.Anchor); !strings.Contains(said, "wallet on chain: two of three together") || !strings.Contains(said, members) {
		t.Errorf("the TypeScript verifier does not name the members:\n%s", said)
	}
}

// anotherBlockhash returns a request for the guardian's signature of the same instructions with another
// blockhash. The guardian signs this collection, too, and the signature does not fit the service's bytes.
func anotherBlockhash(r *http.Request) (*http.Request, error) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return r, err
	}
	var asked guardian.SignRequest
	if err := json.Unmarshal(text, &asked); err != nil {
		return r, err
	}
	tx, err := wire.ParseOwn(asked.Transaction)
	if err != nil {
		return r, err
	}
	message, err := tx.Message().OnRecent(solana.Hash{1})
	if err != nil {
		return r, err
	}
	asked.Transaction = wire.NewTransaction(message).Bytes()
	if text, err = json.Marshal(asked); err != nil {
		return r, err
	}
	r.Body = io.NopCloser(bytes.NewReader(text))
	return r, nil
}

// guardianCosts prints the costs of the guardian for the creator: the transaction of the same launch
// without a guardian is made, and not signed.
func guardianCosts(t *testing.T, l *walkthrough.Launch) {
	t.Helper()
	wallet, err := l.Client.GenerateDistributionWallet(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	creation := l.Creation
	creation.Guardian, creation.WalletID = solana.PublicKey{}, wallet.WalletID
	without, err := l.Client.CreateUnsignedToken(t.Context(), creation)
	if err != nil {
		t.Fatal(err)
	}
	size := func(u client.UnsignedToken) int {
		transaction, err := base64.StdEncoding.DecodeString(u.Transaction)
		if err != nil {
			t.Fatal(err)
		}
		return len(transaction)
	}
	with := l.Prepared
	if with.Cost.RentLamports.Uint64() <= without.Cost.RentLamports.Uint64() || size(with) <= size(without) {
		t.Errorf("with a guardian: %+v, %d bytes; without: %+v, %d bytes", with.Cost, size(with), without.Cost, size(without))
	}
	figures.Show(t, "a guarded token costs the creator %d lamports of rent more, and its launch has %d bytes, %d more",
		with.Cost.RentLamports.Uint64()-without.Cost.RentLamports.Uint64(), size(with), size(with)-size(without))
}

// ledger reads the ledger of a token's newest run.
type ledger struct {
	*testing.T
	runs     ledgertable.Runs
	payments ledgertable.Payments
	d        *walkthrough.Distribution
}

func ledgerOf(t *testing.T, s *runner.Stack, d *walkthrough.Distribution) ledger {
	t.Helper()
	db, table := dynamo.New(s.AWS.Config()), s.Outputs["LedgerTableName"]
	return ledger{t, ledgertable.Runs{Client: db, Table: table, Now: time.Now}, ledgertable.Payments{Client: db, Table: table}, d}
}

// active returns the active run.
func (b ledger) active() run.Run {
	b.Helper()
	head, err := b.runs.Head(b.Context(), b.d.Mint())
	if err != nil || head.Active.IsZero() {
		b.Fatalf("the token has no active run: %+v, %v", head, err)
	}
	r, err := b.runs.Run(b.Context(), b.d.Mint(), head.Active)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// collections returns the payments of a run that collect tax from accounts.
func (b ledger) collections(run string) (list []payout.Payment) {
	b.Helper()
	for p, err := range b.payments.Payments(b.Context(), run, payout.Collect, 0) {
		if err != nil {
			b.Fatal(err)
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		b.Error("the run collects from no account")
	}
	return list
}

// waits waits until the guardian was asked twice, and compares the ledger: the second time is after the
// first response was used, and no collection has an attempt, so nothing was signed by the wallet or sent.
func (b ledger) waits(asked <-chan string, how string) {
	b.Helper()
	deadline := time.After(guardianDoes)
	for times := 0; times < 2; {
		select {
		case got := <-asked:
			if got == how {
				times++
			}
		case <-deadline:
			b.Fatalf("within %s, the service asked the %s guardian %d times", guardianDoes, how, times)
		}
	}
	r := b.active()
	if r.Collecting == nil || r.Collecting.Done {
		b.Errorf("with a %s guardian, the run does not wait for its collection: %+v", how, r.Collecting)
	}
	for _, p := range b.collections(r.ID) {
		if len(p.Attempts) > 0 || p.Status().Decided() {
			b.Errorf("with a %s guardian, collection %s is %s with %d attempts", how, p.ID, p.Status(), len(p.Attempts))
		}
	}
}
