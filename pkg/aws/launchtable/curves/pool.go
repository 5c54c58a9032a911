package curves

import (
	"context"
	"fmt"

	"tokenlaunch.example/service/pkg/token"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/launchtable/issued"
	"tokenlaunch.example/service/pkg/market"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// A prepared pool is an item with the same ID as the record of the transaction that creates the
// pool. Both items expire at the same time. A pool on the chain is in the token's record:
//
//	POOL#<issued id>  POOL  the prepared pool
const poolSort = "POOL"

// preparedPoolItem is a stored prepared pool.
type preparedPoolItem struct {
	Pool      launchtable.PoolItem `dynamodbav:"pool"`
	ExpiresAt int64                `dynamodbav:"expiresAt"` // schema.ExpiresAt, in seconds
}

// Pools stores prepared pools in the launch table.
type Pools struct {
	Client *dynamodb.Client
	Table  string
}

// Issue records a transaction that creates a pool, and the pool. The pool is written first.
func (s Pools) Issue(ctx context.Context, i transaction.Issued, p token.Pool) error {
	item, err := dynamo.NewItem(dynamo.Key("POOL#"+i.ID, poolSort), preparedPoolItem{launchtable.NewPoolItem(p), i.CreatedAt.Add(issued.Keep).Unix()})
	if err != nil {
		return fmt.Errorf("encode the pool %s: %w", p.Address, err)
	}
	if err := issued.Store(s).RecordWith(ctx, i, item); err != nil {
		return fmt.Errorf("issue the pool %s: %w", p.Address, err)
	}
	return nil
}

// PreparedPool returns the pool that a transaction creates, or market.ErrNotFound. CreatedAt is
// zero, because the pool may not be on the chain.
func (s Pools) PreparedPool(ctx context.Context, id string) (token.Pool, error) {
	var item preparedPoolItem
	found, err := dynamo.Get(ctx, s.Client, s.Table, dynamo.Key("POOL#"+id, poolSort), &item)
	if err != nil {
		return token.Pool{}, fmt.Errorf("read the pool of transaction %s: %w", id, err)
	}
	if !found {
		return token.Pool{}, market.ErrNotFound
	}
	return item.Pool.Pool(), nil
}

// addPool returns the write that adds a pool of the token's creator to the token's record, after
// the pool was seen on the chain. The condition fails if the service has not launched the token, if
// another wallet created the pool, or if the record has a pool of this kind. An existing pool
// stays.
func addPool(table string, p token.Pool) (types.TransactWriteItem, error) {
	value, err := attributevalue.Marshal(launchtable.NewPoolItem(p))
	if err != nil {
		return types.TransactWriteItem{}, fmt.Errorf("encode the pool %s: %w", p.Address, err)
	}
	return types.TransactWriteItem{Update: &types.Update{
		TableName: &table, Key: launchtable.TokenKey(p.Mint),
		UpdateExpression:          new("SET #pool = :pool"),
		ConditionExpression:       new("attribute_exists(" + schema.PartitionKey + ") AND creator = :creator AND attribute_not_exists(#pool)"),
		ExpressionAttributeNames:  map[string]string{"#pool": launchtable.PoolAttribute(p.Kind)},
		ExpressionAttributeValues: map[string]types.AttributeValue{":pool": value, ":creator": dynamo.Binary(p.Creator[:])},
	}}, nil
}

// maxMorePools is the maximum number of further pools in a token's record. Anyone can create a
// pool for the fee of a pool.
const maxMorePools = 20

// addMorePool returns the write that adds a pool to the further pools of a token's record. The
// condition fails if the service has not launched the token, or if the record has most further
// pools.
func addMorePool(table string, p token.Pool, maximum int64) (types.TransactWriteItem, error) {
	value, err := attributevalue.Marshal([]launchtable.PoolItem{launchtable.NewPoolItem(p)})
	if err != nil {
		return types.TransactWriteItem{}, fmt.Errorf("encode the pool %s: %w", p.Address, err)
	}
	return types.TransactWriteItem{Update: &types.Update{
		TableName: &table, Key: launchtable.TokenKey(p.Mint),
		UpdateExpression: new("SET morePools = list_append(if_not_exists(morePools, :none), :pool)"),
		ConditionExpression: new("attribute_exists(" + schema.PartitionKey +
			") AND (attribute_not_exists(morePools) OR size(morePools) < :most)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":pool": value, ":none": &types.AttributeValueMemberL{}, ":most": dynamo.Number(maximum),
		},
	}}, nil
}

// creatorOf returns the creator of a token. launched is false if the service has not launched the
// token.
func creatorOf(ctx context.Context, client *dynamodb.Client, table string, mint solana.PublicKey) (creator solana.PublicKey, launched bool, err error) {
	var record struct {
		Creator []byte `dynamodbav:"creator"`
	}
	if launched, err = dynamo.Get(ctx, client, table, launchtable.TokenKey(mint), &record); err != nil {
		return solana.PublicKey{}, false, fmt.Errorf("look for the token %s: %w", mint, err)
	}
	return dynamo.PublicKey(record.Creator), launched, nil
}
