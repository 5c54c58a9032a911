package runner

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/dynamo/schema"
)

// ForgetLimits empties the rate windows, as if nobody had called yet: on this
// machine everybody has one address.
func (s *Stack) ForgetLimits(ctx context.Context) error {
	client := dynamodb.NewFromConfig(s.AWS.Config())
	table, err := s.Outputs.get("WindowTableName")
	if err != nil {
		return err
	}
	scan := dynamodb.NewScanPaginator(client, &dynamodb.ScanInput{TableName: &table})
	for scan.HasMorePages() {
		page, err := scan.NextPage(ctx)
		if err != nil {
			return fmt.Errorf("read the rate windows: %w", err)
		}
		for _, item := range page.Items {
			key := map[string]types.AttributeValue{
				schema.PartitionKey: item[schema.PartitionKey], schema.SortKey: item[schema.SortKey],
			}
			if pk, ok := key[schema.PartitionKey].(*types.AttributeValueMemberS); !ok || !strings.HasPrefix(pk.Value, "RATE#") {
				continue
			}
			if _, err := client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &table, Key: key}); err != nil {
				return fmt.Errorf("forget a rate window: %w", err)
			}
		}
	}
	return nil
}
