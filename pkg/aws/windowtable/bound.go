package windowtable

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
)

// MaxBound is the maximum of a bound. The bucket's item has a slot for each request, and every
// request pays for the whole item. At this limit, a request costs 10 write units.
const MaxBound = 1_000

// Bound is the limit that an operator has set for one bucket, above or below the rule's limit. The
// bound is stored in the bucket's item, which every request reads anyway, so a bound adds no call
// for other buckets. The item expires together with the bound, and the bucket is then empty once.
type Bound struct {
	Limit int       `dynamodbav:"raised"`
	Until time.Time `dynamodbav:"until,unixtime"` // in the unit of DynamoDB's time to live
	By    string    `dynamodbav:"by"`
	Why   string    `dynamodbav:"why"`
}

// boundOf reads the bound in a bucket's item; the zero Bound if there is none.
func boundOf(item map[string]types.AttributeValue) (b Bound, err error) {
	if item[boundLimit] != nil {
		err = attributevalue.UnmarshalMap(item, &b)
	}
	return b, err
}

// of returns the rule that holds for the bucket now.
func (b Bound) of(rule ratelimit.Rule, now time.Time) ratelimit.Rule {
	if now.Before(b.Until) {
		rule.Limit = min(b.Limit, MaxBound)
	}
	return rule
}

// Bound returns the bound of a bucket; the zero Bound if there is none.
func (w Limiter) Bound(ctx context.Context, rule ratelimit.Rule, key string) (Bound, error) {
	var b Bound
	if _, err := dynamo.Get(ctx, w.Client, w.Table, windowKey(rule, key), &b); err != nil {
		return Bound{}, fmt.Errorf("read the limit of %s: %w", rule.Name, err)
	}
	if !w.Now().Before(b.Until) {
		return Bound{}, nil
	}
	return b, nil
}

// Set bounds a bucket until a time. The limit is 1 to MaxBound and differs from the rule's limit.
// After Set with a lower limit, a caller can make at most that number of further requests in the
// current window.
func (w Limiter) Set(ctx context.Context, rule ratelimit.Rule, key string, b Bound) error {
	if b.Limit < 1 || b.Limit > MaxBound || b.Limit == rule.Limit {
		return fmt.Errorf("the limit of %s is %d: want 1 to %d, except %d, the rule's own", rule.Name, b.Limit, MaxBound, rule.Limit)
	}
	if !b.Until.After(w.Now()) {
		return fmt.Errorf("%s has passed", b.Until)
	}
	return w.set(ctx, rule, key, "SET #limit = :limit, #until = :until, #expires = :until, #by = :by, #why = :why", map[string]types.AttributeValue{
		":limit": dynamo.Number(int64(b.Limit)), ":until": dynamo.Number(b.Until.Unix()), ":by": dynamo.Text(b.By), ":why": dynamo.Text(b.Why),
	})
}

// End ends the bound of a bucket: the rule's limit holds again.
func (w Limiter) End(ctx context.Context, rule ratelimit.Rule, key string) error {
	return w.set(ctx, rule, key, "REMOVE #limit, #until, #by, #why SET #expires = :expires", map[string]types.AttributeValue{
		":expires": dynamo.Number(w.Now().Add(rule.Window + windowSlack).Unix()),
	})
}

func (w Limiter) set(ctx context.Context, rule ratelimit.Rule, key, update string, values map[string]types.AttributeValue) error {
	_, err := w.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &w.Table, Key: windowKey(rule, key), UpdateExpression: &update, ExpressionAttributeValues: values,
		ExpressionAttributeNames: map[string]string{"#limit": boundLimit, "#until": boundUntil, "#expires": schema.ExpiresAt, "#by": "by", "#why": "why"},
	})
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("write the limit of %s: %w", rule.Name, err))
	}
	return nil
}
