// Package notifier handles the messages of the notice queue, which are notices for Telegram groups and
// private chats, and the rule of every minute, which reads the messages to the bot and queues the
// digests that are due. A notice that was
// sent, or can never be sent, leaves the queue. A notice that Telegram did not accept is delivered
// again after a pause, which grows with the attempts or is the pause that Telegram requests. A
// notice never delays another notice of the batch.
package notifier

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tokenlaunch.example/service/pkg/api/batch"
	"tokenlaunch.example/service/pkg/distribution/notice"
)

// reserve is the remaining time of the function at which sending stops, for recording the outcome
// of a notice and the next attempt.
const reserve = 8 * time.Second

// Notifier delivers one notice; see notice.Notifier.
type Notifier interface {
	Deliver(ctx context.Context, n notice.Notice) error
}

// Listener reads the groups' messages to the bot; see consent.Listener.
type Listener interface {
	Listen(ctx context.Context) error
}

// Digests queues the digests that are due; see digest.Digests.
type Digests interface {
	Work(ctx context.Context) error
}

// Queue is the queue of the messages; see sqsqueue.NoticeBacklog.
type Queue interface {
	batch.Backlog
	SetAside(ctx context.Context, body string) error
}

// Endpoint handles the messages and the rule. Every field except Listener and Digests is required.
type Endpoint struct {
	Notifier Notifier
	// Listener and Digests are nil without a bot.
	Listener Listener
	Digests  Digests
	Queue    Queue
	Read     func(body string) (notice.Notice, error)
	// Pause returns the pause after the n-th attempt of a notice: notice.Pause.
	Pause func(n int) time.Duration
	Log   *slog.Logger
}

// Handle delivers the notices of a batch concurrently, and returns the messages that stay in the
// queue. For an event of the rule, Handle reads the messages to the bot, and queues digests. A failure
// of the first does not stop the second.
func (e Endpoint) Handle(ctx context.Context, event json.RawMessage) (any, error) {
	var received events.SQSEvent
	if err := json.Unmarshal(event, &received); err == nil && received.Records != nil {
		return batch.Handler{
			Do: e.deliver, Backlog: e.Queue, Pause: e.Pause, SetAside: e.Queue.SetAside, Reserve: reserve, Log: e.Log,
		}.Handle(ctx, received)
	}
	if e.Listener == nil {
		return nil, nil
	}
	var failed error
	if err := e.Listener.Listen(ctx); err != nil {
		failed = fmt.Errorf("read what groups tell the bot: %w", err)
	}
	if e.Digests != nil {
		failed = errors.Join(failed, e.Digests.Work(ctx))
	}
	return nil, failed
}

func (e Endpoint) deliver(ctx context.Context, m batch.Message) error {
	n, err := e.Read(m.Body)
	if err != nil {
		return fmt.Errorf("%w: %w", batch.ErrPermanent, err)
	}
	err = e.Notifier.Deliver(ctx, n)
	if later, ok := errors.AsType[*notice.Later](err); ok {
		return &batch.Later{After: later.After, Cause: err}
	}
	return err
}
