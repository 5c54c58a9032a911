// Package statusrecord stores the record of the monitor in the window table, apart from package
// windowtable, so that signing in links no code of distributions.
package statusrecord

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/distribution/status"
)

// Store implements status.Store in the window table, because the function that serves the status
// page reads no other table.
//
//	STATUS  STATUS  doc = status.Record as JSON
type Store struct {
	Client *dynamodb.Client
	Table  string
}

// Status reads the record; see status.Store.
func (s Store) Status(ctx context.Context) (r status.Record, err error) {
	out, err := s.Client.GetItem(ctx, &dynamodb.GetItemInput{TableName: &s.Table, Key: dynamo.Key(schema.Status, schema.Status)})
	if err != nil {
		return r, dynamo.Unavailable(fmt.Errorf("read the status: %w", err))
	}
	if out.Item == nil {
		return r, nil
	}
	var stored struct {
		Document string `dynamodbav:"doc"`
	}
	if err := attributevalue.UnmarshalMap(out.Item, &stored); err != nil {
		return r, fmt.Errorf("decode the status: %w", err)
	}
	if err := json.Unmarshal([]byte(stored.Document), &r); err != nil {
		return status.Record{}, fmt.Errorf("decode the status: %w", err)
	}
	return r, nil
}

// PutStatus writes the record; see status.Store.
func (s Store) PutStatus(ctx context.Context, r status.Record) error {
	document, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode the status: %w", err)
	}
	item := dynamo.Key(schema.Status, schema.Status)
	item["doc"] = dynamo.Text(string(document))
	if _, err := s.Client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &s.Table, Item: item}); err != nil {
		return dynamo.Unavailable(fmt.Errorf("write the status: %w", err))
	}
	return nil
}
