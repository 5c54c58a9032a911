package webhook

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/platform/metric"
)

// pauses are the pauses after failed attempts. After the last pause and attempt the delivery has
// failed. Twelve attempts take 26 hours, so an outage of a whole day loses no delivery.
var pauses = []time.Duration{
	time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 10 * time.Hour,
}

const (
	// Attempt is the maximum time of a receiver's response.
	Attempt = 10 * time.Second
	// visitFor is the time during which a visit begins new attempts. With the last attempt, a visit
	// takes at most half a minute.
	visitFor = 20 * time.Second
	// Lease is the time during which a visit excludes other visits. It exceeds the timeout of the
	// function.
	Lease = 90 * time.Second
	// Calls is the maximum number of concurrent visits of a destination.
	Calls = 4
	// slow is the response time from which a successful attempt counts as a failure of the webhook.
	// A slow response ends the visit of a failing webhook.
	slow = 2 * time.Second
	// dueAtOnce is the number of deliveries in a read.
	dueAtOnce = 25
	// crowded is the wait of a webhook whose destination has the maximum number of visits.
	crowded = 30 * time.Second
	// Handed is the time during which a queued webhook is not queued again.
	Handed = 5 * time.Minute
	// sickPause is the minimum time between visits of a webhook whose receiver is down.
	sickPause = time.Minute
	// gone is the status with which a receiver ends its subscription (410).
	gone = 410
	// disabledAfter is the time without an accepted message after which a failed delivery disables
	// a webhook.
	disabledAfter = 5 * 24 * time.Hour
)

// The maximum numbers of webhooks that a sweep queues. The limit for failing and slow webhooks is
// low, so that these webhooks take at most half of the possible visits in a minute.
const (
	maxHealthy = 500
	maxSick    = 60
)

// Message is a signed message to a receiver.
type Message struct {
	URL, ID string
	// Secrets sign the message, with a signature for every secret.
	Secrets []string
	At      time.Time // of sending
	Body    []byte
}

// Answer is a receiver's response. Body is the beginning of the response's body.
type Answer struct {
	Code int
	Body []byte
}

// Refusal is the reason for a missing response, as a sentence for the creator.
type Refusal struct {
	Why string
	// Down reports that the receiver cannot be reached or does not respond, so the next message
	// would fail, too.
	Down  bool
	Cause error
}

// Error describes the refusal.
func (r *Refusal) Error() string { return fmt.Sprintf("%s: %v", r.Why, r.Cause) }

// Unwrap returns the cause.
func (r *Refusal) Unwrap() error { return r.Cause }

// Sender sends a message. It returns a *Refusal if there is no response.
type Sender interface {
	Send(ctx context.Context, m Message) (Answer, error)
}

// Visits stores the due webhooks, and the results of visits.
type Visits interface {
	// Begin excludes other visits for Lease, and makes the webhook due at the end of the lease. It
	// returns ErrBusy or ErrNotFound if the webhook cannot be visited.
	Begin(ctx context.Context, r Ref, visit string, now time.Time) (Webhook, error)
	// Hold reserves one of the Calls of a destination for Lease. It returns false if all Calls are
	// reserved.
	Hold(ctx context.Context, destination, visit string, now time.Time) (bool, error)
	// Free releases the reservation.
	Free(ctx context.Context, destination, visit string) error
	// Due returns due deliveries, longest due first. For a webhook that is not active, Due returns
	// only challenges.
	Due(ctx context.Context, w Webhook, now time.Time, limit int) ([]Delivery, error)
	// Next returns the due time of the next delivery that Due may return; zero if no delivery
	// waits.
	Next(ctx context.Context, w Webhook) (time.Time, error)
	// Record stores the result of a delivery. It returns ErrConflict if the delivery has changed
	// since the read.
	Record(ctx context.Context, before, after Delivery) error
	// End stores the webhook after a visit, with the next due time. A zero time means that the
	// webhook is due with the next message. A message that arrived during the visit makes the
	// webhook due at once.
	End(ctx context.Context, w Webhook, visit string, next, now time.Time) error
	// Overdue returns due webhooks, longest due first, either failing webhooks or healthy webhooks.
	Overdue(ctx context.Context, sick bool, now time.Time, limit int) ([]Ref, error)
	// Hand makes webhooks due later, unless a visit has happened since.
	Hand(ctx context.Context, refs []Ref, now, later time.Time) error
}

// Courier visits webhooks. Every field except Meter and Within is required.
type Courier struct {
	Store   Visits
	Secrets Secrets
	Sender  Sender
	Queue   Queue
	Now     func() time.Time
	NewID   func() string
	Log     *slog.Logger
	// Meter counts the results of messages. A nil Meter counts nothing.
	Meter *metric.Meter
	// Within is the maximum time of a receiver's response; zero means Attempt.
	Within time.Duration
}

// Sweep queues due webhooks. The caller calls Sweep every minute.
func (c Courier) Sweep(ctx context.Context) (int, error) {
	queued := 0
	for sick, most := range map[bool]int{false: maxHealthy, true: maxSick} {
		now := c.Now()
		refs, err := c.Store.Overdue(ctx, sick, now, most)
		if err != nil {
			return queued, err
		}
		if len(refs) == 0 {
			continue
		}
		if err := c.Queue.Send(ctx, refs); err != nil {
			return queued, err
		}
		queued += len(refs)
		if err := c.Store.Hand(ctx, refs, now, now.Add(Handed)); err != nil {
			return queued, err
		}
	}
	return queued, nil
}

// Visit delivers the due messages of a webhook until all are sent, the time is over, or the
// receiver is down. After an error, the caller repeats the visit. Failures of receivers are not
// errors.
func (c Courier) Visit(ctx context.Context, r Ref) error {
	visit, began := c.NewID(), c.Now()
	w, err := c.Store.Begin(ctx, r, visit, began)
	if errors.Is(err, ErrBusy) || errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	// Store the result of the visit even after the deadline.
	end := context.WithoutCancel(ctx)
	destination := Destination(w.URL)
	held, err := c.Store.Hold(ctx, destination, visit, began)
	if err != nil || !held {
		c.Meter.Note(metric.Dimension{}, WebhooksCrowded.Is(1))
		return errors.Join(err, c.Store.End(end, w, visit, began.Add(crowded), began))
	}
	down, err := c.deliver(ctx, &w, began)
	if free := c.Store.Free(end, destination, visit); free != nil {
		c.Log.WarnContext(ctx, "a call to a destination is given back by time", "cause", free.Error())
	}
	next, nextErr := c.Store.Next(end, w)
	now := c.Now()
	if nextErr != nil || err != nil {
		next = now.Add(sickPause)
	}
	w.RestUntil = time.Time{}
	if down {
		w.RestUntil = now.Add(sickPause)
		if !next.IsZero() && next.Before(w.RestUntil) {
			next = w.RestUntil
		}
	}
	return errors.Join(err, nextErr, c.Store.End(end, w, visit, next, now))
}

// deliver makes the attempts of a visit, and reports whether the receiver is down.
func (c Courier) deliver(ctx context.Context, w *Webhook, began time.Time) (down bool, err error) {
	secrets := map[int64]string{}
	for {
		due, err := c.Store.Due(ctx, *w, c.Now(), dueAtOnce)
		if err != nil || len(due) == 0 {
			return false, err
		}
		for _, d := range due {
			if c.Now().Sub(began) >= visitFor || ctx.Err() != nil {
				return false, nil
			}
			down, err := c.attempt(ctx, w, secrets, d)
			if err != nil || down {
				return down, err
			}
		}
	}
}

// signedBy returns the secrets that sign a message now. known is a cache of secrets by version.
func (c Courier) signedBy(ctx context.Context, w *Webhook, known map[int64]string, now time.Time) (secrets []string, err error) {
	for _, version := range w.signing(now) {
		secret, ok := known[version]
		if !ok {
			if secret, err = c.Secrets.Secret(ctx, w.ID, version); err != nil {
				return nil, err
			}
			known[version] = secret
		}
		secrets = append(secrets, secret)
	}
	return secrets, nil
}

// attempt sends a message and stores the result.
func (c Courier) attempt(ctx context.Context, w *Webhook, known map[int64]string, before Delivery) (down bool, err error) {
	if before.Moves > w.Moves { // the URL has changed; the next visit uses the new URL
		return true, nil
	}
	body, err := before.Body()
	if err != nil {
		return false, err
	}
	sent := c.Now()
	secrets, err := c.signedBy(ctx, w, known, sent)
	if err != nil {
		return false, err
	}
	within, cancel := context.WithTimeout(ctx, cmp.Or(c.Within, Attempt))
	answer, err := c.Sender.Send(within, Message{URL: w.URL, ID: before.EventID, Secrets: secrets, At: sent, Body: body})
	cancel()
	now := c.Now()
	after := before
	after.Attempts++
	after.LastCode, after.LastError = answer.Code, ""
	refusal, refused := errors.AsType[*Refusal](err)
	switch {
	case refused:
		after.LastError, down = refusal.Why, refusal.Down
	case err != nil:
		return false, err
	case answer.Code < 200 || answer.Code > 299:
		after.LastError = fmt.Sprintf("The receiver responded with %d.", answer.Code)
	case before.Kind == Challenge && !answers(before.Data, answer.Body):
		after.LastError = "The answer does not have the challenge."
	}
	active := w.Status
	switch {
	case after.LastError == "":
		after.Status, after.DeliveredAt, after.NextAt = Delivered, now, time.Time{}
		w.TookAt = now
		if before.Kind == Challenge {
			w.Status = Active
		}
		c.Meter.Note(metric.Dimension{}, WebhooksDelivered.Is(1))
	case before.Kind == Test || after.Attempts > len(pauses):
		after.Status, after.NextAt = Failed, time.Time{}
		if took := later(w.TookAt, w.CreatedAt); w.Status == Active && before.Kind != Test && now.Sub(took) >= disabledAfter {
			w.Status = Disabled
		}
		c.Meter.Note(metric.Dimension{}, WebhooksFailed.Is(1))
	default:
		after.NextAt = now.Add(pauses[after.Attempts-1])
		c.Meter.Note(metric.Dimension{}, WebhooksRetried.Is(1))
	}
	if answer.Code == gone && w.Status == Active {
		w.Status = Disabled
	}
	if after.LastError != "" || now.Sub(sent) >= slow {
		w.Failures++
	} else {
		w.Failures = 0
	}
	if w.Status != active {
		c.Log.InfoContext(ctx, "webhook's status is another", "webhook", w.ID, "status", w.Status)
	}
	err = c.Store.Record(context.WithoutCancel(ctx), before, after)
	if errors.Is(err, ErrConflict) { // replayed since the read
		err = nil
	}
	return down || w.Status == Disabled || w.Failing() && now.Sub(sent) >= slow, err
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// challengeText returns the data of a challenge: 32 characters of a UUID.
func challengeText(id string) ([]byte, error) {
	return json.Marshal(challenge{strings.ReplaceAll(id, "-", "")})
}

// answers reports whether a response has the challenge, as JSON or as plain text.
func answers(asked, answer []byte) bool {
	var want, got challenge
	if err := json.Unmarshal(asked, &want); err != nil || want.Challenge == "" {
		return false
	}
	if string(bytes.TrimSpace(answer)) == want.Challenge {
		return true
	}
	return json.Unmarshal(answer, &got) == nil && got.Challenge == want.Challenge
}

// ReadRef decodes the result of Ref.Body.
func ReadRef(text string) (Ref, error) {
	var m struct {
		Owner, ID string
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return Ref{}, fmt.Errorf("read which webhook is to be visited: %w", err)
	}
	const longest = 44
	if len(m.Owner) > longest || m.ID == "" {
		return Ref{}, errors.New("read which webhook is to be visited: owner or id is missing")
	}
	owner, err := solana.PublicKeyFromBase58(m.Owner)
	if err != nil {
		return Ref{}, fmt.Errorf("read which webhook is to be visited: %w", err)
	}
	return Ref{Owner: owner, ID: m.ID}, nil
}

// Body returns the reference as a message of the queue.
func (r Ref) Body() (string, error) {
	text, err := json.Marshal(map[string]string{"owner": r.Owner.String(), "id": r.ID})
	return string(text), err
}
