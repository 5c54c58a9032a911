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

// Payouts is the queue of chunks with work to do.
type Payouts struct {
	Client *sqs.Client
	URL    string
}

// payoutMessage is a message of the payout queue. Messages outlive a deployment, so fields are
// added here and never renamed.
type payoutMessage struct {
	Mint              string      `json:"mint"`
	Slot              time.Time   `json:"slot"`
	Run               string      `json:"run"`
	Kind              payout.Kind `json:"kind"`
	Leg               int         `json:"leg"`
	Chunk             int         `json:"stripe"`
	MessageGeneration int         `json:"fence"`
}

// SendWork queues chunks after a delay of at most MaxDelay. A message may arrive more than once.
func (q Payouts) SendWork(ctx context.Context, after time.Duration, chunks ...payout.Work) error {
	letters := make([]letter, len(chunks))
	for i, w := range chunks {
		body, err := json.Marshal(payoutMessage{
			Mint: w.Mint.String(), Slot: w.Slot.UTC(), Run: w.Run, Kind: w.Kind, Leg: w.Leg, Chunk: w.Chunk, MessageGeneration: w.MessageGeneration,
		})
		if err != nil {
			return fmt.Errorf("encode stripe %d of run %s: %w", w.Chunk, w.Run, err)
		}
		letters[i] = letter{body: string(body), delay: after}
	}
	return send(ctx, q.Client, q.URL, letters)
}

// Hand queues the chunks of a phase. It implements run.Hand.
func (q Payouts) Hand(ctx context.Context, chunks []payout.Work) error {
	return q.SendWork(ctx, 0, chunks...)
}

// ReadWork reads the body of a message of the payout queue.
func ReadWork(body string) (payout.Work, error) {
	var m payoutMessage
	if err := json.Unmarshal([]byte(body), &m); err != nil {
		return payout.Work{}, fmt.Errorf("read the stripe's message: %w", err)
	}
	mint, err := readKey(m.Mint)
	if err != nil {
		return payout.Work{}, fmt.Errorf("read the stripe's message: the mint: %w", err)
	}
	switch {
	case m.Slot.IsZero() || m.Run == "":
		return payout.Work{}, errors.New("read the stripe's message: slot or run is missing")
	case m.Kind != payout.Collect && m.Kind != payout.Pay:
		return payout.Work{}, fmt.Errorf("read the stripe's message: %q is not done in batches", m.Kind)
	case m.Leg < 0 || m.Chunk < 0 || m.MessageGeneration < 0:
		return payout.Work{}, errors.New("read the stripe's message: leg, stripe or fence is below zero")
	}
	return payout.Work{
		Mint: mint, Slot: m.Slot, Run: m.Run, Kind: m.Kind, Leg: m.Leg, Chunk: m.Chunk, MessageGeneration: m.MessageGeneration,
	}, nil
}
