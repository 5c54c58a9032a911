package launchtable

import (
	"context"
	"fmt"
	"iter"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/token"
)

// All returns the record of every token in any order, including hidden tokens and tokens with an
// unconfirmed launch. It reads the whole table and is only for operators. A record that cannot be
// read returns an error with the record's key, and the iteration continues.
func (t Tokens) All(ctx context.Context) iter.Seq2[token.Record, error] {
	return func(yield func(token.Record, error) bool) {
		pages := dynamodb.NewScanPaginator(t.Client, &dynamodb.ScanInput{
			TableName: &t.Table, ConsistentRead: aws.Bool(true), FilterExpression: aws.String("begins_with(pk, :token) AND sk = :record"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":token": dynamo.Text(schema.Tokens), ":record": dynamo.Text(tokenSort)},
		})
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				yield(token.Record{}, dynamo.Unavailable(fmt.Errorf("read all tokens: %w", err)))
				return
			}
			for _, item := range page.Items {
				record, err := decodeToken(item)
				if err != nil {
					err = fmt.Errorf("read %s: %w", dynamo.IDOf(item).Partition, err)
				}
				if !yield(record, err) {
					return
				}
			}
		}
	}
}
