// Package notifier answers the messages of the notice queue, which say what Telegram groups
// are to be told, and the rule of every minute, which has it read what groups tell the bot. A notice that was sent, or never can be, leaves the queue; one
// that Telegram did not take comes back after a pause which grows with its
// attempts, or is as long as Telegram asks for. None keeps another of its batch
// waiting.
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

// reserve is what is left of the function's time when sending gives up, to write
// down what became of a notice and when it comes back.
const reserve = 8 * time.Second

// Notifier delivers one notice; see notice.Notifier.
type Notifier interface {
	Deliver(ctx context.Context, n notice.Notice) error
}

// Listener reads what groups tell the bot; see consent.Listener.
type Listener interface {
	Listen(ctx context.Context) error
}

// Queue is where the messages come from; see sqsqueue.NoticeBacklog.
type Queue interface {
	batch.Backlog
	SetAside(ctx context.Context, body string) error
}

// Endpoint handles both. Every field but Listener is required.
type Endpoint struct {
	Notifier Notifier
	// Listener is nil without a bot.
	Listener Listener
	Queue    Queue
	Read     func(body string) (notice.Notice, error)
	// Pause is how long a notice waits after its n-th attempt: notice.Pause.
	Pause func(n int) time.Duration
	Log   *slog.Logger
}

// Handle delivers the notices of a batch, all at once, and names the messages that
// stay in the queue; or it listens.
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
	if err := e.Listener.Listen(ctx); err != nil {
		return nil, fmt.Errorf("read what groups tell the bot: %w", err)
	}
	return nil, nil
}

func (e Endpoint) deliver(ctx context.Context, m batch.Message) error {
	n, err := e.Read(m.Body)
	if err != nil {
		return fmt.Errorf("%w: %w", batch.ErrHopeless, err)
	}
	err = e.Notifier.Deliver(ctx, n)
	if later, ok := errors.AsType[*notice.Later](err); ok {
		return &batch.Later{After: later.After, Cause: err}
	}
	return err
}
