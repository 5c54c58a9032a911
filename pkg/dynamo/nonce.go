package dynamo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/dynamo/schema"
	"tokenlaunch.example/service/pkg/nonce"
)

// A nonce account is one item. While it is free or leased it stands in the due index,
// by when it came free last; while a submitted transaction stands on it, it is out of
// the index, so nobody can lease it.
//
//	NONCE#<address>  NONCE  address, leaseTx, leasedUntil, lastValue, duePk = NONCE, dueAt
//	NONCEPOOL        POOL   size = how many accounts there are
const (
	nonceSort     = "NONCE"
	noncePool     = "NONCEPOOL"
	noncePoolSort = "POOL"
	nonceDue      = "NONCE"
)

func nonceKey(account solana.PublicKey) map[string]types.AttributeValue {
	return itemKey("NONCE#"+account.String(), nonceSort)
}

type nonceItem struct {
	Address   []byte `dynamodbav:"address"`
	Index     int    `dynamodbav:"index"`
	LastValue []byte `dynamodbav:"lastValue,omitempty"`
}

func (i nonceItem) account() nonce.Account {
	return nonce.Account{Address: publicKey(i.Address), Index: i.Index, LastValue: solana.Hash(publicKey(i.LastValue))}
}

// Nonces keeps the pool of nonce accounts.
type Nonces struct {
	Client *dynamodb.Client
	Table  string
}

// Free lists up to most accounts that are not leased at now. The index lags, so an
// account listed may be gone: Take decides. It gives their addresses alone.
func (n Nonces) Free(ctx context.Context, now time.Time, most int) ([]nonce.Account, error) {
	query := n.unleased(now)
	query.Limit = page(most)
	var free []nonce.Account
	for pages := dynamodb.NewQueryPaginator(n.Client, query); len(free) < most && pages.HasMorePages(); {
		entries, err := pages.NextPage(ctx)
		if err != nil {
			return nil, unavailable(fmt.Errorf("list free nonces: %w", err))
		}
		for _, entry := range entries.Items {
			var stored nonceItem
			if err := attributevalue.UnmarshalMap(entry, &stored); err != nil {
				return nil, fmt.Errorf("decode the entry %v: %w", idOf(entry), err)
			}
			free = append(free, stored.account())
		}
	}
	return free[:min(len(free), most)], nil
}

// unleased asks the index for the accounts that are not leased at now.
func (n Nonces) unleased(now time.Time) *dynamodb.QueryInput {
	query := dueQuery(n.Table, schema.DueLaunches, nonceDue, now)
	query.FilterExpression = new("attribute_not_exists(leasedUntil) OR leasedUntil <= :now")
	return query
}

// Take leases an account to transaction id until the given time, if its lease
// has ended at now; otherwise nonce.ErrTaken. It answers the account as stored.
func (n Nonces) Take(ctx context.Context, account solana.PublicKey, id string, now, until time.Time) (nonce.Account, error) {
	out, err := n.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &n.Table, Key: nonceKey(account),
		UpdateExpression:    new("SET leaseTx = :id, leasedUntil = :until"),
		ConditionExpression: new("leaseTx = :id OR dueAt <= :now AND (attribute_not_exists(leasedUntil) OR leasedUntil <= :now)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":id": text(id), ":now": number(now.UnixMilli()), ":until": number(until.UnixMilli()),
		},
		ReturnValues: types.ReturnValueAllNew,
	})
	if conditionFailed(err) {
		return nonce.Account{}, nonce.ErrTaken
	}
	if err != nil {
		return nonce.Account{}, unavailable(fmt.Errorf("lease nonce %s: %w", account, err))
	}
	var stored nonceItem
	if err := attributevalue.UnmarshalMap(out.Attributes, &stored); err != nil {
		return nonce.Account{}, fmt.Errorf("decode nonce item: %w", err)
	}
	return stored.account(), nil
}

// Release ends the lease of transaction id; it does nothing when the
// lease is not that transaction's, or the transaction has been submitted.
func (n Nonces) Release(ctx context.Context, account solana.PublicKey, id string) error {
	_, err := n.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &n.Table, Key: nonceKey(account),
		UpdateExpression:    new("REMOVE leaseTx, leasedUntil"),
		ConditionExpression: new("leaseTx = :id AND attribute_exists(dueAt)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":id": text(id),
		},
	})
	if err != nil && !conditionFailed(err) {
		return unavailable(fmt.Errorf("release nonce %s: %w", account, err))
	}
	return nil
}

// Size tells how many accounts the pool has.
func (n Nonces) Size(ctx context.Context) (int, error) {
	var pool struct {
		Size int `dynamodbav:"size"`
	}
	if _, err := getItem(ctx, n.Client, n.Table, itemKey(noncePool, noncePoolSort), &pool); err != nil {
		return 0, fmt.Errorf("read size of the nonce pool: %w", err)
	}
	return pool.Size, nil
}

// Add registers account as number size of the pool, leased to transaction id
// until the given time. nonce.ErrTaken when the pool no longer has that size.
func (n Nonces) Add(ctx context.Context, account nonce.Account, id string, until time.Time) error {
	item := nonceKey(account.Address)
	for name, value := range map[string]types.AttributeValue{
		"address": binary(account.Address[:]), "index": number(int64(account.Index)),
		"leaseTx": text(id), schema.LeasedUntil: number(until.UnixMilli()), "duePk": text(nonceDue), "dueAt": number(0),
	} {
		item[name] = value
	}
	grow := &types.Update{
		TableName: &n.Table, Key: itemKey(noncePool, noncePoolSort),
		UpdateExpression:         new("SET #size = :more"),
		ConditionExpression:      new("#size = :size"),
		ExpressionAttributeNames: map[string]string{"#size": "size"},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":size": number(int64(account.Index)), ":more": number(int64(account.Index) + 1),
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
		return unavailable(fmt.Errorf("add nonce %d to the pool: %w", account.Index, err))
	}
	return nil
}
