package runworld

import (
	"testing"
	"time"

	"tokenlaunch.example/service/pkg/testkit/fault"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// OrderRotation stores an operator's order to move the token to the wallet of the second root, and
// returns the wallet.
func (w *Fixture) OrderRotation(t testing.TB) token.Wallet {
	t.Helper()
	to := w.Rotation(t)
	must.Do(t, w.Caps().Rotate(t.Context(), w.Token.Mint, w.Token.Wallet.Address, to.Address, "an operator", "the root leaked"))
	return to
}

// Rotation writes the order to move the token to the wallet of the second root into the record, which
// the run reads, and not into the signer's table.
func (w *Fixture) Rotation(t testing.TB) token.Wallet {
	t.Helper()
	to := token.Wallet{ID: w.Token.Wallet.ID, Root: 1}
	var err error
	to.Address, err = w.Derivation(w.Config(nil)).Address(t.Context(), wallet.Path(to.ID, to.Root))
	must.Do(t, err)
	w.Token.RotateTo = to
	return to
}

// Rotate drives the token until its wallet is the ordered one, at most for some messages. start is as in
// Drive.
func (w *Fixture) Rotate(t testing.TB, start func() *fault.Process) {
	t.Helper()
	const visits = 8
	for range visits {
		w.Again(w.Clock.Now().Truncate(time.Second))
		w.Drive(t, start)
		if head := w.Head(t); head.Rotated != nil && head.Rotated.Wallet == w.Token.RotateTo {
			return
		}
		w.Clock.Pass(time.Minute)
	}
}
