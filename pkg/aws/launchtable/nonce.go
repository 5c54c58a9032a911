package launchtable

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/launch/nonce"
)

// A nonce account is one item. dueAt is the time at which the account last became free. While a
// submitted transaction uses the account, the item has no dueAt, so the account cannot be leased.
// The item is in no index, because leasing is one write, and addresses follow from numbers.
//
//	NONCE#<address>  NONCE  address, index, leaseTx, leasedUntil, lastValue, dueAt
//	NONCEPOOL        POOL   size = the number of accounts
const (
	nonceSort     = "NONCE"
	noncePool     = "NONCEPOOL"
	noncePoolSort = "POOL"
)

func nonceKey(account solana.PublicKey) map[string]types.AttributeValue {
	return dynamo.Key("NONCE#"+account.String(), nonceSort)
}

type nonceItem struct {
	Address     []byte `dynamodbav:"address"`
	Index       int    `dynamodbav:"index"`
	LastValue   []byte `dynamodbav:"lastValue,omitempty"`
	LeasedUntil int64  `dynamodbav:"leasedUntil,omitempty"`
	DueAt       *int64 `dynamodbav:"dueAt,omitempty"`
}

func (i nonceItem) account() nonce.Account {
	a := nonce.Account{
		Address: dynamo.PublicKey(i.Address), Index: i.Index, LastValue: solana.Hash(dynamo.PublicKey(i.LastValue)), Held: i.DueAt == nil,
	}
	if !a.Held {
		a.FreeAt = time.UnixMilli(max(*i.DueAt, i.LeasedUntil)).UTC()
	}
	return a
}

func readAccount(item map[string]types.AttributeValue) (nonce.Account, error) {
	var stored nonceItem
	if err := attributevalue.UnmarshalMap(item, &stored); err != nil {
		return nonce.Account{}, fmt.Errorf("decode nonce item %v: %w", dynamo.IDOf(item), err)
	}
	return stored.account(), nil
}

// Nonces stores the pool of nonce accounts. It implements nonce.Store.
type Nonces struct {
	Client *dynamodb.Client
	Table  string
}

var _ nonce.Store = Nonces{}

// Accounts reads accounts; see nonce.Store.
func (n Nonces) Accounts(ctx context.Context, addresses []solana.PublicKey, latest bool) ([]nonce.Account, error) {
	keys := make([]map[string]types.AttributeValue, len(addresses))
	for i, address := range addresses {
		keys[i] = nonceKey(address)
	}
	items, err := dynamo.BatchGet(ctx, n.Client, n.Table, keys, latest)
	if err != nil {
		return nil, fmt.Errorf("read nonces: %w", err)
	}
	accounts := make([]nonce.Account, len(items))
	for i, item := range items {
		if accounts[i], err = readAccount(item); err != nil {
			return nil, err
		}
	}
	return accounts, nil
}

// Take leases an account to the transaction with the given ID; see nonce.Store.
func (n Nonces) Take(ctx context.Context, account solana.PublicKey, id string, now, until time.Time) (nonce.Account, error) {
	out, err := n.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &n.Table, Key: nonceKey(account),
		UpdateExpression:    new("SET leaseTx = :id, leasedUntil = :until"),
		ConditionExpression: new("attribute_exists(dueAt) AND (leaseTx = :id OR dueAt <= :now AND (attribute_not_exists(leasedUntil) OR leasedUntil <= :now))"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":id": dynamo.Text(id), ":now": dynamo.Number(now.UnixMilli()), ":until": dynamo.Number(until.UnixMilli()),
		},
		ReturnValues:                        types.ReturnValueAllNew,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	if failed, refused := errors.AsType[*types.ConditionalCheckFailedException](err); refused {
		if failed.Item == nil {
			return nonce.Account{}, nonce.ErrTaken
		}
		taken, err := readAccount(failed.Item)
		if err != nil {
			return nonce.Account{}, err
		}
		return taken, nonce.ErrTaken
	}
	if err != nil {
		return nonce.Account{}, dynamo.Unavailable(fmt.Errorf("lease nonce %s: %w", account, err))
	}
	return readAccount(out.Attributes)
}

// Release ends the lease of the transaction with the given ID. It does nothing if another
// transaction has the lease, or the transaction has been submitted.
func (n Nonces) Release(ctx context.Context, account solana.PublicKey, id string) error {
	_, err := n.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &n.Table, Key: nonceKey(account),
		UpdateExpression:    new("REMOVE leaseTx, leasedUntil"),
		ConditionExpression: new("leaseTx = :id AND attribute_exists(dueAt)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":id": dynamo.Text(id),
		},
	})
	if err != nil && !dynamo.ConditionFailed(err) {
		return dynamo.Unavailable(fmt.Errorf("release nonce %s: %w", account, err))
	}
	return nil
}

// Size returns the number of accounts in the pool.
func (n Nonces) Size(ctx context.Context) (int, error) {
	var pool struct {
		Size int `dynamodbav:"size"`
	}
	if _, err := dynamo.Get(ctx, n.Client, n.Table, dynamo.Key(noncePool, noncePoolSort), &pool); err != nil {
		return 0, fmt.Errorf("read size of the nonce pool: %w", err)
	}
	return pool.Size, nil
}

// Add adds account to the pool, leased to the transaction with the given ID until the given time.
// account.Index must be the size of the pool. It returns nonce.ErrTaken if the size has changed.
func (n Nonces) Add(ctx context.Context, account nonce.Account, id string, until time.Time) error {
	item := nonceKey(account.Address)
	for name, value := range map[string]types.AttributeValue{
		"address": dynamo.Binary(account.Address[:]), "index": dynamo.Number(int64(account.Index)),
		"leaseTx": dynamo.Text(id), "leasedUntil": dynamo.Number(until.UnixMilli()), "dueAt": dynamo.Number(0),
	} {
		item[name] = value
	}
	grow := &types.Update{
		TableName: &n.Table, Key: dynamo.Key(noncePool, noncePoolSort),
		UpdateExpression:         new("SET #size = :more"),
		ConditionExpression:      new("#size = :size"),
		ExpressionAttributeNames: map[string]string{"#size": "size"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":size": dynamo.Number(int64(account.Index)), ":more": dynamo.Number(int64(account.Index) + 1),
		},
	}
	if account.Index == 0 {
		grow.ConditionExpression = new("attribute_not_exists(#size)")
		delete(grow.ExpressionAttributeValues, ":size")
	}
	_, err := n.Client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		TransactItems: []types.TransactWriteItem{
			{Update: grow},
			{Put: &types.Put{TableName: &n.Table, Item: item, ConditionExpression: new("attribute_not_exists(pk)")}},
		},
	})
	var canceled *types.TransactionCanceledException
	if errors.As(err, &canceled) {
		return nonce.ErrTaken
	}
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("add nonce %d to the pool: %w", account.Index, err))
	}
	return nil
}
