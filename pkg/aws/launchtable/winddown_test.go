package launchtable_test

import (
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token"
)

// TestWindDownIsCancelledUntilItBegins orders and cancels: the public time stays until a
// cancellation, which is rejected from a minute before the time on, and creates no record. Each
// order and each cancellation is an event, once.
func TestWindDownIsCancelledUntilItBegins(t *testing.T) {
	b := openBooks(t)
	l := signedOff(b.issue(t, key()))
	must.Do(t, b.launches.Submit(t.Context(), l, b.now))
	must.Do(t, b.launches.Settle(t.Context(), settled(l, transaction.Confirmed, ""), b.now))
	ordered := func() token.WindDown {
		record, err := b.tokens.Token(t.Context(), l.Mint)
		must.Do(t, err)
		return record.WindDown
	}
	stored := func() map[string]types.AttributeValue {
		out, err := b.tokens.Client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: &b.tokens.Table, Key: launchtable.TokenKey(l.Mint)})
		must.Do(t, err)
		return out.Item
	}
	ids := map[string]bool{}
	// tells compares the events of a write with the kind; an empty kind means no event.
	tells := func(kind event.Kind, at time.Time, write func() error) {
		t.Helper()
		before := stored()
		must.Do(t, write())
		b.now = b.now.Add(time.Second)
		events, err := launchtable.Happened(dynamo.Change{Before: before, After: stored(), At: b.now})
		must.Do(t, err)
		switch {
		case kind == "" && len(events) == 0:
			return
		case len(events) != 1 || events[0].Kind != kind || events[0].Token.Mint != l.Mint || events[0].About != event.WindDown{WindsDownAt: event.Moment(at)}:
			t.Errorf("the write announces %+v, want %q", events, kind)
		case ids[events[0].ID()]:
			t.Errorf("the ID of %s is that of an event before", kind)
		default:
			ids[events[0].ID()] = true
		}
	}
	at := time.UnixMilli(b.now.Add(time.Hour).UnixMilli()).UTC()
	order := func(o token.WindDown) func() error {
		return func() error { return b.tokens.WindDown(t.Context(), l.Mint, o) }
	}
	tells(event.WindDownOrdered, at, order(token.WindDown{At: at, Final: true}))
	tells("", at, order(token.WindDown{At: at.Add(time.Hour)}))
	if got := ordered(); !got.At.Equal(at) || !got.Final {
		t.Fatalf("WindDown = %+v, want %s and final", got, at)
	}
	for _, late := range []time.Duration{-time.Minute, 0, time.Hour} {
		if err := b.tokens.CancelWindDown(t.Context(), l.Mint, at.Add(late)); !errors.Is(err, token.ErrWindDownBegun) || ordered().At.IsZero() {
			t.Errorf("CancelWindDown %s after the time: %v, %+v", late, err, ordered())
		}
	}
	for _, kind := range []event.Kind{event.WindDownCancelled, ""} {
		tells(kind, at, func() error {
			return b.tokens.CancelWindDown(t.Context(), l.Mint, at.Add(-time.Minute-time.Millisecond))
		})
		if got := ordered(); got != (token.WindDown{}) {
			t.Errorf("WindDown after the cancellation = %+v", got)
		}
	}
	tells(event.WindDownOrdered, at, order(token.WindDown{At: at}))
	tells(event.WindDownCancelled, at, func() error { return b.tokens.CancelWindDown(t.Context(), l.Mint, b.now) })
	must.Do(t, b.tokens.WindDown(t.Context(), l.Mint, token.WindDown{At: at.Add(time.Hour)}))
	if got := ordered(); !got.At.Equal(at.Add(time.Hour)) || got.Final {
		t.Errorf("WindDown = %+v, want the later time", got)
	}
	other := key()
	if err := b.tokens.CancelWindDown(t.Context(), other, b.now); !errors.Is(err, token.ErrWindDownBegun) {
		t.Errorf("CancelWindDown of no token: %v", err)
	}
	if _, err := b.tokens.Token(t.Context(), other); !errors.Is(err, token.ErrNotFound) {
		t.Errorf("a record of an unknown payment: %v", err)
	}
}
