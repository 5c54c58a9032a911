package launchtable

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/launchtable/dueindex"
	"tokenlaunch.example/service/pkg/launch"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// Confirmed lists up to maximum confirmed launches that are due at now; see reconcile.Launches.
func (s Launches) Confirmed(ctx context.Context, now time.Time, maximum int) ([]launch.Launch, error) {
	return dueindex.Read(ctx, s.Client, s.Table, confirmedDue, dueindex.LongestFirst, now, maximum, launchItem.launch)
}

// Finalize ends the checks of a confirmed launch; see reconcile.Launches.
func (s Launches) Finalize(ctx context.Context, id string) (first bool, err error) {
	return s.confirmed(ctx, id, "REMOVE duePk, dueAt", nil)
}

// Postpone postpones the next check of a confirmed launch; see reconcile.Launches.
func (s Launches) Postpone(ctx context.Context, id string, next time.Time) error {
	_, err := s.confirmed(ctx, id, "SET dueAt = :next", map[string]types.AttributeValue{":next": dynamo.Number(next.UnixMilli())})
	return err
}

// confirmed changes the due time of a confirmed launch, and reports whether the launch was still
// due.
func (s Launches) confirmed(ctx context.Context, id, update string, values map[string]types.AttributeValue) (bool, error) {
	all := map[string]types.AttributeValue{":confirmed": dynamo.Text(string(transaction.Confirmed))}
	for name, value := range values {
		all[name] = value
	}
	_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: launchKey(id),
		UpdateExpression:          &update,
		ConditionExpression:       new("#status = :confirmed AND attribute_exists(dueAt)"),
		ExpressionAttributeNames:  map[string]string{"#status": "status"},
		ExpressionAttributeValues: all,
	})
	if err != nil && !dynamo.ConditionFailed(err) { // refused: another run has finalized it
		return false, dynamo.Unavailable(fmt.Errorf("defer confirmed launch %s: %w", id, err))
	}
	return err == nil, nil
}
