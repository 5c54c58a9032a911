// Package batch handles the batches of messages with which a queue calls a function. A done message
// leaves the queue. A failed message is delivered again after a pause that grows with the attempts,
// and never prevents another message of the batch from being done.
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

// receivesAttribute is the number of times that a message was received, including this time (Amazon
// SQS, ReceiveMessage).
const receivesAttribute = "ApproximateReceiveCount"

// maxPause is the maximum pause of a message. SQS allows at most 12 hours since the message was
// received (Amazon SQS, ChangeMessageVisibility).
const maxPause = 11 * time.Hour

// ErrPermanent is returned if no later attempt can do the task of a message.
var ErrPermanent = errors.New("no later attempt can do it")

// Later is an expected failure with a minimum pause. The pause of the queue counts if longer. The
// log gets a warning, and no error.
type Later struct {
	After time.Duration
	Cause error
}

// Error returns the cause's text.
func (l *Later) Error() string { return l.Cause.Error() }

// Unwrap returns the cause.
func (l *Later) Unwrap() error { return l.Cause }

// Message is a message of a batch.
type Message struct {
	Body string
	// Receives is the number of times that the message was received, including this time.
	Receives int
}

// Backlog is the queue of the messages; see sqsqueue.Backlog.
type Backlog interface {
	// Postpone delays the next delivery of a received message.
	Postpone(ctx context.Context, receipt string, pause time.Duration) error
}

// Handler handles batches. Do and Log are required.
type Handler struct {
	// Do does the task of a message. It is called concurrently for several messages.
	Do func(ctx context.Context, m Message) error
	// About returns the attributes of a message, for every log line during the handling.
	About func(body string) []slog.Attr
	// Backlog postpones failed messages. If nil, the queue's visibility timeout counts.
	Backlog Backlog
	// Pause returns the pause after the n-th failure of a message. It is required with Backlog.
	Pause func(n int) time.Duration
	// SetAside stores the body of a message that failed with ErrPermanent, for an operator. If nil,
	// such a message counts as failed.
	SetAside func(ctx context.Context, body string) error
	// Reserve is the remaining time of the function at which Do ends, for postponing the message.
	Reserve time.Duration
	Log     *slog.Logger
	// Meter has the measurements of a batch, for the log; nil to measure nothing.
	Meter *metric.Meter
}

// Handle does the tasks of the messages concurrently, and returns the messages that stay in the
// queue.
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

// done reports whether the message may leave the queue.
func (h Handler) done(ctx context.Context, message events.SQSMessage) bool {
	if h.About != nil {
		ctx = logctx.With(ctx, h.About(message.Body)...)
	}
	// An unreadable count means the first time.
	receives, _ := strconv.Atoi(message.Attributes[receivesAttribute])
	receives = max(receives, 1)
	err := h.do(ctx, Message{Body: message.Body, Receives: receives})
	switch {
	case err == nil:
		return true
	case errors.Is(err, ErrPermanent) && h.SetAside != nil:
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
		// The message is delivered again after the queue's visibility timeout.
		h.Log.WarnContext(ctx, "pause not set", "messageId", message.MessageId, "cause", err.Error())
	}
	return false
}

// do converts a panic to an error, so that one message cannot fail the whole batch.
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
