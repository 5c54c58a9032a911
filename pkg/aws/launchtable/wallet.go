package launchtable

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/token/wallet"
)

// A distribution wallet is one item. While no token has it, it expires:
//
//	WALLET#<id>  WALLET  address, createdAt, validUntil, expiresAt
//
// and when one has, expiresAt gives way to boundMint.
const walletSort = "WALLET"

// bindGrace is how long after its end a wallet can still be bound: a token that
// was prepared in the wallet's last minute has five minutes to be submitted.
const bindGrace = 10 * time.Minute

func walletKey(id string) map[string]types.AttributeValue {
	return dynamo.Key("WALLET#"+id, walletSort)
}

// walletItem is how a wallet is stored. Times are Unix milliseconds, but
// ExpiresAt, the table's time to live, is in seconds.
type walletItem struct {
	Address    string `dynamodbav:"address"`
	CreatedAt  int64  `dynamodbav:"createdAt"`
	ValidUntil int64  `dynamodbav:"validUntil"`
	ExpiresAt  int64  `dynamodbav:"expiresAt,omitempty"`
	BoundMint  string `dynamodbav:"boundMint,omitempty"`
}

// Wallets keeps distribution wallets; it implements wallet.Store.
type Wallets struct {
	Client *dynamodb.Client
	Table  string
	Now    func() time.Time
}

// Put stores a new wallet, which no token has. It never replaces one.
func (s Wallets) Put(ctx context.Context, w wallet.Wallet) error {
	item, err := dynamo.NewItem(walletKey(w.ID), walletItem{
		Address: w.Address.String(), CreatedAt: w.CreatedAt.UnixMilli(),
		ValidUntil: w.ValidUntil.UnixMilli(), ExpiresAt: w.ValidUntil.Add(bindGrace).Unix(),
	})
	if err != nil {
		return fmt.Errorf("encode wallet %s: %w", w.ID, err)
	}
	_, err = s.Client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.Table, Item: item,
		// The SDK puts it again when an answer was lost: the same wallet is no rival.
		ConditionExpression:       new("attribute_not_exists(pk) OR address = :address"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":address": item["address"]},
	})
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("put wallet %s: %w", w.ID, err))
	}
	return nil
}

// Get gives a wallet, or wallet.ErrNotFound. That it is free to be bound may have been so
// a moment ago, for BindWallet decides it; all else is as it is now.
func (s Wallets) Get(ctx context.Context, id string) (wallet.Wallet, error) {
	w, err := s.get(ctx, id, false)
	if err == nil && !w.Bound() || err != nil && !errors.Is(err, wallet.ErrNotFound) {
		return w, err
	}
	return s.get(ctx, id, true)
}

func (s Wallets) get(ctx context.Context, id string, latest bool) (wallet.Wallet, error) {
	var item walletItem
	found, err := dynamo.Read(ctx, s.Client, s.Table, walletKey(id), latest, &item)
	if err != nil {
		return wallet.Wallet{}, fmt.Errorf("get wallet %s: %w", id, err)
	}
	if !found {
		return wallet.Wallet{}, wallet.ErrNotFound
	}
	w := wallet.Wallet{
		ID: id, CreatedAt: time.UnixMilli(item.CreatedAt).UTC(), ValidUntil: time.UnixMilli(item.ValidUntil).UTC(),
	}
	if w.Address, err = solana.PublicKeyFromBase58(item.Address); err != nil {
		return wallet.Wallet{}, fmt.Errorf("decode address of wallet %s: %w", id, err)
	}
	if item.BoundMint != "" {
		if w.BoundMint, err = solana.PublicKeyFromBase58(item.BoundMint); err != nil {
			return wallet.Wallet{}, fmt.Errorf("decode mint of wallet %s: %w", id, err)
		}
	}
	if w.Gone(s.Now()) {
		return wallet.Wallet{}, wallet.ErrNotFound
	}
	return w, nil
}

// BindWallet is the write that gives a wallet to a token, for good. It fails
// when the wallet was not issued, has waited too long, or is another token's;
// binding it to the same token again changes nothing.
func BindWallet(table, walletID, mint string, now time.Time) types.TransactWriteItem {
	return types.TransactWriteItem{Update: &types.Update{
		TableName: &table, Key: walletKey(walletID),
		UpdateExpression:         new("SET boundMint = :mint REMOVE #expires"),
		ConditionExpression:      new("attribute_exists(pk) AND (boundMint = :mint OR (attribute_not_exists(boundMint) AND #expires > :now))"),
		ExpressionAttributeNames: map[string]string{"#expires": schema.ExpiresAt},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":mint": dynamo.Text(mint), ":now": dynamo.Number(now.Unix()),
		},
	}}
}

// UnbindWallet is the write that takes a wallet back from a token whose launch
// failed. It fails when the wallet is not that token's. The wallet then waits
// for another token as if it had been issued at now.
func UnbindWallet(table, walletID, mint string, now time.Time) types.TransactWriteItem {
	until := now.Add(wallet.Lifetime)
	return types.TransactWriteItem{Update: &types.Update{
		TableName: &table, Key: walletKey(walletID),
		UpdateExpression:         new("SET validUntil = :until, #expires = :expires REMOVE boundMint"),
		ConditionExpression:      new("boundMint = :mint"),
		ExpressionAttributeNames: map[string]string{"#expires": schema.ExpiresAt},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":mint": dynamo.Text(mint), ":until": dynamo.Number(until.UnixMilli()), ":expires": dynamo.Number(until.Add(bindGrace).Unix()),
		},
	}}
}
