package webhook

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/platform/apperr"
	"tokenlaunch.example/service/pkg/token"
)

// Ref names a webhook that is to be visited.
type Ref struct {
	Owner solana.PublicKey
	ID    string
}

// Queue takes webhooks that are to be visited. What it loses is found by the next sweep.
type Queue interface {
	Send(ctx context.Context, refs []Ref) error
}

// Secrets gives the secret that signs the messages to a webhook.
type Secrets interface {
	Secret(ctx context.Context, id string) (string, error)
}

// queueWithin bounds the wait for the queue: the sweep finds what is not in it.
const queueWithin = 3 * time.Second

// Service keeps webhooks, and what they are to be told. Tokens is for Create alone, and
// Secrets too; every other field is required.
type Service struct {
	Store   Store
	Tokens  token.Reader
	Secrets Secrets
	Queue   Queue
	// Loopback allows receivers on this machine; only a local stack has it.
	Loopback bool
	Now      func() time.Time
	// NewID gives a new UUID each time.
	NewID func() string
	Log   *slog.Logger
}

// Wanted is a webhook that is to be.
type Wanted struct {
	URL    string
	Events []event.Kind
	Mints  []solana.PublicKey
}

// Create adds a webhook, sends its challenge, and gives its id and secret. The tokens have to
// be the owner's.
func (s Service) Create(ctx context.Context, owner solana.PublicKey, wanted Wanted) (id, secret string, err error) {
	if err := CheckURL(wanted.URL, s.Loopback); err != nil {
		return "", "", err
	}
	for _, mint := range wanted.Mints {
		record, err := s.Tokens.Token(ctx, mint)
		if errors.Is(err, token.ErrNotFound) {
			return "", "", token.NotFound()
		}
		if err != nil {
			return "", "", err
		}
		if err := record.CheckCreator(owner); err != nil {
			return "", "", err
		}
	}
	now := s.Now().UTC().Truncate(time.Millisecond)
	w := Webhook{
		ID: s.NewID(), Owner: owner, URL: wanted.URL, Events: wanted.Events, Mints: wanted.Mints, Status: Pending, CreatedAt: now,
	}
	if secret, err = s.Secrets.Secret(ctx, w.ID); err != nil {
		return "", "", err
	}
	first, err := s.try(w, now)
	if err != nil {
		return "", "", err
	}
	if err := s.Store.Create(ctx, w, first); err != nil {
		return "", "", told(err)
	}
	s.wake(ctx, w)
	return w.ID, secret, nil
}

// List gives the owner's webhooks, the oldest first.
func (s Service) List(ctx context.Context, owner solana.PublicKey) ([]Webhook, error) {
	return s.Store.Webhooks(ctx, owner)
}

// Delete removes a webhook of the owner's.
func (s Service) Delete(ctx context.Context, owner solana.PublicKey, id string) error {
	return told(s.Store.Delete(ctx, owner, id))
}

// Try sends a message that says nothing, or a challenge to a webhook that is not active, and
// gives the delivery's id.
func (s Service) Try(ctx context.Context, owner solana.PublicKey, id string) (string, error) {
	w, err := s.Store.Webhook(ctx, owner, id)
	if err != nil {
		return "", told(err)
	}
	now := s.Now().UTC().Truncate(time.Millisecond)
	d, err := s.try(w, now)
	if err != nil {
		return "", err
	}
	if err := s.Store.Add(ctx, w, d, now); err != nil {
		return "", told(err)
	}
	s.wake(ctx, w)
	return d.ID, nil
}

// try is a challenge, or a test of one that is active.
func (s Service) try(w Webhook, now time.Time) (Delivery, error) {
	d := Delivery{Webhook: w.ID, EventID: s.NewID(), Kind: Test, At: now, Data: []byte("{}"), Status: Waiting, NextAt: now}
	if w.Status != Active {
		d.Kind = Challenge
		text, err := challengeText(s.NewID())
		if err != nil {
			return Delivery{}, err
		}
		d.Data = text
	}
	d.ID = deliveryID(w.ID, d.EventID, now)
	return d, nil
}

// Deliveries gives a page of a webhook's deliveries, newest first.
func (s Service) Deliveries(ctx context.Context, owner solana.PublicKey, id, after string, limit int) ([]Delivery, string, error) {
	if _, err := s.Store.Webhook(ctx, owner, id); err != nil {
		return nil, "", told(err)
	}
	return s.Store.Deliveries(ctx, id, after, limit)
}

// replayTries bounds how often a replay begins again because the delivery is being sent.
const replayTries = 3

// Replay sends a delivery again.
func (s Service) Replay(ctx context.Context, owner solana.PublicKey, id, delivery string) error {
	w, err := s.Store.Webhook(ctx, owner, id)
	if err != nil {
		return told(err)
	}
	for range replayTries {
		d, err := s.Store.Delivery(ctx, id, delivery)
		switch {
		case errors.Is(err, ErrNotFound):
			return DeliveryNotFound()
		case err != nil:
			return err
		case w.Status != Active:
			return notActive()
		}
		err = s.Store.Replay(ctx, w, d, s.Now().UTC().Truncate(time.Millisecond))
		if errors.Is(err, ErrConflict) {
			continue
		}
		if err == nil {
			s.wake(ctx, w)
		}
		return told(err)
	}
	return apperr.Upstream("The webhook", fmt.Errorf("replay delivery %s: %w", delivery, ErrConflict))
}

// Tell keeps the message about an event for each webhook that wants it; it implements
// event.Consumer.
func (s Service) Tell(ctx context.Context, e event.Event) error {
	hooks, err := s.Store.Webhooks(ctx, e.Token.Creator)
	if err != nil {
		return err
	}
	for _, w := range hooks {
		if !w.Wants(e.Kind, e.Token.Mint) {
			continue
		}
		text, err := data(e)
		if err != nil {
			return err
		}
		at := e.At.UTC().Truncate(time.Millisecond)
		now := s.Now().UTC().Truncate(time.Millisecond)
		err = s.Store.Add(ctx, w, Delivery{
			ID: deliveryID(w.ID, e.ID(), at), Webhook: w.ID, EventID: e.ID(), Kind: e.Kind, Mint: e.Token.Mint, At: at,
			Data: text, Status: Waiting, NextAt: now,
		}, now)
		if errors.Is(err, ErrNotFound) { // deleted meanwhile
			continue
		}
		if err != nil {
			return fmt.Errorf("tell webhook %s of %s: %w", w.ID, e.Kind, err)
		}
		s.wake(ctx, w)
	}
	return nil
}

// wake has a webhook visited at once; where that fails the sweep does. Those that fail wait for
// the sweep, which takes few of them at a time.
func (s Service) wake(ctx context.Context, w Webhook) {
	if w.Sick() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, queueWithin)
	defer cancel()
	if err := s.Queue.Send(ctx, []Ref{{w.Owner, w.ID}}); err != nil {
		s.Log.WarnContext(ctx, "webhook is visited by the next sweep only", "webhook", w.ID, "cause", err.Error())
	}
}

// told is a failure of the store as callers are told.
func told(err error) error {
	switch {
	case errors.Is(err, ErrNotFound):
		return NotFound()
	case errors.Is(err, ErrLimit):
		return limitReached()
	}
	return err
}
