package payouttest

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/testkit/must"
)

// Backup is a copy of a ledger.
type Backup []map[string]types.AttributeValue

// Backup returns a copy of the ledger, without the journal.
func (w *Fixture) Backup(t testing.TB) Backup {
	t.Helper()
	var b Backup
	pages := dynamodb.NewScanPaginator(dynamo.New(w.config), &dynamodb.ScanInput{TableName: &w.Table, ConsistentRead: new(true)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(t.Context())
		must.Do(t, err)
		b = append(b, page.Items...)
	}
	return b
}

// Restore replaces the ledger's content by a backup.
func (w *Fixture) Restore(t testing.TB, b Backup) {
	t.Helper()
	client := dynamo.New(w.config)
	for _, item := range w.Backup(t) {
		_, err := client.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: &w.Table, Key: map[string]types.AttributeValue{
			schema.PartitionKey: item[schema.PartitionKey], schema.SortKey: item[schema.SortKey],
		}})
		must.Do(t, err)
	}
	for _, item := range b {
		_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &w.Table, Item: item})
		must.Do(t, err)
	}
}
