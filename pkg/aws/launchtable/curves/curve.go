// Package curves stores launchpad curves, the statistics of the curves' trades, and prepared pools
// in the launch table. The package also records the transactions that create curves and pools.
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

// A mint has at most one curve, because the program derives the pool's address from the mints. A
// mint may have any number of candidates, of which at most one can land:
//
//	CURVE#<mint>  CURVE                 the deployed curve
//	CURVE#<mint>  PREPARED#<prepared, 15 digits>#<issued id>  a candidate, which expires
//	                                    together with the record of its transaction
//	CURVES        <created, 15 digits>#<mint>  the list
//	CURVESPEED    CURVESPEED            the durations of completed curves; see speed
//
// The digits are Unix milliseconds.
const (
	curveSort      = "CURVE"
	preparedPrefix = "PREPARED#"
	curvesPk       = "CURVES"
	curveSpeed     = "CURVESPEED"
)

// curvePrefix is the prefix of the partitions of curves.
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

// Store stores launchpad curves.
type Store struct {
	Client *dynamodb.Client
	Table  string
}

// Issue records a transaction that creates a curve, and records the curve as a candidate with the
// transaction's ID. The candidate is official if the service launched the token and the token's
// creator creates the curve.
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

// maxCandidates is the limit at which Candidates stops. A transaction can land for about a minute,
// so only the newest candidates matter.
const maxCandidates = 1000

// Candidates lists the candidates of a mint of the last week, the newest first.
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

// Curve returns the deployed curve of a mint, or market.ErrNotFound.
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

// Deploy records, once, that a candidate is on the chain. The candidate becomes the mint's curve,
// active and listed by CreatedAt. If the service launched the token, the token's record gets the
// pool, as the token's curve if the token's creator created the curve. The transaction becomes
// seen. Deploying the same curve again changes nothing. It returns market.ErrConflict if the mint
// has another curve.
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

// deployment returns the writes of Deploy. The first write stores the curve.
func (s Store) deployment(ctx context.Context, c market.Curve, issuedID string) ([]types.TransactWriteItem, error) {
	// A launched token has a record before the token is on the chain, so a token without a record
	// now never gets a record.
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
		more, err := addMorePool(s.Table, c.Pool, maxMorePools+1) // there is room, because a mint has only one curve
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

// Page returns up to limit curves, the newest first. The page begins after the given place, or at
// the newest curve if after is empty. next is the place for the following page, and is empty after
// the last curve. limit is at most 100.
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
