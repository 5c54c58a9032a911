// Package webhook sends events about tokens to the servers of the tokens' creators.
//
// The package promises three properties. A message accepted for a webhook is delivered at least
// once, or is tried for over a day and can be replayed. Messages about a token are numbered without
// gaps. A receiver that is slow, huge, redirecting or gone does not delay other receivers for long.
// A webhook gets no events before its address has answered a challenge.
//
// Messages wait in the table, not in a queue. A webhook has a time of the next visit, and a visit
// delivers the due messages. The queue between the sweep and the visits has one short message per
// due webhook, regardless of the number of waiting messages. So an outage of a receiver costs a row
// per message and at most a visit a minute. No message that the queue loses is missed, and pauses
// can have any length. SQS, in contrast, delays by at most 15 minutes, and counts a message hidden
// for longer towards the limit of 120,000 for all receivers.
package webhook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/platform/apperr"
)

// Most is the maximum number of webhooks of a wallet.
const Most = 5

// SecretOverlap is the period in which an earlier secret still signs after a rotation.
const SecretOverlap = 24 * time.Hour

// KeptFor is the retention period of deliveries.
const KeptFor = 30 * 24 * time.Hour

// Status is the status of a webhook.
type Status string

// The statuses. Only an active webhook gets events.
const (
	Pending  Status = "pending"
	Active   Status = "active"
	Disabled Status = "disabled"
)

// Webhook is a wallet's subscription to messages.
type Webhook struct {
	ID     string
	Owner  solana.PublicKey
	URL    string
	Events []event.Kind
	// Mints are the subscribed tokens; empty for all of the owner's tokens.
	Mints     []solana.PublicKey
	Status    Status
	CreatedAt time.Time
	// TookAt is the time of the last message that the address accepted; zero before the first
	// message.
	TookAt time.Time
	// Failures is the number of consecutive failed visits.
	Failures int
	// RestUntil is the time before which the webhook is not visited, because its receiver was down;
	// zero without a rest. A test ends the rest.
	RestUntil time.Time
	// Arrivals is the number of arrived messages. A visit compares Arrivals to detect new messages.
	Arrivals int64
	// Moves is the number of changes of the URL.
	Moves int64
	// Secret is the version of the signing secret, 0 for the first secret. Retiring are the earlier
	// versions, which sign as well until their time.
	Secret   int64
	Retiring []Retiring
}

// Retiring is an earlier version of a webhook's secret, and the time until which it signs.
type Retiring struct {
	Version int64
	Until   time.Time
}

// signing returns the versions of the secret that sign a message at a time, newest first.
func (w Webhook) signing(now time.Time) []int64 {
	versions := []int64{w.Secret}
	for _, r := range w.Retiring {
		if now.Before(r.Until) {
			versions = append(versions, r.Version)
		}
	}
	return versions
}

// Wants reports whether the webhook gets a kind of event of a token of its owner.
func (w Webhook) Wants(kind event.Kind, mint solana.PublicKey) bool {
	return w.Status == Active && contains(w.Events, kind) && (len(w.Mints) == 0 || contains(w.Mints, mint))
}

func contains[T comparable](list []T, item T) bool {
	for _, have := range list {
		if have == item {
			return true
		}
	}
	return false
}

// Sick is the number of consecutive failed visits after which a webhook counts as failing. Failing
// webhooks wait separately.
const Failing = 3

// Sick reports whether the last visits failed.
func (w Webhook) Failing() bool { return w.Failures >= Failing }

// DeliveryStatus is the status of a delivery.
type DeliveryStatus string

// The statuses of deliveries.
const (
	Waiting   DeliveryStatus = "pending"
	Delivered DeliveryStatus = "delivered"
	Failed    DeliveryStatus = "failed"
)

// The kinds of messages in addition to events.
const (
	Challenge event.Kind = "webhook.challenge"
	Test      event.Kind = "webhook.test"
)

// Delivery is a message to one webhook.
type Delivery struct {
	ID      string
	Webhook string
	// EventID identifies the message to the receiver.
	EventID string
	Kind    event.Kind
	// Mint and Sequence are zero for a message that is not about a token.
	Mint     solana.PublicKey
	Sequence int64
	At       time.Time
	// Data is the message's own part of the body, JSON.
	Data []byte
	// Moves is Webhook.Moves at the time of a challenge.
	Moves int64

	Status      DeliveryStatus
	Attempts    int
	NextAt      time.Time // of a waiting delivery
	DeliveredAt time.Time
	LastCode    int    // HTTP status, 0 without a response
	LastError   string // a sentence, empty on success
}

// Errors of the store.
var (
	// ErrNotFound is returned when the owner has no such webhook, or the webhook no such delivery.
	ErrNotFound = errors.New("there is no such webhook or delivery")
	// ErrLimit is returned when the owner has the maximum number of webhooks.
	ErrLimit = errors.New("the wallet has five webhooks")
	// ErrConflict is returned when another process changed the record first.
	ErrConflict = errors.New("it was changed meanwhile")
	// ErrBusy is returned when another visit is under way, or the webhook rests.
	ErrBusy = errors.New("the webhook is being visited, or rests")
)

// Errors for callers.

// NotFound returns the error for a caller that has no such webhook.
func NotFound() error {
	return apperr.New(apperr.CodeWebhookNotFound, "You have no webhook with this id.")
}

// DeliveryNotFound returns the error for a webhook that has no such delivery.
func DeliveryNotFound() error {
	return apperr.New(apperr.CodeDeliveryNotFound, "The webhook has no delivery with this id; they are kept for 30 days.")
}

func limitReached() error {
	return apperr.New(apperr.CodeWebhookLimitReached, fmt.Sprintf("You have %d webhooks, which is the most; delete one first.", Most))
}

func notActive() error {
	return apperr.New(apperr.CodeWebhookNotActive, "The webhook is not active; send it a challenge by a test, and replay when it has answered.")
}

func notAllowed(why string) error {
	return apperr.New(apperr.CodeURLNotAllowed, why)
}

// Store stores webhooks and deliveries.
type Store interface {
	// Create stores a new webhook and its first delivery. It returns ErrLimit if the owner has the
	// maximum number of webhooks.
	Create(ctx context.Context, w Webhook, first Delivery) error
	// Webhook returns a webhook by owner and ID, or ErrNotFound.
	Webhook(ctx context.Context, owner solana.PublicKey, id string) (Webhook, error)
	// Webhooks returns the webhooks of an owner, oldest first.
	Webhooks(ctx context.Context, owner solana.PublicKey) ([]Webhook, error)
	// Change stores the URL, events and mints of a webhook. before is the webhook as read. A
	// challenge means that the URL has changed: the webhook is pending, and a visit under way does
	// not change the webhook any more. It returns ErrNotFound for a missing webhook, and
	// ErrConflict if the URL was changed since the read.
	Change(ctx context.Context, before, after Webhook, challenge *Delivery) error
	// Rotate stores the version of the secret and the retiring versions. before is the webhook as
	// read. It returns ErrNotFound for a missing webhook, and ErrConflict if the secret was rotated
	// since the read.
	Rotate(ctx context.Context, before, after Webhook) error
	// Delete removes a webhook, or returns ErrNotFound.
	Delete(ctx context.Context, owner solana.PublicKey, id string) error
	// Add stores a delivery that is due at once, and numbers a delivery about a token. Add is
	// idempotent. It returns ErrNotFound if the webhook is gone.
	Add(ctx context.Context, w Webhook, d Delivery, now time.Time) error
	// Deliveries returns a page of deliveries, newest first, after a place. The next place is empty
	// after the last page.
	Deliveries(ctx context.Context, webhook, after string, limit int) (page []Delivery, next string, err error)
	// Delivery returns a delivery, or ErrNotFound.
	Delivery(ctx context.Context, webhook, id string) (Delivery, error)
	// Replay makes a delivery due at once. d is the delivery as read. It returns ErrConflict if the
	// delivery has changed since the read.
	Replay(ctx context.Context, w Webhook, d Delivery, now time.Time) error
}
