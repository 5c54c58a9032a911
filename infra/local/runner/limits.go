package runner

import (
	"context"
	"fmt"
	"net/netip"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
)

// ForgetLimits empties the rate windows, as if there had been no calls, because on this machine all
// callers have the same address.
func (s *Stack) ForgetLimits(ctx context.Context) error {
	return s.forgetLimits(ctx, func(string) bool { return true })
}

// ForgetLimitsOfAddresses does not change the windows of wallets, for a test of such a window.
func (s *Stack) ForgetLimitsOfAddresses(ctx context.Context) error {
	return s.forgetLimits(ctx, func(key string) bool {
		_, err := netip.ParseAddr(key)
		return err == nil
	})
}

func (s *Stack) forgetLimits(ctx context.Context, of func(key string) bool) error {
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
			pk, ok := key[schema.PartitionKey].(*types.AttributeValueMemberS)
			if !ok || !strings.HasPrefix(pk.Value, "RATE#") || !of(pk.Value[strings.LastIndex(pk.Value, "#")+1:]) {
				continue
			}
			if _, err := client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &table, Key: key}); err != nil {
				return fmt.Errorf("forget a rate window: %w", err)
			}
		}
	}
	return nil
}
