package ledgertable

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/distribution/run"
)

// Claims stores the holders' claim orders. It implements run.Claims. An order is a hint, because
// the payments follow from the last proof. Orders have a separate partition for each token, because
// the function that responds to requests writes only orders in the ledger. An item of the partition
// that is not an order is ignored.
type Claims struct {
	Client *dynamodb.Client
	Table  string
}

const (
	claimPrefix = "CLAIMS#"
	// claimsDue is the partition of the due index with all orders.
	claimsDue = "CLAIM"
	// claimRetry is the delay after which the sweep lists an order.
	claimRetry = time.Minute
)

func claimKey(mint, owner solana.PublicKey) map[string]types.AttributeValue {
	return dynamo.Key(claimPrefix+mint.String(), owner.String())
}

// Order records that a holder claims the outstanding amount. A holder with a valid order keeps the
// order's place.
func (s Claims) Order(ctx context.Context, mint, owner solana.PublicKey, now time.Time) error {
	item := claimKey(mint, owner)
	item["at"] = dynamo.Number(now.UnixMilli())
	item["duePk"], item["dueAt"] = dynamo.Text(claimsDue), dynamo.Number(now.Add(claimRetry).UnixMilli())
	item[schema.ExpiresAt] = dynamo.Number(now.Add(run.ClaimLasts).Unix())
	_, err := s.Client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.Table, Item: item,
		ConditionExpression:       new("attribute_not_exists(pk) OR #at <= :over"),
		ExpressionAttributeNames:  map[string]string{"#at": "at"},
		ExpressionAttributeValues: map[string]types.AttributeValue{":over": dynamo.Number(now.Add(-run.ClaimLasts).UnixMilli())},
	})
	if dynamo.ConditionFailed(err) {
		return nil
	}
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("order a claim of %s for %s: %w", mint, owner, err))
	}
	return nil
}

// Waiting returns the holders whose orders are newer than a time, the oldest order first; see
// run.Claims.
func (s Claims) Waiting(ctx context.Context, mint solana.PublicKey, after time.Time, limit int) ([]solana.PublicKey, error) {
	type order struct {
		owner solana.PublicKey
		at    int64
	}
	var orders []order
	pages := dynamodb.NewQueryPaginator(s.Client, &dynamodb.QueryInput{
		TableName: &s.Table, ConsistentRead: new(true), KeyConditionExpression: new(schema.PartitionKey + " = :claims"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":claims": dynamo.Text(claimPrefix + mint.String())},
	})
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return nil, dynamo.Unavailable(fmt.Errorf("list the claims of %s: %w", mint, err))
		}
		for _, item := range out.Items {
			var stored struct {
				Owner string `dynamodbav:"sk"`
				At    int64  `dynamodbav:"at"`
			}
			err := attributevalue.UnmarshalMap(item, &stored)
			owner, bad := solana.PublicKeyFromBase58(stored.Owner)
			if err == nil && bad == nil && stored.At > after.UnixMilli() {
				orders = append(orders, order{owner, stored.At})
			}
		}
	}
	slices.SortStableFunc(orders, func(a, b order) int { return cmp.Compare(a.at, b.at) })
	owners := make([]solana.PublicKey, 0, min(limit, len(orders)))
	for _, o := range orders[:min(limit, len(orders))] {
		owners = append(owners, o.owner)
	}
	return owners, nil
}

// ClaimsDue lists at most limit tokens with waiting claims, the longest wait first; see
// dispatch.Ledger. It reads the due index, which lags, until it has limit tokens, so that the
// orders of one token hide no other token, no matter how many wallets order. Expired orders may
// stay in the index for days and are skipped. Hand-overs that are due for a step come first, and take half of the list.
func (s Runs) ClaimsDue(ctx context.Context, now time.Time, limit int) ([]solana.PublicKey, error) {
	mints, err := s.handoversDue(ctx, now, (limit+1)/2)
	if err != nil {
		return nil, err
	}
	query := dynamo.DueQuery(s.Table, schema.DueRuns, claimsDue, now)
	query.KeyConditionExpression = new("duePk = :list AND dueAt BETWEEN :from AND :now")
	query.ExpressionAttributeValues[":from"] = dynamo.Number(now.Add(-run.ClaimLasts).UnixMilli())
	query.ProjectionExpression = new("pk, sk, dueAt")
	for pages := dynamodb.NewQueryPaginator(s.Client, query); pages.HasMorePages() && len(mints) < limit; {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return nil, dynamo.Unavailable(fmt.Errorf("list the claims that wait: %w", err))
		}
		for _, item := range out.Items {
			mint, err := solana.PublicKeyFromBase58(strings.TrimPrefix(dynamo.IDOf(item).Partition, claimPrefix))
			if err == nil && !slices.Contains(mints, mint) {
				mints = append(mints, mint)
			}
		}
	}
	return mints[:min(limit, len(mints))], nil
}

// taken returns the deletions of the orders that a claim pays.
func (s Runs) taken(r run.Run) (parts []part) {
	if r.Kind() == run.Distribution {
		return nil
	}
	for _, owner := range r.Claim.Owners {
		parts = append(parts, ready{Delete: &types.Delete{TableName: &s.Table, Key: claimKey(r.Mint, owner)}})
	}
	return parts
}
