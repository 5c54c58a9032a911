package launchtable_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// order issues a launch on a blockhash, whose message lives until block 100.
func (b *books) order(t *testing.T) launch.Launch {
	t.Helper()
	l := b.lease(t, key())
	l.Nonce = transaction.Nonce{}
	l.Messages[0].LastValid = 100
	l.Terms = launch.Terms{Units: 40_000, PriceMicroLamports: 10_000, MintRentLamports: 4_000_000, FundingLamports: 20_000_000}
	must.Do(t, b.launches.Issue(t.Context(), l, nil, b.now))
	return l
}

func (b *books) read(t *testing.T, id string) launch.Launch {
	t.Helper()
	l, err := b.launches.Launch(t.Context(), id)
	must.Do(t, err)
	return l
}

// another is message n of an order.
func another(n byte) transaction.Message {
	return transaction.Message{Digest: [32]byte{n}, LastValid: 100 + uint64(n)}
}

// submitted is l with message n signed, as what is submitted now.
func submitted(l launch.Launch, n int) launch.Launch {
	l.Messages = append([]transaction.Message(nil), l.Messages...)
	l.Messages[n].Signed, l.Messages[n].Signature = []byte{9, byte(n)}, solana.Signature{1, byte(n)}
	l.Signature, l.Status = l.Messages[n].Signature, transaction.Submitted
	l.Token.Signature = l.Signature
	return l
}

func TestRefreshWhileOrderLives(t *testing.T) {
	b := openBooks(t)
	l := b.order(t)
	for n := byte(1); n < 3; n++ {
		must.Do(t, b.launches.Refresh(t.Context(), l.ID, another(n), b.now))
		l.Messages = append(l.Messages, another(n))
	}
	if got := b.read(t, l.ID); !reflect.DeepEqual(got, l) {
		t.Errorf("read %+v, want %+v", got, l)
	}
	onNonce := b.issue(t, key())
	for name, refuse := range map[string]error{
		"over":     b.launches.Refresh(t.Context(), l.ID, another(3), l.ExpiresAt),
		"on nonce": b.launches.Refresh(t.Context(), onNonce.ID, another(3), b.now),
		"none":     b.launches.Refresh(t.Context(), "none", another(3), b.now),
	} {
		if !errors.Is(refuse, launch.ErrConflict) {
			t.Errorf("%s: %v, want ErrConflict", name, refuse)
		}
	}
	must.Do(t, b.launches.Submit(t.Context(), submitted(l, 1), b.now))
	must.Do(t, b.launches.Refresh(t.Context(), l.ID, another(3), b.now)) // also next to one that was submitted
	must.Do(t, b.launches.Settle(t.Context(), settled(submitted(l, 1), transaction.Failed, "why"), b.now))
	if err := b.launches.Refresh(t.Context(), l.ID, another(4), b.now); !errors.Is(err, launch.ErrConflict) {
		t.Errorf("after its end: %v, want ErrConflict", err)
	}
}

// An end is written for the judged messages. If one of them landed, the launch ends whatever the
// others are.
func TestSettleNamesJudgedMessages(t *testing.T) {
	b := openBooks(t)
	l := b.order(t)
	must.Do(t, b.launches.Refresh(t.Context(), l.ID, another(1), b.now))
	l.Messages = append(l.Messages, another(1))
	first := submitted(l, 0)
	must.Do(t, b.launches.Submit(t.Context(), first, b.now))
	if err := b.launches.Submit(t.Context(), first, b.now); !errors.Is(err, launch.ErrConflict) {
		t.Errorf("the same message again: %v, want ErrConflict", err)
	}
	both := submitted(first, 1)
	must.Do(t, b.launches.Submit(t.Context(), both, b.now))
	if err := b.launches.Submit(t.Context(), both, b.now); !errors.Is(err, launch.ErrConflict) {
		t.Errorf("the same message again: %v, want ErrConflict", err)
	}
	must.Do(t, b.launches.Settle(t.Context(), settled(first, transaction.Failed, "the first is dead"), b.now))
	if got := b.read(t, l.ID); got.Status != transaction.Submitted || got.Signature != both.Signature || len(got.Submitted()) != 2 {
		t.Fatalf("with an undecided message it is %s: %+v", got.Status, got.Prepared)
	}
	landed := settled(first, transaction.Confirmed, "")
	must.Do(t, b.launches.Settle(t.Context(), landed, b.now))
	record, err := b.tokens.Token(t.Context(), l.Mint)
	must.Do(t, err)
	if got := b.read(t, l.ID); got.Status != transaction.Confirmed || got.Signature != first.Signature || record.Signature != first.Signature {
		t.Errorf("%s by %s; the token by %s", got.Status, got.Signature, record.Signature)
	}
	if err := b.launches.Submit(t.Context(), both, b.now); !errors.Is(err, launch.ErrConflict) {
		t.Errorf("a message after the end: %v, want ErrConflict", err)
	}
}

func TestNoMessageIsSubmittedAfterItsOrder(t *testing.T) {
	b := openBooks(t)
	l := b.order(t)
	must.Do(t, b.launches.Refresh(t.Context(), l.ID, another(1), b.now))
	l.Messages = append(l.Messages, another(1))
	first := submitted(l, 0)
	must.Do(t, b.launches.Submit(t.Context(), first, b.now))
	if err := b.launches.Submit(t.Context(), submitted(first, 1), l.ExpiresAt); !errors.Is(err, launch.ErrConflict) {
		t.Errorf("%v, want ErrConflict", err)
	}
}
