package guardian_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/guardian"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/solana/token2022"
	"tokenlaunch.example/service/pkg/token/handover"
)

// TestHandOverWaitsForTheDelay orders, cancels, orders again and signs.
func TestHandOverWaitsForTheDelay(t *testing.T) {
	w := newWorld(t)
	w.orders.noted = guardian.Noted{}
	to := newKey(t).public()
	sign := func() error {
		tx := signed(t, w.creator, w.handOver(func(s *token2022.SetAuthority) { s.New = to }), w.creator)
		_, err := w.core().CoSign(t.Context(), guardian.Request{Mint: w.mint, Transaction: tx.Bytes()})
		return err
	}
	first := w.order(1, to, noon.Add(delay))
	noted, err := w.core().Order(t.Context(), w.mint, first)
	if err != nil || noted.Order != first || !noted.At.Equal(noon) {
		t.Fatalf("Order() = %+v, %v", noted, err)
	}
	w.now = noon.Add(time.Hour)
	if again, err := w.core().Order(t.Context(), w.mint, first); err != nil || again != noted {
		t.Errorf("Order() again = %+v, %v; want the first record", again, err)
	}
	if err := sign(); !errors.Is(err, guardian.ErrRefused) {
		t.Errorf("CoSign() before the delay = %v; want ErrRefused", err)
	}
	cancelled, err := w.core().Cancel(t.Context(), w.mint, 1, w.cancellation(1))
	if err != nil || !cancelled.CancelledAt.Equal(w.now) {
		t.Fatalf("Cancel() = %+v, %v", cancelled, err)
	}
	w.now = noon.Add(2 * delay)
	if again, err := w.core().Cancel(t.Context(), w.mint, 1, w.cancellation(1)); err != nil || again != cancelled {
		t.Errorf("Cancel() again = %+v, %v; want the first record", again, err)
	}
	if err := sign(); !errors.Is(err, guardian.ErrRefused) || !strings.Contains(err.Error(), "cancelled") {
		t.Errorf("CoSign() of a cancelled order = %v", err)
	}
	if _, err := w.core().Order(t.Context(), w.mint, first); !errors.Is(err, guardian.ErrRefused) {
		t.Errorf("Order() of a cancelled order = %v; want ErrRefused", err)
	}
	if _, err := w.core().Order(t.Context(), w.mint, w.order(2, to, w.now.Add(delay))); err != nil {
		t.Fatal(err)
	}
	w.now = w.now.Add(delay)
	if err := sign(); err != nil || !w.orders.noted.SignedAt.Equal(w.now) {
		t.Errorf("CoSign() after the delay = %v, signed at %s", err, w.orders.noted.SignedAt)
	}
	// A cancellation after a signature reports the signature.
	if got, err := w.core().Cancel(t.Context(), w.mint, 2, w.cancellation(2)); err != nil || !got.SignedAt.Equal(w.now) {
		t.Errorf("Cancel() after a signature = %+v, %v", got, err)
	}
	if err := sign(); !errors.Is(err, guardian.ErrRefused) {
		t.Errorf("CoSign() after the cancellation = %v; want ErrRefused", err)
	}
}

// TestCancellationBeforeSignatureWins cancels between the guardian's check and its record.
func TestCancellationBeforeSignatureWins(t *testing.T) {
	w := newWorld(t)
	w.orders.meanwhile = func() {
		if _, err := w.core().Cancel(t.Context(), w.mint, 1, w.cancellation(1)); err != nil {
			t.Error(err)
		}
	}
	tx := signed(t, w.creator, w.handOver(func(*token2022.SetAuthority) {}), w.creator)
	if got, err := w.core().CoSign(t.Context(), guardian.Request{Mint: w.mint, Transaction: tx.Bytes()}); !errors.Is(err, guardian.ErrRefused) || !got.Signature.IsZero() {
		t.Errorf("CoSign() = %+v, %v; want ErrRefused", got, err)
	}
}

// TestCancellationOfAnUnseenOrder: an order that the creator signed and cancelled is never recorded.
func TestCancellationOfAnUnseenOrder(t *testing.T) {
	w := newWorld(t)
	if _, err := w.core().Cancel(t.Context(), w.mint, 5, w.cancellation(5)); err != nil {
		t.Fatal(err)
	}
	if got, err := w.core().Order(t.Context(), w.mint, w.order(5, w.thief.public(), noon.Add(delay))); !errors.Is(err, guardian.ErrRefused) {
		t.Errorf("Order() of the cancelled number = %+v, %v; want ErrRefused", got, err)
	}
}

// TestOrdersThatAreRefused plays creators and other parties.
func TestOrdersThatAreRefused(t *testing.T) {
	w := newWorld(t)
	to, fine := w.thief.public(), noon.Add(delay)
	otherSign := w.order(2, to, fine)
	otherSign.Signature = w.order(3, to, fine).Signature
	for name, c := range map[string]struct {
		order handover.Order
		want  string
	}{
		"not signed by the creator":   {otherSign, "did not sign"},
		"without a signature":         {handover.Order{Number: 2, To: to, EffectiveAt: fine}, "did not sign"},
		"a second too early":          {w.order(2, to, fine.Add(-time.Second)), "must take effect from"},
		"antedated":                   {w.order(2, to, noon.Add(-delay)), "must take effect from"},
		"too far ahead":               {w.order(2, to, fine.Add(handover.MaxAhead+time.Second)), "must take effect from"},
		"a number again":              {w.order(1, to, fine), "at least 2"},
		"to the present authority":    {w.order(2, w.authority, fine), "never collect"},
		"to the mint":                 {w.order(2, w.mint, fine), "never collect"},
		"to the address of a program": {w.order(2, solana.Token2022ProgramID, fine), "never collect"},
	} {
		before := w.orders.noted
		if got, err := w.core().Order(t.Context(), w.mint, c.order); !errors.Is(err, guardian.ErrRefused) || !strings.Contains(err.Error(), c.want) || w.orders.noted != before {
			t.Errorf("%s: %+v, %v; want a refusal with %q", name, got, err, c.want)
		}
	}
	for name, c := range map[string]struct {
		number    int64
		signature solana.Signature
	}{
		"another number's signature": {1, w.cancellation(2)},
		"the order's signature":      {1, w.orders.noted.Signature},
		"an older number":            {0, w.cancellation(0)},
	} {
		if got, err := w.core().Cancel(t.Context(), w.mint, c.number, c.signature); !errors.Is(err, guardian.ErrRefused) || !w.orders.noted.CancelledAt.IsZero() {
			t.Errorf("a cancellation with %s: %+v, %v", name, got, err)
		}
	}
	w.orders.away = true
	if _, err := w.core().Order(t.Context(), w.mint, w.order(2, to, fine)); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("Order() without memory = %v; want Unavailable", err)
	}
	tx := signed(t, w.creator, w.handOver(func(*token2022.SetAuthority) {}), w.creator)
	if _, err := w.core().CoSign(t.Context(), guardian.Request{Mint: w.mint, Transaction: tx.Bytes()}); apperr.KindOf(err) != apperr.Unavailable {
		t.Errorf("CoSign() without memory = %v; want Unavailable", err)
	}
}
