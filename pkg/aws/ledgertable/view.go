package ledgertable

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/distribution/dispatch"
	"tokenlaunch.example/service/pkg/distribution/run"
)

// RunByID returns a token's run by ID, or run.ErrNotFound.
func (s Runs) RunByID(ctx context.Context, mint solana.PublicKey, id string) (run.Run, error) {
	var place struct {
		Mint []byte `dynamodbav:"mint"`
		Slot int64  `dynamodbav:"slot"`
	}
	found, err := dynamo.Get(ctx, s.Client, s.Table, runIDKey(id), &place)
	if err != nil {
		return run.Run{}, fmt.Errorf("look for run %s: %w", id, err)
	}
	if !found || dynamo.PublicKey(place.Mint) != mint {
		return run.Run{}, run.ErrNotFound
	}
	return s.Run(ctx, mint, time.Unix(place.Slot, 0))
}

// Page returns up to limit runs of a token, the newest first. Only runs with a slot before the
// given time are listed, unless before is zero. next is the value of before for the following page,
// and is zero after the last page.
func (s Runs) Page(ctx context.Context, mint solana.PublicKey, before time.Time, limit int) (page []run.Run, next time.Time, err error) {
	last := slotDigits(time.Unix(1e12-1, 0))
	if !before.IsZero() {
		last = slotDigits(time.Unix(before.Unix()-1, 0))
	}
	query := &dynamodb.QueryInput{
		TableName: &s.Table, ConsistentRead: new(true), ScanIndexForward: new(false),
		KeyConditionExpression: new(schema.PartitionKey + " = :token AND " + schema.SortKey + " BETWEEN :first AND :last"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":token": dynamo.Text(mintPartition(mint)), ":first": dynamo.Text(runPrefix), ":last": dynamo.Text(runPrefix + last),
		},
		Limit: new(int32(min(limit, 1000) + 1)), //nolint:gosec // bounded by min
	}
	pages := dynamodb.NewQueryPaginator(s.Client, query)
	for pages.HasMorePages() && len(page) <= limit {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return nil, next, dynamo.Unavailable(fmt.Errorf("list the runs of %s: %w", mint, err))
		}
		for _, item := range out.Items {
			var r run.Run
			version, err := readFacts(item, &r)
			if err != nil {
				return nil, next, fmt.Errorf("list the runs of %s: %w", mint, err)
			}
			r.Version = version
			page = append(page, r)
		}
	}
	if len(page) > limit {
		page = page[:limit]
		next = page[limit-1].Slot
	}
	return page, next, nil
}

// Overdue lists at most limit active runs that were not written for run.OverdueAfter, the longest
// silence first; see dispatch.Ledger. It reads the due index, which lags, so a listed run may have
// just been written.
func (s Runs) Overdue(ctx context.Context, now time.Time, limit int) ([]dispatch.Run, error) {
	type due struct {
		dispatch.Run
		at int64
	}
	var found []due
	for shard := range dueShards {
		query := tokensOwn(dynamo.DueQuery(s.Table, schema.DueRuns, runDue(shard), now))
		query.Limit = dynamo.PageLimit(limit)
		// Only the keys: an unreadable run hides no other run.
		query.ProjectionExpression = new("pk, sk, dueAt")
		var items []map[string]types.AttributeValue
		for pages := dynamodb.NewQueryPaginator(s.Client, query); pages.HasMorePages() && len(items) < limit; {
			out, err := pages.NextPage(ctx)
			if err != nil {
				return nil, dynamo.Unavailable(fmt.Errorf("list overdue runs: %w", err))
			}
			items = append(items, out.Items...)
		}
		for _, item := range items {
			var stored struct {
				At int64 `dynamodbav:"dueAt"`
			}
			if err := attributevalue.UnmarshalMap(item, &stored); err != nil {
				return nil, fmt.Errorf("list overdue runs: %w", err)
			}
			overdue, err := overdueRun(dynamo.IDOf(item))
			if err != nil {
				return nil, fmt.Errorf("list overdue runs: %w", err)
			}
			found = append(found, due{overdue, stored.At})
		}
	}
	slices.SortStableFunc(found, func(a, b due) int { return cmp.Compare(a.at, b.at) })
	overdue := make([]dispatch.Run, 0, min(limit, len(found)))
	for _, d := range found[:min(limit, len(found))] {
		overdue = append(overdue, d.Run)
	}
	return overdue, nil
}

// tokensOwn limits a list of due items to tokens' partitions. The function that accepts claim
// orders may write orders to any list.
func tokensOwn(query *dynamodb.QueryInput) *dynamodb.QueryInput {
	query.FilterExpression = new("begins_with(pk, :tokens)")
	query.ExpressionAttributeValues[":tokens"] = dynamo.Text(mintPrefix)
	return query
}

// overdueRun reads the key of a run.
func overdueRun(id dynamo.ItemID) (dispatch.Run, error) {
	mint, err := solana.PublicKeyFromBase58(strings.TrimPrefix(id.Partition, mintPrefix))
	if err != nil {
		return dispatch.Run{}, fmt.Errorf("read the key %s of a run: %w", id.Partition, err)
	}
	slot, err := strconv.ParseInt(strings.TrimPrefix(id.Sort, runPrefix), 10, 64)
	if err != nil {
		return dispatch.Run{}, fmt.Errorf("read the key %s of a run: %w", id.Sort, err)
	}
	return dispatch.Run{Mint: mint, Slot: time.Unix(slot, 0).UTC()}, nil
}
