// Package curves keeps launchpad curves, what was counted of their trades, and pools that are to be,
// in the launch table; and sees the transactions that make them.
package curves

import (
	"context"
	"fmt"
	"strings"

	"tokenlaunch.example/service/pkg/token"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/launchtable/issued"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// A mint has at most one curve, for the program derives the pool's address from the
// mints; and any number of candidates, of which at most one can land:
//
//	CURVE#<mint>  CURVE                 the curve that is on the chain
//	CURVE#<mint>  PREPARED#<prepared, 15 digits>#<issued id>  a candidate; it expires
//	                                    with its transaction's record
//	CURVES        <created, 15 digits>#<mint>  the list
//	CURVESPEED    CURVESPEED            how long completed curves took, see speed
//
// The digits are Unix milliseconds.
const (
	curveSort      = "CURVE"
	preparedPrefix = "PREPARED#"
	curvesPk       = "CURVES"
	curveSpeed     = "CURVESPEED"
)

// curvePrefix begins the partitions of curves.
const curvePrefix = "CURVE#"

func curvePartition(mint solana.PublicKey) string { return curvePrefix + mint.String() }

func curveKey(mint solana.PublicKey) map[string]types.AttributeValue {
	return dynamo.Key(curvePartition(mint), curveSort)
}

func candidateKey(c market.Curve) map[string]types.AttributeValue {
	return dynamo.Key(curvePartition(c.Mint), fmt.Sprintf("%s%015d#%s", preparedPrefix, c.PreparedAt.UnixMilli(), c.ID))
}

func curveEntry(c market.Curve) string {
	return fmt.Sprintf("%015d#%s", c.CreatedAt.UnixMilli(), c.Mint)
}

// Store keeps launchpad curves.
type Store struct {
	Client *dynamodb.Client
	Table  string
}

// Issue records a transaction that makes a curve, and the curve as a candidate: its ID
// is the transaction's. It is official when the creator of a token that was launched here
// makes it.
func (s Store) Issue(ctx context.Context, i transaction.Issued, c market.Curve) error {
	creator, launched, err := creatorOf(ctx, s.Client, s.Table, c.Mint)
	if err != nil {
		return err
	}
	c.Official = launched && creator == c.Creator
	stored := newCurveItem(c)
	stored.State, stored.ExpiresAt = string(token.CurvePrepared), i.CreatedAt.Add(issued.Keep).Unix()
	item, err := dynamo.NewItem(candidateKey(c), stored)
	if err != nil {
		return fmt.Errorf("encode the curve of %s: %w", c.Mint, err)
	}
	if err := issued.Store(s).RecordWith(ctx, i, item); err != nil {
		return fmt.Errorf("issue a curve of %s: %w", c.Mint, err)
	}
	return nil
}

// maxCandidates bounds how many candidates are read. A transaction can land for a
// minute or so, so that the newest count.
const maxCandidates = 1000

// Candidates lists the curves of a mint that were prepared within a week, those whose
// transactions were made last first.
func (s Store) Candidates(ctx context.Context, mint solana.PublicKey) ([]market.Curve, error) {
	query := dynamo.Beginning(s.Table, curvePartition(mint), preparedPrefix)
	query.ScanIndexForward = new(false)
	pages := dynamodb.NewQueryPaginator(s.Client, query)
	var list []market.Curve
	for pages.HasMorePages() && len(list) < maxCandidates {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return nil, dynamo.Unavailable(fmt.Errorf("list the candidates of %s: %w", mint, err))
		}
		for _, item := range out.Items {
			c, err := readCurve(item)
			if err != nil {
				return nil, err
			}
			list = append(list, c)
		}
	}
	return list, nil
}

// Curve gives the curve of a mint that is on the chain, or market.ErrNotFound.
func (s Store) Curve(ctx context.Context, mint solana.PublicKey) (market.Curve, error) {
	var stored curveItem
	found, err := dynamo.Get(ctx, s.Client, s.Table, curveKey(mint), &stored)
	if err != nil {
		return market.Curve{}, fmt.Errorf("read the curve of %s: %w", mint, err)
	}
	if !found {
		return market.Curve{}, market.ErrNotFound
	}
	return stored.curve()
}

// Deploy records, once, that a candidate is on the chain: it is the mint's curve,
// active and listed by its CreatedAt, its token's record has its pool, as the token's curve
// when its creator made it, and its transaction is seen. Deployed already it stays as it is. It fails with
// market.ErrConflict when another candidate is the mint's curve.
func (s Store) Deploy(ctx context.Context, c market.Curve, issuedID string) error {
	if c.CreatedAt.IsZero() {
		return fmt.Errorf("deploy the curve of %s: it has no time of creation", c.Mint)
	}
	c.State = token.CurveActive
	writes, err := s.deployment(ctx, c, issuedID)
	if err != nil {
		return err
	}
	_, err = s.Client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: writes})
	failed, refused := dynamo.CanceledAt(err)
	switch {
	case err == nil:
		return nil
	case !refused || len(failed) == 0 || failed[0] != 0:
		return dynamo.Unavailable(fmt.Errorf("deploy the curve of %s: %w", c.Mint, err))
	}
	there, err := s.Curve(ctx, c.Mint)
	if err == nil && there.ID != c.ID {
		err = market.ErrConflict
	}
	return err
}

// deployment makes the writes of Deploy; the first is the curve's own.
func (s Store) deployment(ctx context.Context, c market.Curve, issuedID string) ([]types.TransactWriteItem, error) {
	// A launched token has its record before it is on the chain, so a token without one now
	// gets none.
	creator, launched, err := creatorOf(ctx, s.Client, s.Table, c.Mint)
	if err != nil {
		return nil, err
	}
	c.Official = launched && creator == c.Creator
	curve, err := dynamo.NewItem(curveKey(c.Mint), newCurveItem(c))
	if err != nil {
		return nil, fmt.Errorf("encode the curve of %s: %w", c.Mint, err)
	}
	followCurve(curve, c.CreatedAt)
	entry := dynamo.Key(curvesPk, curveEntry(c))
	entry["mint"] = dynamo.Binary(c.Mint[:])
	writes := []types.TransactWriteItem{
		{Put: &types.Put{TableName: &s.Table, Item: curve, ConditionExpression: new("attribute_not_exists(pk)")}},
		{Put: &types.Put{TableName: &s.Table, Item: entry}},
		{Delete: &types.Delete{TableName: &s.Table, Key: candidateKey(c)}},
		{Update: &types.Update{
			TableName: &s.Table, Key: issued.Key(issuedID),
			UpdateExpression:          new("SET fate = :seen REMOVE duePk, dueAt"),
			ConditionExpression:       new("attribute_exists(pk)"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":seen": dynamo.Text(string(transaction.Seen))},
		}},
	}
	if !launched {
		return writes, nil
	}
	if !c.Official {
		more, err := addMorePool(s.Table, c.Pool, mostMorePools+1) // a mint has one curve: there is room
		return append(writes, more), err
	}
	pool, err := attributevalue.Marshal(launchtable.NewPoolItem(c.Pool))
	if err != nil {
		return nil, fmt.Errorf("encode the pool of %s: %w", c.Mint, err)
	}
	return append(writes, types.TransactWriteItem{Update: &types.Update{
		TableName: &s.Table, Key: launchtable.TokenKey(c.Mint),
		UpdateExpression:         new("SET #pool = :pool, curveState = :active"),
		ConditionExpression:      new("attribute_exists(pk)"),
		ExpressionAttributeNames: map[string]string{"#pool": launchtable.PoolAttribute(c.Kind)},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":pool": pool, ":active": dynamo.Text(string(token.CurveActive)),
		},
	}}), nil
}

// Page gives up to limit curves, the newest first, that stand after a place which an
// earlier page gave, or from the newest on. The next place is empty after the last
// one. limit is at most 100.
func (s Store) Page(ctx context.Context, after string, limit int) (page []market.Curve, next string, err error) {
	query := &dynamodb.QueryInput{
		TableName: &s.Table, ScanIndexForward: new(false),
		KeyConditionExpression:    new(schema.PartitionKey + " = :curves"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":curves": dynamo.Text(curvesPk)},
		Limit:                     new(int32(min(limit, 100) + 1)), //nolint:gosec // bounded by min
	}
	if after != "" {
		query.ExclusiveStartKey = dynamo.Key(curvesPk, after)
	}
	out, err := s.Client.Query(ctx, query)
	if err != nil {
		return nil, "", dynamo.Unavailable(fmt.Errorf("list curves: %w", err))
	}
	entries := out.Items
	if len(entries) > limit {
		entries = entries[:limit]
		next = dynamo.IDOf(entries[limit-1]).Sort
	}
	keys := make([]map[string]types.AttributeValue, len(entries))
	for i, item := range entries {
		_, mint, _ := strings.Cut(dynamo.IDOf(item).Sort, "#")
		keys[i] = dynamo.Key(curvePrefix+mint, curveSort)
	}
	items, err := dynamo.BatchGet(ctx, s.Client, s.Table, keys, false)
	if err != nil {
		return nil, "", fmt.Errorf("read %d curves: %w", len(keys), err)
	}
	byKey := make(map[dynamo.ItemID]market.Curve, len(items))
	for _, item := range items {
		c, err := readCurve(item)
		if err != nil {
			return nil, "", err
		}
		byKey[dynamo.IDOf(item)] = c
	}
	for _, key := range keys {
		if c, ok := byKey[dynamo.IDOf(key)]; ok {
			page = append(page, c)
		}
	}
	return page, next, nil
}
