package dynamo

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/dynamo/schema"
	"tokenlaunch.example/service/pkg/ratelimit"
)

const (
	windowSort = "WINDOW"
	// stampDigits is the number of random digits after the microseconds of a claim.
	// They tell two claims of the same microsecond apart. The last is never zero,
	// so that no store shortens the number.
	stampDigits = 9
	// windowSlack is how long an item outlives its last claim, for clocks that differ.
	windowSlack = time.Minute
)

// Windows is the ratelimit.Limiter in DynamoDB. A bucket is one item with one
// numbered attribute, a slot, for each request that its rule allows; a request
// is counted by writing its time over a slot whose time has left the window, on
// condition that it still has. No slot is written twice within one window, so
// no window holds more claims than slots, whatever races and whatever the
// clocks say. The usual request is one call; one that guesses a slot in use,
// two.
type Windows struct {
	Client *dynamodb.Client
	Table  string
	Now    func() time.Time
	Rand   func(n int64) int64 // uniform in [0, n)
}

// claim is one request on its way into a slot.
type claim struct {
	rule  ratelimit.Rule
	key   string
	now   time.Time
	stamp string
}

// Take counts one request, see ratelimit.Limiter.
func (w Windows) Take(ctx context.Context, rule ratelimit.Rule, key string) (ratelimit.Decision, error) {
	now := w.Now()
	c := claim{rule: rule, key: key, now: now, stamp: w.stamp(now)}
	slot := int(w.Rand(int64(rule.Limit)))
	// A claim that fails although a slot was free lost it to another one. No more
	// than Limit others fit into the window, unless claims are given back meanwhile.
	for range 2*rule.Limit + 2 {
		item, claimed, err := w.claim(ctx, c, slot)
		if err != nil {
			return ratelimit.Decision{}, unavailable(fmt.Errorf("count a request for %s: %w", rule.Name, err))
		}
		claims, free, err := c.read(item)
		if err != nil {
			return ratelimit.Decision{}, fmt.Errorf("read the window of %s: %w", rule.Name, err)
		}
		if claimed {
			decision := rule.Admitted(now, claims)
			decision.Ticket = ratelimit.Ticket{Rule: rule, Key: key, Slot: slot, Stamp: c.stamp}
			return decision, nil
		}
		if len(free) == 0 {
			return rule.Refused(now, claims), nil
		}
		slot = free[w.Rand(int64(len(free)))]
	}
	return ratelimit.Decision{}, unavailable(fmt.Errorf("count a request for %s: every free slot was taken first", rule.Name))
}

// GiveBack uncounts a request. Where another claim has taken its slot since,
// there is nothing to give back.
func (w Windows) GiveBack(ctx context.Context, ticket ratelimit.Ticket) error {
	if ticket == (ratelimit.Ticket{}) {
		return nil
	}
	_, err := w.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName:                 &w.Table,
		Key:                       windowKey(ticket.Rule, ticket.Key),
		UpdateExpression:          aws.String("REMOVE #slot"),
		ConditionExpression:       aws.String("#slot = :mine"),
		ExpressionAttributeNames:  map[string]string{"#slot": slotName(ticket.Slot)},
		ExpressionAttributeValues: map[string]types.AttributeValue{":mine": stampValue(ticket.Stamp)},
	})
	if err != nil && !conditionFailed(err) {
		return unavailable(fmt.Errorf("give back a request for %s: %w", ticket.Rule.Name, err))
	}
	return nil
}

// claim tries one slot. It gives the bucket's item, after the claim or as it was
// when the claim failed.
func (w Windows) claim(ctx context.Context, c claim, slot int) (map[string]types.AttributeValue, bool, error) {
	name := slotName(slot)
	out, err := w.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName:                &w.Table,
		Key:                      windowKey(c.rule, c.key),
		UpdateExpression:         aws.String("SET #slot = :now, #expires = :expires"),
		ConditionExpression:      aws.String("attribute_not_exists(#slot) OR #slot <= :cutoff"),
		ExpressionAttributeNames: map[string]string{"#slot": name, "#expires": schema.ExpiresAt},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":now":     stampValue(c.stamp),
			":cutoff":  stampValue(micros(c.rule.Cutoff(c.now)) + "999999999"),
			":expires": number(c.now.Add(c.rule.Window + windowSlack).Unix()),
		},
		ReturnValues:                        types.ReturnValueAllNew,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	if err == nil {
		return out.Attributes, true, nil
	}
	failed, ok := errors.AsType[*types.ConditionalCheckFailedException](err)
	if !ok {
		return nil, false, err
	}
	// Our own stamp in the slot means that the SDK has sent the claim again because
	// the answer to it was lost.
	mine, _ := failed.Item[name].(*types.AttributeValueMemberN)
	return failed.Item, mine != nil && mine.Value == c.stamp, nil
}

// read finds in a bucket's item when its slots were claimed, and which are free.
func (c claim) read(item map[string]types.AttributeValue) (claims []time.Time, free []int, err error) {
	for slot := range c.rule.Limit {
		value, taken := item[slotName(slot)]
		if !taken {
			free = append(free, slot)
			continue
		}
		at, err := claimTime(value)
		if err != nil {
			return nil, nil, fmt.Errorf("slot %d: %w", slot, err)
		}
		claims = append(claims, at)
		if !c.rule.Counts(at, c.now) {
			free = append(free, slot)
		}
	}
	return claims, free, nil
}

func (w Windows) stamp(now time.Time) string {
	const tail = 100_000_000
	return fmt.Sprintf("%s%08d%d", micros(now), w.Rand(tail), 1+w.Rand(9))
}

func claimTime(value types.AttributeValue) (time.Time, error) {
	stamp, ok := value.(*types.AttributeValueMemberN)
	if !ok || len(stamp.Value) <= stampDigits {
		return time.Time{}, fmt.Errorf("%v is no claim", value)
	}
	at, err := strconv.ParseInt(stamp.Value[:len(stamp.Value)-stampDigits], 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q is no claim: %w", stamp.Value, err)
	}
	return time.UnixMicro(at), nil
}

// micros writes a time in microseconds since the Unix epoch.
func micros(t time.Time) string { return strconv.FormatInt(t.UnixMicro(), 10) }

func stampValue(stamp string) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: stamp}
}

func slotName(slot int) string { return "s" + strconv.Itoa(slot) }

func windowKey(rule ratelimit.Rule, key string) map[string]types.AttributeValue {
	return itemKey("RATE#"+rule.Name+"#"+key, windowSort)
}
