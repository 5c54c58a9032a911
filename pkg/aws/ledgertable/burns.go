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

// Burns reads what was burned, as Runs.SaveBurn writes it; it writes nothing.
type Burns struct {
	Client *dynamodb.Client
	Table  string // the ledger
}

// Page gives up to limit burns of a token, the newest run's first, that stand after
// a place which an earlier page gave, or from the newest on, and the sum of all. The
// next place is empty when no burn is older. A token of which nothing was burned has
// an empty page.
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
