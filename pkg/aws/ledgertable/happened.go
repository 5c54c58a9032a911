package ledgertable

import (
	"fmt"
	"strings"

	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/handover"
)

// Happened returns the event of a run's end, if the write recorded the end. The event's token
// record has only the mint. Other events follow from the writes of hand-overs.
func Happened(c dynamo.Change) ([]event.Event, error) {
	id := dynamo.IDOf(c.After)
	if mint, ok := strings.CutPrefix(id.Partition, claimPrefix); ok && id.Sort == handoverSort {
		return handoverHappened(c, mint)
	}
	if !strings.HasPrefix(id.Partition, mintPrefix) || !strings.HasPrefix(id.Sort, runPrefix) {
		return nil, nil
	}
	const ended = "endedAt"
	if _, was := c.Before[ended]; was || c.After[ended] == nil {
		return nil, nil
	}
	var r run.Run
	if _, err := readFacts(c.After, &r); err != nil {
		return nil, fmt.Errorf("decode the run %v: %w", id, err)
	}
	e, ok := event.Ended(token.Record{Mint: r.Mint}, r)
	if !ok {
		return nil, nil
	}
	return []event.Event{e}, nil
}

// handoverHappened returns the event of a write of a hand-over.
func handoverHappened(c dynamo.Change, partition string) ([]event.Event, error) {
	mint, err := solana.PublicKeyFromBase58(partition)
	var before, after handover.State
	if err == nil {
		_, err = readFacts(c.After, &after)
	}
	if err == nil && c.Before != nil {
		_, err = readFacts(c.Before, &before)
	}
	if err != nil {
		return nil, fmt.Errorf("decode the hand-over of %s: %w", partition, err)
	}
	e, ok := event.HandedOver(mint, before, after, c.At)
	if !ok {
		return nil, nil
	}
	return []event.Event{e}, nil
}
