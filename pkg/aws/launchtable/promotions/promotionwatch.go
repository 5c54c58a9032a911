package promotions

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	"tokenlaunch.example/service/pkg/aws/launchtable/dueindex"
	"tokenlaunch.example/service/pkg/aws/launchtable/issued"
	"tokenlaunch.example/service/pkg/market/featured"
	"tokenlaunch.example/service/pkg/market/watch"
	"tokenlaunch.example/service/pkg/solana/transaction"
)

// Due lists up to maximum transactions of promotions that are due at now, the earliest first; see
// watch.PromotionStore.
func (s Store) Due(ctx context.Context, now time.Time, maximum int) ([]transaction.Issued, error) {
	return dueindex.Read(ctx, s.Client, s.Table, issued.PromotionDue, dueindex.LongestFirst, now, maximum, issued.Item.Issued)
}

// Claim postpones the next check of a promotion, and reads the promotion; see watch.PromotionStore.
func (s Store) Claim(ctx context.Context, i transaction.Issued, next time.Time) (watch.WatchedPromotion, error) {
	_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: issued.Key(i.ID),
		UpdateExpression:    new("SET dueAt = :next"),
		ConditionExpression: new("dueAt = :seen"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":seen": dynamo.Number(i.DueAt.UnixMilli()), ":next": dynamo.Number(next.UnixMilli()),
		},
	})
	if dynamo.ConditionFailed(err) {
		return watch.WatchedPromotion{}, watch.ErrPromotionTaken
	}
	if err != nil {
		return watch.WatchedPromotion{}, dynamo.Unavailable(fmt.Errorf("claim promotion %s: %w", i.ID, err))
	}
	var stored promotionItem
	found, err := dynamo.Get(ctx, s.Client, s.Table, promotionKey(i.ID), &stored)
	if err != nil {
		return watch.WatchedPromotion{}, fmt.Errorf("read promotion %s: %w", i.ID, err)
	}
	if !found {
		return watch.WatchedPromotion{}, featured.ErrNotFound
	}
	watched := watch.WatchedPromotion{Promotion: stored.promotion()}
	for _, judged := range stored.Judged {
		watched.Judged = append(watched.Judged, dynamo.Signature(judged))
	}
	return watched, nil
}

// Indexes of the writes of Begin.
const (
	beginPromotion = iota
	beginIssued
	beginPayment
	beginPlacement
)

// Begin begins a promotion; see watch.PromotionStore.
func (s Store) Begin(ctx context.Context, p featured.Promotion, before *featured.Placement, after featured.Placement) error {
	placement, err := s.replacePlacement(before, after)
	if err != nil {
		return err
	}
	payment := paymentKey(p.PaidBy, p.PaidAt)
	payment["promotionId"], payment["lamports"] = dynamo.Text(p.ID), dynamo.Number(int64(p.Lamports)) //nolint:gosec // at most 30 days' price
	_, err = s.Client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		beginPromotion: {Update: &types.Update{
			TableName: &s.Table, Key: promotionKey(p.ID),
			UpdateExpression:         new("SET paidBy = :by, paidAt = :at, startsAt = :starts, endsAt = :ends REMOVE #expires"),
			ConditionExpression:      new("attribute_exists(pk) AND attribute_not_exists(paidBy)"),
			ExpressionAttributeNames: map[string]string{"#expires": schema.ExpiresAt},
			ExpressionAttributeValues: map[string]types.AttributeValue{
				":by": dynamo.Binary(p.PaidBy[:]), ":at": dynamo.Number(int64(p.PaidAt)),
				":starts": dynamo.Number(p.StartsAt.UnixMilli()), ":ends": dynamo.Number(p.EndsAt.UnixMilli()),
			},
		}},
		beginIssued: {Update: &types.Update{
			TableName: &s.Table, Key: issued.Key(p.ID),
			UpdateExpression:    new("SET fate = :seen"),
			ConditionExpression: new("attribute_exists(pk)"),
			ExpressionAttributeValues: map[string]types.AttributeValue{
				":seen": dynamo.Text(string(transaction.Seen)),
			},
		}},
		beginPayment: {Put: &types.Put{
			TableName: &s.Table, Item: payment, ConditionExpression: new("attribute_not_exists(pk)"),
		}},
		beginPlacement: placement,
		{Update: &types.Update{
			TableName: &s.Table, Key: launchtable.TokenKey(p.Mint),
			UpdateExpression:    new("SET featuredUntil = :ends"),
			ConditionExpression: new("attribute_exists(pk)"),
			ExpressionAttributeValues: map[string]types.AttributeValue{
				":ends": dynamo.Number(after.EndsAt.UnixMilli()),
			},
		}},
	}})
	if err == nil {
		return nil
	}
	failed, _ := dynamo.CanceledAt(err)
	switch {
	case slices.Contains(failed, beginPromotion), slices.Contains(failed, beginIssued):
		return watch.ErrPromotionTaken
	case slices.Contains(failed, beginPayment):
		return watch.ErrPaymentCounted
	case slices.Contains(failed, beginPlacement):
		return watch.ErrPlacementChanged
	}
	return dynamo.Unavailable(fmt.Errorf("begin promotion %s: %w", p.ID, err))
}

// replacePlacement returns the write that replaces the placement that was read.
func (s Store) replacePlacement(before *featured.Placement, after featured.Placement) (types.TransactWriteItem, error) {
	item, err := dynamo.NewItem(placementKey(after.Mint), newPlacementItem(after))
	if err != nil {
		return types.TransactWriteItem{}, fmt.Errorf("encode the placement of %s: %w", after.Mint, err)
	}
	put := &types.Put{TableName: &s.Table, Item: item, ConditionExpression: new("attribute_not_exists(pk)")}
	if before != nil {
		put.ConditionExpression = new("promotionId = :id AND dueAt = :ends")
		put.ExpressionAttributeValues = map[string]types.AttributeValue{
			":id": dynamo.Text(before.PromotionID), ":ends": dynamo.Number(before.EndsAt.UnixMilli()),
		}
	}
	return types.TransactWriteItem{Put: put}, nil
}

// Judged adds a transaction to the checked transactions; see watch.PromotionStore.
func (s Store) Judged(ctx context.Context, id string, judged solana.Signature) error {
	_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: promotionKey(id),
		UpdateExpression:    new("ADD judged :signature"),
		ConditionExpression: new("attribute_exists(pk)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":signature": &types.AttributeValueMemberBS{Value: [][]byte{judged[:]}},
		},
	})
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("note that transaction %s of promotion %s was judged: %w", judged, id, err))
	}
	return nil
}

// End ends the checks of a promotion; see watch.PromotionStore.
func (s Store) End(ctx context.Context, id string) error {
	for _, end := range []struct{ update, condition string }{
		{"SET fate = :expired REMOVE duePk, dueAt", "fate = :open"},
		{"REMOVE duePk, dueAt", "attribute_exists(pk)"},
	} {
		values := map[string]types.AttributeValue{":expired": dynamo.Text(string(transaction.Expired)), ":open": dynamo.Text(string(transaction.Open))}
		if end.condition != "fate = :open" {
			values = nil
		}
		_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: &s.Table, Key: issued.Key(id),
			UpdateExpression: &end.update, ConditionExpression: &end.condition, ExpressionAttributeValues: values,
		})
		if err == nil {
			return nil
		}
		if !dynamo.ConditionFailed(err) {
			return dynamo.Unavailable(fmt.Errorf("end promotion %s: %w", id, err))
		}
	}
	return nil // the record has gone
}
