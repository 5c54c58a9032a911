// Package windowtable keeps what is in the window table: rate windows, sign-in
// challenges and answers to requests with a key. The claims of notices and the record of the
// monitor are in packages notices and statusrecord, so that signing in links nothing of
// distributions.
package windowtable

import (
	"bytes"
	"context"
	encoding "encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/platform/ratelimit"
)

const (
	// windowSort names the layout too: another one is another item, so that none is
	// ever read as what it is not.
	windowSort = "W"
	// lastClaim is the attribute with the id of the claim that was written last.
	lastClaim = "last"
	// boundLimit and boundUntil are the attributes of a limit that an operator has set.
	boundLimit = "raised"
	boundUntil = "until"
	// windowSlack is how long an item outlives its last claim, for clocks that differ.
	windowSlack = time.Minute
)

// Limiter is the ratelimit.Limiter in DynamoDB. A bucket is one item with one
// numbered attribute, a slot, for each request that its rule allows; a request
// is counted by writing its time over a slot whose time has left the window, on
// condition that it still has. No slot is written twice within one window, so
// no window holds more claims than slots, whatever races and whatever the
// clocks say. The usual request is one call; one that guesses a slot in use,
// two. A hundred slots fit into the 1 KB that one unit of writing pays for (see stamp),
// and a refused call is billed too: so a request costs two units at most where no other
// one races it, and two for each hundred slots where a rule has more.
type Limiter struct {
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
	stamp stamp
	id    []byte // unlike any other claim's
}

// Spend counts one request, see ratelimit.Limiter.
func (w Limiter) Spend(ctx context.Context, rule ratelimit.Rule, key string) (ratelimit.Decision, error) {
	now := w.Now()
	c := claim{rule: rule, key: key, now: now, stamp: newStamp(now, w.Rand(1<<tailBits)), id: w.claimID()}
	slot := int(w.Rand(int64(rule.Limit)))
	// A claim that fails although a slot was free lost it to another one. No more
	// than Limit others fit into the window, unless claims are given back meanwhile.
	for tries := 0; tries < 2*c.rule.Limit+2; tries++ {
		item, claimed, err := w.claim(ctx, c, slot)
		if err != nil {
			return ratelimit.Decision{}, dynamo.Unavailable(fmt.Errorf("count a request for %s: %w", rule.Name, err))
		}
		bound, err := boundOf(item)
		if err != nil {
			return ratelimit.Decision{}, fmt.Errorf("read the bound of %s: %w", rule.Name, err)
		}
		c.rule = bound.of(rule, now)
		claims, free, err := c.read(item)
		if err != nil {
			return ratelimit.Decision{}, fmt.Errorf("read the window of %s: %w", rule.Name, err)
		}
		if claimed {
			decision := c.rule.Allow(now, claims)
			decision.Ticket = ratelimit.Ticket{Rule: c.rule, Key: key, Slot: slot, Stamp: string(c.stamp)}
			return decision, nil
		}
		if len(free) == 0 {
			return c.rule.Refuse(now, claims), nil
		}
		slot = free[w.Rand(int64(len(free)))]
	}
	return ratelimit.Decision{}, dynamo.Unavailable(fmt.Errorf("count a request for %s: every free slot was taken first", rule.Name))
}

// Refund uncounts a request. Where another claim has taken its slot since,
// there is nothing to give back.
func (w Limiter) Refund(ctx context.Context, ticket ratelimit.Ticket) error {
	if ticket == (ratelimit.Ticket{}) {
		return nil
	}
	_, err := w.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName:                 &w.Table,
		Key:                       windowKey(ticket.Rule, ticket.Key),
		UpdateExpression:          aws.String("REMOVE #slot"),
		ConditionExpression:       aws.String("#slot = :mine"),
		ExpressionAttributeNames:  map[string]string{"#slot": slotName(ticket.Slot)},
		ExpressionAttributeValues: map[string]types.AttributeValue{":mine": dynamo.Binary([]byte(ticket.Stamp))},
	})
	if err != nil && !dynamo.ConditionFailed(err) {
		return dynamo.Unavailable(fmt.Errorf("give back a request for %s: %w", ticket.Rule.Name, err))
	}
	return nil
}

// claim tries one slot. It gives the bucket's item, after the claim or as it was when the
// claim failed. The first slot is guessed by the rule's limit, so the condition rejects a slot
// beyond a lower bound.
func (w Limiter) claim(ctx context.Context, c claim, slot int) (map[string]types.AttributeValue, bool, error) {
	out, err := w.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName:           &w.Table,
		Key:                 windowKey(c.rule, c.key),
		UpdateExpression:    aws.String("SET #slot = :now, #last = :id, #expires = if_not_exists(#until, :expires)"),
		ConditionExpression: aws.String("(attribute_not_exists(#slot) OR #slot <= :cutoff) AND (attribute_not_exists(#limit) OR #limit > :slot OR #until <= :second)"),
		ExpressionAttributeNames: map[string]string{
			"#slot": slotName(slot), "#last": lastClaim, "#expires": schema.ExpiresAt, "#until": boundUntil, "#limit": boundLimit,
		},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":now":     dynamo.Binary(c.stamp),
			":cutoff":  dynamo.Binary(newStamp(c.rule.Cutoff(c.now), 1<<tailBits-1)),
			":id":      dynamo.Binary(c.id),
			":slot":    dynamo.Number(int64(slot)),
			":second":  dynamo.Number(c.now.Unix()),
			":expires": dynamo.Number(c.now.Add(c.rule.Window + windowSlack).Unix()),
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
	// Our own id means that the SDK has sent the claim again because the answer to it
	// was lost. Where another claim has been written since, it is not known, and this
	// request takes a second slot: too much is counted then, never too little.
	last, _ := failed.Item[lastClaim].(*types.AttributeValueMemberB)
	return failed.Item, last != nil && bytes.Equal(last.Value, c.id), nil
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

// claimID makes 56 random bits.
func (w Limiter) claimID() []byte {
	const bits = 56
	id := make([]byte, 8)
	byteOrder.PutUint64(id, uint64(w.Rand(1<<bits))) //nolint:gosec // not negative
	return id[1:]
}

// stamp is what a claim writes into its slot: its time, in bytes that DynamoDB
// compares as it compares times. A hundred slots have to fit into 1 KB, so there are
// few: 50 bits of microseconds since stampEpoch, which last until 2055, and a tail of
// random ones, so that giving a claim back takes no other one of that microsecond.
type stamp []byte

const (
	stampBytes = 7
	tailBits   = 6
)

// stampEpoch begins the times of claims.
var stampEpoch = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()

var byteOrder = encoding.BigEndian

func newStamp(at time.Time, tail int64) stamp {
	var whole [8]byte
	micros := max(0, at.UnixMicro()-stampEpoch)
	byteOrder.PutUint64(whole[:], uint64(micros)<<tailBits|uint64(tail)) //nolint:gosec // not negative
	return whole[len(whole)-stampBytes:]
}

func claimTime(value types.AttributeValue) (time.Time, error) {
	s, ok := value.(*types.AttributeValueMemberB)
	if !ok || len(s.Value) != stampBytes {
		return time.Time{}, fmt.Errorf("%v is no claim", value)
	}
	var whole [8]byte
	copy(whole[len(whole)-stampBytes:], s.Value)
	return time.UnixMicro(int64(byteOrder.Uint64(whole[:])>>tailBits) + stampEpoch), nil
}

// slotName is short, and of digits: no other attribute is so. Below 100 it costs no
// memory, and each request asks for all of its window.
func slotName(slot int) string { return strconv.Itoa(slot) }

func windowKey(rule ratelimit.Rule, key string) map[string]types.AttributeValue {
	return dynamo.Key("RATE#"+rule.Name+"#"+key, windowSort)
}
