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

// Ref names a webhook to visit.
type Ref struct {
	Owner solana.PublicKey
	ID    string
}

// Queue accepts webhooks to visit. The next sweep finds webhooks that the queue loses.
type Queue interface {
	Send(ctx context.Context, refs []Ref) error
}

// Secrets returns the secret that signs the messages to a webhook, by version.
type Secrets interface {
	Secret(ctx context.Context, id string, version int64) (string, error)
}

// queueWithin is the maximum wait for the queue. The sweep finds webhooks that are not in the
// queue.
const queueWithin = 3 * time.Second

// Service manages webhooks, and stores their messages. Tokens is for Create and Update, and Secrets
// for Create and Rotate. Every other field is required.
type Service struct {
	Store   Store
	Tokens  token.Reader
	Secrets Secrets
	Queue   Queue
	// Loopback allows receivers on this machine. Only a local stack sets Loopback.
	Loopback bool
	Now      func() time.Time
	// NewID returns a new UUID on every call.
	NewID func() string
	Log   *slog.Logger
}

// Wanted is the input for a new webhook.
type Wanted struct {
	URL    string
	Events []event.Kind
	Mints  []solana.PublicKey
}

// Create adds a webhook, sends the challenge, and returns the ID and the secret. The owner must own
// the tokens.
func (s Service) Create(ctx context.Context, owner solana.PublicKey, wanted Wanted) (id, secret string, err error) {
	if err := CheckURL(wanted.URL, s.Loopback); err != nil {
		return "", "", err
	}
	if err := s.checkMints(ctx, owner, wanted.Mints); err != nil {
		return "", "", err
	}
	now := s.Now().UTC().Truncate(time.Millisecond)
	w := Webhook{
		ID: s.NewID(), Owner: owner, URL: wanted.URL, Events: wanted.Events, Mints: wanted.Mints, Status: Pending, CreatedAt: now,
	}
	if secret, err = s.Secrets.Secret(ctx, w.ID, w.Secret); err != nil {
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

// checkMints checks that the owner owns the tokens.
func (s Service) checkMints(ctx context.Context, owner solana.PublicKey, mints []solana.PublicKey) error {
	for _, mint := range mints {
		record, err := s.Tokens.Token(ctx, mint)
		if errors.Is(err, token.ErrNotFound) {
			return token.NotFound()
		}
		if err != nil {
			return err
		}
		if err := record.CheckCreator(owner); err != nil {
			return err
		}
	}
	return nil
}

// Update is a change of a webhook. A nil field stays as it is.
type Update struct {
	URL    *string
	Events []event.Kind
	Mints  *[]solana.PublicKey
}

// Update changes a webhook of the owner's, and returns the webhook. A new URL makes the webhook
// pending and gets a challenge. Waiting messages go to the new URL after the response to the
// challenge.
func (s Service) Update(ctx context.Context, owner solana.PublicKey, id string, update Update) (Webhook, error) {
	if update.URL != nil {
		if err := CheckURL(*update.URL, s.Loopback); err != nil {
			return Webhook{}, err
		}
	}
	if update.Mints != nil {
		if err := s.checkMints(ctx, owner, *update.Mints); err != nil {
			return Webhook{}, err
		}
	}
	after := Webhook{}
	return after, s.again(ctx, owner, id, "update", func(before Webhook) error {
		after = before
		if update.Events != nil {
			after.Events = update.Events
		}
		if update.Mints != nil {
			after.Mints = *update.Mints
		}
		if update.URL == nil || *update.URL == before.URL {
			return s.Store.Change(ctx, before, after, nil)
		}
		after.URL, after.Status, after.Failures, after.RestUntil = *update.URL, Pending, 0, time.Time{}
		after.Moves++
		challenge, err := s.try(after, s.Now().UTC().Truncate(time.Millisecond))
		if err != nil {
			return err
		}
		if err := s.Store.Change(ctx, before, after, &challenge); err != nil {
			return err
		}
		s.wake(ctx, after)
		return nil
	})
}

// Rotate creates a new secret for a webhook of the owner's, and returns the secret with the time
// until which the earlier secret signs as well. Every call creates another secret.
func (s Service) Rotate(ctx context.Context, owner solana.PublicKey, id string) (secret string, until time.Time, err error) {
	err = s.again(ctx, owner, id, "rotate the secret of", func(before Webhook) error {
		now := s.Now().UTC().Truncate(time.Millisecond)
		until = now.Add(SecretOverlap)
		after := before
		after.Secret++
		if secret, err = s.Secrets.Secret(ctx, id, after.Secret); err != nil {
			return err
		}
		after.Retiring = []Retiring{{before.Secret, until}}
		for _, r := range before.Retiring {
			if now.Before(r.Until) && len(after.Retiring) < maxRetiring {
				after.Retiring = append(after.Retiring, r)
			}
		}
		return s.Store.Rotate(ctx, before, after)
	})
	if err != nil {
		return "", time.Time{}, err
	}
	return secret, until, nil
}

// again reads a webhook and calls change, and repeats both if the webhook was changed between.
func (s Service) again(ctx context.Context, owner solana.PublicKey, id, what string, change func(Webhook) error) error {
	for range changeTries {
		w, err := s.Store.Webhook(ctx, owner, id)
		if err == nil {
			err = change(w)
		}
		if !errors.Is(err, ErrConflict) {
			return told(err)
		}
	}
	return apperr.Upstream("The webhook", fmt.Errorf("%s webhook %s: %w", what, id, ErrConflict))
}

// List returns the owner's webhooks, oldest first.
func (s Service) List(ctx context.Context, owner solana.PublicKey) ([]Webhook, error) {
	return s.Store.Webhooks(ctx, owner)
}

// Delete removes a webhook of the owner's.
func (s Service) Delete(ctx context.Context, owner solana.PublicKey, id string) error {
	return told(s.Store.Delete(ctx, owner, id))
}

// Try sends an empty message, or a challenge if the webhook is not active, and returns the
// delivery's ID.
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

// try returns a test for an active webhook, and a challenge for any other webhook.
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
	d.ID, d.Moves = deliveryID(w.ID, d.EventID, now), w.Moves
	return d, nil
}

// Deliveries returns a page of a webhook's deliveries, newest first.
func (s Service) Deliveries(ctx context.Context, owner solana.PublicKey, id, after string, limit int) ([]Delivery, string, error) {
	if _, err := s.Store.Webhook(ctx, owner, id); err != nil {
		return nil, "", told(err)
	}
	return s.Store.Deliveries(ctx, id, after, limit)
}

// changeTries is the maximum number of tries of a change that conflicts with another change, for
// example of a replay of a delivery that is being sent.
const changeTries = 3

// maxRetiring is the maximum number of earlier secrets that sign. The daily limit of rotations is
// not higher.
const maxRetiring = 10

// Replay sends a delivery again.
func (s Service) Replay(ctx context.Context, owner solana.PublicKey, id, delivery string) error {
	w, err := s.Store.Webhook(ctx, owner, id)
	if err != nil {
		return told(err)
	}
	for range changeTries {
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

// Tell stores the message about an event for every webhook that wants the event. Tell implements
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
		if errors.Is(err, ErrNotFound) { // deleted after the list was read
			continue
		}
		if err != nil {
			return fmt.Errorf("tell webhook %s of %s: %w", w.ID, e.Kind, err)
		}
		s.wake(ctx, w)
	}
	return nil
}

// wake requests a visit of a webhook at once. If the request fails, the next sweep visits the
// webhook. Failing webhooks wait for the sweep, which visits only few failing webhooks at a time.
func (s Service) wake(ctx context.Context, w Webhook) {
	if w.Failing() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, queueWithin)
	defer cancel()
	if err := s.Queue.Send(ctx, []Ref{{w.Owner, w.ID}}); err != nil {
		s.Log.WarnContext(ctx, "webhook is visited by the next sweep only", "webhook", w.ID, "cause", err.Error())
	}
}

// told converts an error of the store into the error for callers.
func told(err error) error {
	switch {
	case errors.Is(err, ErrNotFound):
		return NotFound()
	case errors.Is(err, ErrLimit):
		return limitReached()
	}
	return err
}
