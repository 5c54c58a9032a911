package ledgertable

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/distribution/payout"
)

func laneKey(mint solana.PublicKey, number int) map[string]types.AttributeValue {
	return dynamo.Key(mintPartition(mint), fmt.Sprintf("%s%02d", lanePrefix, number))
}

// Conditions on a stored lane.
var laneFree = rule{text: "attribute_not_exists(#intent) AND attribute_not_exists(#frozen)"}

func laneValue(value solana.Hash) rule {
	return rule{"#nonce = :nonce", map[string]types.AttributeValue{":nonce": dynamo.Binary(value[:])}}
}

// laneOf holds for the lane that is bound to an intent, and for a frozen one, which
// people put right.
func laneOf(id payout.ID) rule {
	return rule{"#intent = :intent OR attribute_exists(#frozen)", map[string]types.AttributeValue{":intent": dynamo.Text(id.String())}}
}

func laneEntry(l payout.Lane, rules ...rule) entry {
	version := l.Version
	l.Version = 0
	e := entry{
		key: laneKey(l.Mint, l.Number), facts: l, version: version,
		attributes: map[string]types.AttributeValue{"nonce": dynamo.Binary(l.Value[:])},
		rules:      rules,
	}
	if (l.Intent != payout.ID{}) {
		e.attributes["intent"] = dynamo.Text(l.Intent.String())
	}
	if l.Frozen != "" {
		e.attributes["frozen"] = dynamo.Text(l.Frozen)
	}
	return e
}

// Lane gives a lane; see payout.Store.
func (s Intents) Lane(ctx context.Context, mint solana.PublicKey, number int) (payout.Lane, error) {
	var l payout.Lane
	item, version, err := getFacts(ctx, s.Client, s.Table, laneKey(mint, number), &l)
	if err != nil {
		return payout.Lane{}, fmt.Errorf("read lane %d of %s: %w", number, mint, err)
	}
	if item == nil {
		return payout.Lane{}, payout.ErrNotFound
	}
	l.Version = version
	return l, nil
}

// Lanes gives the lanes of a mint's wallet; see payout.Store.
func (s Intents) Lanes(ctx context.Context, mint solana.PublicKey) ([]payout.Lane, error) {
	var lanes []payout.Lane
	pages := dynamodb.NewQueryPaginator(s.Client, dynamo.Beginning(s.Table, mintPartition(mint), lanePrefix))
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, dynamo.Unavailable(fmt.Errorf("list the lanes of %s: %w", mint, err))
		}
		for _, item := range page.Items {
			var l payout.Lane
			if l.Version, err = readFacts(item, &l); err != nil {
				return nil, fmt.Errorf("read a lane of %s: %w", mint, err)
			}
			lanes = append(lanes, l)
		}
	}
	// From 100 on the keys are not in the order of the numbers.
	slices.SortFunc(lanes, func(a, b payout.Lane) int { return cmp.Compare(a.Number, b.Number) })
	return lanes, nil
}

// PutLane stores a lane; see payout.Store. It neither binds nor frees one: only
// Bind and End do.
func (s Intents) PutLane(ctx context.Context, lane payout.Lane) error {
	keeps := rule{text: "attribute_not_exists(#intent)"}
	if (lane.Intent != payout.ID{}) {
		if lane.Version == 0 {
			return payout.ErrConflict
		}
		value := laneValue(lane.Value)
		keeps = rule{"#intent = :intent AND " + value.text, value.values}
		keeps.values[":intent"] = dynamo.Text(lane.Intent.String())
	}
	err := write(ctx, s.Client, s.Table, payout.ErrConflict, laneEntry(lane, keeps))
	return unlessIs(err, payout.ErrConflict, "put lane %d of %s", lane.Number, lane.Mint)
}

func donePhase(kind payout.Kind, leg int) string {
	return fmt.Sprintf("%s%s#%03d#", donePrefix, kind, leg)
}

// LaneDone writes that a lane has come to its end; see payout.Store.
func (s Intents) LaneDone(ctx context.Context, work payout.Work) error {
	_, err := s.Client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.Table,
		Item:      dynamo.Key(intentPartition(work.Run), fmt.Sprintf("%s%02d", donePhase(work.Kind, work.Leg), work.Lane)),
	})
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("write that lane %d of run %s is done: %w", work.Lane, work.Run, err))
	}
	return nil
}

// LanesDone counts the lanes that have come to their end; see payout.Store.
func (s Intents) LanesDone(ctx context.Context, run string, kind payout.Kind, leg int) (int, error) {
	query := dynamo.Beginning(s.Table, intentPartition(run), donePhase(kind, leg))
	query.Select = types.SelectCount
	out, err := s.Client.Query(ctx, query) // two thousand short items: one page
	if err != nil {
		return 0, dynamo.Unavailable(fmt.Errorf("count the lanes of run %s that are done: %w", run, err))
	}
	return int(out.Count), nil
}
