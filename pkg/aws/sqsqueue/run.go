package sqsqueue

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/dispatch"
)

// Shards is the queue of the dispatcher, with parts of slots.
type Shards struct {
	Client *sqs.Client
	URL    string
}

// SendShards queues parts of a slot. A message may arrive more than once.
func (q Shards) SendShards(ctx context.Context, shards []dispatch.Shard) error {
	return sendBodies(ctx, q.Client, q.URL, shards)
}

// Runs is the queue of runs to open or advance.
type Runs struct {
	Client *sqs.Client
	URL    string
}

// runMessage is a message of the run queue. Messages outlive a deployment, so fields are added here
// and never renamed.
type runMessage struct {
	Mint string    `json:"mint"`
	Slot time.Time `json:"slot"`

	Version int64 `json:"version,omitempty"`
	Swept   bool  `json:"swept,omitempty"`
	Claim   bool  `json:"claim,omitempty"`
}

// SendRuns queues runs, each run after a delay of at most MaxDelay. A message may arrive more than
// once.
func (q Runs) SendRuns(ctx context.Context, runs []dispatch.Delayed) error {
	letters := make([]letter, len(runs))
	for i, run := range runs {
		body, err := json.Marshal(runMessage{
			Mint: run.Mint.String(), Slot: run.Slot.UTC(), Version: run.Version, Swept: run.Swept, Claim: run.Claim,
		})
		if err != nil {
			return fmt.Errorf("encode the run of %s: %w", run.Mint, err)
		}
		letters[i] = letter{body: string(body), delay: run.Delay}
	}
	return send(ctx, q.Client, q.URL, letters)
}

// ReadRun reads the body of a message of the run queue.
func ReadRun(body string) (dispatch.Run, error) {
	var m runMessage
	if err := json.Unmarshal([]byte(body), &m); err != nil {
		return dispatch.Run{}, fmt.Errorf("read the run's message: %w", err)
	}
	mint, err := readKey(m.Mint)
	if err != nil {
		return dispatch.Run{}, fmt.Errorf("read the run's message: the mint: %w", err)
	}
	if m.Slot.IsZero() && !m.Claim {
		return dispatch.Run{}, fmt.Errorf("read the run's message of %s: the slot is missing", mint)
	}
	return dispatch.Run{Mint: mint, Slot: m.Slot, Version: m.Version, Swept: m.Swept, Claim: m.Claim}, nil
}

// maxKeyLength is the maximum length of 32 bytes in base58. The limit is checked first, because
// decoding takes time that is quadratic in the length.
const maxKeyLength = 44

func readKey(text string) (solana.PublicKey, error) {
	if len(text) > maxKeyLength {
		return solana.PublicKey{}, fmt.Errorf("an address of %d characters", len(text))
	}
	key, err := solana.PublicKeyFromBase58(text)
	if err != nil {
		return solana.PublicKey{}, fmt.Errorf("%q is no address: %w", text, err)
	}
	return key, nil
}
