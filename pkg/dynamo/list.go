package dynamo

import (
	"context"
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/token"
)

// A list numbers its tokens densely from zero in the order in which they were
// confirmed, so a page is a range of numbers: its cost depends on its length and
// not on how far back it lies. The entries stand in blocks, a partition each, so
// that no partition grows with the list.
//
//	LIST#<scope>          HEAD           next = how many entries there are
//	LIST#<scope>#<block>  <entry, 12 digits>  mint
const (
	listBlock = 1000
	headSort  = "HEAD"
	// allTokens is the scope of the public list; a creator's scope is his address.
	allTokens = "ALL"
)

func listPartition(scope string) string { return "LIST#" + scope }

func entryKey(scope string, entry int64) map[string]types.AttributeValue {
	return itemKey(blockPartition(scope, entry/listBlock), entrySort(entry))
}

func blockPartition(scope string, block int64) string {
	return listPartition(scope) + "#" + strconv.FormatInt(block, 10)
}

func entrySort(entry int64) string { return fmt.Sprintf("%012d", entry) }

// listLength reads how many entries a list has.
func listLength(ctx context.Context, client *dynamodb.Client, table, scope string, consistent bool) (int64, error) {
	out, err := client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &table, Key: itemKey(listPartition(scope), headSort), ConsistentRead: &consistent,
	})
	if err != nil {
		return 0, unavailable(fmt.Errorf("read head of list %s: %w", scope, err))
	}
	var head struct {
		Next int64 `dynamodbav:"next"`
	}
	if err := attributevalue.UnmarshalMap(out.Item, &head); err != nil {
		return 0, fmt.Errorf("decode head of list %s: %w", scope, err)
	}
	return head.Next, nil
}

// appendEntry makes the two writes that append mint to a list which has length
// entries. They fail when another entry came first.
func appendEntry(table, scope string, length int64, mint solana.PublicKey) []types.TransactWriteItem {
	advance := &types.Update{
		TableName: &table, Key: itemKey(listPartition(scope), headSort),
		UpdateExpression:          new("SET #next = :more"),
		ConditionExpression:       new("#next = :length"),
		ExpressionAttributeNames:  map[string]string{"#next": "next"},
		ExpressionAttributeValues: map[string]types.AttributeValue{":more": number(length + 1), ":length": number(length)},
	}
	if length == 0 {
		advance.ConditionExpression = new("attribute_not_exists(#next)")
		delete(advance.ExpressionAttributeValues, ":length")
	}
	entry := entryKey(scope, length)
	entry["mint"] = binary(mint[:])
	return []types.TransactWriteItem{
		{Update: advance},
		{Put: &types.Put{TableName: &table, Item: entry, ConditionExpression: new("attribute_not_exists(pk)")}},
	}
}

// List gives one page of the public list, newest first, and the length of the
// whole list. page counts from 1; limit is at most 100. A page past the end is
// empty.
func (t Tokens) List(ctx context.Context, page, limit int64) ([]token.Record, int64, error) {
	return t.page(ctx, allTokens, page, limit)
}

// ListOf is List for the tokens of one creator.
func (t Tokens) ListOf(ctx context.Context, creator solana.PublicKey, page, limit int64) ([]token.Record, int64, error) {
	return t.page(ctx, creator.String(), page, limit)
}

func (t Tokens) page(ctx context.Context, scope string, page, limit int64) ([]token.Record, int64, error) {
	total, err := listLength(ctx, t.Client, t.Table, scope, false)
	if err != nil {
		return nil, 0, err
	}
	// (page − 1) × limit cannot overflow: beyond total/limit the page is empty.
	if page-1 > total/limit {
		return nil, total, nil
	}
	newest := total - 1 - (page-1)*limit
	oldest := max(0, newest-limit+1)
	var mints []solana.PublicKey
	for top := newest; top >= oldest; {
		bottom := max(oldest, top/listBlock*listBlock)
		part, err := t.entries(ctx, scope, bottom, top)
		if err != nil {
			return nil, 0, err
		}
		mints = append(mints, part...)
		top = bottom - 1
	}
	records, err := t.tokensOf(ctx, mints)
	return records, total, err
}

// entries reads the mints from entry top down to entry bottom, which stand in
// one block.
func (t Tokens) entries(ctx context.Context, scope string, bottom, top int64) ([]solana.PublicKey, error) {
	out, err := t.Client.Query(ctx, &dynamodb.QueryInput{
		TableName:              &t.Table,
		KeyConditionExpression: new("pk = :block AND sk BETWEEN :bottom AND :top"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":block":  text(blockPartition(scope, top/listBlock)),
			":bottom": text(entrySort(bottom)), ":top": text(entrySort(top)),
		},
		ScanIndexForward: new(false),
	})
	if err != nil {
		return nil, unavailable(fmt.Errorf("read entries %d to %d of list %s: %w", top, bottom, scope, err))
	}
	mints := make([]solana.PublicKey, len(out.Items))
	for i, item := range out.Items {
		var entry struct {
			Mint []byte `dynamodbav:"mint"`
		}
		if err := attributevalue.UnmarshalMap(item, &entry); err != nil {
			return nil, fmt.Errorf("decode an entry of list %s: %w", scope, err)
		}
		mints[i] = publicKey(entry.Mint)
	}
	return mints, nil
}
