package dynamo

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/platform/status"
	"tokenlaunch.example/service/pkg/token/terms"
)

// StatusRecord keeps the record of the monitor; it implements monitor.Store. It stands in
// the window table, for the page is answered by a function that reaches no other.
//
//	STATUS  STATUS  doc = monitor.Record as JSON
type StatusRecord struct {
	Client *dynamodb.Client
	Table  string
}

// Status reads the record; see monitor.Store.
func (s StatusRecord) Status(ctx context.Context) (r status.Record, err error) {
	out, err := s.Client.GetItem(ctx, &dynamodb.GetItemInput{TableName: &s.Table, Key: itemKey(schema.Status, schema.Status)})
	if err != nil {
		return r, unavailable(fmt.Errorf("read the status: %w", err))
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

// PutStatus writes the record; see monitor.Store.
func (s StatusRecord) PutStatus(ctx context.Context, r status.Record) error {
	document, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode the status: %w", err)
	}
	item := itemKey(schema.Status, schema.Status)
	item[documentName] = text(string(document))
	if _, err := s.Client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &s.Table, Item: item}); err != nil {
		return unavailable(fmt.Errorf("write the status: %w", err))
	}
	return nil
}

// Oldest is when the launch or transaction was due that has been longest; see
// monitor.LaunchStore. It reads one item of each list of the reconciler.
func (n Nonces) Oldest(ctx context.Context, now time.Time) (oldest time.Time, err error) {
	for _, list := range []string{launchDue, confirmedDue, marketDue, promotionDue} {
		items, err := dueItems(ctx, n.Client, n.Table, list, now, 1)
		if err != nil {
			return time.Time{}, err
		}
		for _, item := range items {
			var stored struct {
				At int64 `dynamodbav:"dueAt"`
			}
			if err := attributevalue.UnmarshalMap(item, &stored); err != nil {
				return time.Time{}, fmt.Errorf("decode the item %v: %w", idOf(item), err)
			}
			if at := time.UnixMilli(stored.At).UTC(); oldest.IsZero() || at.Before(oldest) {
				oldest = at
			}
		}
	}
	return oldest, nil
}

// mostPages bounds what a look at the runs reads of each part of the index: two pages of
// up to a megabyte.
const mostPages = 2

// undecidedDue lists the heads of tokens that are frozen or have amounts set aside of
// which nobody can say what became of them. Few are on it, and a look reads one page.
const undecidedDue = "UNDECIDED"

// undecided puts a head on the list, or leaves it off. What is set aside of it in lamports
// is there when anything is, so it may be 0.
func undecided(h run.Head, attributes map[string]types.AttributeValue) {
	reserved := false
	for _, amount := range h.Reserved {
		reserved = reserved || amount > 0
	}
	if h.Frozen == "" && !reserved {
		return
	}
	attributes["duePk"], attributes["dueAt"] = text(undecidedDue), number(h.LastSlot.UnixMilli())
	if reserved {
		attributes[schema.ReservedLamports] = amount(h.Reserved[terms.SOL])
	}
}

// Active counts the runs at work; see monitor.Ledger. The index lags a little.
func (s Runs) Active(ctx context.Context, now time.Time) (status.Runs, error) {
	found := status.Runs{Doing: map[string]int{}}
	for shard := range dueShards {
		if err := s.activeIn(ctx, runDue(shard), now, &found); err != nil {
			return status.Runs{}, err
		}
	}
	err := s.undecided(ctx, &found)
	return found, err
}

func (s Runs) activeIn(ctx context.Context, list string, now time.Time, found *status.Runs) error {
	pages := dynamodb.NewQueryPaginator(s.Client, &dynamodb.QueryInput{
		TableName: &s.Table, IndexName: &schema.DueRuns.Name,
		KeyConditionExpression:    new("duePk = :list"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":list": text(list)},
		ProjectionExpression:      new("pk, sk, dueAt, runStatus"),
	})
	for range mostPages {
		if !pages.HasMorePages() {
			return nil
		}
		out, err := pages.NextPage(ctx)
		if err != nil {
			return unavailable(fmt.Errorf("list runs at work: %w", err))
		}
		for _, item := range out.Items {
			var stored struct {
				At     int64  `dynamodbav:"dueAt"`
				Status string `dynamodbav:"runStatus"`
			}
			if err := attributevalue.UnmarshalMap(item, &stored); err != nil {
				return fmt.Errorf("decode the item %v: %w", idOf(item), err)
			}
			listed, err := overdueRun(idOf(item))
			if err != nil {
				return err
			}
			found.Doing[stored.Status]++
			if stored.At <= now.UnixMilli() {
				found.Overdue++
			}
			if found.OldestSlot.IsZero() || listed.Slot.Before(found.OldestSlot) {
				found.OldestSlot = listed.Slot
			}
			if listed.Slot.After(found.NewestSlot) {
				found.NewestSlot = listed.Slot
			}
		}
	}
	found.More = found.More || pages.HasMorePages()
	return nil
}

func (s Runs) undecided(ctx context.Context, found *status.Runs) error {
	out, err := s.Client.Query(ctx, &dynamodb.QueryInput{
		TableName: &s.Table, IndexName: &schema.DueRuns.Name,
		KeyConditionExpression:    new("duePk = :list"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":list": text(undecidedDue)},
	})
	if err != nil {
		return unavailable(fmt.Errorf("list what is undecided: %w", err))
	}
	for _, item := range out.Items {
		var stored struct {
			Frozen   string  `dynamodbav:"frozen"`
			Reserved *uint64 `dynamodbav:"reservedLamports"`
		}
		if err := attributevalue.UnmarshalMap(item, &stored); err != nil {
			return fmt.Errorf("decode the item %v: %w", idOf(item), err)
		}
		if stored.Frozen != "" {
			found.Frozen++
		}
		if stored.Reserved != nil {
			found.Reserved++
			found.ReservedLamports += *stored.Reserved
		}
	}
	found.More = found.More || out.LastEvaluatedKey != nil
	return nil
}
