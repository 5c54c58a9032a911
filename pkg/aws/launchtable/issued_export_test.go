package launchtable

import (
	"context"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// ReadIssued gives the record of a transaction that its caller sends, as it is stored.
func ReadIssued(ctx context.Context, s Issued, id string) (transaction.Issued, bool, error) {
	var item issuedItem
	found, err := dynamo.Get(ctx, s.Client, s.Table, issuedKey(id), &item)
	return item.issued(), found, err
}
