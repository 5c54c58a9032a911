package payout_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/computebudget"
	"tokenlaunch.example/service/pkg/solana/creation"
	"tokenlaunch.example/service/pkg/solana/systemprogram"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/solana/wire"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/figures"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/testkit/payouttest"
	"tokenlaunch.example/service/pkg/token"
)

// guardianFunc is a guardian in the same process.
type guardianFunc func(message []byte) (solana.Signature, error)

func (f guardianFunc) CoSign(_ context.Context, _ solana.PublicKey, message []byte) (solana.Signature, error) {
	return f(message)
}

// guard makes the multisig account of the wallet, a guardian and a creator the authority over the
// tax of a coin.
func guard(t *testing.T, w *payouttest.Fixture, c payouttest.Currency) (token.Collector, ed25519.PrivateKey) {
	t.Helper()
	public, key, err := ed25519.GenerateKey(nil)
	must.Do(t, err)
	creator, guardian := w.Payer.PublicKey(), solana.PublicKeyFromBytes(public)
	collector := token.CollectorOf(c.Mint, creator, w.Wallet.Address, guardian)
	rent, err := w.Chain.MinimumBalance(t.Context(), token2022.MultisigSize)
	must.Do(t, err)
	w.Do(t, nil, systemprogram.CreateAccountWithSeed{
		Payer: creator, Account: collector.Authority, Base: creator, Seed: c.Mint.String()[:8], Lamports: rent,
		Space: token2022.MultisigSize, Owner: solana.Token2022ProgramID,
	}.Instruction(), token2022.InitializeMultisig2{
		Account: collector.Authority, Required: creation.MembersRequired, Members: creation.Members(w.Wallet.Address, guardian, creator),
	}.Instruction(), token2022.SetAuthority{
		Account: c.Mint, Current: creator, Type: token2022.AuthorityWithdrawWithheld, New: collector.Authority,
	}.Instruction())
	return collector, key
}

// TestGuardianSignsCollections collects the tax of a token with a guardian, with transactions that
// are full, and prints the costs of the same collection with and without a guardian.
func TestGuardianSignsCollections(t *testing.T) {
	env := payouttest.NewEnv(t)
	for name, version := range map[string]payout.Version{"legacy": payout.Legacy, "1": payout.V1} {
		t.Run(name, func(t *testing.T) {
			w := env.Fixture(t, solana.LAMPORTS_PER_SOL)
			c := w.Taxed(t, w.Payer.PublicKey(), 500, 1_000_000_000_000)
			w.Mint = c.Mint
			collector, key := guard(t, w, c)
			w.Ready(t, c.Own())
			size := version.CollectBatch(true)
			list, withheld := withTax(t, w, c, int(size)+1)
			phase := collecting(c, version, size)
			phase.Collector = collector
			p := fault.NewProcess()
			transactions := sent(p)
			e := w.Engine(t, p)
			e.Guardian = guardianFunc(func(message []byte) (solana.Signature, error) {
				return solana.Signature(ed25519.Sign(key, message)), nil
			})
			before, began := w.Lamports(t, w.Wallet.Address), time.Now()
			w.Pay(t, e, w.Plan(phase, list))
			with, took := before-w.Lamports(t, w.Wallet.Address), time.Since(began)
			if got := w.Holding(t, c, w.Wallet.Address).Amount; got != withheld {
				t.Errorf("%d collected, want %d", got, withheld)
			}
			if len(*transactions) != 2 {
				t.Errorf("%d transactions, want 2", len(*transactions))
			}
			for _, tx := range *transactions {
				if signers := tx.Message().Signers(); !slices.Equal(signers, []solana.PublicKey{w.Wallet.Address, collector.Guardian}) || len(tx.Missing()) > 0 {
					t.Errorf("signers %v", signers)
				}
			}
			w, c = taxed(t, 0)
			list, _ = withTax(t, w, c, len(list))
			before, began = w.Lamports(t, w.Wallet.Address), time.Now()
			w.Pay(t, w.Engine(t, nil), w.Plan(collecting(c, version, size), list))
			without := before - w.Lamports(t, w.Wallet.Address)
			figures.Show(t, "collection from %d accounts in 2 transactions of version %s: %d lamports and %s with a guardian, %d lamports and %s without",
				len(list), name, with, took.Round(time.Millisecond), without, time.Since(began).Round(time.Millisecond))
			if with < without+2*5_000 {
				t.Errorf("%d lamports with a guardian, %d without: the guardian's signatures cost 5,000 each", with, without)
			}
		})
	}
}

func TestGuardianThatDoesNotSignLeavesTheTax(t *testing.T) {
	env := payouttest.NewEnv(t)
	_, stranger, err := ed25519.GenerateKey(nil)
	must.Do(t, err)
	for name, c := range map[string]struct {
		guardian payout.Guardian
		reason   payout.Reason
	}{
		"silent": {guardianFunc(func([]byte) (solana.Signature, error) {
			return solana.Signature{}, apperr.Upstream("The guardian", errors.New("no answer"))
		}), payout.ReasonGuardian},
		"lying": {guardianFunc(func(message []byte) (solana.Signature, error) {
			return solana.Signature(ed25519.Sign(stranger, message)), nil
		}), payout.ReasonGuardian},
		"refusing": {guardianFunc(func([]byte) (solana.Signature, error) {
			return solana.Signature{}, &payout.Refusal{Reason: payout.ReasonGuardian, Detail: "It is not a collection."}
		}), payout.ReasonGuardian},
		"unknown to the service": {nil, payout.ReasonGuardian},
	} {
		t.Run(name, func(t *testing.T) {
			w := env.Fixture(t, solana.LAMPORTS_PER_SOL)
			coin := w.Taxed(t, w.Payer.PublicKey(), 500, 1_000_000_000_000)
			w.Mint = coin.Mint
			collector, _ := guard(t, w, coin)
			w.Ready(t, coin.Own())
			list, _ := withTax(t, w, coin, 3)
			phase := collecting(coin, payout.Legacy, 3)
			phase.Collector = collector
			p := fault.NewProcess()
			transactions := sent(p)
			e := w.Engine(t, p)
			e.Guardian = c.guardian
			w.Pay(t, e, w.Plan(phase, list))
			payment := w.Payments(t, payout.Collect, 0)[0]
			if payment.Status() != payout.Cancelled || payment.Refused != c.reason || len(payment.Attempts) > 0 || len(*transactions) > 0 {
				t.Errorf("the payment is %s, %q, with %d attempts, and %d transactions were sent", payment.Status(), payment.Refused, len(payment.Attempts), len(*transactions))
			}
			if got := w.Holding(t, coin, w.Wallet.Address).Amount; got != 0 {
				t.Errorf("%d collected without the guardian", got)
			}
		})
	}
}

// TestGuardedBatchIsFull: one account more does not fit into a legacy transaction, with the
// instruction that collects from the mint.
func TestGuardedBatchIsFull(t *testing.T) {
	wallet, mint := solana.NewWallet().PublicKey(), solana.NewWallet().PublicKey()
	by := token.CollectorOf(mint, solana.NewWallet().PublicKey(), wallet, solana.NewWallet().PublicKey())
	own, err := token2022.AssociatedAddress(wallet, mint, solana.Token2022ProgramID)
	must.Do(t, err)
	compile := func(n uint32) error {
		var sources []solana.PublicKey
		for range n {
			sources = append(sources, solana.NewWallet().PublicKey())
		}
		in, err := token2022.WithdrawWithheldFromAccounts{Mint: mint, Destination: own, Authority: by.Authority, Signers: by.Signers(wallet), Sources: sources}.Instruction()
		must.Do(t, err)
		_, err = wire.Compile(wallet, solana.Hash{1}, []solana.Instruction{computebudget.SetUnitLimit(1), computebudget.SetUnitPrice(1), in, token2022.WithdrawWithheldFromMint{
			Mint: mint, Destination: own, Authority: by.Authority, Signers: by.Signers(wallet),
		}.Instruction()})
		return err
	}
	if err := compile(payout.GuardedBatch); err != nil {
		t.Errorf("a full batch: %v", err)
	}
	if err := compile(payout.GuardedBatch + 1); !errors.Is(err, wire.ErrTooLarge) {
		t.Errorf("one account more: %v", err)
	}
}
