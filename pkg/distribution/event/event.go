// Package event says what happened to a token, for those who want to be told: the one
// stream of events from which Telegram groups and webhooks are told.
//
// An event is derived from the write that made it happen, as the table's stream has it, so
// that there is none without the other. It has an id that follows from what happened: the
// same event has the same id however often it is derived, and its consumers drop the second.
package event

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/google/uuid"

	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Kind says what happened, as callers name it.
type Kind string

// Kinds.
const (
	TokenLaunched    Kind = "token.launched"
	RunSettled       Kind = "run.settled"
	RunFailed        Kind = "run.failed"
	SettingsChanged  Kind = "settings.changed"
	CurveCompleted   Kind = "curve.completed"
	PromotionStarted Kind = "promotion.started"

	// ClaimSettled is counted and told to no one, for it is its holders' matter.
	ClaimSettled Kind = "claim.settled"
)

// Kinds lists those that are told.
func Kinds() []Kind {
	return []Kind{TokenLaunched, RunSettled, RunFailed, SettingsChanged, CurveCompleted, PromotionStarted}
}

// Event is one thing that happened to a token.
type Event struct {
	Kind Kind
	// Key names it among the events of its kind.
	Key string
	At  time.Time
	// Token is the token's record, as it is when the event is told.
	Token token.Record

	// The subject: a run, a change of settings, or About; none for a launch.
	Run    *run.Run
	Change *Change
	// About is the subject as messages to webhooks have it, a Curve or a Promotion.
	About any
}

// Change is one of settings, from a version to the next.
type Change struct{ Before, After terms.Version }

// Curve is a bonding curve that was completed.
type Curve struct {
	Pool        solana.PublicKey `json:"pool"`
	CompletedAt Moment           `json:"completedAt"`
}

// Promotion is one that was paid.
type Promotion struct {
	ID       string `json:"promotionId"`
	StartsAt Moment `json:"startsAt"`
	EndsAt   Moment `json:"endsAt"`
}

// Moment is a time that messages have as UTC, with milliseconds.
type Moment time.Time

// MarshalText returns the time as messages have it.
func (m Moment) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

func (m Moment) String() string { return time.Time(m).UTC().Format("2006-01-02T15:04:05.000Z") }

// ID is the same for the same event.
func (e Event) ID() string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte("event/"+string(e.Kind)+"/"+e.Key)).String()
}

// Ended is the event of a run of the token that has ended, and false for one whose end is no news: of
// skipped runs those are told that the creator can do something about, the first of several in a row,
// and once a day.
func Ended(t token.Record, r run.Run) (Event, bool) {
	if r.End == nil {
		return Event{}, false
	}
	e := Event{Key: r.ID, At: r.End.At, Token: t, Run: &r}
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

// Changed is the event of a change of the token's settings, and false when it changed none.
func Changed(t token.Record, before, after terms.Version) (Event, bool) {
	if before.Settings == after.Settings || before.Number == after.Number {
		return Event{}, false
	}
	return Event{
		Kind: SettingsChanged, Key: fmt.Sprintf("%s/%d", t.Mint, after.Number), At: after.From, Token: t,
		Change: &Change{Before: before, After: after},
	}, true
}

// Consumer is told of events. What it was told it may be told again.
type Consumer interface {
	Tell(ctx context.Context, e Event) error
}

// Consumers are told one after the other; one that fails keeps none from being told.
type Consumers []Consumer

// Tell tells them all.
func (c Consumers) Tell(ctx context.Context, e Event) error {
	var failed []error
	for _, consumer := range c {
		failed = append(failed, consumer.Tell(ctx, e))
	}
	return errors.Join(failed...)
}
