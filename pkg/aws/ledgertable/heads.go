package ledgertable

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/distribution/run"
)

// Heads returns the heads of tokens by mint. The read is eventually consistent. A head that was
// never written is absent. mints has at most 100 mints, DynamoDB's limit for a batch.
func (s Runs) Heads(ctx context.Context, mints []solana.PublicKey) (map[solana.PublicKey]run.Head, error) {
	keys := make([]map[string]types.AttributeValue, len(mints))
	for i, mint := range mints {
		keys[i] = ledgerHeadKey(mint)
	}
	items, err := dynamo.BatchGet(ctx, s.Client, s.Table, keys, false)
	if err != nil {
		return nil, fmt.Errorf("read %d heads: %w", len(mints), err)
	}
	heads := make(map[solana.PublicKey]run.Head, len(items))
	for _, item := range items {
		var head run.Head
		version, err := readFacts(item, &head)
		if err == nil {
			err = completeHead(&head, item, version)
		}
		if err != nil {
			return nil, fmt.Errorf("read a head: %w", err)
		}
		heads[head.Mint] = head
	}
	return heads, nil
}
