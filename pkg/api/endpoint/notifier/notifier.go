// Package notifier answers the messages of the notice queue: what Telegram groups
// are to be told. A notice that was sent, or never can be, leaves the queue; one
// that Telegram did not take comes back after a pause which grows with its
// attempts, or is as long as Telegram asks for. None keeps another of its batch
// waiting.
package notifier

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tokenlaunch.example/service/pkg/api/batch"
	"tokenlaunch.example/service/pkg/distribution/notice"
)

// reserve is what is left of the function's time when sending gives up, to write
// down what became of a notice and when it comes back.
const reserve = 8 * time.Second

// maxPause is the longest pause that a message can have, of 12 hours at most
// since it was received (Amazon SQS, ChangeMessageVisibility).
const maxPause = 11 * time.Hour

// Notifier delivers one notice; see notice.Notifier.
type Notifier interface {
	Deliver(ctx context.Context, n notice.Notice) error
}

// Queue is where the messages come from; see queue.NoticeBacklog.
type Queue interface {
	Postpone(ctx context.Context, receipt string, pause time.Duration) error
	SetAside(ctx context.Context, body string) error
}

// Endpoint handles the messages. Every field is required.
type Endpoint struct {
	Notifier Notifier
	Queue    Queue
	Read     func(body string) (notice.Notice, error)
	// Pause is how long a notice waits after its n-th attempt: notice.Pause.
	Pause func(n int) time.Duration
	Log   *slog.Logger
}

// Handle delivers the notices of a batch, all at once, and names the messages that
// stay in the queue.
func (e Endpoint) Handle(ctx context.Context, received events.SQSEvent) (events.SQSEventResponse, error) {
	work := ctx
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		work, cancel = context.WithDeadline(ctx, deadline.Add(-reserve))
		defer cancel()
	}
	answer := batch.Each(received, func(m events.SQSMessage) bool { return e.done(ctx, work, m) })
	return answer, nil
}

// done says whether the message may leave the queue.
func (e Endpoint) done(ctx, work context.Context, message events.SQSMessage) bool {
	log := e.Log.With("messageId", message.MessageId)
	n, err := e.Read(message.Body)
	if err != nil {
		log.ErrorContext(ctx, "message is no notice: set aside", "cause", err.Error())
		if err := e.Queue.SetAside(ctx, message.Body); err != nil {
			log.WarnContext(ctx, "not set aside yet", "cause", err.Error())
			return false
		}
		return true
	}
	err = e.Notifier.Deliver(work, n)
	if err == nil {
		return true
	}
	receives := batch.Receives(message)
	pause := e.Pause(receives)
	if later, ok := errors.AsType[*notice.Later](err); ok {
		pause = min(max(pause, later.After), maxPause)
	}
	log.WarnContext(ctx, "notice not sent yet", "notice", n.ID, "attempt", receives, "againInSeconds", int(pause.Seconds()), "cause", err.Error())
	if err := e.Queue.Postpone(ctx, message.ReceiptHandle, pause); err != nil {
		// Then it comes back when the queue's own time is over.
		log.WarnContext(ctx, "pause not set", "cause", err.Error())
	}
	return false
}
