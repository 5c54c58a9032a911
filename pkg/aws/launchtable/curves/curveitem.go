package curves

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"tokenlaunch.example/service/pkg/token"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/market"
)

// curveItem is a stored curve. Times are Unix milliseconds. Numbers of more than 64 bits are in
// decimal digits. Only the index changes State and the fields after State.
type curveItem struct {
	ID              string               `dynamodbav:"id"`
	Pool            launchtable.PoolItem `dynamodbav:"pool"`
	Position        []byte               `dynamodbav:"position"`
	NFTMint         []byte               `dynamodbav:"nftMint"`
	Decimals        int                  `dynamodbav:"decimals"`
	TokenProgram    []byte               `dynamodbav:"tokenProgram"`
	Tokens          uint64               `dynamodbav:"tokens"`
	TargetLamports  uint64               `dynamodbav:"targetLamports"`
	StartSqrtPrice  string               `dynamodbav:"startSqrtPrice"`
	TargetSqrtPrice string               `dynamodbav:"targetSqrtPrice"`
	Liquidity       string               `dynamodbav:"liquidity"`
	MultiplierBps   int64                `dynamodbav:"multiplierBps"`
	Locked          bool                 `dynamodbav:"locked"`
	FeeBps          int                  `dynamodbav:"feeBps"`
	Official        bool                 `dynamodbav:"official,omitempty"`
	StartsAt        int64                `dynamodbav:"startsAt,omitempty"`
	PreparedAt      int64                `dynamodbav:"preparedAt"`
	ExpiresAt       int64                `dynamodbav:"expiresAt,omitempty"` // schema.ExpiresAt, in seconds; only candidates expire

	State       string `dynamodbav:"state"`
	CompletedAt int64  `dynamodbav:"completedAt,omitempty"`
	IndexLast   []byte `dynamodbav:"indexLast,omitempty"` // a signature
	IndexSlot   uint64 `dynamodbav:"indexSlot,omitempty"`
	Trades      uint64 `dynamodbav:"trades,omitempty"`
	Buyers      uint64 `dynamodbav:"buyers,omitempty"`
	Bought      uint64 `dynamodbav:"bought,omitempty"`
	Sold        uint64 `dynamodbav:"sold,omitempty"`
	Paid        uint64 `dynamodbav:"paid,omitempty"`
	Received    uint64 `dynamodbav:"received,omitempty"`
}

func newCurveItem(c market.Curve) curveItem {
	item := curveItem{
		ID: c.ID, Pool: launchtable.NewPoolItem(c.Pool), Position: c.Position[:], NFTMint: c.NFTMint[:],
		Decimals: c.Decimals, TokenProgram: c.TokenProgram[:], Tokens: c.Tokens, TargetLamports: c.TargetLamports,
		StartSqrtPrice: c.StartSqrtPrice.String(), TargetSqrtPrice: c.TargetSqrtPrice.String(), Liquidity: c.Liquidity.String(),
		MultiplierBps: c.MultiplierBps, Locked: c.Locked, FeeBps: c.FeeBps, Official: c.Official,
		PreparedAt: c.PreparedAt.UnixMilli(), State: string(c.State),
		IndexSlot: c.Index.ChainSlot, Trades: c.Index.Trades, Buyers: c.Index.Buyers,
		Bought: c.Index.Bought, Sold: c.Index.Sold, Paid: c.Index.Paid, Received: c.Index.Received,
	}
	if !c.StartsAt.IsZero() {
		item.StartsAt = c.StartsAt.UnixMilli()
	}
	if !c.CompletedAt.IsZero() {
		item.CompletedAt = c.CompletedAt.UnixMilli()
	}
	if !c.Index.Last.IsZero() {
		item.IndexLast = c.Index.Last[:]
	}
	return item
}

func (i curveItem) curve() (market.Curve, error) {
	c := market.Curve{
		Pool: i.Pool.Pool(), ID: i.ID, Position: dynamo.PublicKey(i.Position), NFTMint: dynamo.PublicKey(i.NFTMint),
		Decimals: i.Decimals, TokenProgram: dynamo.PublicKey(i.TokenProgram), Tokens: i.Tokens, TargetLamports: i.TargetLamports,
		MultiplierBps: i.MultiplierBps, Locked: i.Locked, FeeBps: i.FeeBps, Official: i.Official,
		State: token.CurveState(i.State), PreparedAt: time.UnixMilli(i.PreparedAt).UTC(),
		Index: market.Index{
			Last: dynamo.Signature(i.IndexLast), ChainSlot: i.IndexSlot, Trades: i.Trades, Buyers: i.Buyers,
			Bought: i.Bought, Sold: i.Sold, Paid: i.Paid, Received: i.Received,
		},
	}
	if i.StartsAt != 0 {
		c.StartsAt = time.UnixMilli(i.StartsAt).UTC()
	}
	if i.CompletedAt != 0 {
		c.CompletedAt = time.UnixMilli(i.CompletedAt).UTC()
	}
	for _, n := range []struct {
		into **big.Int
		text string
	}{{&c.StartSqrtPrice, i.StartSqrtPrice}, {&c.TargetSqrtPrice, i.TargetSqrtPrice}, {&c.Liquidity, i.Liquidity}} {
		value, ok := new(big.Int).SetString(n.text, 10)
		if !ok {
			return market.Curve{}, fmt.Errorf("read the curve of %s: %q is no number", c.Mint, n.text)
		}
		*n.into = value
	}
	return c, nil
}

func readCurve(item map[string]types.AttributeValue) (market.Curve, error) {
	var stored curveItem
	if err := attributevalue.UnmarshalMap(item, &stored); err != nil {
		return market.Curve{}, fmt.Errorf("decode the curve item %v: %w", dynamo.IDOf(item), err)
	}
	return stored.curve()
}

// speedSlots is the number of completed curves in the median: enough to keep one curve from moving
// the median, and few enough for an item of less than a kilobyte.
const speedSlots = 64

// speedPrefix is the prefix of the attributes of the item of durations. Attribute s<slot> is the
// duration of a completed curve, in milliseconds. The slot follows from the pool's address, so a
// completion that is written twice counts once, and no write has to read first. A later curve
// replaces an earlier curve of the same slot.
const speedPrefix = "s"

// speed returns the write of a curve's duration, for the transaction that completes the curve.
func speed(table string, pool solana.PublicKey, took time.Duration) types.TransactWriteItem {
	return types.TransactWriteItem{Update: &types.Update{
		TableName: &table, Key: dynamo.Key(curveSpeed, curveSpeed),
		UpdateExpression:          new("SET #slot = :took"),
		ExpressionAttributeNames:  map[string]string{"#slot": speedPrefix + strconv.Itoa(int(pool[len(pool)-1])%speedSlots)},
		ExpressionAttributeValues: map[string]types.AttributeValue{":took": dynamo.Number(took.Milliseconds())},
	}}
}

// MedianTime returns the median duration of completed curves, or false before the first completion.
// It reads one item.
func (s Store) MedianTime(ctx context.Context) (time.Duration, bool, error) {
	out, err := s.Client.GetItem(ctx, &dynamodb.GetItemInput{TableName: &s.Table, Key: dynamo.Key(curveSpeed, curveSpeed)})
	if err != nil {
		return 0, false, dynamo.Unavailable(fmt.Errorf("read how long curves took: %w", err))
	}
	var took []int64
	for name, value := range out.Item {
		if n, ok := value.(*types.AttributeValueMemberN); ok && strings.HasPrefix(name, speedPrefix) {
			millis, err := strconv.ParseInt(n.Value, 10, 64)
			if err != nil {
				return 0, false, fmt.Errorf("read how long curves took: %w", err)
			}
			took = append(took, millis)
		}
	}
	if len(took) == 0 {
		return 0, false, nil
	}
	slices.Sort(took)
	return time.Duration(took[(len(took)-1)/2]) * time.Millisecond, true, nil
}
