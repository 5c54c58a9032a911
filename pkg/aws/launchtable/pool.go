package launchtable

import (
	"context"
	"fmt"

	"tokenlaunch.example/service/pkg/token"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// A pool that is to be is an item beside the record of the transaction that makes it,
// and expires with it; one that is there is in its token's record:
//
//	POOL#<issued id>  POOL  the pool that the transaction makes
const poolSort = "POOL"

// preparedPoolItem is how a pool that is to be is stored.
type preparedPoolItem struct {
	Pool      poolItem `dynamodbav:"pool"`
	ExpiresAt int64    `dynamodbav:"expiresAt"` // schema.ExpiresAt, in seconds
}

// Pools keeps pools that were prepared, in the launch table.
type Pools struct {
	Client *dynamodb.Client
	Table  string
}

// Issue records a transaction that makes a pool, and the pool, in one write.
func (s Pools) Issue(ctx context.Context, i transaction.Issued, p token.Pool) error {
	item, err := dynamo.NewItem(dynamo.Key("POOL#"+i.ID, poolSort), preparedPoolItem{newPoolItem(p), i.CreatedAt.Add(keepIssued).Unix()})
	if err != nil {
		return fmt.Errorf("encode the pool %s: %w", p.Address, err)
	}
	if err := Issued(s).recordWith(ctx, i, item); err != nil {
		return fmt.Errorf("issue the pool %s: %w", p.Address, err)
	}
	return nil
}

// PreparedPool gives the pool that a transaction makes, or market.ErrNotFound. It has
// no CreatedAt: nobody saw it yet.
func (s Pools) PreparedPool(ctx context.Context, id string) (token.Pool, error) {
	var item preparedPoolItem
	found, err := dynamo.Get(ctx, s.Client, s.Table, dynamo.Key("POOL#"+id, poolSort), &item)
	if err != nil {
		return token.Pool{}, fmt.Errorf("read the pool of transaction %s: %w", id, err)
	}
	if !found {
		return token.Pool{}, market.ErrNotFound
	}
	return item.Pool.pool(), nil
}

// addPool is the write that gives a token's record a pool that was seen on the chain.
// Its condition fails when the service has launched no such token, and when the
// record has its pool of that kind: the one that is there stays.
func addPool(table string, p token.Pool) (types.TransactWriteItem, error) {
	value, err := attributevalue.Marshal(newPoolItem(p))
	if err != nil {
		return types.TransactWriteItem{}, fmt.Errorf("encode the pool %s: %w", p.Address, err)
	}
	return types.TransactWriteItem{Update: &types.Update{
		TableName: &table, Key: tokenKey(p.Mint),
		UpdateExpression:          new("SET #pool = :pool"),
		ConditionExpression:       new("attribute_exists(" + schema.PartitionKey + ") AND attribute_not_exists(#pool)"),
		ExpressionAttributeNames:  map[string]string{"#pool": poolAttribute(p.Kind)},
		ExpressionAttributeValues: map[string]types.AttributeValue{":pool": value},
	}}, nil
}
