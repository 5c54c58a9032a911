package deployed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Schedule opens slots of a local stack.
type Schedule struct {
	AWS aws.Config
	// Dispatcher is the name of the function, and LaunchTable the name of the table.
	Dispatcher, LaunchTable string
}

// OpenSlot does the work of the interval's rule in the slot of a time: it sends the rule's message
// to the dispatcher.
func (s Schedule) OpenSlot(ctx context.Context, interval terms.Interval, at time.Time) error {
	message, err := json.Marshal(map[string]string{
		"task": string(dispatch.TaskSlot), "interval": string(interval), "time": interval.Slot(at).Format(time.RFC3339),
	})
	if err != nil {
		return fmt.Errorf("write the rule's message: %w", err)
	}
	out, err := lambda.NewFromConfig(s.AWS).Invoke(ctx, &lambda.InvokeInput{FunctionName: &s.Dispatcher, Payload: message})
	if err != nil {
		return fmt.Errorf("call the dispatcher: %w", err)
	}
	if out.FunctionError != nil {
		return fmt.Errorf("the dispatcher fails: %s: %s", aws.ToString(out.FunctionError), out.Payload)
	}
	return nil
}

var errNotDue = errors.New("the token is not on the list of its interval")

// EnlistEarlier makes a token due in slots since a time, as if the token had been launched before
// the time. A token is due only in the slots after its launch, and a local run should not wait for
// a slot.
func (s Schedule) EnlistEarlier(ctx context.Context, mint solana.PublicKey, interval terms.Interval, since time.Time) error {
	client := dynamodb.NewFromConfig(s.AWS)
	// The key layout of package launchtable (due.go).
	list := fmt.Sprintf("DUE#%s#%02d", interval, dispatch.ShardOf(mint))
	found, err := client.Query(ctx, &dynamodb.QueryInput{
		TableName: &s.LaunchTable, ConsistentRead: aws.Bool(true),
		KeyConditionExpression: aws.String("pk = :list AND begins_with(sk, :mint)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":list": &types.AttributeValueMemberS{Value: list}, ":mint": &types.AttributeValueMemberS{Value: mint.String() + "#"},
		},
	})
	if err != nil {
		return fmt.Errorf("find %s on the list of its interval: %w", mint, err)
	}
	if len(found.Items) != 1 {
		return fmt.Errorf("%s has %d entries: %w", mint, len(found.Items), errNotDue)
	}
	old := map[string]types.AttributeValue{"pk": found.Items[0]["pk"], "sk": found.Items[0]["sk"]}
	from := &types.AttributeValueMemberN{Value: strconv.FormatInt(since.UnixMilli(), 10)}
	item := found.Items[0]
	item["sk"] = &types.AttributeValueMemberS{Value: fmt.Sprintf("%s#%013d", mint, since.UnixMilli())}
	item["from"] = from
	_, err = client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Delete: &types.Delete{TableName: &s.LaunchTable, Key: old}},
		{Put: &types.Put{TableName: &s.LaunchTable, Item: item}},
		{Update: &types.Update{
			TableName: &s.LaunchTable, UpdateExpression: aws.String("SET dueSince = :from"),
			Key: map[string]types.AttributeValue{
				"pk": &types.AttributeValueMemberS{Value: "TOKEN#" + mint.String()}, "sk": &types.AttributeValueMemberS{Value: "TOKEN"},
			},
			ConditionExpression:       aws.String("attribute_exists(pk)"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":from": from},
		}},
	}})
	if err != nil {
		return fmt.Errorf("make %s due earlier: %w", mint, err)
	}
	return nil
}
