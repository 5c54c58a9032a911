package capstable

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/distribution/signing"
	"tokenlaunch.example/service/pkg/token/terms"
)

// observeTries is the maximum number of reads of Observe. Observe reads again after another process
// has observed the wallet.
const observeTries = 5

// Observe stores a sighting of a wallet; see signing.Caps. One transaction writes the sighting and
// the credit, on the condition that the stored sighting has not changed since the read. So every
// incoming base unit becomes credit at most once, no matter how many processes observe the wallet
// concurrently.
func (c Caps) Observe(ctx context.Context, s signing.Sight) error {
	for range observeTries {
		done, err := c.observe(ctx, s)
		if done || err != nil {
			return err
		}
	}
	return nil // another process has observed the wallet
}

// Forget removes the sighting of a wallet; see signing.Caps. An item without a slot takes the
// sighting's place, because the signer may not delete items.
func (c Caps) Forget(ctx context.Context, wallet solana.PublicKey) error {
	_, err := c.Client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &c.Table, Item: dynamo.Key("WALLET#"+wallet.String(), seenSort)})
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("forget what wallet %s had: %w", wallet, err))
	}
	return nil
}

// observe reports whether the stored sighting is at least as new as s.
func (c Caps) observe(ctx context.Context, s signing.Sight) (done bool, err error) {
	key := dynamo.Key("WALLET#"+s.Wallet.String(), seenSort)
	out, err := c.Client.GetItem(ctx, &dynamodb.GetItemInput{TableName: &c.Table, Key: key, ConsistentRead: new(true)})
	if err != nil {
		return false, dynamo.Unavailable(fmt.Errorf("read what wallet %s had: %w", s.Wallet, err))
	}
	before, err := amounts(out.Item)
	if err != nil {
		return false, fmt.Errorf("read what wallet %s had: %w", s.Wallet, err)
	}
	at, err := amountOf(out.Item, slotName)
	if err != nil {
		return false, fmt.Errorf("read what wallet %s had: %w", s.Wallet, err)
	}
	if s.Slot <= at {
		return true, nil
	}
	gained, changed := map[terms.Asset]uint64{}, len(out.Item) == 0
	for asset, has := range s.Balances {
		had, known := before[asset]
		if known && has > had {
			gained[asset] = has - had
		}
		changed = changed || !known || has != had
	}
	if !changed {
		return true, nil
	}
	seen := &types.Update{
		TableName: &c.Table, Key: key,
		ConditionExpression:       new("attribute_not_exists(#slot)"),
		ExpressionAttributeNames:  map[string]string{"#slot": slotName},
		ExpressionAttributeValues: map[string]types.AttributeValue{":slot": number(s.Slot)},
	}
	if at > 0 {
		seen.ConditionExpression = new("#slot = :at")
		seen.ExpressionAttributeValues[":at"] = number(at)
	}
	set, n := "SET #slot = :slot", 0
	for asset, has := range s.Balances {
		name, value := fmt.Sprintf("#asset%d", n), fmt.Sprintf(":has%d", n)
		set += ", " + name + " = " + value
		seen.ExpressionAttributeNames[name], seen.ExpressionAttributeValues[value] = asset.String(), number(has)
		n++
	}
	seen.UpdateExpression = &set
	list := []types.TransactWriteItem{{Update: seen}}
	if len(gained) > 0 {
		credit := c.addition(creditKey(s.Wallet, c.periods()[0]), gained, plus)
		list = append(list, types.TransactWriteItem{Update: &types.Update{
			TableName: credit.TableName, Key: credit.Key, UpdateExpression: credit.UpdateExpression,
			ExpressionAttributeNames: credit.ExpressionAttributeNames, ExpressionAttributeValues: credit.ExpressionAttributeValues,
		}})
	}
	_, err = c.Client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: list})
	if canceled, ok := errors.AsType[*types.TransactionCanceledException](err); ok && overtaken(canceled) {
		return false, nil
	}
	if err != nil {
		return false, dynamo.Unavailable(fmt.Errorf("write what wallet %s has: %w", s.Wallet, err))
	}
	return true, nil
}

// overtaken reports whether a transaction failed because another process wrote the same items.
func overtaken(canceled *types.TransactionCanceledException) bool {
	for _, reason := range canceled.CancellationReasons {
		if code := reason.Code; code != nil && (*code == "ConditionalCheckFailed" || *code == "TransactionConflict") {
			return true
		}
	}
	return false
}

func (c Caps) changeCredit(ctx context.Context, wallet solana.PublicKey, in *dynamodb.UpdateItemInput) error {
	if _, err := c.Client.UpdateItem(ctx, in); err != nil {
		return dynamo.Unavailable(fmt.Errorf("change the credit of wallet %s: %w", wallet, err))
	}
	return nil
}

// useCredit takes as much as possible from the credit of the periods, the older period first, and
// lowers more by the taken amounts. It returns the taken amounts of each period.
func (c Caps) useCredit(ctx context.Context, wallet solana.PublicKey, more map[terms.Asset]uint64, credit [2]map[terms.Asset]uint64) (used [2]map[terms.Asset]uint64, err error) {
	periods := c.periods()
	for n := len(periods) - 1; n >= 0; n-- {
		take := map[terms.Asset]uint64{}
		for asset, amount := range more {
			if part := min(amount, credit[n][asset]); part > 0 {
				take[asset] = part
			}
		}
		if len(take) == 0 {
			continue
		}
		in := c.addition(creditKey(wallet, periods[n]), take, subtract)
		under(in, "%[1]s >= %[2]s", take)
		err := c.changeCredit(ctx, wallet, in)
		if dynamo.ConditionFailed(err) {
			continue // another process has used the credit: the rest of more counts against the limits
		}
		if err != nil {
			c.refund(context.WithoutCancel(ctx), wallet, used)
			return used, err
		}
		used[n] = take
		for asset, part := range take {
			if more[asset] -= part; more[asset] == 0 {
				delete(more, asset)
			}
		}
	}
	return used, nil
}

// refund restores credit that was claimed and not used. If the write fails, the credit is lost, so less
// can leave, never more.
func (c Caps) refund(ctx context.Context, wallet solana.PublicKey, used [2]map[terms.Asset]uint64) {
	for n, period := range c.periods() {
		if len(used[n]) > 0 {
			_ = c.changeCredit(ctx, wallet, c.addition(creditKey(wallet, period), used[n], plus))
		}
	}
}
