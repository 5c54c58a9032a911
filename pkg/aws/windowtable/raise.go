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

// MaxRaised is the maximum of a raised limit. The bucket's item has a slot for each request, and
// each request pays for the whole item: 10 units of writing at this limit.
const MaxRaised = 1_000

// Raised is a limit that an operator has raised for one bucket. It is stored in the bucket's own
// item, which each request reads anyhow: a raised limit adds no call for other buckets. The item
// expires with it, and the bucket is empty then, once.
type Raised struct {
	Limit int       `dynamodbav:"raised"`
	Until time.Time `dynamodbav:"until,unixtime"` // as TTL wants it
	By    string    `dynamodbav:"by"`
	Why   string    `dynamodbav:"why"`
}

// raisedOf reads the raised limit in a bucket's item; the zero Raised if there is none.
func raisedOf(item map[string]types.AttributeValue) (r Raised, err error) {
	if item[raisedLimit] != nil {
		err = attributevalue.UnmarshalMap(item, &r)
	}
	return r, err
}

// of returns the rule that holds for the bucket now.
func (r Raised) of(rule ratelimit.Rule, now time.Time) ratelimit.Rule {
	if now.Before(r.Until) {
		rule.Limit = min(max(rule.Limit, r.Limit), MaxRaised)
	}
	return rule
}

// Raised returns the raised limit of a bucket; the zero Raised if there is none.
func (w Limiter) Raised(ctx context.Context, rule ratelimit.Rule, key string) (Raised, error) {
	var r Raised
	if _, err := dynamo.Get(ctx, w.Client, w.Table, windowKey(rule, key), &r); err != nil {
		return Raised{}, fmt.Errorf("read the limit of %s: %w", rule.Name, err)
	}
	if !w.Now().Before(r.Until) {
		return Raised{}, nil
	}
	return r, nil
}

// Raise raises the limit of a bucket until a time. The limit is above the rule's and at most
// MaxRaised.
func (w Limiter) Raise(ctx context.Context, rule ratelimit.Rule, key string, r Raised) error {
	if r.Limit <= rule.Limit || r.Limit > MaxRaised {
		return fmt.Errorf("the limit of %s is %d: a raised one must be %d to %d", rule.Name, r.Limit, rule.Limit+1, MaxRaised)
	}
	if !r.Until.After(w.Now()) {
		return fmt.Errorf("%s has passed", r.Until)
	}
	return w.set(ctx, rule, key, "SET #raised = :limit, #until = :until, #expires = :until, #by = :by, #why = :why", map[string]types.AttributeValue{
		":limit": dynamo.Number(int64(r.Limit)), ":until": dynamo.Number(r.Until.Unix()), ":by": dynamo.Text(r.By), ":why": dynamo.Text(r.Why),
	})
}

// Lower ends the raised limit of a bucket.
func (w Limiter) Lower(ctx context.Context, rule ratelimit.Rule, key string) error {
	return w.set(ctx, rule, key, "REMOVE #raised, #until, #by, #why SET #expires = :expires", map[string]types.AttributeValue{
		":expires": dynamo.Number(w.Now().Add(rule.Window + windowSlack).Unix()),
	})
}

func (w Limiter) set(ctx context.Context, rule ratelimit.Rule, key, update string, values map[string]types.AttributeValue) error {
	_, err := w.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &w.Table, Key: windowKey(rule, key), UpdateExpression: &update, ExpressionAttributeValues: values,
		ExpressionAttributeNames: map[string]string{"#raised": raisedLimit, "#until": raisedUntil, "#expires": schema.ExpiresAt, "#by": "by", "#why": "why"},
	})
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("write the limit of %s: %w", rule.Name, err))
	}
	return nil
}
