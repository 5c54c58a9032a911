package launchtable

import (
	"context"
	"fmt"
	"math/big"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/market/index"
)

// The index writes into the curve's item, and an item for each buyer:
//
//	CURVE#<mint>  CURVE           unless it is cancelled: duePk = CURVE, dueAt
//	CURVE#<mint>  BUYER#<wallet>  somebody who bought
const (
	curveDue    = "CURVE"
	buyerPrefix = "BUYER#"
)

// followCurve puts a new curve's item on the list of those to be followed.
func followCurve(item map[string]types.AttributeValue, from time.Time) {
	item["duePk"], item["dueAt"] = dynamo.Text(curveDue), dynamo.Number(from.UnixMilli())
}

// CurveIndex keeps what was counted of curves; it implements index.Store.
type CurveIndex struct {
	Client *dynamodb.Client
	Table  string
}

var _ index.Store = CurveIndex{}

// followedItem is a curve's item with what the index adds. Times are Unix
// milliseconds.
type followedItem struct {
	curveItem
	IndexWithin  bool   `dynamodbav:"indexWithin"`
	IndexWalk    []byte `dynamodbav:"indexWalk"`
	IndexBegunAt int64  `dynamodbav:"indexBegunAt"`
	IndexPrice   string `dynamodbav:"indexPrice"`
	DueAt        int64  `dynamodbav:"dueAt"`
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
	if stored.DueAt != 0 {
		c.DueAt = time.UnixMilli(stored.DueAt).UTC()
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

// Due lists curves that are due; see index.Store.
func (s CurveIndex) Due(ctx context.Context, now time.Time, most int) ([]index.Curve, error) {
	items, err := dueWhole(ctx, s.Client, s.Table, curveDue, now, most)
	if err != nil {
		return nil, err
	}
	curves := make([]index.Curve, len(items))
	for i, item := range items {
		if curves[i], err = readFollowed(item); err != nil {
			return nil, err
		}
	}
	return curves, nil
}

// Claim puts the next look at a curve off; see index.Store.
func (s CurveIndex) Claim(ctx context.Context, c index.Curve, next time.Time) (index.Curve, error) {
	out, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: curveKey(c.Mint),
		UpdateExpression:    new("SET dueAt = :next"),
		ConditionExpression: new("duePk = :curve AND dueAt = :seen"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":curve": dynamo.Text(curveDue), ":seen": dynamo.Number(c.DueAt.UnixMilli()), ":next": dynamo.Number(next.UnixMilli()),
		},
		ReturnValues: types.ReturnValueAllNew,
	})
	if dynamo.ConditionFailed(err) {
		return index.Curve{}, index.ErrTaken
	}
	if err != nil {
		return index.Curve{}, dynamo.Unavailable(fmt.Errorf("claim the curve of %s: %w", c.Mint, err))
	}
	return readFollowed(out.Attributes)
}
