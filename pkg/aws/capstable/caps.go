// Package capstable counts what leaves the distribution wallets, and keeps what operators
// let leave beside the caps.
package capstable

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/token/terms"
)

// The caps table. Amounts are numbers, in attributes that are named by the asset.
//
//	RUN#<run id>              MOVED    what a run has moved
//	WALLET#<address>#<day>    MOVED    what a wallet has moved on a day (UTC)
//	DAY#<day>                 MOVED    what all wallets have moved on a day
//	MESSAGE#<payment>         COUNTED  what was counted of a payment, and its last message
//	LIFT#<scope>              <asset>  another limit, until expiresAt; scope is RUN#<id>,
//	                                   WALLET#<address> or DAY
//	LIFTS                     <time>   who lifted what, and why
const (
	movedSort   = "MOVED"
	countedSort = "COUNTED"
	dayScope    = "DAY"
	liftPrefix  = "LIFT#"
	limitName   = "limit"
	messageName = "message"
	dayFormat   = time.DateOnly
)

const (
	// keepDays is how long what a day, a run or a payment has moved is kept: longer than a
	// run takes.
	keepDays = 40 * 24 * time.Hour
	// atOnce is how many items are written at the same time.
	atOnce = 16
)

// Caps is the signing.Caps in DynamoDB.
//
// What a request moves is added to its counters first, each on the condition that it stays
// under its limit; then each payment is marked as counted, and only then is anything signed.
// A crash in between counts twice at the next attempt.
type Caps struct {
	Client *dynamodb.Client
	Table  string
	Now    func() time.Time
}

// mark is what was counted of a payment.
type mark struct {
	message []byte
	moved   map[terms.Asset]uint64
}

func markKey(payment string) map[string]types.AttributeValue {
	return dynamo.Key("MESSAGE#"+payment, countedSort)
}

// counter is one of the counters of a spend.
type counter struct {
	scope     string // of lifts
	partition string
	limit     func(signing.Limit) uint64
}

func (c Caps) counters(s signing.Spend) []counter {
	day := c.Now().UTC().Format(dayFormat)
	return []counter{
		{"RUN#" + s.Run, "RUN#" + s.Run, func(l signing.Limit) uint64 { return l.Run }},
		{"WALLET#" + s.Wallet.String(), "WALLET#" + s.Wallet.String() + "#" + day, func(l signing.Limit) uint64 { return l.WalletDay }},
		{dayScope, dayScope + "#" + day, func(l signing.Limit) uint64 { return l.Day }},
	}
}

// Spend counts what messages move; see signing.Caps.
func (c Caps) Spend(ctx context.Context, s signing.Spend) error {
	marks, lifts, err := c.read(ctx, s)
	if err != nil {
		return err
	}
	more, changed := add(s.Charges, marks)
	if len(more) == 0 {
		return nil
	}
	counters := c.counters(s)
	errs := make([]error, len(counters))
	var group errgroup.Group
	for n, counter := range counters {
		group.Go(func() error {
			errs[n] = c.count(ctx, counter, more, func(asset terms.Asset) uint64 {
				if lifted, ok := lifts[counter.scope][asset]; ok {
					return lifted
				}
				return counter.limit(s.Limits[asset])
			})
			return nil
		})
	}
	_ = group.Wait()
	if err := errors.Join(errs...); err != nil {
		// What was counted is taken off again. When that fails it stays: too much is counted
		// then, never too little. A count of which it is not known whether it happened stays.
		for n, counter := range counters {
			if errs[n] == nil {
				_ = c.takeOff(context.WithoutCancel(ctx), counter, more)
			}
		}
		return err
	}
	group = errgroup.Group{}
	group.SetLimit(atOnce)
	for payment, m := range changed {
		group.Go(func() error { return c.mark(ctx, payment, m) })
	}
	return group.Wait()
}

// add sums up what is not counted yet, and says how the marks change.
func add(charges []signing.Charge, marks map[string]mark) (more map[terms.Asset]uint64, changed map[string]mark) {
	more, changed = map[terms.Asset]uint64{}, map[string]mark{}
	marks = maps.Clone(marks)
	for _, charge := range charges {
		known := marks[charge.Payment]
		if bytes.Equal(known.message, charge.Message[:]) {
			continue
		}
		known.message, known.moved = charge.Message[:], maps.Clone(known.moved)
		if known.moved == nil {
			known.moved = map[terms.Asset]uint64{}
		}
		more[terms.SOL] = signing.Add(more[terms.SOL], charge.Fee)
		for asset, amount := range charge.Moves {
			if before := known.moved[asset]; amount > before {
				more[asset] = signing.Add(more[asset], amount-before)
				known.moved[asset] = amount
			}
		}
		marks[charge.Payment], changed[charge.Payment] = known, known
	}
	maps.DeleteFunc(more, func(_ terms.Asset, amount uint64) bool { return amount == 0 })
	return more, changed
}

// read reads what was counted of the payments, and the lifts that hold.
func (c Caps) read(ctx context.Context, s signing.Spend) (map[string]mark, map[string]map[terms.Asset]uint64, error) {
	payments := map[string]bool{}
	var keys []map[string]types.AttributeValue
	for _, charge := range s.Charges {
		if !payments[charge.Payment] {
			payments[charge.Payment] = true
			keys = append(keys, markKey(charge.Payment))
		}
	}
	for _, counter := range c.counters(s) {
		for asset := range s.Limits {
			keys = append(keys, dynamo.Key(liftPrefix+counter.scope, asset.String()))
		}
	}
	marks, lifts := map[string]mark{}, map[string]map[terms.Asset]uint64{}
	for part := range slices.Chunk(keys, dynamo.MostInBatch) {
		items, err := dynamo.BatchGet(ctx, c.Client, c.Table, part, true)
		if err != nil {
			return nil, nil, err
		}
		for _, item := range items {
			id := dynamo.IDOf(item)
			if payment, ok := cut(id.Partition, "MESSAGE#"); ok {
				m, err := readMark(item)
				if err != nil {
					return nil, nil, fmt.Errorf("read what was counted of %s: %w", payment, err)
				}
				marks[payment] = m
				continue
			}
			l, err := readLift(item)
			if err != nil {
				return nil, nil, err
			}
			if c.Now().Before(l.Until) {
				if lifts[l.Scope] == nil {
					lifts[l.Scope] = map[terms.Asset]uint64{}
				}
				lifts[l.Scope][l.Asset] = l.Limit
			}
		}
	}
	return marks, lifts, nil
}

// count adds to a counter unless it would be over a limit; an asset without a limit of the
// counter's is not counted there.
func (c Caps) count(ctx context.Context, counter counter, more map[terms.Asset]uint64, limit func(terms.Asset) uint64) error {
	in := c.update(counter, more)
	condition, n := "", 0
	for asset, amount := range more {
		most := limit(asset)
		if counter.scope == dayScope && !asset.IsSOL() {
			continue // no sum of different tokens says anything
		}
		if amount > most {
			return signing.Reached(counter.partition, asset, 0, amount, most)
		}
		if condition != "" {
			condition += " AND "
		}
		room := fmt.Sprintf(":room%d", n)
		name := fmt.Sprintf("#room%d", n)
		condition += "(attribute_not_exists(" + name + ") OR " + name + " <= " + room + ")"
		in.ExpressionAttributeNames[name] = asset.String()
		in.ExpressionAttributeValues[room] = number(most - amount)
		n++
	}
	if condition != "" {
		in.ConditionExpression = &condition
	}
	in.ReturnValuesOnConditionCheckFailure = types.ReturnValuesOnConditionCheckFailureAllOld
	_, err := c.Client.UpdateItem(ctx, in)
	if failed, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok {
		for asset, amount := range more {
			has, err := amountOf(failed.Item, asset.String())
			if most := limit(asset); err == nil && most >= amount && has > most-amount {
				return signing.Reached(counter.partition, asset, has, amount, most)
			}
		}
		return fmt.Errorf("%w: %s", payout.ErrCap, counter.partition)
	}
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("count at %s: %w", counter.partition, err))
	}
	return nil
}

// takeOff takes what was counted off a counter.
func (c Caps) takeOff(ctx context.Context, counter counter, more map[terms.Asset]uint64) error {
	in := c.update(counter, more)
	for name, value := range in.ExpressionAttributeValues {
		if n, ok := value.(*types.AttributeValueMemberN); ok && name != ":expires" {
			n.Value = "-" + n.Value
		}
	}
	_, err := c.Client.UpdateItem(ctx, in)
	return err
}

// update adds amounts to a counter.
func (c Caps) update(counter counter, more map[terms.Asset]uint64) *dynamodb.UpdateItemInput {
	in := &dynamodb.UpdateItemInput{
		TableName: &c.Table, Key: dynamo.Key(counter.partition, movedSort),
		ExpressionAttributeNames:  map[string]string{"#expires": schema.ExpiresAt},
		ExpressionAttributeValues: map[string]types.AttributeValue{":expires": dynamo.Number(c.Now().Add(keepDays).Unix())},
	}
	expression, n := "SET #expires = :expires ADD ", 0
	for asset, amount := range more {
		if n > 0 {
			expression += ", "
		}
		expression += fmt.Sprintf("#asset%d :more%d", n, n)
		in.ExpressionAttributeNames[fmt.Sprintf("#asset%d", n)] = asset.String()
		in.ExpressionAttributeValues[fmt.Sprintf(":more%d", n)] = number(amount)
		n++
	}
	in.UpdateExpression = &expression
	return in
}

// mark writes what was counted of a payment. Two that do so at the same time have both
// counted: the larger sum may be lost, and then some is counted twice.
func (c Caps) mark(ctx context.Context, payment string, m mark) error {
	item := markKey(payment)
	item[schema.ExpiresAt] = dynamo.Number(c.Now().Add(keepDays).Unix())
	item[messageName] = dynamo.Binary(m.message)
	for asset, amount := range m.moved {
		item[asset.String()] = number(amount)
	}
	if _, err := c.Client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &c.Table, Item: item}); err != nil {
		return dynamo.Unavailable(fmt.Errorf("write what was counted of %s: %w", payment, err))
	}
	return nil
}

func readMark(item map[string]types.AttributeValue) (m mark, err error) {
	message, ok := item[messageName].(*types.AttributeValueMemberB)
	if !ok {
		return m, errors.New("it names no message")
	}
	m.message = message.Value
	m.moved, err = amounts(item)
	return m, err
}

// amounts are those of an item whose attributes are named by assets.
func amounts(item map[string]types.AttributeValue) (map[terms.Asset]uint64, error) {
	found := map[terms.Asset]uint64{}
	for name := range item {
		asset, err := terms.ParseAsset(name)
		if err != nil {
			continue // another attribute
		}
		if found[asset], err = amountOf(item, name); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func amountOf(item map[string]types.AttributeValue, name string) (uint64, error) {
	n, ok := item[name].(*types.AttributeValueMemberN)
	if !ok {
		return 0, nil
	}
	return strconv.ParseUint(n.Value, 10, 64)
}

func number(n uint64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatUint(n, 10)}
}

func cut(text, prefix string) (string, bool) {
	if len(text) < len(prefix) || text[:len(prefix)] != prefix {
		return "", false
	}
	return text[len(prefix):], true
}
