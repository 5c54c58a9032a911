package windowtable

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/platform/auth/jwt"
)

// Revocations stores the wallets whose access tokens operators revoked. A record is kept until
// every revoked access token has expired.
//
//	REVOKED  <wallet>  until, expiresAt (Unix seconds), by = who revoked
type Revocations struct {
	Client *dynamodb.Client
	Table  string
}

// Revoke revokes the wallet's access tokens that were issued until a moment. An earlier moment than
// the stored moment changes nothing.
func (s Revocations) Revoke(ctx context.Context, wallet string, until time.Time, by string) error {
	item := dynamo.Key(schema.Revoked, wallet)
	item["until"] = dynamo.Number(until.Unix())
	item["by"] = dynamo.Text(by)
	item[schema.ExpiresAt] = dynamo.Number(until.Add(jwt.Lifetime).Unix())
	_, err := s.Client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.Table, Item: item,
		ConditionExpression:       aws.String("attribute_not_exists(pk) OR #until <= :until"),
		ExpressionAttributeNames:  map[string]string{"#until": "until"},
		ExpressionAttributeValues: map[string]types.AttributeValue{":until": item["until"]},
	})
	if err != nil && !dynamo.ConditionFailed(err) {
		return dynamo.Unavailable(fmt.Errorf("revoke the tokens of %s: %w", wallet, err))
	}
	return nil
}

// Revocations reads all revocations; see jwt.RevocationSource.
func (s Revocations) Revocations(ctx context.Context) (jwt.Revocations, error) {
	pages := dynamodb.NewQueryPaginator(s.Client, &dynamodb.QueryInput{
		TableName: &s.Table, ConsistentRead: aws.Bool(true), KeyConditionExpression: aws.String("pk = :revoked"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":revoked": dynamo.Text(schema.Revoked)},
	})
	all := jwt.Revocations{}
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, dynamo.Unavailable(fmt.Errorf("read the revocations: %w", err))
		}
		for _, item := range page.Items {
			var stored struct {
				Wallet string `dynamodbav:"sk"`
				Until  int64  `dynamodbav:"until"`
			}
			if err := attributevalue.UnmarshalMap(item, &stored); err != nil {
				return nil, fmt.Errorf("decode a revocation: %w", err)
			}
			all[stored.Wallet] = time.Unix(stored.Until, 0)
		}
	}
	return all, nil
}
