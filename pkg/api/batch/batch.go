// Package batch answers the batches of messages with which a queue calls a
// function. A message that is done leaves the queue; one that failed comes back
// after a pause which grows with its attempts, and keeps no other of its batch
// from being done.
package batch

import (
	"context"
	"errors"
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

// maxPause is the longest pause that a message can have, of 12 hours at most
// since it was received (Amazon SQS, ChangeMessageVisibility).
const maxPause = 11 * time.Hour

// ErrHopeless: no later attempt can do what a message asks for.
var ErrHopeless = errors.New("no later attempt can do it")

// Later is a failure that asks for a pause of its own; a longer one of the queue holds. It is
// expected, so the log has a warning and no error.
type Later struct {
	After time.Duration
	Cause error
}

// Error describes the cause.
func (l *Later) Error() string { return l.Cause.Error() }

// Unwrap gives the cause.
func (l *Later) Unwrap() error { return l.Cause }

// Message is one message of a batch.
type Message struct {
	Body string
	// Receives is how often it was received, this time included.
	Receives int
}

// Backlog is where the messages come from; see sqsqueue.Backlog.
type Backlog interface {
	// Postpone lets a message that was received come back after a pause.
	Postpone(ctx context.Context, receipt string, pause time.Duration) error
}

// Handler handles batches. Do and Log are required.
type Handler struct {
	// Do does what a message asks for. It is called for several messages at a time.
	Do func(ctx context.Context, m Message) error
	// About says what a message is about, for every line of the log that is written
	// while it is handled.
	About func(body string) []slog.Attr
	// Backlog puts off what failed; nil leaves it to the queue's own time.
	Backlog Backlog
	// Pause is how long a message waits after its n-th failure.
	Pause func(n int) time.Duration
	// SetAside keeps the body of a message for a person to look at, which failed with
	// ErrHopeless; nil treats that as any other failure.
	SetAside func(ctx context.Context, body string) error
	// Reserve is what is left of the function's time when Do gives up, to say when a
	// message comes back.
	Reserve time.Duration
	Log     *slog.Logger
	// Meter has what was measured while a batch was handled, for the log; nil: nothing is
	// measured.
	Meter *metric.Meter
}

// Handle does what the messages ask for, all at once, and names those that stay in
// the queue.
func (h Handler) Handle(ctx context.Context, batch events.SQSEvent) (events.SQSEventResponse, error) {
	defer h.Meter.Flush(ctx, h.Log)
	kept := make([]bool, len(batch.Records))
	var all sync.WaitGroup
	for i, message := range batch.Records {
		all.Go(func() { kept[i] = !h.done(ctx, message) })
	}
	all.Wait()
	// The runtime reads null for "all failed", so the list is never nil.
	failures := []events.SQSBatchItemFailure{}
	for i, message := range batch.Records {
		if kept[i] {
			failures = append(failures, events.SQSBatchItemFailure{ItemIdentifier: message.MessageId})
		}
	}
	return events.SQSEventResponse{BatchItemFailures: failures}, nil
}

// done says whether the message may leave the queue.
func (h Handler) done(ctx context.Context, message events.SQSMessage) bool {
	if h.About != nil {
		ctx = logctx.With(ctx, h.About(message.Body)...)
	}
	// A count that cannot be read is the first.
	receives, _ := strconv.Atoi(message.Attributes[receivesAttribute])
	receives = max(receives, 1)
	err := h.do(ctx, Message{Body: message.Body, Receives: receives})
	switch {
	case err == nil:
		return true
	case errors.Is(err, ErrHopeless) && h.SetAside != nil:
		h.Log.ErrorContext(ctx, "message set aside", "messageId", message.MessageId, "body", message.Body, "cause", err.Error())
		if err = h.SetAside(context.WithoutCancel(ctx), message.Body); err != nil {
			h.Log.WarnContext(ctx, "not set aside yet", "messageId", message.MessageId, "cause", err.Error())
		}
		return err == nil
	case h.Backlog == nil:
		h.Log.ErrorContext(ctx, "message not done", "messageId", message.MessageId, "body", message.Body,
			"attempt", receives, "cause", err.Error())
		return false
	}
	pause, level := h.Pause(receives), slog.LevelError
	if later, ok := errors.AsType[*Later](err); ok {
		pause = min(max(pause, later.After), maxPause)
		level = slog.LevelWarn
	}
	h.Log.Log(ctx, level, "message not done", "messageId", message.MessageId, "body", message.Body,
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
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-h.Reserve))
		defer cancel()
	}
	return h.Do(ctx, m)
}
