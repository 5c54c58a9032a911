package launchtable

import (
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/token"
)

// Happened gives the events that a write to the table made happen: a token's launch, its
// settings' change and its curve's completion, which its record shows, and the payment of a
// promotion. Of the last the token's record has the mint alone.
func Happened(c dynamo.Change) ([]event.Event, error) {
	if c.After == nil || c.Before == nil {
		return nil, nil
	}
	switch id := dynamo.IDOf(c.After); {
	case strings.HasPrefix(id.Partition, schema.Tokens) && id == dynamo.IDOf(c.Before) && id.Sort == tokenSort:
		return ofToken(c)
	case id.Sort == promotionSort:
		return ofPromotion(c)
	}
	return nil, nil
}

func ofToken(c dynamo.Change) ([]event.Event, error) {
	var before, after tokenItem
	if err := decode(c, &before, &after); err != nil {
		return nil, err
	}
	var happened []event.Event
	record := after.record()
	if before.Status != after.Status && record.Status == token.Confirmed {
		happened = append(happened, event.Event{Kind: event.TokenLaunched, Key: record.Mint.String(), At: c.At, Token: record})
	}
	if before.Settings.Version < after.Settings.Version {
		if e, ok := event.Changed(record, before.Settings.version(), after.Settings.version()); ok {
			happened = append(happened, e)
		}
	}
	if after.DAMM != nil && before.CurveState != after.CurveState && after.CurveState == string(token.CurveCompleted) {
		happened = append(happened, event.Event{
			Kind: event.CurveCompleted, Key: record.Mint.String(), At: c.At, Token: record,
			About: event.Curve{Pool: dynamo.PublicKey(after.DAMM.Address), CompletedAt: event.Moment(c.At)},
		})
	}
	return happened, nil
}

func ofPromotion(c dynamo.Change) ([]event.Event, error) {
	var before, after promotionItem
	if err := decode(c, &before, &after); err != nil {
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

func decode(c dynamo.Change, before, after any) error {
	if err := attributevalue.UnmarshalMap(c.Before, before); err != nil {
		return fmt.Errorf("decode %v as it was: %w", dynamo.IDOf(c.Before), err)
	}
	if err := attributevalue.UnmarshalMap(c.After, after); err != nil {
		return fmt.Errorf("decode %v: %w", dynamo.IDOf(c.After), err)
	}
	return nil
}
