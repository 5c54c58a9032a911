// Package promotions stores promotions and placements of featured tokens, in the launch table.
package promotions

import (
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
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/launchtable/issued"
	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/market/featured"
	"tokenlaunch.example/service/pkg/market/watch"
	"tokenlaunch.example/service/pkg/solana/transaction"
	"tokenlaunch.example/service/pkg/token"
)

// Featured placement is in the launch table:
//
//	PROMOTION#<id>           PROMOTION  the offer and the payment; the transaction is ISSUED#<id>,
//	                                    see package issued; an unpaid promotion expires together
//	                                    with the transaction
//	PAYMENT#<signature>      <place>    the promotion that a transfer has paid for
//	FEATURED#<mint>          FEATURED   the token's placement: duePk = FEATURED, and
//	                                    dueAt = its end; it expires a week later
const (
	promotionSort = "PROMOTION"
	placementSort = "FEATURED"
	placementDue  = "FEATURED"
	// placementPrefix is the prefix of the partitions of placements.
	placementPrefix = "FEATURED#"
)

// keepPlacement is the retention of a placement after the end, only for people who inspect the
// table.
const keepPlacement = 7 * 24 * time.Hour

func promotionKey(id string) map[string]types.AttributeValue {
	return dynamo.Key("PROMOTION#"+id, promotionSort)
}

func placementKey(mint solana.PublicKey) map[string]types.AttributeValue {
	return dynamo.Key(placementPrefix+mint.String(), placementSort)
}

func paymentKey(signature solana.Signature, place int) map[string]types.AttributeValue {
	return dynamo.Key("PAYMENT#"+signature.String(), strconv.Itoa(place))
}

// promotionItem is a stored promotion. Times are Unix milliseconds.
type promotionItem struct {
	ID        string `dynamodbav:"id"`
	Mint      []byte `dynamodbav:"mint"`
	Payer     []byte `dynamodbav:"payer"`
	Treasury  []byte `dynamodbav:"treasury"`
	Reference []byte `dynamodbav:"reference"`
	Days      int    `dynamodbav:"days"`
	Lamports  uint64 `dynamodbav:"lamports"`
	CreatedAt int64  `dynamodbav:"createdAt"`
	ExpiresAt int64  `dynamodbav:"expiresAt,omitempty"` // schema.ExpiresAt, in seconds
	PaidBy    []byte `dynamodbav:"paidBy,omitempty"`
	PaidAt    int    `dynamodbav:"paidAt,omitempty"`
	StartsAt  int64  `dynamodbav:"startsAt,omitempty"`
	EndsAt    int64  `dynamodbav:"endsAt,omitempty"`
	// Judged are the transactions that were checked for the payment.
	Judged [][]byte `dynamodbav:"judged,binaryset,omitempty"`
}

func newPromotionItem(p featured.Promotion) promotionItem {
	return promotionItem{
		ID: p.ID, Mint: p.Mint[:], Payer: p.Payer[:], Treasury: p.Treasury[:], Reference: p.Reference[:],
		Days: p.Days, Lamports: p.Lamports, CreatedAt: p.CreatedAt.UnixMilli(),
		ExpiresAt: p.CreatedAt.Add(issued.Keep).Unix(),
	}
}

func (i promotionItem) promotion() featured.Promotion {
	p := featured.Promotion{
		ID: i.ID, Mint: dynamo.PublicKey(i.Mint), Payer: dynamo.PublicKey(i.Payer), Treasury: dynamo.PublicKey(i.Treasury),
		Reference: dynamo.PublicKey(i.Reference), Days: i.Days, Lamports: i.Lamports, CreatedAt: time.UnixMilli(i.CreatedAt).UTC(),
		PaidBy: dynamo.Signature(i.PaidBy), PaidAt: i.PaidAt,
	}
	if p.Paid() {
		p.StartsAt, p.EndsAt = time.UnixMilli(i.StartsAt).UTC(), time.UnixMilli(i.EndsAt).UTC()
	}
	return p
}

// placementItem is a stored placement. The end of the placement is the index's dueAt.
type placementItem struct {
	PromotionID string `dynamodbav:"promotionId"`
	Mint        []byte `dynamodbav:"mint"`
	StartsAt    int64  `dynamodbav:"startsAt"`
	DuePk       string `dynamodbav:"duePk"`
	EndsAt      int64  `dynamodbav:"dueAt"`
	ExpiresAt   int64  `dynamodbav:"expiresAt"` // schema.ExpiresAt, in seconds
}

func newPlacementItem(p featured.Placement) placementItem {
	return placementItem{
		PromotionID: p.PromotionID, Mint: p.Mint[:], StartsAt: p.StartsAt.UnixMilli(),
		DuePk: placementDue, EndsAt: p.EndsAt.UnixMilli(), ExpiresAt: p.EndsAt.Add(keepPlacement).Unix(),
	}
}

func (i placementItem) placement() featured.Placement {
	return featured.Placement{
		PromotionID: i.PromotionID, Mint: dynamo.PublicKey(i.Mint),
		StartsAt: time.UnixMilli(i.StartsAt).UTC(), EndsAt: time.UnixMilli(i.EndsAt).UTC(),
	}
}

// Store stores promotions. It implements featured.Store and watch.PromotionStore.
type Store struct {
	Client *dynamodb.Client
	Table  string
}

var (
	_ featured.Store       = Store{}
	_ watch.PromotionStore = Store{}
)

// Issue records an offered promotion; see featured.Store.
func (s Store) Issue(ctx context.Context, p featured.Promotion, t transaction.Issued) error {
	item, err := dynamo.NewItem(promotionKey(p.ID), newPromotionItem(p))
	if err != nil {
		return fmt.Errorf("record promotion %s: %w", p.ID, err)
	}
	return issued.Store(s).RecordWith(ctx, t, item)
}

// Promotion returns an offered promotion, or featured.ErrNotFound.
func (s Store) Promotion(ctx context.Context, id string) (featured.Promotion, error) {
	var stored promotionItem
	found, err := dynamo.Get(ctx, s.Client, s.Table, promotionKey(id), &stored)
	if err != nil {
		return featured.Promotion{}, fmt.Errorf("read promotion %s: %w", id, err)
	}
	if !found {
		return featured.Promotion{}, featured.ErrNotFound
	}
	return stored.promotion(), nil
}

// Placement returns a token's placement; see watch.PromotionStore.
func (s Store) Placement(ctx context.Context, mint solana.PublicKey) (*featured.Placement, error) {
	var stored placementItem
	found, err := dynamo.Get(ctx, s.Client, s.Table, placementKey(mint), &stored)
	if err != nil {
		return nil, fmt.Errorf("read the placement of %s: %w", mint, err)
	}
	if !found {
		return nil, nil
	}
	return new(stored.placement()), nil
}

// maxReads is the maximum number of reads for one page of placements, because some placements may
// belong to hidden tokens. The next page continues with the rest.
const maxReads = 5

// Featured returns up to limit visible tokens that are featured at now, the placement with the
// latest end first. limit is at most 100. The page begins after the given place, or at the first
// placement if after is empty. next is the place for the following page, and is empty after the
// last placement. The list may lag by a moment.
func (s Store) Featured(ctx context.Context, now time.Time, after string, limit int) (listed []featured.Listed, next string, err error) {
	query := &dynamodb.QueryInput{
		TableName: &s.Table, IndexName: &schema.DueLaunches.Name,
		KeyConditionExpression: new("duePk = :featured AND dueAt > :now"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":featured": dynamo.Text(placementDue), ":now": dynamo.Number(now.UnixMilli()),
		},
		ScanIndexForward: new(false),
	}
	if after != "" {
		if query.ExclusiveStartKey, err = placeOf(after); err != nil {
			return nil, "", err
		}
		// All later placements have ended as well. DynamoDB rejects a start key outside the query's
		// condition.
		if after <= fmt.Sprintf("%015d#", now.UnixMilli()+1) {
			return nil, "", nil
		}
	}
	for range maxReads {
		query.Limit = dynamo.PageLimit(limit - len(listed))
		out, err := s.Client.Query(ctx, query)
		if err != nil {
			return nil, "", dynamo.Unavailable(fmt.Errorf("list featured tokens: %w", err))
		}
		page, err := s.shown(ctx, out.Items, now)
		if err != nil {
			return nil, "", err
		}
		listed = append(listed, page...)
		query.ExclusiveStartKey = out.LastEvaluatedKey
		if len(out.LastEvaluatedKey) == 0 || len(listed) >= limit {
			break
		}
	}
	if last := query.ExclusiveStartKey; len(last) > 0 {
		ends, ok := last["dueAt"].(*types.AttributeValueMemberN)
		if !ok {
			return nil, "", fmt.Errorf("list featured tokens: no end in %v", last)
		}
		next = fmt.Sprintf("%015s#%s", ends.Value, strings.TrimPrefix(dynamo.IDOf(last).Partition, placementPrefix))
	}
	return listed, next, nil
}

// placeOf returns the key in the index at which a page begins.
func placeOf(place string) (map[string]types.AttributeValue, error) {
	digits, mint, _ := strings.Cut(place, "#")
	ends, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("list featured tokens from %q: %w", place, err)
	}
	key := dynamo.Key(placementPrefix+mint, placementSort)
	key["duePk"], key["dueAt"] = dynamo.Text(placementDue), dynamo.Number(ends)
	return key, nil
}

// shown joins a page of placements with the tokens, and leaves out placements of hidden tokens and
// placements that have not begun by now.
func (s Store) shown(ctx context.Context, items []map[string]types.AttributeValue, now time.Time) ([]featured.Listed, error) {
	var placements []featured.Placement
	var mints []solana.PublicKey
	for _, item := range items {
		var stored placementItem
		if err := attributevalue.UnmarshalMap(item, &stored); err != nil {
			return nil, fmt.Errorf("decode placement %v: %w", item[schema.PartitionKey], err)
		}
		if p := stored.placement(); p.Active(now) {
			placements, mints = append(placements, p), append(mints, p.Mint)
		}
	}
	if len(mints) == 0 {
		return nil, nil
	}
	records, err := launchtable.Tokens(s).TokensOf(ctx, mints)
	if err != nil {
		return nil, err
	}
	var listed []featured.Listed
	for _, p := range placements {
		at := slices.IndexFunc(records, func(r token.Record) bool { return r.Mint == p.Mint })
		if at >= 0 && records[at].Visible {
			listed = append(listed, featured.Listed{Placement: p, Token: records[at]})
		}
	}
	return listed, nil
}

// Happened returns the event of a promotion's payment, if the write recorded a payment. The event's
// token record has only the mint.
func Happened(c dynamo.Change) ([]event.Event, error) {
	if c.After == nil || c.Before == nil || dynamo.IDOf(c.After).Sort != promotionSort {
		return nil, nil
	}
	var before, after promotionItem
	if err := c.Decode(&before, &after); err != nil {
		return nil, err
	}
	was, is := before.promotion(), after.promotion()
	if was.Paid() || !is.Paid() {
		return nil, nil
	}
	return []event.Event{{
		Kind: event.PromotionStarted, Key: is.ID, At: c.At, Token: token.Record{Mint: is.Mint},
		About: event.Promotion{ID: is.ID, StartsAt: event.Moment(is.StartsAt), EndsAt: event.Moment(is.EndsAt)},
	}}, nil
}
