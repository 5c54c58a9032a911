// Package pinner answers the messages of the pin queue: files whose pinning was
// put off. A file that is pinned leaves the queue; one that is not comes back
// after a pause which grows with its attempts; one that never can be is set
// aside at once. A file that fails keeps no other of its batch from being pinned.
package pinner

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tokenlaunch.example/service/pkg/api/batch"
	"tokenlaunch.example/service/pkg/token/content"
)

// reserve is what is left of the function's time when pinning gives up, to say
// when a message comes back.
const reserve = 5 * time.Second

// Backlog pins one file; see asset.Backlog.
type Backlog interface {
	Pin(ctx context.Context, request content.PinRequest) error
}

// Queue is where the messages come from; see queue.PinBacklog.
type Queue interface {
	Postpone(ctx context.Context, receipt string, pause time.Duration) error
	SetAside(ctx context.Context, body string) error
}

// Endpoint handles the messages. Every field is required.
type Endpoint struct {
	Backlog Backlog
	Queue   Queue
	Read    func(body string) (content.PinRequest, error)
	// Pause is how long a file waits after its n-th attempt: asset.PinPause.
	Pause func(n int) time.Duration
	Log   *slog.Logger
}

// Handle pins the files of a batch, all at once, and names the messages that
// stay in the queue.
func (e Endpoint) Handle(ctx context.Context, received events.SQSEvent) (events.SQSEventResponse, error) {
	work := ctx
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		work, cancel = context.WithDeadline(ctx, deadline.Add(-reserve))
		defer cancel()
	}
	answer := batch.Each(received, func(m events.SQSMessage) bool { return e.done(ctx, work, m) })
	e.Log.InfoContext(ctx, "pin requests handled", "received", len(received.Records), "kept", len(answer.BatchItemFailures))
	return answer, nil
}

// done says whether the message may leave the queue.
func (e Endpoint) done(ctx, work context.Context, message events.SQSMessage) bool {
	log := e.Log.With("messageId", message.MessageId)
	request, err := e.Read(message.Body)
	if err != nil {
		log.ErrorContext(ctx, "message is no pin request: set aside", "cause", err.Error())
		return e.setAside(ctx, log, message)
	}
	log = log.With("cid", request.CID, "key", request.Key)
	switch err := e.Backlog.Pin(work, request); {
	case err == nil:
		log.InfoContext(ctx, "pinned")
		return true
	case errors.Is(err, content.ErrHopeless):
		log.ErrorContext(ctx, "file cannot be pinned: set aside", "cause", err.Error())
		return e.setAside(ctx, log, message)
	default:
		receives := batch.Receives(message)
		pause := e.Pause(receives)
		log.ErrorContext(ctx, "not pinned yet", "attempt", receives, "againInSeconds", int(pause.Seconds()), "cause", err.Error())
		if err := e.Queue.Postpone(ctx, message.ReceiptHandle, pause); err != nil {
			// Then it comes back when the queue's own time is over.
			log.WarnContext(ctx, "pause not set", "cause", err.Error())
		}
		return false
	}
}

func (e Endpoint) setAside(ctx context.Context, log *slog.Logger, message events.SQSMessage) bool {
	if err := e.Queue.SetAside(ctx, message.Body); err != nil {
		log.WarnContext(ctx, "not set aside yet", "cause", err.Error())
		return false
	}
	return true
}
