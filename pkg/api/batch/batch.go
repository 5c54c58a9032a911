// Package batch answers the batches of messages with which a queue calls a
// function. A message that is done leaves the queue; one that failed comes back
// after a pause which grows with its attempts, and keeps no other of its batch
// from being done.
package batch

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tokenlaunch.example/service/pkg/platform/logctx"
	"tokenlaunch.example/service/pkg/platform/metric"
)

// receivesAttribute counts how often a message was received, this time included
// (Amazon SQS, ReceiveMessage).
const receivesAttribute = "ApproximateReceiveCount"

// Message is one message of a batch.
type Message struct {
	Body string
	// Receives is how often it was received, this time included.
	Receives int
}

// Backlog is where the messages come from; see queue.Backlog.
type Backlog interface {
	// Postpone lets a message that was received come back after a pause.
	Postpone(ctx context.Context, receipt string, pause time.Duration) error
}

// Handler handles batches. Every field but Meter is required.
type Handler struct {
	// Do does what a message asks for. It is called for several messages at a time.
	Do func(ctx context.Context, m Message) error
	// About says what a message is about, for every line of the log that is written
	// while it is handled.
	About   func(body string) []slog.Attr
	Backlog Backlog
	// Pause is how long a message waits after its n-th failure.
	Pause func(n int) time.Duration
	Log   *slog.Logger
	// Meter has what was measured while a batch was handled, for the log; nil when
	// nobody asks.
	Meter *metric.Meter
}

// Handle does what the messages ask for, all at once, and names those that stay in
// the queue.
func (h Handler) Handle(ctx context.Context, batch events.SQSEvent) (events.SQSEventResponse, error) {
	defer h.Meter.Flush(ctx, h.Log)
	return Each(batch, func(m events.SQSMessage) bool { return h.done(ctx, m) }), nil
}

// Receives says how often a message was received, this time included. A count that
// cannot be read is the first.
func Receives(m events.SQSMessage) int {
	receives, _ := strconv.Atoi(m.Attributes[receivesAttribute])
	return max(receives, 1)
}

// Each handles the messages of a batch, all at once, and names those that stay in
// the queue: of which done said false.
func Each(batch events.SQSEvent, done func(events.SQSMessage) bool) events.SQSEventResponse {
	kept := make([]bool, len(batch.Records))
	var all sync.WaitGroup
	for i, message := range batch.Records {
		all.Go(func() { kept[i] = !done(message) })
	}
	all.Wait()
	// The runtime reads null for "all failed", so the list is never nil.
	failures := []events.SQSBatchItemFailure{}
	for i, message := range batch.Records {
		if kept[i] {
			failures = append(failures, events.SQSBatchItemFailure{ItemIdentifier: message.MessageId})
		}
	}
	return events.SQSEventResponse{BatchItemFailures: failures}
}

// done says whether the message may leave the queue.
func (h Handler) done(ctx context.Context, message events.SQSMessage) bool {
	ctx = logctx.With(ctx, h.About(message.Body)...)
	receives := Receives(message)
	err := h.do(ctx, Message{Body: message.Body, Receives: receives})
	if err == nil {
		return true
	}
	pause := h.Pause(receives)
	h.Log.ErrorContext(ctx, "message not done", "messageId", message.MessageId, "body", message.Body,
		"attempt", receives, "againInSeconds", int(pause.Seconds()), "cause", err.Error())
	if err := h.Backlog.Postpone(context.WithoutCancel(ctx), message.ReceiptHandle, pause); err != nil {
		// Then it comes back when the queue's own time is over.
		h.Log.WarnContext(ctx, "pause not set", "messageId", message.MessageId, "cause", err.Error())
	}
	return false
}

// do keeps a panic over one message from failing all others.
func (h Handler) do(ctx context.Context, m Message) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
	}()
	return h.Do(ctx, m)
}
