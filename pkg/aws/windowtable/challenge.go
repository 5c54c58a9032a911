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

// keepExpired is how long an expired challenge is kept, so that a late caller is told so, and
// not that the challenge is unknown.
const keepExpired = time.Hour

func challengeKey(nonce string) map[string]types.AttributeValue {
	return dynamo.Key("CHALLENGE#"+nonce, challengeSort)
}

// challengeItem is how a challenge is stored. Times are Unix milliseconds, but
// ExpiresAt, the table's time to live, is in seconds.
type challengeItem struct {
	Wallet     string `dynamodbav:"wallet"`
	Message    string `dynamodbav:"message"`
	IssuedAt   int64  `dynamodbav:"issuedAt"`
	ValidUntil int64  `dynamodbav:"validUntil"`
	ExpiresAt  int64  `dynamodbav:"expiresAt"`
}

// Challenges keeps sign-in challenges; it implements auth.ChallengeStore.
type Challenges struct {
	Client *dynamodb.Client
	Table  string
}

// Put stores a new challenge. Its nonce is new, so that it replaces none, and
// putting it twice, as the SDK does when an answer was lost, is putting it once.
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

// Get gives the challenge with this nonce, expired or not, or
// auth.ErrNoChallenge.
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

// Use deletes a challenge that has not expired at now; auth.ErrNoChallenge when
// there is none. DynamoDB lets one of any number of callers succeed. A call whose
// answer was lost may have used the challenge up all the same.
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
