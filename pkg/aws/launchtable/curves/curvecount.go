package curves

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tokenlaunch.example/service/pkg/token"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/launchtable/figures"
	"tokenlaunch.example/service/pkg/market/index"
)

// change returns an update of a curve's item, on the condition that the cursor has not moved since
// the read.
func (s Index) change(c index.Curve, expression string, values map[string]types.AttributeValue) *types.Update {
	condition := "attribute_exists(pk) AND attribute_not_exists(indexLast)"
	if !c.Index.Last.IsZero() {
		condition = "indexLast = :cursor"
		values[":cursor"] = dynamo.Binary(c.Index.Last[:])
	}
	return &types.Update{
		TableName: &s.Table, Key: curveKey(c.Mint),
		UpdateExpression: &expression, ConditionExpression: &condition, ExpressionAttributeValues: values,
	}
}

// setState adds a change of state to an update. The update then requires an active curve.
func setState(u *types.Update, to token.CurveState) {
	*u.ConditionExpression += " AND #state = :active"
	u.ExpressionAttributeNames = map[string]string{"#state": "state"}
	u.ExpressionAttributeValues[":active"] = dynamo.Text(string(token.CurveActive))
	u.ExpressionAttributeValues[":state"] = dynamo.Text(string(to))
}

// Apply adds a page; see index.Store.
func (s Index) Apply(ctx context.Context, c index.Curve, p index.Page) (index.Curve, error) {
	known, candles, err := s.known(ctx, c.Mint, p)
	if err != nil {
		return index.Curve{}, err
	}
	told, err := s.tell(c.Mint, p, candles)
	if err != nil {
		return index.Curve{}, err
	}
	buyers := slices.DeleteFunc(slices.Clone(p.NewBuyers), func(w solana.PublicKey) bool { return known[dynamo.IDOf(buyerKey(c.Mint, w))] })
	p.Buyers = c.Index.Buyers + uint64(len(buyers))
	values := map[string]types.AttributeValue{
		":slot": count(p.ChainSlot), ":within": &types.AttributeValueMemberBOOL{Value: p.Within},
		":trades": count(p.Trades), ":buyers": count(p.Buyers),
		":bought": count(p.Bought), ":sold": count(p.Sold), ":paid": count(p.Paid), ":received": count(p.Received),
	}
	set := "SET indexSlot = :slot, indexWithin = :within, trades = :trades, buyers = :buyers, " +
		"bought = :bought, sold = :sold, paid = :paid, received = :received"
	remove := ""
	put := func(name string, there bool, value func() types.AttributeValue) {
		if there {
			set += ", " + name + " = :" + name
			values[":"+name] = value()
			return
		}
		remove += separated(remove, " REMOVE ") + name
	}
	put("indexLast", !p.Last.IsZero(), func() types.AttributeValue { return dynamo.Binary(p.Last[:]) })
	put("indexWalk", !p.Walk.IsZero(), func() types.AttributeValue { return dynamo.Binary(p.Walk[:]) })
	put("indexBegunAt", !p.BegunAt.IsZero(), func() types.AttributeValue { return dynamo.Number(p.BegunAt.UnixMilli()) })
	put("indexPrice", p.SqrtPrice != nil, func() types.AttributeValue { return dynamo.Text(p.SqrtPrice.String()) })

	completes := c.State == token.CurveActive && !p.CompletedAt.IsZero()
	if completes {
		set += ", #state = :state, completedAt = :completed"
		values[":completed"] = dynamo.Number(p.CompletedAt.UnixMilli())
	}
	update := s.change(c, set+remove, values)
	writes := []types.TransactWriteItem{{Update: update}}
	// Only official curves count for the ranks of tokens. Other curves may be of any mint, which no
	// takedown hides, and any number of curves is possible.
	if c.Official && p.Trades > c.Index.Trades {
		writes = append(writes, figures.VolumeOf(s.Table, c.Mint, p.Paid, p.Received))
	}
	after := c
	after.Index, after.Within, after.BegunAt, after.Walk, after.SqrtPrice = p.Index, p.Within, p.BegunAt, p.Walk, p.SqrtPrice
	if completes {
		setState(update, token.CurveCompleted)
		after.State, after.CompletedAt = token.CurveCompleted, p.CompletedAt
		begun := p.BegunAt
		if begun.IsZero() { // the curve was complete before the beginning was counted
			begun = c.CreatedAt
		}
		if c.StartsAt.After(begun) {
			begun = c.StartsAt
		}
		writes = append(writes, speed(s.Table, c.Address, max(p.CompletedAt.Sub(begun), 0)))
		writes = s.onToken(writes, c, token.CurveCompleted)
	}
	for _, wallet := range buyers {
		writes = append(writes, types.TransactWriteItem{Put: &types.Put{
			TableName: &s.Table, Item: buyerKey(c.Mint, wallet),
			ConditionExpression: new("attribute_not_exists(" + schema.PartitionKey + ")"),
		}})
	}
	return after, s.transact(ctx, c, append(writes, told...))
}

// separated returns the text in front of the next name of a list.
func separated(list, beginning string) string {
	if list == "" {
		return beginning
	}
	return ", "
}

func count(n uint64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: fmt.Sprint(n)}
}

// transact makes all writes, or no write if the cursor has moved.
func (s Index) transact(ctx context.Context, c index.Curve, writes []types.TransactWriteItem) error {
	_, err := s.Client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: writes})
	if failed, canceled := dynamo.CanceledAt(err); canceled && len(failed) > 0 {
		return index.ErrTaken
	}
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("count the trades of %s: %w", c.Mint, err))
	}
	return nil
}

func buyerKey(mint, wallet solana.PublicKey) map[string]types.AttributeValue {
	return dynamo.Key(curvePartition(mint), buyerPrefix+wallet.String())
}

// onToken adds the write of the curve's state to the token's record, if the curve is official. A
// launched token has a record before the token is on the chain.
func (s Index) onToken(writes []types.TransactWriteItem, c index.Curve, state token.CurveState) []types.TransactWriteItem {
	if !c.Official {
		return writes
	}
	return append(writes, types.TransactWriteItem{Update: &types.Update{
		TableName: &s.Table, Key: launchtable.TokenKey(c.Mint),
		UpdateExpression:          new("SET curveState = :state"),
		ConditionExpression:       new("attribute_exists(pk)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":state": dynamo.Text(string(state))},
	}})
}

// Rest postpones the next check; see index.Store.
func (s Index) Rest(ctx context.Context, c index.Curve, walk solana.Signature, next time.Time) error {
	values := map[string]types.AttributeValue{":next": dynamo.Number(next.UnixMilli()), ":curve": dynamo.Text(curveDue)}
	set := "SET dueAt = :next REMOVE indexWalk"
	if !walk.IsZero() {
		set = "SET dueAt = :next, indexWalk = :walk"
		values[":walk"] = dynamo.Binary(walk[:])
	}
	update := s.change(c, set, values)
	_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: update.TableName, Key: update.Key, UpdateExpression: update.UpdateExpression,
		ConditionExpression:       new(*update.ConditionExpression + " AND duePk = :curve"),
		ExpressionAttributeValues: update.ExpressionAttributeValues,
	})
	if dynamo.ConditionFailed(err) {
		return index.ErrTaken
	}
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("defer the curve of %s: %w", c.Mint, err))
	}
	return nil
}

// Cancel ends an active curve without liquidity; see index.Store.
func (s Index) Cancel(ctx context.Context, c index.Curve) error {
	update := s.change(c, "SET #state = :state REMOVE duePk, dueAt", map[string]types.AttributeValue{})
	setState(update, token.CurveCancelled)
	return s.transact(ctx, c, s.onToken([]types.TransactWriteItem{{Update: update}}, c, token.CurveCancelled))
}
