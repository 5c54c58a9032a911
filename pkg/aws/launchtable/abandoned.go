package launchtable

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/launchtable/dueindex"
)

// Abandoned lists the IDs of up to maximum launches that were not submitted or failed, and are due at
// now; see unused.Launches.
func (s Launches) Abandoned(ctx context.Context, now time.Time, maximum int) ([]string, error) {
	entries, err := dueindex.Entries(ctx, s.Client, s.Table, draftDue, now, maximum)
	ids := make([]string, len(entries))
	for i, entry := range entries {
		ids[i] = launchID(entry)
	}
	return ids, err
}

// Forget ends the checks of a launch that was not submitted or failed. It does nothing if the
// launch has no further checks.
func (s Launches) Forget(ctx context.Context, id string) error {
	_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: launchKey(id),
		UpdateExpression:    new("REMOVE duePk, dueAt"),
		ConditionExpression: new("duePk = :draft"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":draft": dynamo.Text(draftDue),
		},
	})
	if err != nil && !dynamo.ConditionFailed(err) {
		return dynamo.Unavailable(fmt.Errorf("forget launch %s: %w", id, err))
	}
	return nil
}
