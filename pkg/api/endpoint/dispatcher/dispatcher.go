// Package dispatcher handles the rules of the schedules and the messages of the dispatch queue.
// Both use the format of package dispatch, so a set-aside event of a rule can be sent to the queue
// unchanged.
package dispatcher

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tokenlaunch.example/service/pkg/api/batch"
	"tokenlaunch.example/service/pkg/distribution/dispatch"
)

// Dispatcher does the work; see dispatch.Dispatcher.
type Dispatcher interface {
	OpenSlot(ctx context.Context, slot dispatch.Slot) (dispatch.Queued, error)
	QueueShard(ctx context.Context, shard dispatch.Shard) (dispatch.Queued, error)
	Sweep(ctx context.Context) (int, error)
}

// Endpoint handles events and messages. Every field is required.
type Endpoint struct {
	Dispatcher Dispatcher
	Now        func() time.Time
	Log        *slog.Logger
}

// Handle does the task of a rule's event, or all tasks of a batch concurrently. For a batch, the
// result lists the messages that stay in the queue. A failed rule's event fails the invocation, and
// Lambda retries the event.
func (e Endpoint) Handle(ctx context.Context, event json.RawMessage) (any, error) {
	var received events.SQSEvent
	if err := json.Unmarshal(event, &received); err == nil && len(received.Records) > 0 {
		do := func(ctx context.Context, m batch.Message) error { return e.do(ctx, []byte(m.Body)) }
		return batch.Handler{Do: do, Log: e.Log}.Handle(ctx, received)
	}
	if err := e.do(ctx, event); err != nil {
		e.Log.ErrorContext(ctx, "not dispatched", "message", string(event), "cause", err.Error())
		return nil, err
	}
	return nil, nil
}

func (e Endpoint) do(ctx context.Context, body []byte) error {
	m, err := dispatch.Read(body, e.Now())
	if err != nil {
		return err
	}
	switch m.Task {
	case dispatch.TaskNone:
		return nil
	case dispatch.TaskSlot:
		queued, err := e.Dispatcher.OpenSlot(ctx, m.Slot)
		e.Log.InfoContext(ctx, "slot opened", "interval", m.Slot.Interval, "slot", m.Slot.At, "tokens", queued.Tokens, "done", queued.Done)
		return err
	case dispatch.TaskShard:
		queued, err := e.Dispatcher.QueueShard(ctx, m.Shard)
		e.Log.InfoContext(ctx, "runs queued", "interval", m.Slot.Interval, "slot", m.Slot.At, "shard", m.Shard.Number,
			"tokens", queued.Tokens, "pages", queued.Pages, "done", queued.Done)
		return err
	case dispatch.TaskSweep:
		overdue, err := e.Dispatcher.Sweep(ctx)
		if overdue > 0 {
			e.Log.WarnContext(ctx, "overdue runs queued", "runs", overdue)
		}
		return err
	}
	return fmt.Errorf("task %q is not known", m.Task)
}
