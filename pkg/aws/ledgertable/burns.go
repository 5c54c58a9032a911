package ledgertable

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/distribution/run"
)

// Burns reads the burns that Runs.SaveBurn writes.
type Burns struct {
	Client *dynamodb.Client
	Table  string // the ledger's table
}

// Page returns up to limit burns of a token, the newest run first, and the sum of all burns of the
// token. The page begins after the given place, or at the newest burn if after is empty. next is
// the place for the following page, and is empty after the last burn. A token without burns has an
// empty page.
func (s Burns) Page(ctx context.Context, mint solana.PublicKey, after string, limit int) (page []run.Burn, total uint64, next string, err error) {
	var head struct {
		Burned uint64 `dynamodbav:"burned"`
	}
	if _, err := dynamo.Get(ctx, s.Client, s.Table, ledgerHeadKey(mint), &head); err != nil {
		return nil, 0, "", fmt.Errorf("read what was burned of %s: %w", mint, err)
	}
	query := dynamo.Beginning(s.Table, mintPartition(mint), burnPrefix)
	query.ScanIndexForward = new(false)
	query.Limit = new(int32(min(limit, 1000) + 1)) //nolint:gosec // bounded by min
	if after != "" {
		query.ExclusiveStartKey = dynamo.Key(mintPartition(mint), burnPrefix+after)
	}
	out, err := s.Client.Query(ctx, query)
	if err != nil {
		return nil, 0, "", dynamo.Unavailable(fmt.Errorf("list the burns of %s: %w", mint, err))
	}
	for i, item := range out.Items {
		if i == limit {
			next = strings.TrimPrefix(dynamo.IDOf(out.Items[i-1]).Sort, burnPrefix)
			break
		}
		b, err := readBurn(mint, item)
		if err != nil {
			return nil, 0, "", fmt.Errorf("decode a burn of %s: %w", mint, err)
		}
		page = append(page, b)
	}
	return page, head.Burned, next, nil
}

func readBurn(mint solana.PublicKey, item map[string]types.AttributeValue) (run.Burn, error) {
	var stored struct {
		Run       string `dynamodbav:"run"`
		Amount    uint64 `dynamodbav:"amount"`
		Signature []byte `dynamodbav:"signature"`
		ChainSlot uint64 `dynamodbav:"chainSlot"`
		At        int64  `dynamodbav:"at"`
	}
	if err := attributevalue.UnmarshalMap(item, &stored); err != nil {
		return run.Burn{}, err
	}
	return run.Burn{
		Mint: mint, Run: stored.Run, Amount: stored.Amount, Signature: dynamo.Signature(stored.Signature),
		ChainSlot: stored.ChainSlot, At: time.UnixMilli(stored.At).UTC(),
	}, nil
}
