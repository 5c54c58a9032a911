package launchtable

import (
	"strings"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/token"
)

// Happened returns the events of a write to a token's record: a launch, a change of settings, an order
// to wind down or its cancellation, or the completion of the token's curve.
func Happened(c dynamo.Change) ([]event.Event, error) {
	if c.After == nil || c.Before == nil {
		return nil, nil
	}
	id := dynamo.IDOf(c.After)
	if !strings.HasPrefix(id.Partition, schema.Tokens) || id.Sort != tokenSort || id != dynamo.IDOf(c.Before) {
		return nil, nil
	}
	var before, after tokenItem
	if err := c.Decode(&before, &after); err != nil {
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
	if e, ok := event.WoundDown(record, before.record().WindDown, record.WindDown, c.At); ok {
		happened = append(happened, e)
	}
	if after.DAMM != nil && before.CurveState != after.CurveState && after.CurveState == string(token.CurveCompleted) {
		happened = append(happened, event.Event{
			Kind: event.CurveCompleted, Key: record.Mint.String(), At: c.At, Token: record,
			About: event.Curve{Pool: dynamo.PublicKey(after.DAMM.Address), CompletedAt: event.Moment(c.At)},
		})
	}
	return happened, nil
}
