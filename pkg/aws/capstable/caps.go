// Package capstable counts the money that leaves the distribution wallets, and stores the
// operators' exceptions from the caps.
package capstable

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"
	"golang.org/x/sync/errgroup"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/distribution/payout"
	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/token/terms"
)

// The caps table. Amounts are numbers, in attributes that are named by the asset.
//
//	RUN#<run id>              MOVED    the amounts that a run has moved
//	WALLET#<address>#<day>    MOVED    the amounts that a wallet has moved on a day (UTC)
//	DAY#<day>                 MOVED    the amounts that all wallets have moved on a day
//	MESSAGE#<payment>         COUNTED  the counted amounts of a payment, and the last message
//	WALLET#<address>          SEEN     the last seen balances of a wallet, and the slot
//	WALLET#<address>#<period> CREDIT   the income of a period, less the payments from the credit
//	LIFT#<scope>              <asset>  another limit, until expiresAt; scope is RUN#<id>,
//	                                   WALLET#<address> or DAY
//	LIFTS                     <time>   the operator's changes of limits, with the reason
const (
	movedSort   = "MOVED"
	countedSort = "COUNTED"
	dayScope    = "DAY"
	liftPrefix  = "LIFT#"
	limitName   = "limit"
	seenSort    = "SEEN"
	creditSort  = "CREDIT"
	slotName    = "slot"
	messageName = "message"
	dayFormat   = time.DateOnly
)

const (
	// keepDays is the retention of counters and marks. A run takes less time.
	keepDays = 40 * 24 * time.Hour
	// atOnce is the maximum number of concurrent writes.
	atOnce = 16
)

// Caps implements signing.Caps in DynamoDB.
//
// Spend first takes credit and adds the rest of the amounts to the counters, on the condition that
// every counter stays under the limit. Spend then marks each payment as counted. The signer signs
// only after Spend. After a crash in between, the next attempt counts the amounts a second time.
type Caps struct {
	Client *dynamodb.Client
	Table  string
	Now    func() time.Time
}

// mark is the counted amounts of a payment, with the last counted message.
type mark struct {
	message []byte
	moved   map[terms.Asset]uint64
}

func markKey(payment string) map[string]types.AttributeValue {
	return dynamo.Key("MESSAGE#"+payment, countedSort)
}

// counter is one of the counters of a spend.
type counter struct {
	scope     string // the scope of lifts
	partition string
	limit     func(signing.Limit) uint64
}

// counts reports whether the counter has a limit for an asset. The day's counter limits only SOL,
// because a sum of different tokens has no meaning.
func (c counter) counts(asset terms.Asset) bool { return c.scope != dayScope || asset.IsSOL() }

func (c counter) key() map[string]types.AttributeValue { return dynamo.Key(c.partition, movedSort) }

// periods returns the names of the current and the previous period, whose credit can be used.
func (c Caps) periods() [2]string {
	name := func(at time.Time) string { return at.Truncate(signing.CreditLasts).Format(dayFormat) }
	now := c.Now().UTC()
	return [2]string{name(now), name(now.Add(-signing.CreditLasts))}
}

func creditKey(wallet solana.PublicKey, period string) map[string]types.AttributeValue {
	return dynamo.Key("WALLET#"+wallet.String()+"#"+period, creditSort)
}

func (c Caps) counters(s signing.Spend) []counter {
	day := c.Now().UTC().Format(dayFormat)
	return []counter{
		{"RUN#" + s.Run, "RUN#" + s.Run, func(l signing.Limit) uint64 { return l.Run }},
		{"WALLET#" + s.Wallet.String(), "WALLET#" + s.Wallet.String() + "#" + day, func(l signing.Limit) uint64 { return l.WalletDay }},
		{dayScope, dayScope + "#" + day, func(l signing.Limit) uint64 { return l.Day }},
	}
}

// Spend counts the amounts that messages move; see signing.Caps.
func (c Caps) Spend(ctx context.Context, s signing.Spend) error {
	known, err := c.read(ctx, s)
	if err != nil {
		return err
	}
	more, returned, changed := add(s.Charges, known.marks)
	if len(changed) == 0 {
		return nil
	}
	used, err := c.useCredit(ctx, s.Wallet, more, known.credit)
	if err != nil {
		return err
	}
	if err := c.countAll(ctx, s, more, known.lifts); err != nil {
		c.refund(context.WithoutCancel(ctx), s.Wallet, used)
		return err
	}
	if returned > 0 {
		due := c.addition(creditKey(s.Wallet, c.periods()[0]), map[terms.Asset]uint64{terms.SOL: returned}, subtract)
		if err := c.changeCredit(ctx, s.Wallet, due); err != nil {
			return err
		}
	}
	group := errgroup.Group{}
	group.SetLimit(atOnce)
	for payment, m := range changed {
		group.Go(func() error { return c.mark(ctx, payment, m) })
	}
	return group.Wait()
}

// countAll adds the amounts that exceed the credit to all counters, or to no counter.
func (c Caps) countAll(ctx context.Context, s signing.Spend, more map[terms.Asset]uint64, lifts lifts) error {
	if len(more) == 0 {
		return nil
	}
	counters := c.counters(s)
	errs := make([]error, len(counters))
	var group errgroup.Group
	for n, counter := range counters {
		group.Go(func() error {
			errs[n] = c.count(ctx, counter, more, func(asset terms.Asset) uint64 {
				limit := lifts.limit(counter, asset, s.Limits[asset])
				if s.Pays() {
					limit = signing.ForPayments(limit)
				}
				return limit
			})
			return nil
		})
	}
	_ = group.Wait()
	err := errors.Join(errs...)
	if err == nil {
		return nil
	}
	// Subtract the counted amounts again. If the subtraction fails, or the outcome of a count is
	// unknown, the counters are too high, never too low.
	for n, counter := range counters {
		if errs[n] == nil {
			_ = c.takeOff(context.WithoutCancel(ctx), counter, more)
		}
	}
	return err
}

// Room returns the amount that payments of a run can move now; see signing.Caps.
func (c Caps) Room(ctx context.Context, s signing.Spend, asset terms.Asset) (uint64, error) {
	known, err := c.read(ctx, s)
	if err != nil {
		return 0, err
	}
	left := uint64(math.MaxUint64)
	for _, counter := range c.counters(s) {
		if !counter.counts(asset) {
			continue
		}
		maximum := signing.ForPayments(known.lifts.limit(counter, asset, s.Limits[asset]))
		left = min(left, maximum-min(known.moved[counter.partition][asset], maximum))
	}
	for _, credit := range known.credit {
		left = signing.Add(left, credit[asset])
	}
	return left, nil
}

// add returns the uncounted amounts, the rent that receipts return, and the changed marks.
func add(charges []signing.Charge, marks map[string]mark) (more map[terms.Asset]uint64, returned uint64, changed map[string]mark) {
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
		returned = signing.Add(returned, charge.Returns)
		for asset, amount := range charge.Moves {
			if before := known.moved[asset]; amount > before {
				more[asset] = signing.Add(more[asset], amount-before)
				known.moved[asset] = amount
			}
		}
		marks[charge.Payment], changed[charge.Payment] = known, known
	}
	maps.DeleteFunc(more, func(_ terms.Asset, amount uint64) bool { return amount == 0 })
	return more, returned, changed
}

// stored is the items of the table that concern a spend.
type stored struct {
	marks  map[string]mark // by payment
	lifts  lifts
	moved  map[string]map[terms.Asset]uint64 // by the partition of the counter
	credit [2]map[terms.Asset]uint64         // of the periods
}

// lifts are the limits that operators have set, by scope.
type lifts map[string]map[terms.Asset]uint64

// limit returns the limit of a counter: the limit that an operator has set, or the usual limit.
func (l lifts) limit(counter counter, asset terms.Asset, usual signing.Limit) uint64 {
	if lifted, ok := l[counter.scope][asset]; ok {
		return lifted
	}
	return counter.limit(usual)
}

// read reads the items of the table that concern a spend.
func (c Caps) read(ctx context.Context, s signing.Spend) (stored, error) {
	known := stored{marks: map[string]mark{}, lifts: lifts{}, moved: map[string]map[terms.Asset]uint64{}}
	payments := map[string]bool{}
	var keys []map[string]types.AttributeValue
	for _, charge := range s.Charges {
		if !payments[charge.Payment] {
			payments[charge.Payment] = true
			keys = append(keys, markKey(charge.Payment))
		}
	}
	for _, counter := range c.counters(s) {
		keys = append(keys, counter.key())
		for asset := range s.Limits {
			keys = append(keys, dynamo.Key(liftPrefix+counter.scope, asset.String()))
		}
	}
	periods := c.periods()
	for _, period := range periods {
		keys = append(keys, creditKey(s.Wallet, period))
	}
	for part := range slices.Chunk(keys, dynamo.MaxInBatch) {
		items, err := dynamo.BatchGet(ctx, c.Client, c.Table, part, true)
		if err != nil {
			return stored{}, err
		}
		for _, item := range items {
			if err := known.add(item, periods, c.Now()); err != nil {
				return stored{}, err
			}
		}
	}
	return known, nil
}

// add adds an item of the table to k.
func (k *stored) add(item map[string]types.AttributeValue, periods [2]string, now time.Time) (err error) {
	id := dynamo.IDOf(item)
	switch payment, marked := cut(id.Partition, "MESSAGE#"); {
	case marked:
		if k.marks[payment], err = readMark(item); err != nil {
			return fmt.Errorf("read what was counted of %s: %w", payment, err)
		}
	case id.Sort == movedSort:
		k.moved[id.Partition], err = amounts(item)
	case id.Sort == creditSort:
		for n, period := range periods {
			if strings.HasSuffix(id.Partition, "#"+period) {
				k.credit[n], err = amounts(item)
			}
		}
	default:
		var l Lift
		if l, err = readLift(item); err == nil && now.Before(l.Until) {
			if k.lifts[l.Scope] == nil {
				k.lifts[l.Scope] = map[terms.Asset]uint64{}
			}
			k.lifts[l.Scope][l.Asset] = l.Limit
		}
	}
	return err
}

// count adds amounts to a counter unless the sum exceeds a limit. An asset without a limit at this
// counter is not counted.
func (c Caps) count(ctx context.Context, counter counter, more map[terms.Asset]uint64, limit func(terms.Asset) uint64) error {
	room := map[terms.Asset]uint64{}
	for asset, amount := range more {
		if !counter.counts(asset) {
			continue
		}
		maximum := limit(asset)
		if amount > maximum {
			return signing.Reached(counter.partition, asset, 0, amount, maximum)
		}
		room[asset] = maximum - amount
	}
	in := c.addition(counter.key(), more, plus)
	under(in, "(attribute_not_exists(%[1]s) OR %[1]s <= %[2]s)", room)
	in.ReturnValuesOnConditionCheckFailure = types.ReturnValuesOnConditionCheckFailureAllOld
	_, err := c.Client.UpdateItem(ctx, in)
	if failed, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok {
		for asset, amount := range more {
			has, err := amountOf(failed.Item, asset.String())
			if maximum := limit(asset); err == nil && maximum >= amount && has > maximum-amount {
				return signing.Reached(counter.partition, asset, has, amount, maximum)
			}
		}
		return fmt.Errorf("%w: %s", payout.ErrCap, counter.partition)
	}
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("count at %s: %w", counter.partition, err))
	}
	return nil
}

// takeOff subtracts counted amounts from a counter.
func (c Caps) takeOff(ctx context.Context, counter counter, more map[terms.Asset]uint64) error {
	_, err := c.Client.UpdateItem(ctx, c.addition(counter.key(), more, subtract))
	return err
}

// sign is the sign of an addition.
type sign string

const (
	plus     sign = ""
	subtract sign = "-"
)

// addition returns the update that adds amounts to an item, or subtracts amounts. The result may be
// negative.
func (c Caps) addition(key map[string]types.AttributeValue, amounts map[terms.Asset]uint64, sign sign) *dynamodb.UpdateItemInput {
	in := &dynamodb.UpdateItemInput{
		TableName: &c.Table, Key: key,
		ExpressionAttributeNames:  map[string]string{"#expires": schema.ExpiresAt},
		ExpressionAttributeValues: map[string]types.AttributeValue{":expires": dynamo.Number(c.Now().Add(keepDays).Unix())},
	}
	var sums []string
	for asset, amount := range amounts {
		name, value := fmt.Sprintf("#asset%d", len(sums)), fmt.Sprintf(":more%d", len(sums))
		sums = append(sums, name+" "+value)
		in.ExpressionAttributeNames[name] = asset.String()
		in.ExpressionAttributeValues[value] = &types.AttributeValueMemberN{Value: string(sign) + strconv.FormatUint(amount, 10)}
	}
	in.UpdateExpression = new("SET #expires = :expires ADD " + strings.Join(sums, ", "))
	return in
}

// under adds a condition to an update: a comparison of each asset's stored amount. In comparison,
// %[1]s is the name of the asset and %[2]s the bound.
func under(in *dynamodb.UpdateItemInput, comparison string, bounds map[terms.Asset]uint64) {
	var conditions []string
	for asset, bound := range bounds {
		name, value := fmt.Sprintf("#bound%d", len(conditions)), fmt.Sprintf(":bound%d", len(conditions))
		conditions = append(conditions, fmt.Sprintf(comparison, name, value))
		in.ExpressionAttributeNames[name] = asset.String()
		in.ExpressionAttributeValues[value] = number(bound)
	}
	if len(conditions) > 0 {
		in.ConditionExpression = new(strings.Join(conditions, " AND "))
	}
}

// mark writes the counted amounts of a payment. If two processes write concurrently, both have
// added to the counters. The larger mark may be lost, and part of the payment is then counted
// twice.
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

// amounts reads the attributes of an item that are named by assets.
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
	if !ok || strings.HasPrefix(n.Value, "-") { // an overdrawn credit counts as zero
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
