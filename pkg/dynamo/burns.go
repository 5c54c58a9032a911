package dynamo

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/burn"
)

// The burns of a token stand in its partition of the ledger table, in the order of
// the chain, and what they add up to in its head:
//
//	MINT#<mint>  HEAD                               burned
//	MINT#<mint>  BURN#<chain slot, 12 digits>#<run>  amount, signature, slot, at
//
// The run that burns writes both in one transaction.
const burnSort = "BURN#"

// Burns reads what was burned; it writes nothing.
type Burns struct {
	Client *dynamodb.Client
	Table  string // the ledger
}

// Page gives up to limit burns of a token, the newest first, that stand after a
// place which an earlier page gave, or from the newest on. A token that nothing
// was burned of has an empty page.
func (s Burns) Page(ctx context.Context, mint solana.PublicKey, after string, limit int) (burn.Page, error) {
	var page burn.Page
	partition := "MINT#" + mint.String()
	var head struct {
		Burned uint64 `dynamodbav:"burned"`
	}
	if _, err := getItem(ctx, s.Client, s.Table, itemKey(partition, "HEAD"), &head); err != nil {
		return page, fmt.Errorf("read what was burned of %s: %w", mint, err)
	}
	page.Total = head.Burned
	query := &dynamodb.QueryInput{
		TableName: &s.Table, ScanIndexForward: new(false), ConsistentRead: new(true),
		KeyConditionExpression: new("pk = :token AND begins_with(sk, :burn)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":token": text(partition), ":burn": text(burnSort),
		},
		Limit: new(int32(limit + 1)), //nolint:gosec // a page has 100 at most
	}
	if after != "" {
		query.ExclusiveStartKey = itemKey(partition, burnSort+after)
	}
	out, err := s.Client.Query(ctx, query)
	if err != nil {
		return page, unavailable(fmt.Errorf("list the burns of %s: %w", mint, err))
	}
	for i, item := range out.Items {
		if i == limit {
			page.Next = strings.TrimPrefix(idOf(out.Items[i-1]).sort, burnSort)
			break
		}
		b, err := decodeBurn(item)
		if err != nil {
			return page, fmt.Errorf("decode a burn of %s: %w", mint, err)
		}
		page.Burns = append(page.Burns, b)
	}
	return page, nil
}

func decodeBurn(item map[string]types.AttributeValue) (burn.Burn, error) {
	var stored struct {
		Amount    uint64 `dynamodbav:"amount"`
		Signature []byte `dynamodbav:"signature"`
		ChainSlot uint64 `dynamodbav:"slot"`
		At        int64  `dynamodbav:"at"`
	}
	if err := attributevalue.UnmarshalMap(item, &stored); err != nil {
		return burn.Burn{}, err
	}
	_, run, found := strings.Cut(strings.TrimPrefix(idOf(item).sort, burnSort), "#")
	if !found {
		return burn.Burn{}, fmt.Errorf("%q names no run", idOf(item).sort)
	}
	return burn.Burn{
		RunID: run, Amount: stored.Amount, Signature: signature(stored.Signature),
		ChainSlot: stored.ChainSlot, At: time.UnixMilli(stored.At).UTC(),
	}, nil
}
