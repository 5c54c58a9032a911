// Package event defines the stream of events about tokens, from which Telegram groups and webhooks
// get messages.
//
// An event is derived from the write of the fact, as reported by the table's stream, so event and
// fact always exist together. The ID of an event is derived from the fact: a repeated event has the
// same ID, and consumers drop the repetition.
package event

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/handover"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Kind is the kind of an event, as published.
type Kind string

// The kinds.
const (
	TokenLaunched    Kind = "token.launched"
	RunSettled       Kind = "run.settled"
	RunFailed        Kind = "run.failed"
	SettingsChanged  Kind = "settings.changed"
	CurveCompleted   Kind = "curve.completed"
	PromotionStarted Kind = "promotion.started"

	HandoverOrdered   Kind = "handover.ordered"
	HandoverCancelled Kind = "handover.cancelled"
	HandoverDone      Kind = "handover.done"

	WindDownOrdered   Kind = "winddown.ordered"
	WindDownCancelled Kind = "winddown.cancelled"
	WindDownFinished  Kind = "winddown.finished"

	// ClaimSettled is counted but not published, because a claim concerns only its holders.
	ClaimSettled Kind = "claim.settled"
)

// Kinds returns the published kinds.
func Kinds() []Kind {
	return []Kind{
		TokenLaunched, RunSettled, RunFailed, SettingsChanged, CurveCompleted, PromotionStarted, HandoverOrdered, HandoverCancelled, HandoverDone,
		WindDownOrdered, WindDownCancelled, WindDownFinished,
	}
}

// Event is an event of a token.
type Event struct {
	Kind Kind
	// Key identifies the event among the events of the kind.
	Key string
	At  time.Time
	// Token is the token's record at the time of Tell.
	Token token.Record

	// The subject is a run, a change of settings, or About. A launch has no subject.
	Run    *run.Run
	Change *Change
	// About is the subject in the form of webhook messages, a Curve or a Promotion.
	About any
}

// Change is a change of settings, from a version to the next.
type Change struct{ Before, After terms.Version }

// Curve is a completed bonding curve.
type Curve struct {
	Pool        solana.PublicKey `json:"pool"`
	CompletedAt Moment           `json:"completedAt"`
}

// Promotion is a paid promotion.
type Promotion struct {
	ID       string `json:"promotionId"`
	StartsAt Moment `json:"startsAt"`
	EndsAt   Moment `json:"endsAt"`
}

// Handover is an order to hand the authority over a token's tax over.
type Handover struct {
	Number       int64             `json:"number"`
	NewAuthority solana.PublicKey  `json:"newAuthority"`
	OrderedBy    string            `json:"orderedBy"`
	EffectiveAt  Moment            `json:"effectiveAt"`
	Transaction  *solana.Signature `json:"transactionSignature"`
}

// HandedOver returns the event of a write of a token's hand-over. It returns false if the write
// changes no progress that is published.
func HandedOver(mint solana.PublicKey, before, after handover.State, at time.Time) (Event, bool) {
	kind, published := map[handover.Status]Kind{
		handover.Ordered: HandoverOrdered, handover.Cancelled: HandoverCancelled, handover.Done: HandoverDone,
	}[after.Status()]
	if !published || before.Number == after.Number && before.Status() == after.Status() {
		return Event{}, false
	}
	about := Handover{Number: after.Number, NewAuthority: after.To, OrderedBy: string(after.By()), EffectiveAt: Moment(after.EffectiveAt)}
	if !after.Transaction.IsZero() {
		about.Transaction = &after.Transaction
	}
	return Event{Kind: kind, Key: fmt.Sprintf("%s/%d", mint, after.Number), At: at, Token: token.Record{Mint: mint}, About: about}, true
}

// WindDown is an operator's order to end the distributions of a token.
type WindDown struct {
	WindsDownAt Moment `json:"windsDownAt"`
}

// WoundDown returns the event of a write of a token's record that orders or cancels a wind-down. It
// returns false for another write. An order keeps its time, so only a cancellation comes between two
// orders.
func WoundDown(t token.Record, before, after token.WindDown, at time.Time) (Event, bool) {
	kind, of := WindDownOrdered, after.At
	switch {
	case before.At.Equal(after.At):
		return Event{}, false
	case after.At.IsZero():
		kind, of = WindDownCancelled, before.At
	}
	return Event{Kind: kind, Key: fmt.Sprintf("%s/%d/%d", t.Mint, of.UnixMilli(), at.UnixMilli()), At: at, Token: t, About: WindDown{Moment(of)}}, true
}

// Released is the end of a wind-down: the distribution wallet is empty, so no claim is paid any more. The
// hand-over before has an event of its own.
type Released struct {
	// ReturnedTo received the lamports of the wallet. Transaction is the transfer; nil if the wallet was
	// empty.
	ReturnedTo  solana.PublicKey  `json:"returnedTo"`
	Lamports    string            `json:"lamports"`
	Transaction *solana.Signature `json:"transactionSignature"`
}

// released returns the event of the end of a wind-down.
func released(e Event, r run.Run) Event {
	about := Released{ReturnedTo: r.Release.To, Lamports: "0"}
	if refunded := r.Release.Refunded; refunded != nil && refunded.Why == "" && !refunded.Signature.IsZero() {
		about.Lamports, about.Transaction = strconv.FormatUint(refunded.Amount, 10), &refunded.Signature
	}
	e.Kind, e.Run, e.About = WindDownFinished, nil, about
	return e
}

// Moment is a time in the format of messages: UTC with milliseconds.
type Moment time.Time

// MarshalText returns the time in the format of messages.
func (m Moment) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

func (m Moment) String() string { return time.Time(m).UTC().Format("2006-01-02T15:04:05.000Z") }

// ID returns the ID, which is the same for a repeated event.
func (e Event) ID() string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("event/"+string(e.Kind)+"/"+e.Key)).String()
}

// Ended returns the event of a run that has ended. It returns false if the end is not published.
// Published ends of skipped runs are only ends that the creator can act on: the first of several in
// a row, and at most one a day.
func Ended(t token.Record, r run.Run) (Event, bool) {
	if r.End == nil {
		return Event{}, false
	}
	e := Event{Key: r.ID, At: r.End.At, Token: t, Run: &r}
	if r.End.Code == run.CodeWoundDown {
		return released(e, r), !r.End.Failed
	}
	switch r.Status() {
	case run.Settled:
		if e.Kind = RunSettled; r.Kind() != run.Distribution {
			e.Kind = ClaimSettled
		}
	case run.Failed:
		e.Kind = RunFailed
	case run.Skipped:
		if r.Kind() != run.Distribution || r.End.Again || r.End.Code != run.CodeWalletTooLow && r.End.Code != run.CodeReward {
			return Event{}, false
		}
		e.Kind = RunFailed
		e.Key = fmt.Sprintf("%s/%s/%s", r.Mint, r.End.Code, r.End.At.UTC().Format(time.DateOnly))
	case run.Opened, run.InCollecting, run.Snapshotting, run.Burning, run.Exchanging, run.Paying:
		return Event{}, false
	}
	return e, true
}

// Changed returns the event of a change of the token's settings. It returns false if the settings
// did not change.
func Changed(t token.Record, before, after terms.Version) (Event, bool) {
	if before.Settings == after.Settings || before.Number == after.Number {
		return Event{}, false
	}
	at := after.From
	if before.ChangeDelay != terms.NoDelay { // the change may come into force later
		at = after.OrderedAt
	}
	return Event{
		Kind: SettingsChanged, Key: fmt.Sprintf("%s/%d", t.Mint, after.Number), At: at, Token: t,
		Change: &Change{Before: before, After: after},
	}, true
}

// Consumer receives events. An event may be repeated.
type Consumer interface {
	Tell(ctx context.Context, e Event) error
}

// Consumers receive every event in turn. A failing consumer does not stop the following consumers.
type Consumers []Consumer

// Tell passes the event to all consumers.
func (c Consumers) Tell(ctx context.Context, e Event) error {
	var failed []error
	for _, consumer := range c {
		failed = append(failed, consumer.Tell(ctx, e))
	}
	return errors.Join(failed...)
}
