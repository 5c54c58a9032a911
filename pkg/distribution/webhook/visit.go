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

// pauses are those after each failed attempt. After the last one a delivery has failed:
// twelve attempts over 26 hours, so an outage of a whole day loses none.
var pauses = []time.Duration{
	time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 10 * time.Hour,
}

const (
	// Attempt is how long a receiver has to answer.
	Attempt = 10 * time.Second
	// visitFor is how long a visit begins new attempts; with the last of them it is over in
	// half a minute.
	visitFor = 20 * time.Second
	// Lease is how long a visit keeps others away; longer than its function's time.
	Lease = 90 * time.Second
	// Calls is how many visits to one destination there are at a time.
	Calls = 4
	// slow is an answer that makes a webhook wait among the sick ones, though it is one. A sick
	// one's visit ends with it.
	slow = 2 * time.Second
	// dueAtOnce is how many deliveries are read at a time.
	dueAtOnce = 25
	// crowded is how long a webhook waits whose destination has its visits.
	crowded = 30 * time.Second
	// Handed is how long a webhook that was queued is not queued again.
	Handed = 5 * time.Minute
	// sickPause is the least time between visits of a webhook whose receiver is down.
	sickPause = time.Minute
	// gone is the status by which a receiver says that it wants nothing more (410).
	gone = 410
	// disabledAfter is how long a webhook takes nothing until a delivery that fails disables it.
	disabledAfter = 5 * 24 * time.Hour
)

// How many webhooks one sweep queues. Of those that fail or are slow few, so that however
// many there are they take half of the visits that can be made in the minute at most.
const (
	mostHealthy = 500
	mostSick    = 60
)

// Message is a signed message to a receiver.
type Message struct {
	URL, ID string
	// Secrets sign the message, each with a signature of its own.
	Secrets []string
	At      time.Time // of sending
	Body    []byte
}

// Answer is what a receiver answered; Body is its beginning.
type Answer struct {
	Code int
	Body []byte
}

// Refusal says in a sentence for the creator why there was no answer.
type Refusal struct {
	Why string
	// Down: the receiver cannot be reached or does not answer, so the next message would have
	// no other fate.
	Down  bool
	Cause error
}

// Error describes the refusal.
func (r *Refusal) Error() string { return fmt.Sprintf("%s: %v", r.Why, r.Cause) }

// Unwrap gives the cause.
func (r *Refusal) Unwrap() error { return r.Cause }

// Sender sends one message. It fails with a *Refusal.
type Sender interface {
	Send(ctx context.Context, m Message) (Answer, error)
}

// Visits keeps which webhooks are due, and what their visits did.
type Visits interface {
	// Begin keeps other visits away for Lease, and has the webhook due when that is over. It
	// fails with ErrBusy and ErrNotFound.
	Begin(ctx context.Context, r Ref, visit string, now time.Time) (Webhook, error)
	// Hold takes one of the Calls of a destination for Lease; false: there is none.
	Hold(ctx context.Context, destination, visit string, now time.Time) (bool, error)
	// Free gives it back.
	Free(ctx context.Context, destination, visit string) error
	// Due gives deliveries that wait and are due, the longest first; of a webhook that is not
	// active only challenges.
	Due(ctx context.Context, w Webhook, now time.Time, limit int) ([]Delivery, error)
	// Next says when the next one is due that Due may give; zero: none waits.
	Next(ctx context.Context, w Webhook) (time.Time, error)
	// Record keeps what became of a delivery. It fails with ErrConflict.
	Record(ctx context.Context, before, after Delivery) error
	// End keeps how the webhook stands after its visit, and when it is due next; zero: when
	// something comes for it. What has come meanwhile makes it due at once.
	End(ctx context.Context, w Webhook, visit string, next, now time.Time) error
	// Overdue lists webhooks that are due, the longest first, among the sick ones or the others.
	Overdue(ctx context.Context, sick bool, now time.Time, limit int) ([]Ref, error)
	// Hand has them due later, unless they were visited meanwhile.
	Hand(ctx context.Context, refs []Ref, now, later time.Time) error
}

// Courier visits webhooks. Every field but Meter and Within is required.
type Courier struct {
	Store   Visits
	Secrets Secrets
	Sender  Sender
	Queue   Queue
	Now     func() time.Time
	NewID   func() string
	Log     *slog.Logger
	// Meter counts what became of messages; nil counts nothing.
	Meter *metric.Meter
	// Within is how long a receiver has to answer; zero: Attempt.
	Within time.Duration
}

// Sweep queues what is due. It is for every minute.
func (c Courier) Sweep(ctx context.Context) (int, error) {
	queued := 0
	for sick, most := range map[bool]int{false: mostHealthy, true: mostSick} {
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

// Visit delivers what is due for a webhook, until nothing is, time is over, or the receiver
// is down. An error says that the visit is to be made again; receivers make none.
func (c Courier) Visit(ctx context.Context, r Ref) error {
	visit, began := c.NewID(), c.Now()
	w, err := c.Store.Begin(ctx, r, visit, began)
	if errors.Is(err, ErrBusy) || errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	// What became of the visit is written down also when the time is over.
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

// deliver makes the attempts of a visit, and says whether the receiver is down.
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

// signedBy returns the secrets that sign a message now. known has those that were looked up.
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

// attempt sends one message and keeps what became of it.
func (c Courier) attempt(ctx context.Context, w *Webhook, known map[int64]string, before Delivery) (down bool, err error) {
	if before.Moves > w.Moves { // the URL was changed meanwhile, and the next visit asks the new one
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
		after.LastError = fmt.Sprintf("The receiver answered %d.", answer.Code)
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
	if errors.Is(err, ErrConflict) { // replayed meanwhile
		err = nil
	}
	return down || w.Status == Disabled || w.Sick() && now.Sub(sent) >= slow, err
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// challengeText is what a challenge says: 32 characters out of a UUID.
func challengeText(id string) ([]byte, error) {
	return json.Marshal(challenge{strings.ReplaceAll(id, "-", "")})
}

// answers says whether an answer has the challenge: as JSON, or alone.
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

// ReadRef reads what Ref.Body wrote.
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

// Body is a message of the queue.
func (r Ref) Body() (string, error) {
	text, err := json.Marshal(map[string]string{"owner": r.Owner.String(), "id": r.ID})
	return string(text), err
}
