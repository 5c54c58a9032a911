package localnet_test

import (
	"context"
	"net"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/testkit/localnet"
)

func TestAWSIsSharedAndOnLoopback(t *testing.T) {
	s := localnet.AWS(t)
	if again := localnet.AWS(t); again != s {
		t.Errorf("a second call gave another stack")
	}
	address, ok := strings.CutPrefix(s.Endpoint, "http://")
	if !ok {
		t.Fatalf("endpoint %q is not http", s.Endpoint)
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range otherAddresses(t) {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", net.JoinHostPort(other, port))
		if err == nil {
			_ = conn.Close()
			t.Errorf("MiniStack answers on %s, beyond loopback", other)
		}
	}
}

// otherAddresses are this machine's IPv4 addresses that are not loopback.
func otherAddresses(t *testing.T) []string {
	t.Helper()
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	var others []string
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok && !ip.IP.IsLoopback() && ip.IP.To4() != nil {
			others = append(others, ip.IP.String())
		}
	}
	return others
}

func TestTablesAreSeparateAndHaveTheirIndexes(t *testing.T) {
	s := localnet.AWS(t)
	first, second := s.CreateTable(t, schema.Launch), s.CreateTable(t, schema.Launch)
	if first == second {
		t.Fatalf("both tables are %s", first)
	}
	client := dynamodb.NewFromConfig(s.Config(t.Context()))
	item := map[string]types.AttributeValue{
		schema.PartitionKey:             &types.AttributeValueMemberS{Value: "a"},
		schema.SortKey:                  &types.AttributeValueMemberS{Value: "b"},
		schema.DueLaunches.PartitionKey: &types.AttributeValueMemberS{Value: "c"},
		schema.DueLaunches.SortKey:      &types.AttributeValueMemberN{Value: "7"},
	}
	if _, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &first, Item: item}); err != nil {
		t.Fatal(err)
	}
	if n := due(t.Context(), t, client, first); n != 1 {
		t.Errorf("the index of the first table has %d items, want 1", n)
	}
	if n := due(t.Context(), t, client, second); n != 0 {
		t.Errorf("the index of the second table has %d items, want 0", n)
	}
}

func due(ctx context.Context, t *testing.T, client *dynamodb.Client, table string) int32 {
	t.Helper()
	out, err := client.Query(ctx, &dynamodb.QueryInput{
		TableName:                 &table,
		IndexName:                 aws.String(schema.DueLaunches.Name),
		KeyConditionExpression:    aws.String(schema.DueLaunches.PartitionKey + " = :p"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":p": &types.AttributeValueMemberS{Value: "c"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.Count
}

func TestS3WorksWithTheConfig(t *testing.T) {
	s := localnet.AWS(t)
	client := s3.NewFromConfig(s.Config(t.Context()))
	if _, err := client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String("pictures")}); err != nil {
		t.Fatal(err)
	}
	_, err := client.PutObject(t.Context(), &s3.PutObjectInput{
		Bucket: aws.String("pictures"), Key: aws.String("a/b"), Body: strings.NewReader("hello"),
	})
	if err != nil {
		t.Fatal(err)
	}
}
