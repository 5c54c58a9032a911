package ledgertable

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/distribution/run"
)

// newer is an entry that replaces any stored item of a lower version, or stores a missing item, and
// keeps the entry's version. It is for a ledger that was restored from a backup.
type newer struct{ entry }

func (n newer) write(table string) (types.TransactWriteItem, error) {
	item, err := n.item(n.version)
	if err != nil {
		return types.TransactWriteItem{}, err
	}
	put := &types.Put{
		TableName: &table, Item: item,
		ConditionExpression:       new("attribute_not_exists(#pk) OR #version < :version"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":version": dynamo.Number(n.version)},
	}
	put.ExpressionAttributeNames = namesIn(*put.ConditionExpression)
	return types.TransactWriteItem{Put: put}, nil
}

// Advance writes a run, the run's ID and the run's burn into a restored ledger that has an older
// version of the run, or lacks the run; see journal.Ledger. It returns run.ErrConflict if the
// stored version is not older.
func (s Runs) Advance(ctx context.Context, r run.Run) error {
	parts := []part{newer{s.runEntry(r)}, s.runID(r)}
	if r.Burn != nil && r.Burn.Why == "" {
		parts = append(parts, ready{Put: &types.Put{TableName: &s.Table, Item: burnItem(r.Slot, run.Burn{
			Mint: r.Mint, Run: r.ID, Amount: r.Burn.Amount, Signature: r.Burn.Signature, ChainSlot: r.Burn.ChainSlot, At: r.Burn.At,
		})}})
	}
	return s.write(ctx, "advance", r, parts...)
}

// AdvanceHead is Advance for a head.
func (s Runs) AdvanceHead(ctx context.Context, head run.Head) error {
	err := write(ctx, s.Client, s.Table, run.ErrConflict, newer{headEntry(head)})
	return unlessIs(err, run.ErrConflict, "advance the head of %s", head.Mint)
}
