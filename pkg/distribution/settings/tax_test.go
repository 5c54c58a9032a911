package settings_test

import (
	"context"
	"crypto/ed25519"
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/distribution/settings"
	"tokenlaunch.example/service/pkg/provider/solanarpc"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/settingstest"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// fixture is a token with an adjustable tax of 5 percent on a real chain.
type fixture struct {
	*localnet.Ledger
	*solanarpc.Client
	creator solana.PrivateKey
	mint    solana.PublicKey
	service settings.Service
	records settingstest.Records
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	ledger := localnet.Chain(t)
	client, err := solanarpc.New(ledger.RPCURL)
	must.Do(t, err)
	w := &fixture{Ledger: ledger, Client: client, creator: solana.NewWallet().PrivateKey}
	ledger.Fund(t, w.creator.PublicKey().String(), 1_000_000_000)
	mint := solana.NewWallet().PrivateKey
	w.mint = mint.PublicKey()
	plan := creation.Creation{
		Payer: w.creator.PublicKey(), Mint: w.mint, DistributionWallet: solana.NewWallet().PublicKey(),
		Name: "Taxed", Symbol: "TAX", URI: "ipfs://x", Decimals: 6, Supply: 1_000_000, TransferFeeBps: 500, FeeAdjustable: true,
	}
	plan.MintRentLamports, err = client.MinimumBalance(t.Context(), token2022.MintSize(plan.Name, plan.Symbol, plan.URI))
	must.Do(t, err)
	steps, err := plan.Steps()
	must.Do(t, err)
	recent, err := client.LatestBlockhash(t.Context())
	must.Do(t, err)
	message, _, err := transaction.Draft{Caller: plan.Payer, Steps: steps}.Compile(recent, 200_000, 0)
	must.Do(t, err)
	w.land(t, wire.NewTransaction(message).Bytes(), w.creator, mint)

	store := &settingstest.Memory{}
	store.Put(token.Record{
		Mint: w.mint, Creator: plan.Payer, Status: token.Confirmed, FeeAdjustable: true, TransferFeeBps: 500,
		Settings: terms.Default(plan.Payer), CreatedAt: time.Now().Add(-time.Hour),
	})
	w.service = settings.Service{
		Store: store, Chain: client, Records: &w.records,
		Preparer: transaction.Preparer{Chain: client, Price: computebudget.Bounds{Floor: 10_000, Cap: 1_000_000}, Now: time.Now, NewID: uuid.NewString},
		Now:      time.Now, Pause: settings.ShortPause, Log: slog.New(slog.DiscardHandler),
	}
	return w
}

// land signs a transaction and carries it out.
func (w *fixture) land(t *testing.T, unsigned []byte, signers ...solana.PrivateKey) {
	t.Helper()
	tx, err := wire.ParseTransaction(unsigned)
	must.Do(t, err)
	for _, s := range signers {
		must.Do(t, tx.Sign(ed25519.PrivateKey(s)))
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	must.Do(t, w.Execute(ctx, tx.Bytes()))
}

// tax returns the tax of the mint.
func (w *fixture) tax(t *testing.T) token2022.TransferFeeConfig {
	t.Helper()
	stored, _, err := w.Account(t.Context(), w.mint)
	must.Do(t, err)
	mint, err := token2022.DecodeMint(stored.Owner, stored.Data)
	must.Do(t, err)
	return *mint.TransferFee
}

func (w *fixture) change(t *testing.T, bps int) *settings.TaxChange {
	t.Helper()
	changed, err := w.service.Change(t.Context(), w.mint, settings.Wanted{TaxBps: &bps})
	must.Do(t, err)
	if c := changed.TaxChange; !c.Simulation.OK || c.Cost.Total() <= 5_000 || c.Cost.Total() > 5_050 || len(c.Explanation) != 3 {
		t.Errorf("%+v", c)
	}
	return changed.TaxChange
}

// TestAnotherTaxOnTheChain: the creator signs what they are given and sends it, and
// the mint then has the tax that they were told, from the epoch that they were told.
func TestAnotherTaxOnTheChain(t *testing.T) {
	w := newFixture(t)
	before, err := w.Balance(t.Context(), w.creator.PublicKey())
	must.Do(t, err)
	first := w.change(t, 300)
	if first.Bps != 500 || first.NewBps != 300 || first.EffectiveEpoch != first.Epoch+2 || first.Replaces != nil {
		t.Errorf("%+v", first)
	}
	if !strings.Contains(first.Explanation[2], "3.00%") || !strings.Contains(first.Explanation[2], "5.00%") {
		t.Errorf("%q", first.Explanation)
	}
	w.land(t, first.Transaction, w.creator)
	got := w.tax(t)
	if want := (token2022.TransferFee{Epoch: first.EffectiveEpoch, MaximumFee: math.MaxUint64, BasisPoints: 300}); got.Newer != want {
		t.Errorf("the newer tax is %+v, want %+v", got.Newer, want)
	}
	if got.At(first.Epoch).BasisPoints != 500 || got.At(first.EffectiveEpoch-1).BasisPoints != 500 || got.At(first.EffectiveEpoch).BasisPoints != 300 {
		t.Errorf("the tax is %+v", got)
	}
	after, err := w.Balance(t.Context(), w.creator.PublicKey())
	must.Do(t, err)
	if paid := before - after; paid != first.Cost.Total() {
		t.Errorf("the creator paid %d lamports, and was told %d", paid, first.Cost.Total())
	}

	second := w.change(t, 1_000)
	if second.Bps != 500 || second.Replaces == nil || *second.Replaces != got.Newer || !strings.Contains(second.Explanation[2], "is dropped") {
		t.Errorf("a change before the first one holds: %+v", second)
	}
	w.land(t, second.Transaction, w.creator)
	if got = w.tax(t); got.Older.BasisPoints != 500 || got.Newer.BasisPoints != 1_000 {
		t.Errorf("the tax is %+v", got)
	}

	w.Call(t, nil, "surfnet_timeTravel", map[string]any{"absoluteEpoch": second.EffectiveEpoch})
	third := w.change(t, 0)
	if third.Epoch != second.EffectiveEpoch || third.Bps != 1_000 || third.Replaces != nil || third.EffectiveEpoch != third.Epoch+2 {
		t.Errorf("once the second one holds: %+v", third)
	}
	w.land(t, third.Transaction, w.creator)
	if got = w.tax(t); got.Older.BasisPoints != 1_000 || got.Newer.BasisPoints != 0 || got.Newer.Epoch != third.EffectiveEpoch {
		t.Errorf("the tax is %+v", got)
	}
}
