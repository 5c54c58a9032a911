// Package pinner handles the messages of the pin queue, which are files to pin later. A pinned file
// leaves the queue. A failed file is delivered again after a pause that grows with the attempts. A
// file that can never be pinned is set aside at once. A failed file never delays another file of
// the batch.
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

// reserve is the remaining time of the function at which pinning stops, for setting the delay of a
// message.
const reserve = 5 * time.Second

// Backlog pins one file; see content.Backlog.
type Backlog interface {
	Pin(ctx context.Context, request content.PinRequest) error
}

// Queue is the queue of the messages; see sqsqueue.PinBacklog.
type Queue interface {
	batch.Backlog
	SetAside(ctx context.Context, body string) error
}

// Endpoint handles the messages. Every field is required.
type Endpoint struct {
	Backlog Backlog
	Queue   Queue
	Read    func(body string) (content.PinRequest, error)
	// Pause returns the pause after the n-th attempt of a file: content.PinPause.
	Pause func(n int) time.Duration
	Log   *slog.Logger
}

// Handle pins the files of a batch concurrently, and returns the messages that stay in the queue.
func (e Endpoint) Handle(ctx context.Context, received events.SQSEvent) (events.SQSEventResponse, error) {
	return batch.Handler{
		Do: e.pin, About: e.about, Backlog: e.Queue, Pause: e.Pause, SetAside: e.Queue.SetAside, Reserve: reserve, Log: e.Log,
	}.Handle(ctx, received)
}

func (e Endpoint) pin(ctx context.Context, m batch.Message) error {
	request, err := e.Read(m.Body)
	if err != nil {
		return fmt.Errorf("%w: %w", batch.ErrPermanent, err)
	}
	err = e.Backlog.Pin(ctx, request)
	switch {
	case err == nil:
		e.Log.InfoContext(ctx, "pinned")
	case errors.Is(err, content.ErrPermanent):
		return fmt.Errorf("%w: %w", batch.ErrPermanent, err)
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
