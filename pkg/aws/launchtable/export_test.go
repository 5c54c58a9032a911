package launchtable

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/token"
	"tokenlaunch.example/service/pkg/token/terms"
)

// SetListShape makes lists of small blocks and groups until restore is called.
func SetListShape(block, group int64) (restore func()) {
	before := shape
	shape = listShape{block, group}
	return func() { shape = before }
}

// ListItems are the items of a token that is in the lists as if it had been
// settled there: its record, and its entries.
func ListItems(r token.Record, list, own int64) ([]map[string]types.AttributeValue, error) {
	record, err := attributevalue.MarshalMap(newTokenItem(r))
	if err != nil {
		return nil, err
	}
	for name, value := range TokenKey(r.Mint) {
		record[name] = value
	}
	record[listEntry], record[creatorEntry] = dynamo.Number(list), dynamo.Number(own)
	first, second := entryKey(allTokens, list), entryKey(r.Creator.String(), own)
	first["mint"], second["mint"] = record["mint"], record["mint"]
	return []map[string]types.AttributeValue{record, first, second}, nil
}

// ListHead is the head of a list of length tokens, the public one or a creator's.
func ListHead(creator string, length int64) map[string]types.AttributeValue {
	if creator == "" {
		creator = allTokens
	}
	item := headKey(creator)
	item["next"] = dynamo.Number(length)
	return item
}

// Append puts a token on the lists by the same writes as Settle, and returns its
// number on the public one.
func (t Tokens) Append(ctx context.Context, r token.Record) (int64, error) {
	for {
		writes := findable(t.Table, true, r.Name, r.Symbol, r.CreatedAt, r.Mint)
		var numbers []int64
		for _, scope := range []string{allTokens, r.Creator.String()} {
			head, err := readHead(ctx, t.Client, t.Table, scope, true)
			if err != nil {
				return 0, err
			}
			writes = append(writes, appendEntry(t.Table, scope, head.length, r.Mint)...)
			numbers = append(numbers, head.length)
		}
		items, err := ListItems(r, numbers[0], numbers[1])
		if err != nil {
			return 0, err
		}
		writes = append(writes, types.TransactWriteItem{Put: &types.Put{TableName: &t.Table, Item: items[0]}})
		err = Launches(t).transact(ctx, writes)
		if err == nil {
			return numbers[0], nil
		}
		if _, meanwhile := dynamo.CanceledAt(err); !meanwhile {
			return 0, errors.Join(err, ctx.Err())
		}
	}
}

// DueItem is the entry of a token on a shard of the list of its interval.
func DueItem(interval terms.Interval, shard int, mint solana.PublicKey, from time.Time) map[string]types.AttributeValue {
	item := dynamo.Key(duePartition(interval, shard), fmt.Sprintf("%s#%013d", mint, from.UnixMilli()))
	item["mint"], item["from"] = dynamo.Binary(mint[:]), dynamo.Number(from.UnixMilli())
	return item
}

// ListKey is the key of the head of a creator's list.
func ListKey(creator solana.PublicKey) map[string]types.AttributeValue {
	return headKey(creator.String())
}
