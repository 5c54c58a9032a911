// Package pinner answers the messages of the pin queue: files whose pinning was
// put off. A file that is pinned leaves the queue; one that is not comes back
// after a pause which grows with its attempts; one that never can be is set
// aside at once. A file that fails keeps no other of its batch from being pinned.
package pinner

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tokenlaunch.example/service/pkg/api/batch"
	"tokenlaunch.example/service/pkg/token/content"
)

// reserve is what is left of the function's time when pinning gives up, to say
// when a message comes back.
const reserve = 5 * time.Second

// Backlog pins one file; see content.Backlog.
type Backlog interface {
	Pin(ctx context.Context, request content.PinRequest) error
}

// Queue is where the messages come from; see sqsqueue.PinBacklog.
type Queue interface {
	batch.Backlog
	SetAside(ctx context.Context, body string) error
}

// Endpoint handles the messages. Every field is required.
type Endpoint struct {
	Backlog Backlog
	Queue   Queue
	Read    func(body string) (content.PinRequest, error)
	// Pause is how long a file waits after its n-th attempt: content.PinPause.
	Pause func(n int) time.Duration
	Log   *slog.Logger
}

// Handle pins the files of a batch, all at once, and names the messages that
// stay in the queue.
func (e Endpoint) Handle(ctx context.Context, received events.SQSEvent) (events.SQSEventResponse, error) {
	return batch.Handler{
		Do: e.pin, About: e.about, Backlog: e.Queue, Pause: e.Pause, SetAside: e.Queue.SetAside, Reserve: reserve, Log: e.Log,
	}.Handle(ctx, received)
}

func (e Endpoint) pin(ctx context.Context, m batch.Message) error {
	request, err := e.Read(m.Body)
	if err != nil {
		return fmt.Errorf("%w: %w", batch.ErrHopeless, err)
	}
	err = e.Backlog.Pin(ctx, request)
	switch {
	case err == nil:
		e.Log.InfoContext(ctx, "pinned")
	case errors.Is(err, content.ErrHopeless):
		return fmt.Errorf("%w: %w", batch.ErrHopeless, err)
	}
	return err
}

func (e Endpoint) about(body string) []slog.Attr {
	request, err := e.Read(body)
	if err != nil {
		return nil
	}
	return []slog.Attr{slog.String("cid", request.CID), slog.String("key", request.Key)}
}
