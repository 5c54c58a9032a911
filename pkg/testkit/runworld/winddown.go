package runworld

import (
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// OrderWindDown places an operator's order: the ledger's order to hand the token over to an address, and
// the release that the signer reads.
func (w *Fixture) OrderWindDown(t testing.TB, to solana.PublicKey) {
	t.Helper()
	must.Do(t, w.Caps().Release(t.Context(), w.Token.Mint, "an operator", "the service ends"))
	must.Do(t, run.OrderHandover(t.Context(), w.Handovers(), w.Token.Mint, to, w.Clock.Now()))
}

// WindDown drives the wind-down of the token until the wallet is released, or until no run follows any
// more. start is as in Drive.
func (w *Fixture) WindDown(t testing.TB, final bool, start func() *fault.Process) {
	t.Helper()
	if w.Token.WindDown.At.IsZero() {
		w.Token.WindDown.At = w.Clock.Now()
	}
	w.Token.WindDown.Final = final
	const visits = 12
	for range visits {
		if w.Head(t).HandedOver == nil {
			w.Claim(t)
		} else {
			w.Again(w.Clock.Now().Truncate(time.Second))
		}
		w.Drive(t, start)
		if head := w.Head(t); !head.WindDown.Released.IsZero() {
			return
		}
		w.Clock.Pass(time.Minute)
	}
}

// Collector returns the authority over the token's withheld tax.
func (w *Fixture) Collector(t testing.TB) solana.PublicKey {
	t.Helper()
	stored, _, err := w.Node.Account(t.Context(), w.Token.Mint)
	must.Do(t, err)
	mint, err := token2022.DecodeMint(stored.Owner, stored.Data)
	must.Do(t, err)
	return mint.TransferFee.WithdrawWithheldAuthority
}

// Released fails unless nothing of the token hangs on the distribution wallet: no authority, no SOL and
// no token account. Receipts are SOL that did not come back.
func (w *Fixture) Released(t testing.TB, creator solana.PublicKey) {
	t.Helper()
	if has := w.Collector(t); has != creator {
		t.Errorf("the authority over the tax is %s, and not %s", has, creator)
	}
	if lamports := w.Lamports(t, w.Token.Wallet.Address); lamports > 0 {
		t.Errorf("the wallet still has %d lamports", lamports)
	}
	if _, found, err := w.Node.Account(t.Context(), w.Account(t, w.Token.Wallet.Address)); err != nil || found {
		t.Errorf("the wallet still has an account of the token (%v)", err)
	}
}
