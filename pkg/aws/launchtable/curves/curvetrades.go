package curves

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/market/index"
)

// The trades of a curve have separate partitions:
//
//	TRADES#<mint>              <number of the first, 20 digits>  successive trades, up to index.MaxTrades
//	CANDLES#<mint>#<interval>  <start, 12 digits>                a candle
//
// The start is in Unix seconds. All items expire, except the candles of days.
const (
	tradesPrefix  = "TRADES#"
	candlesPrefix = "CANDLES#"
)

func tradesKey(mint solana.PublicKey, first uint64) map[string]types.AttributeValue {
	return dynamo.Key(tradesPrefix+mint.String(), fmt.Sprintf("%020d", first))
}

func candleSort(start int64) string { return fmt.Sprintf("%012d", start) }

func candlePartition(mint solana.PublicKey, i market.Interval) string {
	return candlesPrefix + mint.String() + "#" + string(i)
}

func candleKey(mint solana.PublicKey, key market.CandleKey) map[string]types.AttributeValue {
	return dynamo.Key(candlePartition(mint, key.Interval), candleSort(key.Start))
}

// tradesItem holds successive trades. The names of attributes are short, because every trade
// repeats the names.
type tradesItem struct {
	Trades    []tradeItem `dynamodbav:"trades"`
	ExpiresAt int64       `dynamodbav:"expiresAt"`
}

// tradeItem is a trade. The number of the trade follows from the position in the item.
type tradeItem struct {
	Signature []byte `dynamodbav:"sig"`
	Slot      uint64 `dynamodbav:"slot"`
	At        int64  `dynamodbav:"at"` // Unix milliseconds
	Trader    []byte `dynamodbav:"by"`
	Bought    bool   `dynamodbav:"buy"`
	Lamports  uint64 `dynamodbav:"sol"`
	Tokens    uint64 `dynamodbav:"n"`
	Fee       uint64 `dynamodbav:"fee"`
	Before    []byte `dynamodbav:"p0"` // big-endian
	After     []byte `dynamodbav:"p1"`
}

// candleItem is a candle. Numbers that may exceed 64 bits are in decimal digits.
type candleItem struct {
	Open      []byte `dynamodbav:"open"` // big-endian
	High      []byte `dynamodbav:"high"`
	Low       []byte `dynamodbav:"low"`
	Close     []byte `dynamodbav:"close"`
	Lamports  string `dynamodbav:"lamports"`
	Tokens    string `dynamodbav:"tokens"`
	Trades    uint64 `dynamodbav:"trades"`
	ExpiresAt int64  `dynamodbav:"expiresAt,omitempty"`
}

func newTradesItem(trades []market.Trade) tradesItem {
	item := tradesItem{Trades: make([]tradeItem, len(trades))}
	for i, t := range trades {
		item.Trades[i] = tradeItem{
			Signature: t.Signature[:], Slot: t.Slot, At: t.At.UnixMilli(), Trader: t.Trader[:], Bought: t.Bought,
			Lamports: t.Lamports, Tokens: t.Tokens, Fee: t.Fee, Before: t.SqrtBefore.Bytes(), After: t.SqrtAfter.Bytes(),
		}
		item.ExpiresAt = max(item.ExpiresAt, t.At.Add(market.KeepTrades).Unix())
	}
	return item
}

func (i tradeItem) trade(number uint64) market.Trade {
	return market.Trade{
		Number: number, Signature: dynamo.Signature(i.Signature), Slot: i.Slot, At: time.UnixMilli(i.At).UTC(),
		Trader: dynamo.PublicKey(i.Trader), Bought: i.Bought, Lamports: i.Lamports, Tokens: i.Tokens, Fee: i.Fee,
		SqrtBefore: new(big.Int).SetBytes(i.Before), SqrtAfter: new(big.Int).SetBytes(i.After),
	}
}

func newCandleItem(c market.Candle) candleItem {
	item := candleItem{
		Open: c.Open.Bytes(), High: c.High.Bytes(), Low: c.Low.Bytes(), Close: c.Close.Bytes(),
		Lamports: c.Lamports.String(), Tokens: c.Tokens.String(), Trades: c.Trades,
	}
	if keep := c.Interval.Keep(); keep > 0 {
		item.ExpiresAt = c.Start.Add(keep).Unix()
	}
	return item
}

func readCandle(item map[string]types.AttributeValue) (market.Candle, error) {
	id := dynamo.IDOf(item)
	var stored candleItem
	if err := attributevalue.UnmarshalMap(item, &stored); err != nil {
		return market.Candle{}, fmt.Errorf("decode the candle %v: %w", id, err)
	}
	start, err := strconv.ParseInt(id.Sort, 10, 64)
	lamports, ok := new(big.Int).SetString(stored.Lamports, 10)
	tokens, also := new(big.Int).SetString(stored.Tokens, 10)
	if err != nil || !ok || !also {
		return market.Candle{}, fmt.Errorf("the candle %v has %q and %q", id, stored.Lamports, stored.Tokens)
	}
	return market.Candle{
		Interval: market.Interval(id.Partition[strings.LastIndexByte(id.Partition, '#')+1:]), Start: time.Unix(start, 0).UTC(),
		Open: new(big.Int).SetBytes(stored.Open), High: new(big.Int).SetBytes(stored.High),
		Low: new(big.Int).SetBytes(stored.Low), Close: new(big.Int).SetBytes(stored.Close),
		Lamports: lamports, Tokens: tokens, Trades: stored.Trades,
	}, nil
}

// tell returns the writes of a page's trades and candles. before is the stored candles of the page.
// If the stored candles have changed since the read, the cursor has moved, and the condition on the
// cursor in the same transaction rejects the writes.
func (s Index) tell(mint solana.PublicKey, p index.Page, before market.Candles) ([]types.TransactWriteItem, error) {
	if len(p.Added) == 0 {
		return nil, nil
	}
	trades, err := dynamo.NewItem(tradesKey(mint, p.Added[0].Number), newTradesItem(p.Added))
	if err != nil {
		return nil, fmt.Errorf("encode %d trades of %s: %w", len(p.Added), mint, err)
	}
	items := []map[string]types.AttributeValue{trades}
	for key, candle := range p.Candles {
		if earlier, there := before[key]; there {
			candle = earlier.Then(candle)
		}
		item, err := dynamo.NewItem(candleKey(mint, key), newCandleItem(candle))
		if err != nil {
			return nil, fmt.Errorf("encode a candle of %s: %w", mint, err)
		}
		items = append(items, item)
	}
	writes := make([]types.TransactWriteItem, len(items))
	for i, item := range items {
		writes[i].Put = &types.Put{TableName: &s.Table, Item: item}
	}
	return writes, nil
}

// known reads the stored items of a page: the buyers who have bought before, and the candles. A
// page has at most index.MaxRows buyers and candles together.
func (s Index) known(ctx context.Context, mint solana.PublicKey, p index.Page) (buyers map[dynamo.ItemID]bool, candles market.Candles, err error) {
	var keys []map[string]types.AttributeValue
	for _, wallet := range p.NewBuyers {
		keys = append(keys, buyerKey(mint, wallet))
	}
	for key := range maps.Keys(p.Candles) {
		keys = append(keys, candleKey(mint, key))
	}
	buyers, candles = map[dynamo.ItemID]bool{}, market.Candles{}
	if len(keys) == 0 {
		return buyers, candles, nil
	}
	items, err := dynamo.BatchGet(ctx, s.Client, s.Table, keys, true)
	if err != nil {
		return nil, nil, fmt.Errorf("look for %d buyers and %d candles of %s: %w", len(p.NewBuyers), len(p.Candles), mint, err)
	}
	for _, item := range items {
		id := dynamo.IDOf(item)
		if !strings.HasPrefix(id.Partition, candlesPrefix) {
			buyers[id] = true
			continue
		}
		candle, err := readCandle(item)
		if err != nil {
			return nil, nil, err
		}
		candles[candle.Key()] = candle
	}
	return buyers, candles, nil
}

// firstItems is the number of items in the first read. An item has one to index.MaxTrades trades.
const firstItems = 8

// Trades lists up to limit trades of a curve, the newest first. Only trades with a number below
// before are listed, unless before is zero. Trades before since are left out.
func (s Store) Trades(ctx context.Context, mint solana.PublicKey, before uint64, since time.Time, limit int) ([]market.Trade, error) {
	var list []market.Trade
	query := fromTheEnd(s.Table, tradesPrefix+mint.String())
	if before > 0 {
		*query.KeyConditionExpression += " AND " + schema.SortKey + " < :before"
		query.ExpressionAttributeValues[":before"] = dynamo.Text(fmt.Sprintf("%020d", before))
	}
	for items := firstItems; ; items *= 2 {
		query.Limit = dynamo.PageLimit(min(items, limit-len(list)))
		out, err := s.Client.Query(ctx, query)
		if err != nil {
			return nil, dynamo.Unavailable(fmt.Errorf("list the trades of %s: %w", mint, err))
		}
		for _, item := range out.Items {
			var stored tradesItem
			first, err := strconv.ParseUint(dynamo.IDOf(item).Sort, 10, 64)
			if err == nil {
				err = attributevalue.UnmarshalMap(item, &stored)
			}
			if err != nil {
				return nil, fmt.Errorf("decode the trades %v: %w", dynamo.IDOf(item), err)
			}
			for i, one := range slices.Backward(stored.Trades) {
				t := one.trade(first + uint64(i)) //nolint:gosec // an index
				if before > 0 && t.Number >= before {
					continue
				}
				if t.At.Before(since) {
					return list, nil
				}
				if list = append(list, t); len(list) == limit {
					return list, nil
				}
			}
		}
		if out.LastEvaluatedKey == nil {
			return list, nil
		}
		query.ExclusiveStartKey = out.LastEvaluatedKey
	}
}

// Candles lists up to limit candles of an interval, the newest first. Only candles that start
// before the given time are listed, unless before is zero, and no candles that start before since.
func (s Store) Candles(ctx context.Context, mint solana.PublicKey, interval market.Interval, before, since time.Time, limit int) ([]market.Candle, error) {
	query := fromTheEnd(s.Table, candlePartition(mint, interval))
	query.Limit = dynamo.PageLimit(limit)
	from, to := max(since.Unix(), 0), int64(999_999_999_999)
	if !before.IsZero() {
		to = before.Unix() - 1
	}
	if from > to {
		return nil, nil
	}
	*query.KeyConditionExpression += " AND " + schema.SortKey + " BETWEEN :from AND :to"
	query.ExpressionAttributeValues[":from"] = dynamo.Text(candleSort(from))
	query.ExpressionAttributeValues[":to"] = dynamo.Text(candleSort(to))
	out, err := s.Client.Query(ctx, query)
	if err != nil {
		return nil, dynamo.Unavailable(fmt.Errorf("list the candles of %s: %w", mint, err))
	}
	list := make([]market.Candle, len(out.Items))
	for i, item := range out.Items {
		if list[i], err = readCandle(item); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func fromTheEnd(table, partition string) *dynamodb.QueryInput {
	return &dynamodb.QueryInput{
		TableName: &table, ScanIndexForward: new(false),
		KeyConditionExpression:    new(schema.PartitionKey + " = :partition"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":partition": dynamo.Text(partition)},
	}
}
