package windowtable

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/platform/auth"
)

// A challenge is one item until it is used:
//
//	CHALLENGE#<nonce>  CHALLENGE  wallet, message, issuedAt, validUntil, expiresAt
const challengeSort = "CHALLENGE"

// keepExpired is the retention of an expired challenge. In this time, a late caller gets the error
// for an expired challenge instead of the error for an unknown challenge.
const keepExpired = time.Hour

func challengeKey(nonce string) map[string]types.AttributeValue {
	return dynamo.Key("CHALLENGE#"+nonce, challengeSort)
}

// challengeItem is a stored challenge. Times are Unix milliseconds, except ExpiresAt, the table's
// time to live, which is in seconds.
type challengeItem struct {
	Wallet     string `dynamodbav:"wallet"`
	Message    string `dynamodbav:"message"`
	IssuedAt   int64  `dynamodbav:"issuedAt"`
	ValidUntil int64  `dynamodbav:"validUntil"`
	ExpiresAt  int64  `dynamodbav:"expiresAt"`
}

// Challenges stores sign-in challenges. It implements auth.ChallengeStore.
type Challenges struct {
	Client *dynamodb.Client
	Table  string
}

// Put stores a new challenge. The nonce is new, so Put replaces no other challenge. The SDK's retry
// after a lost response is harmless.
func (s Challenges) Put(ctx context.Context, c auth.Challenge) error {
	item, err := dynamo.NewItem(challengeKey(c.Nonce), challengeItem{
		Wallet: c.Wallet.String(), Message: c.Message, IssuedAt: c.IssuedAt.UnixMilli(),
		ValidUntil: c.ExpiresAt.UnixMilli(), ExpiresAt: c.ExpiresAt.Add(keepExpired).Unix(),
	})
	if err != nil {
		return fmt.Errorf("encode challenge %s: %w", c.Nonce, err)
	}
	if _, err := s.Client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &s.Table, Item: item}); err != nil {
		return dynamo.Unavailable(fmt.Errorf("put challenge %s: %w", c.Nonce, err))
	}
	return nil
}

// Get returns the challenge with the given nonce, expired or not. It returns auth.ErrNoChallenge if
// the challenge does not exist.
func (s Challenges) Get(ctx context.Context, nonce string) (auth.Challenge, error) {
	var item challengeItem
	found, err := dynamo.Get(ctx, s.Client, s.Table, challengeKey(nonce), &item)
	if err != nil {
		return auth.Challenge{}, fmt.Errorf("get challenge %s: %w", nonce, err)
	}
	if !found {
		return auth.Challenge{}, auth.ErrNoChallenge
	}
	wallet, err := solana.PublicKeyFromBase58(item.Wallet)
	if err != nil {
		return auth.Challenge{}, fmt.Errorf("decode wallet of challenge %s: %w", nonce, err)
	}
	return auth.Challenge{
		Wallet: wallet, Nonce: nonce, Message: item.Message,
		IssuedAt: time.UnixMilli(item.IssuedAt).UTC(), ExpiresAt: time.UnixMilli(item.ValidUntil).UTC(),
	}, nil
}

// Use deletes a challenge that has not expired at now. It returns auth.ErrNoChallenge if the
// challenge does not exist or has expired. DynamoDB lets only one of several callers succeed. If
// the response is lost, the call may have used the challenge nevertheless.
func (s Challenges) Use(ctx context.Context, nonce string, now time.Time) error {
	_, err := s.Client.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: &s.Table, Key: challengeKey(nonce),
		ConditionExpression:       new("validUntil > :now"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":now": dynamo.Number(now.UnixMilli())},
	})
	if dynamo.ConditionFailed(err) {
		return auth.ErrNoChallenge
	}
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("use challenge %s: %w", nonce, err))
	}
	return nil
}
