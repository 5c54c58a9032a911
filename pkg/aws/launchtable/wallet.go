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

// A distribution wallet is one item. A wallet without a token expires:
//
//	WALLET#<id>  WALLET  address, root, createdAt, validUntil, expiresAt
//
// Binding a wallet to a token replaces expiresAt by boundMint.
const walletSort = "WALLET"

// bindGrace is the time for which a wallet can still be bound after the end of its validity. A
// token that was prepared in the wallet's last minute can be submitted for five minutes.
const bindGrace = 10 * time.Minute

func walletKey(id string) map[string]types.AttributeValue {
	return dynamo.Key("WALLET#"+id, walletSort)
}

// walletItem is a stored wallet. Times are Unix milliseconds, except ExpiresAt, the table's time to
// live, which is in seconds.
type walletItem struct {
	Address    string `dynamodbav:"address"`
	Root       uint8  `dynamodbav:"root,omitempty"`
	CreatedAt  int64  `dynamodbav:"createdAt"`
	ValidUntil int64  `dynamodbav:"validUntil"`
	ExpiresAt  int64  `dynamodbav:"expiresAt,omitempty"`
	BoundMint  string `dynamodbav:"boundMint,omitempty"`
}

// Wallets stores distribution wallets. It implements wallet.Store.
type Wallets struct {
	Client *dynamodb.Client
	Table  string
	Now    func() time.Time
}

// Put stores a new wallet without a token. It never replaces another wallet.
func (s Wallets) Put(ctx context.Context, w wallet.Wallet) error {
	item, err := dynamo.NewItem(walletKey(w.ID), walletItem{
		Address: w.Address.String(), Root: w.Root, CreatedAt: w.CreatedAt.UnixMilli(),
		ValidUntil: w.ValidUntil.UnixMilli(), ExpiresAt: w.ValidUntil.Add(bindGrace).Unix(),
	})
	if err != nil {
		return fmt.Errorf("encode wallet %s: %w", w.ID, err)
	}
	_, err = s.Client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.Table, Item: item,
		// The SDK retries a lost response. Writing the same wallet twice is not a conflict.
		ConditionExpression:       new("attribute_not_exists(pk) OR address = :address"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":address": item["address"]},
	})
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("put wallet %s: %w", w.ID, err))
	}
	return nil
}

// Get returns a wallet, or wallet.ErrNotFound. An unbound wallet may have been bound a moment ago,
// which is harmless because BindWallet decides. All other results are from a consistent read.
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
		ID: id, Root: item.Root, CreatedAt: time.UnixMilli(item.CreatedAt).UTC(), ValidUntil: time.UnixMilli(item.ValidUntil).UTC(),
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

// BindWallet returns the write that binds a wallet to a token permanently. The write fails if the
// wallet was not issued, has waited too long, or belongs to another token. Binding the wallet to
// the same token again changes nothing.
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

// UnbindWallet returns the write that releases a wallet from a token whose launch failed. The write
// fails if the wallet belongs to another token. The wallet then waits for another token as if
// issued at now.
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
