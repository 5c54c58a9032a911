package sqsqueue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"tokenlaunch.example/service/pkg/distribution/payout"
)

// Payouts is the queue of batches that are to be advanced on their lanes.
type Payouts struct {
	Client *sqs.Client
	URL    string
}

// payoutMessage is a message of that queue. Messages outlive a deployment, so
// fields are added here and never renamed.
type payoutMessage struct {
	Mint  string      `json:"mint"`
	Slot  time.Time   `json:"slot"`
	Run   string      `json:"run"`
	Kind  payout.Kind `json:"kind"`
	Leg   int         `json:"leg"`
	Lane  int         `json:"lane"`
	Batch int         `json:"batch"`
	Fence int         `json:"fence"`
}

// SendWork queues batches after a delay, which MaxDelay bounds. Each may arrive
// more than once.
func (q Payouts) SendWork(ctx context.Context, after time.Duration, batches ...payout.Work) error {
	letters := make([]letter, len(batches))
	for i, w := range batches {
		body, err := json.Marshal(payoutMessage{
			Mint: w.Mint.String(), Slot: w.Slot.UTC(), Run: w.Run, Kind: w.Kind, Leg: w.Leg, Lane: w.Lane, Batch: w.Batch, Fence: w.Fence,
		})
		if err != nil {
			return fmt.Errorf("encode batch %d of run %s: %w", w.Batch, w.Run, err)
		}
		letters[i] = letter{body: string(body), delay: after}
	}
	return send(ctx, q.Client, q.URL, letters)
}

// Hand queues the batches with which the lanes of a phase begin; it implements
// run.Lanes.
func (q Payouts) Hand(ctx context.Context, batches []payout.Work) error {
	return q.SendWork(ctx, 0, batches...)
}

// ReadWork reads the body of a message of the payout queue.
func ReadWork(body string) (payout.Work, error) {
	var m payoutMessage
	if err := json.Unmarshal([]byte(body), &m); err != nil {
		return payout.Work{}, fmt.Errorf("read the batch's message: %w", err)
	}
	mint, err := readKey(m.Mint)
	if err != nil {
		return payout.Work{}, fmt.Errorf("read the batch's message: the mint: %w", err)
	}
	switch {
	case m.Slot.IsZero() || m.Run == "":
		return payout.Work{}, errors.New("read the batch's message: slot or run is missing")
	case m.Kind != payout.Collect && m.Kind != payout.Pay:
		return payout.Work{}, fmt.Errorf("read the batch's message: %q is not done in batches", m.Kind)
	case m.Leg < 0 || m.Lane < 0 || m.Batch < 0 || m.Fence < 0:
		return payout.Work{}, errors.New("read the batch's message: leg, lane, batch or fence is below zero")
	}
	return payout.Work{
		Mint: mint, Slot: m.Slot, Run: m.Run, Kind: m.Kind, Leg: m.Leg, Lane: m.Lane, Batch: m.Batch, Fence: m.Fence,
	}, nil
}
