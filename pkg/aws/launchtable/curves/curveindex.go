package curves

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/market/index"
)

// The index writes into the curve's item, and writes an item for each buyer:
//
//	CURVE#<mint>  CURVE           unless cancelled: duePk = CURVE, dueAt = the latest time of the next check
//	CURVE#<mint>  BUYER#<wallet>  a buyer
const (
	curveDue    = "CURVE"
	buyerPrefix = "BUYER#"
)

// followCurve puts a new curve's item on the list of followed curves.
func followCurve(item map[string]types.AttributeValue, from time.Time) {
	item["duePk"], item["dueAt"] = dynamo.Text(curveDue), dynamo.Number(from.UnixMilli())
}

// Index stores the statistics of curves. It implements index.Store.
type Index struct {
	Client *dynamodb.Client
	Table  string
}

var _ index.Store = Index{}

// followedItem is a curve's item with the attributes of the index. Times are Unix milliseconds.
type followedItem struct {
	curveItem
	IndexWithin  bool   `dynamodbav:"indexWithin"`
	IndexWalk    []byte `dynamodbav:"indexWalk"`
	IndexBegunAt int64  `dynamodbav:"indexBegunAt"`
	IndexPrice   string `dynamodbav:"indexPrice"`
}

func readFollowed(item map[string]types.AttributeValue) (index.Curve, error) {
	var stored followedItem
	if err := attributevalue.UnmarshalMap(item, &stored); err != nil {
		return index.Curve{}, fmt.Errorf("decode the curve item %v: %w", dynamo.IDOf(item), err)
	}
	c := index.Curve{Within: stored.IndexWithin, Walk: dynamo.Signature(stored.IndexWalk)}
	var err error
	if c.Curve, err = stored.curve(); err != nil {
		return index.Curve{}, err
	}
	if stored.IndexBegunAt != 0 {
		c.BegunAt = time.UnixMilli(stored.IndexBegunAt).UTC()
	}
	if stored.IndexPrice != "" {
		price, ok := new(big.Int).SetString(stored.IndexPrice, 10)
		if !ok {
			return index.Curve{}, fmt.Errorf("read the curve of %s: %q is no price", c.Mint, stored.IndexPrice)
		}
		c.SqrtPrice = price
	}
	return c, nil
}

// Followed lists the followed curves from the due index; see index.Store.
func (s Index) Followed(ctx context.Context) ([]index.Entry, error) {
	pages := dynamodb.NewQueryPaginator(s.Client, &dynamodb.QueryInput{
		TableName: &s.Table, IndexName: &schema.DueLaunches.Name,
		KeyConditionExpression:    new("duePk = :curve"),
		ProjectionExpression:      new("pk, sk, dueAt"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":curve": dynamo.Text(curveDue)},
	})
	var entries []index.Entry
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return nil, dynamo.Unavailable(fmt.Errorf("list the curves that are followed: %w", err))
		}
		for _, item := range out.Items {
			var due struct {
				At int64 `dynamodbav:"dueAt"`
			}
			mint, err := solana.PublicKeyFromBase58(strings.TrimPrefix(dynamo.IDOf(item).Partition, curvePrefix))
			if err == nil {
				err = attributevalue.UnmarshalMap(item, &due)
			}
			if err != nil {
				return nil, fmt.Errorf("decode the curve item %v: %w", dynamo.IDOf(item), err)
			}
			entries = append(entries, index.Entry{Mint: mint, DueAt: time.UnixMilli(due.At).UTC()})
		}
	}
	return entries, nil
}

// Curves reads deployed curves; see index.Store.
func (s Index) Curves(ctx context.Context, mints ...solana.PublicKey) ([]index.Curve, error) {
	curves := make([]index.Curve, 0, len(mints))
	for some := range slices.Chunk(mints, dynamo.MaxInBatch) {
		keys := make([]map[string]types.AttributeValue, len(some))
		for i, mint := range some {
			keys[i] = curveKey(mint)
		}
		items, err := dynamo.BatchGet(ctx, s.Client, s.Table, keys, true)
		if err != nil {
			return nil, fmt.Errorf("read %d curves: %w", len(keys), err)
		}
		for _, item := range items {
			c, err := readFollowed(item)
			if err != nil {
				return nil, err
			}
			curves = append(curves, c)
		}
	}
	return curves, nil
}
