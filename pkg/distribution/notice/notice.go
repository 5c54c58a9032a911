// Package notice sends news of a token to the token's Telegram group: a run settled or failed, the
// distribution wallet is too low, the settings changed. A creator can also send a test message.
//
// It promises:
//
//   - A notice is sent at most once, even after a repeated delivery or a crash.
//   - A token's name or symbol cannot add markup, a link or a mention to a text.
//   - A notice delays no other work: package event reports events after they happened, and this package
//     queues the notices.
//
// Telegram has no idempotency key. A sender therefore claims an event before sending. If Telegram
// certainly did not accept the message, because Telegram returned an error or was not reached, the
// sender releases the claim, and the queue tries again. If the outcome is unknown, because the
// connection broke after the request or the function died, the claim stays. Such a message may be
// lost, because a duplicate report of a payment would do more harm than a missing report.
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

// Kind is the subject of a notice.
type Kind string

// Kinds.
const (
	RunSettled      Kind = "run_settled"
	RunFailed       Kind = "run_failed"
	WalletLow       Kind = "wallet_low"
	SettingsChanged Kind = "settings_changed"
	Test            Kind = "test"
	WalletDigest    Kind = "wallet_digest"
)

// Notice is a message to a group about an event, or to a private chat about a wallet.
type Notice struct {
	// ID identifies the event. Repeated notices of an event have the same ID.
	ID   string
	Kind Kind
	// Mint is the notice's token. The group has agreed to receive notices of this token.
	Mint solana.PublicKey
	// Group is the group of the token's settings: a number, or a name with an @.
	Group string
	// Wallet is the wallet of a message to the private chat that the wallet linked. Mint and Group are
	// then empty.
	Wallet solana.PublicKey
	At     time.Time
	// Text is in Telegram's HTML, escaped.
	Text string
}

const (
	// MaxAge is the maximum age of a notice at sending. An older notice is no longer news, and its
	// claim may have been deleted.
	MaxAge = 24 * time.Hour
	// Remember is the retention of claims. It exceeds the time that a message can wait in its queue
	// and in the dead-letter queue.
	Remember = 30 * 24 * time.Hour
	// Lease is the age after which an unfinished claim belongs to a dead sender. It exceeds the
	// timeout of a function.
	Lease = 15 * time.Minute
)

// The pauses between attempts double from firstPause to maxPause.
const (
	firstPause = 30 * time.Second
	maxPause   = 15 * time.Minute
)

// Pause returns the pause after the n-th failed attempt, n from 1.
func Pause(n int) time.Duration {
	return backoff.Pause(firstPause, maxPause, n)
}

// ClaimState is the result of claiming an event.
type ClaimState string

// Claim states.
const (
	// Claimed: the caller must send the notice.
	Claimed ClaimState = "claimed"
	// Busy: another attempt is sending the notice.
	Busy ClaimState = "busy"
	// Abandoned: another attempt began to send the notice, and died. The outcome is unknown.
	Abandoned ClaimState = "abandoned"
	// Finished: the notice was sent, or will never be sent.
	Finished ClaimState = "finished"
)

// Store stores the claims of events.
type Store interface {
	// Claim claims an event for one attempt. The same attempt may claim it again.
	Claim(ctx context.Context, id, attempt string, now time.Time) (ClaimState, error)
	// Finish ends the attempt's claim permanently.
	Finish(ctx context.Context, id, attempt string) error
	// Release releases the attempt's claim.
	Release(ctx context.Context, id, attempt string) error
}

// Later is returned when a message was certainly not sent and may be sent later, or when another
// attempt may be sending the message. After is the pause that Telegram requests, or zero.
type Later struct {
	After time.Duration
	Cause error
}

// Error describes the cause.
func (l *Later) Error() string { return "not sent yet: " + l.Cause.Error() }

// Unwrap returns the cause.
func (l *Later) Unwrap() error { return l.Cause }

// ErrPermanent is returned when no later attempt can succeed: the group does not exist, or has
// removed the bot.
var ErrPermanent = errors.New("the message cannot be sent")

// ErrNotLinked is returned when a chat has not agreed to receive notices of a token or wallet, or has
// withdrawn the agreement.
var ErrNotLinked = errors.New("the chat is not linked")

// Links reads the links of groups to tokens, and of private chats to wallets; see consent.Service.
type Links interface {
	// Chat returns the number of the group that is linked to the token under this name, or
	// ErrNotLinked. With a wallet and an empty group, it returns the number of the private chat.
	Chat(ctx context.Context, mint solana.PublicKey, group string) (int64, error)
}

// Sender sends messages to groups by number. It returns a *Later or ErrPermanent. After any other
// error the outcome is unknown.
type Sender interface {
	Send(ctx context.Context, chat int64, text string) error
}

// NoBot is the sender of a deployment without a bot. It returns ErrPermanent for every message.
type NoBot struct{}

// Send returns ErrPermanent.
func (NoBot) Send(context.Context, int64, string) error {
	return fmt.Errorf("%w: no bot is configured", ErrPermanent)
}

// Notifier sends notices. Every field is required.
type Notifier struct {
	Store  Store
	Links  Links
	Sender Sender
	Now    func() time.Time
	// NewID returns a unique ID of an attempt.
	NewID func() string
	Log   *slog.Logger
}

// recordWithin bounds the writing of an outcome.
const recordWithin = 5 * time.Second

var errOthers = errors.New("another attempt is sending it")

// about returns the token or wallet of the notice.
func (n Notice) about() solana.PublicKey {
	if n.Wallet.IsZero() {
		return n.Mint
	}
	return n.Wallet
}

// Deliver sends a notice unless the notice was sent before. It returns a *Later if the caller must
// try again, and nil if the notice is finished, sent or not.
func (n Notifier) Deliver(ctx context.Context, notice Notice) error {
	log := n.Log.With("notice", notice.ID, "kind", notice.Kind)
	now := n.Now()
	if age := now.Sub(notice.At); age > MaxAge {
		log.ErrorContext(ctx, "notice is too old: not sent", "ageHours", int(age.Hours()))
		return nil
	}
	chat, err := n.Links.Chat(ctx, notice.about(), notice.Group)
	switch {
	case errors.Is(err, ErrNotLinked): // unlinked after the notice was queued
		log.InfoContext(ctx, "notice is not sent: its chat is not linked")
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
	// Record the outcome even if the time is over.
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
	case errors.Is(err, ErrPermanent):
		log.WarnContext(ctx, "notice cannot be sent", "cause", err.Error())
	default:
		log.ErrorContext(ctx, "it is unknown whether the notice was sent: it is not sent again", "cause", err.Error())
	}
	if err := n.Store.Finish(ctx, notice.ID, attempt); err != nil {
		log.WarnContext(ctx, "the end of a notice is not written down", "cause", err.Error())
	}
	return nil
}
