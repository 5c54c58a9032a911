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
	"tokenlaunch.example/service/pkg/aws/launchtable/dueindex"
	"tokenlaunch.example/service/pkg/aws/launchtable/issued"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/watch"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// Transactions stores the transactions that create or change markets, in the launch table. It
// implements watch.MarketStore.
type Transactions struct {
	Client *dynamodb.Client
	Table  string
}

var _ watch.MarketStore = Transactions{}

// newestOf is the divisor for the share of a list that is reserved for the newest transactions: a
// fifth.
const newestOf = 5

// Due lists market transactions that are due; see watch.MarketStore.
func (s Transactions) Due(ctx context.Context, now time.Time, maximum int) ([]transaction.Issued, error) {
	list, err := dueindex.Read(ctx, s.Client, s.Table, issued.MarketDue, dueindex.LongestFirst, now, maximum, issued.Item.Issued)
	if err != nil || len(list) < maximum {
		return list, err
	}
	newest, err := dueindex.Read(ctx, s.Client, s.Table, issued.MarketDue, dueindex.NewestFirst, now, max(maximum/newestOf, 1), issued.Item.Issued)
	if err != nil {
		return nil, err
	}
	for _, i := range list[:maximum-len(newest)] {
		if !slices.ContainsFunc(newest, func(n transaction.Issued) bool { return n.ID == i.ID }) {
			newest = append(newest, i)
		}
	}
	return newest, nil
}

// PutOff postpones the next check of a transaction; see watch.MarketStore.
func (s Transactions) PutOff(ctx context.Context, i transaction.Issued, next time.Time) error {
	return s.update(ctx, "defer", i, "SET dueAt = :next", "fate = :open", map[string]types.AttributeValue{
		":next": dynamo.Number(next.UnixMilli()),
	})
}

// Expire ends a transaction that can no longer land; see watch.MarketStore.
func (s Transactions) Expire(ctx context.Context, i transaction.Issued) error {
	return s.update(ctx, "expire", i, "SET fate = :fate REMOVE duePk, dueAt", "fate = :open", map[string]types.AttributeValue{
		":fate": dynamo.Text(string(transaction.Expired)),
	})
}

// update changes the record of an open transaction.
func (s Transactions) update(ctx context.Context, verb string, i transaction.Issued, set, condition string, values map[string]types.AttributeValue) error {
	values[":open"] = dynamo.Text(string(transaction.Open))
	_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: issued.Key(i.ID),
		UpdateExpression: &set, ConditionExpression: &condition, ExpressionAttributeValues: values,
	})
	if dynamo.ConditionFailed(err) {
		return watch.ErrTaken
	}
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("%s the %s transaction %s: %w", verb, i.Kind, i.ID, err))
	}
	return nil
}

// seenIssued returns the write that ends an open transaction as seen.
func seenIssued(table, id string) types.TransactWriteItem {
	return types.TransactWriteItem{Update: &types.Update{
		TableName: &table, Key: issued.Key(id),
		UpdateExpression:    new("SET fate = :seen REMOVE duePk, dueAt"),
		ConditionExpression: new("fate = :open"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":seen": dynamo.Text(string(transaction.Seen)), ":open": dynamo.Text(string(transaction.Open)),
		},
	}}
}

// PoolSeen ends a transaction whose pool is on the chain; see watch.MarketStore.
func (s Transactions) PoolSeen(ctx context.Context, i transaction.Issued, p token.Pool) error {
	first, err := addPool(s.Table, p)
	if err != nil {
		return err
	}
	more, err := addMorePool(s.Table, p, maxMorePools)
	if err != nil {
		return err
	}
	// Record the pool as the creator's first pool of this kind, or else as a further pool. If the
	// token is unknown or has too many pools, record only the transaction.
	for _, effects := range [][]types.TransactWriteItem{{first}, {more}, nil} {
		err = s.see(ctx, i, effects...)
		if failed, _ := dynamo.CanceledAt(err); !slices.Equal(failed, []int{1}) {
			break
		}
	}
	if failed, _ := dynamo.CanceledAt(err); slices.Contains(failed, 0) {
		return watch.ErrTaken
	}
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("record the pool %s: %w", p.Address, err))
	}
	return nil
}

// see writes that a transaction was seen, together with the effects.
func (s Transactions) see(ctx context.Context, i transaction.Issued, effects ...types.TransactWriteItem) error {
	_, err := s.Client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		TransactItems: append([]types.TransactWriteItem{seenIssued(s.Table, i.ID)}, effects...),
	})
	return err
}

// Candidate returns the curve that a transaction creates; see watch.MarketStore.
func (s Transactions) Candidate(ctx context.Context, i transaction.Issued) (market.Curve, error) {
	candidates, err := Store(s).Candidates(ctx, i.Mint)
	if err != nil {
		return market.Curve{}, err
	}
	for _, c := range candidates {
		if c.ID == i.ID {
			return c, nil
		}
	}
	return market.Curve{}, market.ErrNotFound
}

// Deploy records that a candidate is on the chain; see watch.MarketStore.
func (s Transactions) Deploy(ctx context.Context, c market.Curve, id string) error {
	return Store(s).Deploy(ctx, c, id)
}

// Curve returns the curve of a mint; see watch.MarketStore.
func (s Transactions) Curve(ctx context.Context, mint solana.PublicKey) (market.Curve, error) {
	return Store(s).Curve(ctx, mint)
}

// CancelSeen ends a transaction that withdrew a curve; see watch.MarketStore. CancelSeen first
// advances the curve's next check. If the second write fails, the earlier check is harmless.
func (s Transactions) CancelSeen(ctx context.Context, i transaction.Issued, now time.Time) error {
	_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: curveKey(i.Mint),
		UpdateExpression:    new("SET dueAt = :now"),
		ConditionExpression: new("duePk = :curve AND dueAt > :now"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":now": dynamo.Number(now.UnixMilli()), ":curve": dynamo.Text(curveDue),
		},
	})
	if err != nil && !dynamo.ConditionFailed(err) { // refused: the curve is due anyway, or cancelled
		return dynamo.Unavailable(fmt.Errorf("bring the look at the curve of %s forward: %w", i.Mint, err))
	}
	return s.update(ctx, "end", i, "SET fate = :fate REMOVE duePk, dueAt", "fate = :open", map[string]types.AttributeValue{
		":fate": dynamo.Text(string(transaction.Seen)),
	})
}
