// Package notice tells a token's Telegram group what happened: a run settled or
// failed, the distribution wallet is too low, settings changed; or nothing, when its
// creator wants to know whether the group can be reached.
//
// It promises one message for an event at most, whatever is delivered twice or
// crashes; text in which nothing of a token's name or symbol is markup, a link or
// a mention; and that nothing waits for it: it is told of events after they happened (see
// package event), and puts them into a queue.
//
// Telegram has no key by which a message sent twice is one. So an event is claimed
// before it is sent. When Telegram certainly did not take the message, because it
// said so or was never reached, the claim is given back and the queue tries again.
// When it is unknown, because the connection broke after the request was written
// or the function died, the claim stays: such a message is not sent again, and
// may be lost. A notice is not worth telling people twice that they were paid.
package notice

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/backoff"
)

// Kind says what a notice is about.
type Kind string

// Kinds.
const (
	RunSettled      Kind = "run_settled"
	RunFailed       Kind = "run_failed"
	WalletLow       Kind = "wallet_low"
	SettingsChanged Kind = "settings_changed"
	Test            Kind = "test"
)

// Notice is a message to a group about one event.
type Notice struct {
	// ID names the event: the same event has the same ID.
	ID   string
	Kind Kind
	// Mint is the token that the notice is about. The group agreed to be told of it.
	Mint solana.PublicKey
	// Group is the group of the token's settings: a number, or a name with an @.
	Group string
	At    time.Time
	// Text is in Telegram's HTML, escaped.
	Text string
}

const (
	// MaxAge is how old a notice is sent at most; later it is no news, and its claim
	// may be forgotten.
	MaxAge = 24 * time.Hour
	// Remember is how long claims are kept: longer than a message can wait in its
	// queue and what receives its failures.
	Remember = 30 * 24 * time.Hour
	// Lease is after how long a claim without an end is one of a sender that died. It
	// is longer than a function's time.
	Lease = 15 * time.Minute
)

// The pauses between attempts double from the first to the longest.
const (
	firstPause = 30 * time.Second
	maxPause   = 15 * time.Minute
)

// Pause is how long a notice waits after its n-th attempt failed, n from 1.
func Pause(n int) time.Duration {
	return backoff.Pause(firstPause, maxPause, n)
}

// ClaimState says what was found when an event was claimed.
type ClaimState string

// Claim states.
const (
	// Claimed: it is the caller's to send.
	Claimed ClaimState = "claimed"
	// Busy: another attempt is sending it.
	Busy ClaimState = "busy"
	// Abandoned: another attempt began to send it, and died. It is unknown whether it was sent.
	Abandoned ClaimState = "abandoned"
	// Finished: it was sent, or never will be.
	Finished ClaimState = "finished"
)

// Store keeps who sends which event.
type Store interface {
	// Claim claims an event for one attempt. The same attempt may claim it again.
	Claim(ctx context.Context, id, attempt string, now time.Time) (ClaimState, error)
	// Finish ends the attempt's claim permanently.
	Finish(ctx context.Context, id, attempt string) error
	// Release gives the attempt's claim back.
	Release(ctx context.Context, id, attempt string) error
}

// Later appears when a message was certainly not sent and may be sent later, or when another
// attempt may be sending it. After is what Telegram asks for, zero when
// it asks for nothing.
type Later struct {
	After time.Duration
	Cause error
}

// Error describes the cause.
func (l *Later) Error() string { return "not sent yet: " + l.Cause.Error() }

// Unwrap gives the cause.
func (l *Later) Unwrap() error { return l.Cause }

// ErrHopeless appears when no later attempt can send the message: there is no such
// group, or it has thrown us out.
var ErrHopeless = errors.New("the message cannot be sent")

// ErrNotLinked is returned when a group has not agreed to be told of a token, or no longer does.
var ErrNotLinked = errors.New("the group is not linked to the token")

// Links knows which groups agreed to be told of which token; see consent.Service.
type Links interface {
	// Chat returns the number of the group that is linked to the token under this name, or
	// ErrNotLinked.
	Chat(ctx context.Context, mint solana.PublicKey, group string) (int64, error)
}

// Sender sends messages to groups by their numbers. It fails with a *Later or ErrHopeless; every other error
// means that it is unknown whether the message was sent.
type Sender interface {
	Send(ctx context.Context, chat int64, text string) error
}

// NoBot is the sender of a deployment without a bot: every message is hopeless.
type NoBot struct{}

// Send sends nothing.
func (NoBot) Send(context.Context, int64, string) error {
	return fmt.Errorf("%w: no bot is configured", ErrHopeless)
}

// Notifier sends notices. Every field is required.
type Notifier struct {
	Store  Store
	Links  Links
	Sender Sender
	Now    func() time.Time
	// NewID names an attempt; no two are the same.
	NewID func() string
	Log   *slog.Logger
}

// recordWithin bounds the writing down of what became of a message.
const recordWithin = 5 * time.Second

var errOthers = errors.New("another attempt is sending it")

// Deliver sends a notice unless that was done, and says what is left to do: a
// *Later when it is to be tried again, nil when it is over, sent or not.
func (n Notifier) Deliver(ctx context.Context, notice Notice) error {
	log := n.Log.With("notice", notice.ID, "kind", notice.Kind)
	now := n.Now()
	if age := now.Sub(notice.At); age > MaxAge {
		log.ErrorContext(ctx, "notice is too old: not sent", "ageHours", int(age.Hours()))
		return nil
	}
	chat, err := n.Links.Chat(ctx, notice.Mint, notice.Group)
	switch {
	case errors.Is(err, ErrNotLinked): // since the notice was queued
		log.InfoContext(ctx, "notice is not sent: its group is not linked")
		return nil
	case err != nil:
		return &Later{Cause: err}
	}
	attempt := n.NewID()
	state, err := n.Store.Claim(ctx, notice.ID, attempt, now)
	if err != nil {
		return &Later{Cause: fmt.Errorf("claim the notice: %w", err)}
	}
	switch state {
	case Claimed:
	case Busy:
		return &Later{Cause: errOthers}
	case Abandoned:
		log.ErrorContext(ctx, "a sender died: the notice may be lost")
		return nil
	case Finished:
		return nil
	}
	err = n.Sender.Send(ctx, chat, notice.Text)
	// What became of it is written down also when the time is over.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordWithin)
	defer cancel()
	if later, ok := errors.AsType[*Later](err); ok {
		if err := n.Store.Release(ctx, notice.ID, attempt); err != nil {
			log.WarnContext(ctx, "the claim is not given back: the notice will be lost", "cause", err.Error())
		}
		return later
	}
	switch {
	case err == nil:
		log.InfoContext(ctx, "notice sent")
	case errors.Is(err, ErrHopeless):
		log.WarnContext(ctx, "notice cannot be sent", "cause", err.Error())
	default:
		log.ErrorContext(ctx, "it is unknown whether the notice was sent: it is not sent again", "cause", err.Error())
	}
	if err := n.Store.Finish(ctx, notice.ID, attempt); err != nil {
		log.WarnContext(ctx, "the end of a notice is not written down", "cause", err.Error())
	}
	return nil
}
