package ledgertable

import (
	"fmt"
	"strings"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/token"
)

// Happened returns the event of a run's end, if the write recorded the end. The event's token
// record has only the mint.
func Happened(c dynamo.Change) ([]event.Event, error) {
	id := dynamo.IDOf(c.After)
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
