package ledgertable

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/distribution/run"
	"tokenlaunch.example/service/pkg/distribution/status"
	"tokenlaunch.example/service/pkg/token/terms"
)

// maxPages is the maximum number of pages that Active reads of each part of the index. A page has
// up to a megabyte.
const maxPages = 2

// undecidedDue is the list of the heads of tokens that are frozen, have reserved amounts, or have
// undecided payments, by the time of the next request to the providers. The list is short, so
// Undecided reads one page.
const undecidedDue = "UNDECIDED"

// never is the due time of a head that needs no request to the providers.
var never = time.Date(9999, time.December, 31, 0, 0, 0, 0, time.UTC)

// LooksDue lists the tokens whose undecided payments are due for another request to the providers,
// the earliest first; see dispatch.Ledger.
func (s Runs) LooksDue(ctx context.Context, now time.Time, limit int) ([]solana.PublicKey, error) {
	query := tokensOwn(dynamo.DueQuery(s.Table, schema.DueRuns, undecidedDue, now))
	query.Limit = dynamo.PageLimit(limit)
	query.ProjectionExpression = new("pk, sk, dueAt")
	out, err := s.Client.Query(ctx, query)
	if err != nil {
		return nil, dynamo.Unavailable(fmt.Errorf("list what is undecided and due: %w", err))
	}
	var mints []solana.PublicKey
	for _, item := range out.Items {
		mint, err := solana.PublicKeyFromBase58(strings.TrimPrefix(dynamo.IDOf(item).Partition, mintPrefix))
		if err != nil {
			return nil, fmt.Errorf("read the key of a head: %w", err)
		}
		mints = append(mints, mint)
	}
	return mints, nil
}

// undecided adds the attributes of undecidedDue if the head belongs on the list. ReservedLamports
// is present if any asset has a reserved amount, so ReservedLamports may be 0.
func undecided(h run.Head, attributes map[string]types.AttributeValue) {
	reserved := false
	for _, amount := range h.Reserved {
		reserved = reserved || amount > 0
	}
	look, looks := h.LookAt()
	if h.Frozen == "" && !reserved && !looks {
		return
	}
	if !looks {
		look = never
	}
	attributes["duePk"], attributes["dueAt"] = dynamo.Text(undecidedDue), dynamo.Number(max(look.UnixMilli(), 0))
	if reserved {
		attributes[schema.ReservedLamports] = amount(h.Reserved[terms.SOL])
	}
}

// Active counts the active runs; see status.Ledger. The index lags a little.
func (s Runs) Active(ctx context.Context, now time.Time) (status.Runs, error) {
	found := status.Runs{Doing: map[string]int{}}
	for shard := range dueShards {
		if err := s.activeIn(ctx, runDue(shard), now, &found); err != nil {
			return status.Runs{}, err
		}
	}
	undecided, more, err := s.Undecided(ctx)
	if err != nil {
		return status.Runs{}, err
	}
	for _, u := range undecided {
		if u.Frozen != "" {
			found.Frozen++
		}
		if u.Reserved {
			found.Reserved++
			found.ReservedLamports += u.ReservedLamports
		}
	}
	found.More = found.More || more
	return found, nil
}

func (s Runs) activeIn(ctx context.Context, list string, now time.Time, found *status.Runs) error {
	pages := dynamodb.NewQueryPaginator(s.Client, tokensOwn(&dynamodb.QueryInput{
		TableName: &s.Table, IndexName: &schema.DueRuns.Name,
		KeyConditionExpression:    new("duePk = :list"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":list": dynamo.Text(list)},
		ProjectionExpression:      new("pk, sk, dueAt, runStatus"),
	}))
	for range maxPages {
		if !pages.HasMorePages() {
			return nil
		}
		out, err := pages.NextPage(ctx)
		if err != nil {
			return dynamo.Unavailable(fmt.Errorf("list runs at work: %w", err))
		}
		for _, item := range out.Items {
			var stored struct {
				At     int64  `dynamodbav:"dueAt"`
				Status string `dynamodbav:"runStatus"`
			}
			if err := attributevalue.UnmarshalMap(item, &stored); err != nil {
				return fmt.Errorf("decode the item %v: %w", dynamo.IDOf(item), err)
			}
			listed, err := overdueRun(dynamo.IDOf(item))
			if err != nil {
				return err
			}
			found.Doing[stored.Status]++
			if stored.At <= now.UnixMilli() {
				found.Overdue++
			}
			if !run.Scheduled(listed.Slot) { // a claim's slot is not the claim's age
				continue
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

// Undecided is a token whose money is frozen, or may have moved.
type Undecided struct {
	Mint solana.PublicKey
	// Frozen is the reason why the token is frozen; empty if the token is not frozen.
	Frozen string
	// Reserved reports that the token has reserved amounts. ReservedLamports is the reserved amount
	// of SOL.
	Reserved         bool
	ReservedLamports uint64
}

// Undecided returns the tokens on the list of undecided heads, at most one page of up to a
// megabyte. more reports whether the list has more tokens. The index lags a little.
func (s Runs) Undecided(ctx context.Context) (found []Undecided, more bool, err error) {
	out, err := s.Client.Query(ctx, tokensOwn(&dynamodb.QueryInput{
		TableName: &s.Table, IndexName: &schema.DueRuns.Name,
		KeyConditionExpression:    new("duePk = :list"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":list": dynamo.Text(undecidedDue)},
	}))
	if err != nil {
		return nil, false, dynamo.Unavailable(fmt.Errorf("list what is undecided: %w", err))
	}
	for _, item := range out.Items {
		id := dynamo.IDOf(item)
		var stored struct {
			Frozen   string  `dynamodbav:"frozen"`
			Reserved *uint64 `dynamodbav:"reservedLamports"`
		}
		if err := attributevalue.UnmarshalMap(item, &stored); err != nil {
			return nil, false, fmt.Errorf("decode the item %v: %w", id, err)
		}
		mint, err := solana.PublicKeyFromBase58(strings.TrimPrefix(id.Partition, mintPrefix))
		if err != nil {
			return nil, false, fmt.Errorf("read the key %s of a head: %w", id.Partition, err)
		}
		u := Undecided{Mint: mint, Frozen: stored.Frozen, Reserved: stored.Reserved != nil}
		if u.Reserved {
			u.ReservedLamports = *stored.Reserved
		}
		found = append(found, u)
	}
	return found, out.LastEvaluatedKey != nil, nil
}
