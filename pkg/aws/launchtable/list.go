package launchtable

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/token"
)

// A list numbers the tokens densely from zero in the order of confirmation, and never renumbers the
// tokens. Every block of entries is a separate partition, so that no partition grows with the list.
// Hidden entries keep their numbers. A tree of three levels counts the hidden entries, so that
// three reads find the visible tokens of any page:
//
//	LIST#<scope>          HEAD              next = the number of entries,
//	                                        h<group> = the number of hidden entries in a group
//	LIST#<scope>          HIDDEN#<group>    h<block> = the number of hidden entries in a block
//	LIST#<scope>#<block>  HIDDEN            offsets = the hidden entries of the block
//	LIST#<scope>#<block>  <entry, 12 digits>  mint
//
// A node without hidden entries is neither stored nor read. Adding a token writes only the head and
// the entry.
const (
	headSort   = "HEAD"
	hiddenSort = "HIDDEN"
	// allTokens is the scope of the public list. A creator's scope is the creator's address.
	allTokens = "ALL"
	// hiddenPrefix is the prefix of the attributes that count hidden entries.
	hiddenPrefix = "h"
)

// listShape is the number of entries in a block and the number of blocks in a group.
type listShape struct{ block, group int64 }

// shape keeps every node of the tree within the 4 KB of one read unit. The head stays within 4 KB
// up to about 100 million tokens. Tests use a smaller shape.
var shape = listShape{block: 1000, group: 250}

func (s listShape) groupEntries() int64 { return s.block * s.group }

func listPartition(scope string) string { return "LIST#" + scope }

func headKey(scope string) map[string]types.AttributeValue {
	return dynamo.Key(listPartition(scope), headSort)
}

func groupKey(scope string, group int64) map[string]types.AttributeValue {
	return dynamo.Key(listPartition(scope), hiddenSort+"#"+strconv.FormatInt(group, 10))
}

func blockKey(scope string, block int64) map[string]types.AttributeValue {
	return dynamo.Key(blockPartition(scope, block), hiddenSort)
}

func entryKey(scope string, entry int64) map[string]types.AttributeValue {
	return dynamo.Key(blockPartition(scope, entry/shape.block), entrySort(entry))
}

func blockPartition(scope string, block int64) string {
	return listPartition(scope) + "#" + strconv.FormatInt(block, 10)
}

func entrySort(entry int64) string { return fmt.Sprintf("%012d", entry) }

func hiddenCount(child int64) string { return hiddenPrefix + strconv.FormatInt(child, 10) }

// head is the root of a list. hidden is the number of hidden entries by group. Only a creator's
// list has failed and submitted (own.go).
type head struct {
	length    int64
	hidden    map[int64]int64
	failed    int64
	submitted []string
}

func readHead(ctx context.Context, client *dynamodb.Client, table, scope string, consistent bool) (head, error) {
	out, err := client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &table, Key: headKey(scope), ConsistentRead: &consistent,
	})
	if err != nil {
		return head{}, dynamo.Unavailable(fmt.Errorf("read head of list %s: %w", scope, err))
	}
	var stored struct {
		Next      int64    `dynamodbav:"next"`
		Failed    int64    `dynamodbav:"failed"`
		Submitted []string `dynamodbav:"submitted"`
	}
	if err := attributevalue.UnmarshalMap(out.Item, &stored); err != nil {
		return head{}, fmt.Errorf("decode head of list %s: %w", scope, err)
	}
	counts, err := hiddenCounts(out.Item)
	if err != nil {
		return head{}, fmt.Errorf("decode head of list %s: %w", scope, err)
	}
	return head{length: stored.Next, hidden: counts, failed: stored.Failed, submitted: stored.Submitted}, nil
}

// hiddenCounts reads the counts of a node by child. A child without a count has no hidden entries.
func hiddenCounts(item map[string]types.AttributeValue) (map[int64]int64, error) {
	counts := map[int64]int64{}
	for name, value := range item {
		child, err := strconv.ParseInt(strings.TrimPrefix(name, hiddenPrefix), 10, 64)
		if err != nil || !strings.HasPrefix(name, hiddenPrefix) {
			continue // another attribute
		}
		var count int64
		if err := attributevalue.Unmarshal(value, &count); err != nil {
			return nil, fmt.Errorf("count %s: %w", name, err)
		}
		counts[child] = count
	}
	return counts, nil
}

// appendEntry returns the two writes that append mint to a list of length entries. The writes fail
// if another entry was appended first.
func appendEntry(table, scope string, length int64, mint solana.PublicKey) []types.TransactWriteItem {
	advance := &types.Update{
		TableName: &table, Key: headKey(scope),
		UpdateExpression:          new("SET #next = :more"),
		ConditionExpression:       new("#next = :length"),
		ExpressionAttributeNames:  map[string]string{"#next": "next"},
		ExpressionAttributeValues: map[string]types.AttributeValue{":more": dynamo.Number(length + 1), ":length": dynamo.Number(length)},
	}
	if length == 0 {
		advance.ConditionExpression = new("attribute_not_exists(#next)")
		delete(advance.ExpressionAttributeValues, ":length")
	}
	entry := entryKey(scope, length)
	entry["mint"] = dynamo.Binary(mint[:])
	return []types.TransactWriteItem{
		{Update: advance},
		{Put: &types.Put{TableName: &table, Item: entry, ConditionExpression: new("attribute_not_exists(pk)")}},
	}
}

// List returns one page of the public list, newest first, and the number of visible tokens in the
// whole list. page counts from 1. limit is at most 100. A page past the end is empty.
func (t Tokens) List(ctx context.Context, page, limit int64) ([]token.Record, int64, error) {
	return t.visible(ctx, allTokens, page, limit)
}

// ListVisibleOf is List for the tokens of one creator.
func (t Tokens) ListVisibleOf(ctx context.Context, creator solana.PublicKey, page, limit int64) ([]token.Record, int64, error) {
	return t.visible(ctx, creator.String(), page, limit)
}

// CountVisible returns the number of tokens in the public list.
func (t Tokens) CountVisible(ctx context.Context) (int64, error) {
	h, err := readHead(ctx, t.Client, t.Table, allTokens, false)
	if err != nil {
		return 0, err
	}
	visible := h.length
	for _, hidden := range h.hidden {
		visible -= hidden
	}
	return visible, nil
}

func (t Tokens) visible(ctx context.Context, scope string, page, limit int64) ([]token.Record, int64, error) {
	records, total, err := t.page(ctx, scope, page, limit, listReader.page)
	shown := records[:0]
	for _, record := range records {
		if record.Visible { // false if the token was hidden after the read of the entry
			shown = append(shown, record)
		}
	}
	return shown, total, err
}

// listTries is the maximum number of reads of a page, because the list may change between two
// reads. The first try is eventually consistent. The other tries are consistent and cost twice as
// much.
const listTries = 5

// errTorn is returned if two parts of a list were read in different states of the list.
var errTorn = errors.New("the list changed while it was read")

func (t Tokens) page(
	ctx context.Context, scope string, page, limit int64,
	read func(r listReader, ctx context.Context, page, limit int64) ([]listItem, int64, error),
) ([]token.Record, int64, error) {
	for try := range listTries {
		entries, total, err := read(listReader{t.Client, t.Table, scope, try > 0}, ctx, page, limit)
		if errors.Is(err, errTorn) {
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		mints, launches := make([]solana.PublicKey, len(entries)), map[solana.PublicKey]string{}
		for i, entry := range entries {
			mints[i] = dynamo.PublicKey(entry.Mint)
			launches[mints[i]] = entry.Launch
		}
		records, err := t.TokensOf(ctx, mints)
		for i := range records {
			records[i].TransactionID = launches[records[i].Mint]
		}
		return records, total, err
	}
	return nil, 0, dynamo.Unavailable(fmt.Errorf("read page %d of list %s: %w", page, scope, errTorn))
}
