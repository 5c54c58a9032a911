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

// A pool that is to be is an item beside the record of the transaction that makes it,
// and expires with it; one that is there is in its token's record:
//
//	POOL#<issued id>  POOL  the pool that the transaction makes
const poolSort = "POOL"

// preparedPoolItem is how a pool that is to be is stored.
type preparedPoolItem struct {
	Pool      launchtable.PoolItem `dynamodbav:"pool"`
	ExpiresAt int64                `dynamodbav:"expiresAt"` // schema.ExpiresAt, in seconds
}

// Pools keeps pools that were prepared, in the launch table.
type Pools struct {
	Client *dynamodb.Client
	Table  string
}

// Issue records a transaction that makes a pool, and the pool, in one write.
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

// PreparedPool gives the pool that a transaction makes, or market.ErrNotFound. It has
// no CreatedAt: it was not seen yet.
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

// addPool is the write that gives a token's record a pool that its creator made and that
// was seen on the chain. Its condition fails when the service has launched no such token,
// when another wallet made the pool, and when the record has its pool of that kind: the one
// that is there stays.
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

// mostMorePools is how many pools beside its creator's first ones a token's record names:
// anyone can make one, for the fee of a pool.
const mostMorePools = 20

// addMorePool is the write that adds a pool to the others of a token's record. Its condition
// fails when the service has launched no such token, and when the record has so many.
func addMorePool(table string, p token.Pool, most int64) (types.TransactWriteItem, error) {
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
			":pool": value, ":none": &types.AttributeValueMemberL{}, ":most": dynamo.Number(most),
		},
	}}, nil
}

// creatorOf gives the creator of a token; launched is false when the service has launched
// no such token.
func creatorOf(ctx context.Context, client *dynamodb.Client, table string, mint solana.PublicKey) (creator solana.PublicKey, launched bool, err error) {
	var record struct {
		Creator []byte `dynamodbav:"creator"`
	}
	if launched, err = dynamo.Get(ctx, client, table, launchtable.TokenKey(mint), &record); err != nil {
		return solana.PublicKey{}, false, fmt.Errorf("look for the token %s: %w", mint, err)
	}
	return dynamo.PublicKey(record.Creator), launched, nil
}
