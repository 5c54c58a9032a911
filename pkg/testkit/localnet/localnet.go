// Package localnet runs the external services for tests on loopback: AWS by MiniStack, and Solana
// by Surfpool or Agave's validator. The programs are real, not fakes. `make tools` installs
// MiniStack and Surfpool. Package localnet is only for tests.
package localnet

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/testkit/localnet/ministack"
	"tokenlaunch.example/service/pkg/testkit/localnet/project"
)

// Stack is a MiniStack that the tests of a binary share. The stack ends with the binary, so no
// TestMain is needed.
type Stack struct {
	Endpoint string

	server *ministack.Server
}

var startAWS = sync.OnceValues(func() (*Stack, error) {
	folder, err := project.Find()
	if err != nil {
		return nil, err
	}
	server, err := ministack.Start(context.Background(), folder, ministack.Options{})
	if err != nil {
		return nil, err
	}
	return &Stack{Endpoint: server.Endpoint, server: server}, nil
})

// AWS returns the test binary's MiniStack, started at the first call. AWS skips the test in short
// mode and fails the test if MiniStack is not installed.
func AWS(t testing.TB) *Stack {
	t.Helper()
	skipInShortMode(t, "MiniStack")
	s, err := startAWS()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func skipInShortMode(t testing.TB, needs string) {
	t.Helper()
	if testing.Short() {
		t.Skip("needs " + needs + ", which short mode leaves out")
	}
}

// Config returns an AWS configuration whose clients all call the stack.
func (s *Stack) Config(context.Context) aws.Config { return s.server.Config() }

// tables counts the created tables, for unique names within the stack.
var tables atomic.Int64

// CreateTable creates the table under a unique name, and deletes the table when the test ends. The
// store expires no items, because tests have their own clocks. Readers of an item check its time
// anyway.
func (s *Stack) CreateTable(t testing.TB, table schema.Table) (name string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	client := dynamodb.NewFromConfig(s.Config(ctx))
	name = fmt.Sprintf("%s-%d", table.Name, tables.Add(1))
	if _, err := client.CreateTable(ctx, definition(table, name)); err != nil {
		t.Fatalf("create table %s: %v", name, err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if _, err := client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: &name}); err != nil {
			t.Errorf("delete table %s: %v", name, err)
		}
	})
	waiter := dynamodb.NewTableExistsWaiter(client, func(o *dynamodb.TableExistsWaiterOptions) {
		o.MinDelay = 10 * time.Millisecond
	})
	if err := waiter.Wait(ctx, &dynamodb.DescribeTableInput{TableName: &name}, time.Minute); err != nil {
		t.Fatalf("wait for table %s: %v", name, err)
	}
	return name
}

func definition(table schema.Table, name string) *dynamodb.CreateTableInput {
	attributes := map[string]types.ScalarAttributeType{
		schema.PartitionKey: types.ScalarAttributeTypeS,
		schema.SortKey:      types.ScalarAttributeTypeS,
	}
	in := &dynamodb.CreateTableInput{
		TableName:   aws.String(name),
		BillingMode: types.BillingModePayPerRequest,
		KeySchema:   keys(schema.PartitionKey, schema.SortKey),
	}
	for _, index := range table.Indexes {
		projection := types.Projection{ProjectionType: types.ProjectionTypeAll}
		if index.Holds != nil {
			projection = types.Projection{ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: index.Holds}
		}
		attributes[index.PartitionKey] = types.ScalarAttributeTypeS
		attributes[index.SortKey] = types.ScalarAttributeTypeN
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
			IndexName:  aws.String(index.Name),
			KeySchema:  keys(index.PartitionKey, index.SortKey),
			Projection: &projection,
		})
	}
	for attribute, kind := range attributes {
		in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{
			AttributeName: aws.String(attribute), AttributeType: kind,
		})
	}
	return in
}

func keys(partition, sort string) []types.KeySchemaElement {
	return []types.KeySchemaElement{
		{AttributeName: aws.String(partition), KeyType: types.KeyTypeHash},
		{AttributeName: aws.String(sort), KeyType: types.KeyTypeRange},
	}
}
