package launchtable

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/launchtable/dueindex"
	"tokenlaunch.example/service/pkg/aws/launchtable/issued"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/launch/reconcile"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// Due lists up to maximum submitted launches that are due at now, the earliest first; see
// reconcile.Launches.
func (s Launches) Due(ctx context.Context, now time.Time, maximum int) ([]reconcile.Due, error) {
	entries, err := dueindex.Entries(ctx, s.Client, s.Table, launchDue, now, maximum)
	if err != nil {
		return nil, err
	}
	list := make([]reconcile.Due, len(entries))
	for i, entry := range entries {
		var stored struct {
			Signature []byte `dynamodbav:"signature"`
			DueAt     int64  `dynamodbav:"dueAt"`
		}
		if err := attributevalue.UnmarshalMap(entry, &stored); err != nil {
			return nil, fmt.Errorf("decode the entry %v: %w", dynamo.IDOf(entry), err)
		}
		list[i] = reconcile.Due{ID: launchID(entry), Signature: dynamo.Signature(stored.Signature), At: time.UnixMilli(stored.DueAt).UTC()}
	}
	return list, nil
}

// Claim postpones the next check of a launch; see reconcile.Launches.
func (s Launches) Claim(ctx context.Context, d reconcile.Due, next time.Time) (launch.Launch, error) {
	out, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: launchKey(d.ID),
		UpdateExpression:         new("SET dueAt = :next"),
		ConditionExpression:      new("#status = :submitted AND dueAt = :seen"),
		ExpressionAttributeNames: map[string]string{"#status": "status"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":submitted": dynamo.Text(string(transaction.Submitted)),
			":seen":      dynamo.Number(d.At.UnixMilli()), ":next": dynamo.Number(next.UnixMilli()),
		},
		ReturnValues: types.ReturnValueAllNew,
	})
	if dynamo.ConditionFailed(err) {
		return launch.Launch{}, reconcile.ErrTaken
	}
	if err != nil {
		return launch.Launch{}, dynamo.Unavailable(fmt.Errorf("claim launch %s: %w", d.ID, err))
	}
	var stored launchItem
	if err := attributevalue.UnmarshalMap(out.Attributes, &stored); err != nil {
		return launch.Launch{}, fmt.Errorf("decode launch %s: %w", d.ID, err)
	}
	return stored.launch(), nil
}

// Oldest returns the due time of the launch or transaction that has been due longest; see
// status.LaunchStore. It reads one item of each list of the reconciler.
func (s Launches) Oldest(ctx context.Context, now time.Time) (oldest time.Time, err error) {
	for _, list := range []string{launchDue, confirmedDue, issued.MarketDue, issued.PromotionDue} {
		items, err := dueindex.Entries(ctx, s.Client, s.Table, list, now, 1)
		if err != nil {
			return time.Time{}, err
		}
		for _, item := range items {
			var stored struct {
				At int64 `dynamodbav:"dueAt"`
			}
			if err := attributevalue.UnmarshalMap(item, &stored); err != nil {
				return time.Time{}, fmt.Errorf("decode the item %v: %w", dynamo.IDOf(item), err)
			}
			if at := time.UnixMilli(stored.At).UTC(); oldest.IsZero() || at.Before(oldest) {
				oldest = at
			}
		}
	}
	return oldest, nil
}
