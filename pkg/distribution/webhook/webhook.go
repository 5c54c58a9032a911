// Package webhook tells creators' own servers what happens to their tokens.
//
// It promises that a message which was taken for a webhook is delivered at least once, or
// is tried for over a day and can be replayed; that messages about a token are numbered
// without gaps; and that a receiver which is slow, huge, redirecting or gone keeps no other
// waiting for long. A webhook is told nothing before its address has answered a challenge.
//
// Messages wait in the table, not in a queue: a webhook has a time at which it is visited
// next, and a visit delivers what is due. The queue between the sweep and the visits holds
// one short message per webhook that is due, however many of its own wait. So an outage of
// a receiver costs a row per message and a visit a minute at most, no message that was lost
// in the queue is missed, and the pauses are as long as wanted: SQS delays by 15 minutes at
// most, and counts a message that is hidden for longer towards 120,000 for all receivers.
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

// Most is how many webhooks a wallet has.
const Most = 5

// SecretOverlap is the period in which an earlier secret still signs after a rotation.
const SecretOverlap = 24 * time.Hour

// KeptFor is how long deliveries are kept.
const KeptFor = 30 * 24 * time.Hour

// Status is how a webhook stands.
type Status string

// Statuses. Only an active one is told of events.
const (
	Pending  Status = "pending"
	Active   Status = "active"
	Disabled Status = "disabled"
)

// Webhook is where a wallet wants messages.
type Webhook struct {
	ID     string
	Owner  solana.PublicKey
	URL    string
	Events []event.Kind
	// Mints are the tokens that it is about; empty for all of the owner's.
	Mints     []solana.PublicKey
	Status    Status
	CreatedAt time.Time
	// TookAt is when the address took a message last; zero: never.
	TookAt time.Time
	// Failures counts the visits in a row that ended with one.
	Failures int
	// RestUntil is before when it is not visited, because its receiver was down; zero: it does not
	// rest. A test ends that.
	RestUntil time.Time
	// Arrivals counts what has come for it: a visit sees by it that more has come meanwhile.
	Arrivals int64
	// Moves counts the changes of the URL.
	Moves int64
	// Secret is the version of the secret that signs, 0 for the one of the creation. Retiring are
	// the earlier versions, which sign, too, until their time.
	Secret   int64
	Retiring []Retiring
}

// Retiring is an earlier version of a webhook's secret, and the time until which it signs.
type Retiring struct {
	Version int64
	Until   time.Time
}

// signing returns the versions of the secret that sign a message at a time, the newest first.
func (w Webhook) signing(now time.Time) []int64 {
	versions := []int64{w.Secret}
	for _, r := range w.Retiring {
		if now.Before(r.Until) {
			versions = append(versions, r.Version)
		}
	}
	return versions
}

// Wants says whether the webhook is told of a kind of event of a token of its owner.
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

// Sick is after how many failed visits in a row a webhook waits among the sick ones.
const Sick = 3

// Sick says whether the last visits failed.
func (w Webhook) Sick() bool { return w.Failures >= Sick }

// DeliveryStatus is how a delivery stands.
type DeliveryStatus string

// Statuses of deliveries.
const (
	Waiting   DeliveryStatus = "pending"
	Delivered DeliveryStatus = "delivered"
	Failed    DeliveryStatus = "failed"
)

// What is sent besides events.
const (
	Challenge event.Kind = "webhook.challenge"
	Test      event.Kind = "webhook.test"
)

// Delivery is a message to one webhook.
type Delivery struct {
	ID      string
	Webhook string
	// EventID is what the receiver knows the message by.
	EventID string
	Kind    event.Kind
	// Mint and Sequence are zero for what is about no token.
	Mint     solana.PublicKey
	Sequence int64
	At       time.Time
	// Data is the message's own part of the body, JSON.
	Data []byte
	// Moves is Webhook.Moves at the time of a challenge.
	Moves int64

	Status      DeliveryStatus
	Attempts    int
	NextAt      time.Time // of one that waits
	DeliveredAt time.Time
	LastCode    int    // HTTP status, 0 for no answer
	LastError   string // a sentence, empty for none
}

// Errors of the store.
var (
	// ErrNotFound appears when the owner has no such webhook, or it no such delivery.
	ErrNotFound = errors.New("there is no such webhook or delivery")
	// ErrLimit appears when the owner has as many webhooks as there may be.
	ErrLimit = errors.New("the wallet has five webhooks")
	// ErrConflict appears when what is to be changed was changed meanwhile.
	ErrConflict = errors.New("it was changed meanwhile")
	// ErrBusy appears when another visit is under way, or the webhook rests.
	ErrBusy = errors.New("the webhook is being visited, or rests")
)

// What callers are told.

// NotFound is what callers are told who have no such webhook.
func NotFound() error {
	return apperr.New(apperr.CodeWebhookNotFound, "You have no webhook with this id.")
}

// DeliveryNotFound is what they are told when it has no such delivery.
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

// Store keeps webhooks and deliveries.
type Store interface {
	// Create keeps a new webhook and its first delivery. It fails with ErrLimit.
	Create(ctx context.Context, w Webhook, first Delivery) error
	// Webhook gives one by its owner and id, or ErrNotFound.
	Webhook(ctx context.Context, owner solana.PublicKey, id string) (Webhook, error)
	// Webhooks lists those of an owner, the oldest first.
	Webhooks(ctx context.Context, owner solana.PublicKey) ([]Webhook, error)
	// Change stores the URL, events and mints of a webhook that was before. With a challenge the
	// URL is another one: the webhook is pending, and a visit under way changes nothing about the
	// webhook any more. It fails with ErrNotFound, and with ErrConflict if the URL was changed
	// meanwhile.
	Change(ctx context.Context, before, after Webhook, challenge *Delivery) error
	// Rotate stores the secret's version and the retiring ones of a webhook that was before. It
	// fails with ErrNotFound, and with ErrConflict if the secret was rotated meanwhile.
	Rotate(ctx context.Context, before, after Webhook) error
	// Delete removes a webhook, or fails with ErrNotFound.
	Delete(ctx context.Context, owner solana.PublicKey, id string) error
	// Add keeps a delivery that is due at once, and numbers it when it is about a token. One
	// that is kept already changes nothing. It fails with ErrNotFound when the webhook is gone.
	Add(ctx context.Context, w Webhook, d Delivery, now time.Time) error
	// Deliveries gives a page of deliveries, newest first, after a place; the next place is
	// empty after the last one.
	Deliveries(ctx context.Context, webhook, after string, limit int) (page []Delivery, next string, err error)
	// Delivery gives one, or ErrNotFound.
	Delivery(ctx context.Context, webhook, id string) (Delivery, error)
	// Replay makes a delivery, as it was read, due at once. It fails with ErrConflict.
	Replay(ctx context.Context, w Webhook, d Delivery, now time.Time) error
}
