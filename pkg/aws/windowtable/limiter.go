// Package windowtable implements the stores of the window table: rate windows, sign-in challenges,
// revocations, and responses to requests with a key. The claims of notices and the record of the
// monitor are in packages notices and statusrecord, so that signing in links no code of
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
	// windowSort names the layout as well. Another layout gets another item, so that no version
	// misreads the items of another version.
	windowSort = "W"
	// lastClaim is the attribute with the ID of the newest claim.
	lastClaim = "last"
	// boundLimit and boundUntil are the attributes of a limit that an operator has set.
	boundLimit = "raised"
	boundUntil = "until"
	// windowSlack is the time by which an item outlives the last claim, to allow for clock
	// differences.
	windowSlack = time.Minute
)

// Limiter implements ratelimit.Limiter in DynamoDB. A bucket is an item with a numbered attribute,
// a slot, for every request that the rule allows. A request is counted by writing the request's
// time over a slot whose time has left the window. The condition of the write checks that the
// slot's time is still outside the window. No slot is written twice within one window, so a window
// never holds more claims than slots, despite races and clock differences. A request usually takes
// one call, and a second call if the guessed slot is in use. A hundred slots fit into the 1 KB of
// one write unit (see stamp), and a failed call is billed, too. So a request without a concurrent
// request costs at most two units, and two units for every hundred slots if a rule has more slots.
type Limiter struct {
	Client *dynamodb.Client
	Table  string
	Now    func() time.Time
	Rand   func(n int64) int64 // uniform in [0, n)
}

// claim is one request for a slot.
type claim struct {
	rule  ratelimit.Rule
	key   string
	now   time.Time
	stamp stamp
	id    []byte // unique to the claim
}

// Spend counts one request; see ratelimit.Limiter.
func (w Limiter) Spend(ctx context.Context, rule ratelimit.Rule, key string) (ratelimit.Decision, error) {
	now := w.Now()
	c := claim{rule: rule, key: key, now: now, stamp: newStamp(now, w.Rand(1<<tailBits)), id: w.claimID()}
	slot := int(w.Rand(int64(rule.Limit)))
	// If a claim of a free slot fails, another claim has taken the slot. At most Limit other claims
	// fit into the window, unless claims are refunded in between.
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

// Refund uncounts a request. If another claim has taken the slot, Refund changes nothing.
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

// claim tries one slot. It returns the bucket's item after the claim, or as found by a failed
// claim. The first slot is guessed by the rule's limit, so the condition rejects a slot beyond a
// lower bound.
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
	// If the item has this claim's ID, the SDK has retried the claim after a lost response. If
	// another claim was written in between, the retry is not recognized and the request takes a
	// second slot. The count is then too high, never too low.
	last, _ := failed.Item[lastClaim].(*types.AttributeValueMemberB)
	return failed.Item, last != nil && bytes.Equal(last.Value, c.id), nil
}

// read returns the times of the claims in a bucket's item, and the free slots.
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

// claimID returns 56 random bits.
func (w Limiter) claimID() []byte {
	const bits = 56
	id := make([]byte, 8)
	byteOrder.PutUint64(id, uint64(w.Rand(1<<bits))) //nolint:gosec // not negative
	return id[1:]
}

// stamp is the content of a claimed slot: the time of the claim, in bytes that DynamoDB compares in
// the order of time. A stamp is short, because a hundred slots have to fit into 1 KB: 50 bits of
// microseconds since stampEpoch, which last until 2055, and a random tail. The tail prevents a
// refund from removing another claim of the same microsecond.
type stamp []byte

const (
	stampBytes = 7
	tailBits   = 6
)

// stampEpoch is the zero of stamps.
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

// slotName returns the attribute's name of a slot. The name is short and consists of digits, unlike
// any other attribute. Below 100, strconv.Itoa allocates no memory, which matters because every
// request reads the names of all slots.
func slotName(slot int) string { return strconv.Itoa(slot) }

func windowKey(rule ratelimit.Rule, key string) map[string]types.AttributeValue {
	return dynamo.Key("RATE#"+rule.Name+"#"+key, windowSort)
}
