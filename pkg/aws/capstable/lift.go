package capstable

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/token/terms"
)

// Lift is an operator's decision to replace a limit until a time.
type Lift struct {
	// Scope is RUN#<run id>, WALLET#<address> or DAY.
	Scope string
	Asset terms.Asset
	// Limit replaces the configured limit, in base units.
	Limit uint64
	Until time.Time
	By    string // the operator
	Why   string
	At    time.Time
}

const liftsPartition = "LIFTS"

var scopes = regexp.MustCompile(`^(DAY|RUN#[0-9a-f-]{36}|WALLET#[1-9A-HJ-NP-Za-km-z]{32,44})$`)

// Lift replaces a limit. One transaction writes the limit and the record of the operator's
// decision.
func (c Caps) Lift(ctx context.Context, l Lift) error {
	l.At = c.Now().UTC()
	switch {
	case !scopes.MatchString(l.Scope):
		return fmt.Errorf("%q is no cap: it must be DAY, RUN#<run id> or WALLET#<address>", l.Scope)
	case !l.Until.After(l.At):
		return errors.New("a cap is lifted until a time to come")
	case l.By == "" || l.Why == "":
		return errors.New("say who lifts the cap, and why")
	}
	item := func(key map[string]types.AttributeValue) map[string]types.AttributeValue {
		key["scope"], key["asset"], key[limitName] = dynamo.Text(l.Scope), dynamo.Text(l.Asset.String()), number(l.Limit)
		key["by"], key["why"], key["at"] = dynamo.Text(l.By), dynamo.Text(l.Why), dynamo.Number(l.At.Unix())
		key["until"] = dynamo.Number(l.Until.Unix())
		return key
	}
	holds := item(dynamo.Key(liftPrefix+l.Scope, l.Asset.String()))
	holds[schema.ExpiresAt] = dynamo.Number(l.Until.Unix())
	said := item(dynamo.Key(liftsPartition, l.At.Format(time.RFC3339Nano)))
	_, err := c.Client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{TableName: &c.Table, Item: holds}},
		{Put: &types.Put{TableName: &c.Table, Item: said, ConditionExpression: new("attribute_not_exists(pk)")}},
	}})
	if err != nil {
		return dynamo.Unavailable(fmt.Errorf("lift the cap %s: %w", l.Scope, err))
	}
	return nil
}

// Lifts returns all limits that operators have set, newest first.
func (c Caps) Lifts(ctx context.Context) ([]Lift, error) {
	query := dynamo.Beginning(c.Table, liftsPartition, "")
	query.KeyConditionExpression = new(schema.PartitionKey + " = :lifts")
	query.ExpressionAttributeValues = map[string]types.AttributeValue{":lifts": dynamo.Text(liftsPartition)}
	query.ScanIndexForward = new(false)
	var list []Lift
	pages := dynamodb.NewQueryPaginator(c.Client, query)
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, dynamo.Unavailable(fmt.Errorf("list what was lifted: %w", err))
		}
		for _, item := range page.Items {
			l, err := readLift(item)
			if err != nil {
				return nil, err
			}
			list = append(list, l)
		}
	}
	return list, nil
}

// Moved returns the amounts that a run has moved, or that a wallet or all wallets have moved today.
func (c Caps) Moved(ctx context.Context, scope string) (map[terms.Asset]uint64, error) {
	partition := scope
	if _, run := cut(scope, "RUN#"); !run {
		partition += "#" + c.Now().UTC().Format(dayFormat)
	}
	out, err := c.Client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &c.Table, Key: dynamo.Key(partition, movedSort), ConsistentRead: new(true),
	})
	if err != nil {
		return nil, dynamo.Unavailable(fmt.Errorf("read what %s has moved: %w", scope, err))
	}
	return amounts(out.Item)
}

func readLift(item map[string]types.AttributeValue) (l Lift, err error) {
	text := func(name string) string {
		s, ok := item[name].(*types.AttributeValueMemberS)
		if !ok {
			err = fmt.Errorf("read a lifted cap: it has no %s", name)
			return ""
		}
		return s.Value
	}
	moment := func(name string) time.Time {
		n, bad := amountOf(item, name)
		if bad != nil {
			err = bad
		}
		return time.Unix(int64(n), 0).UTC() //nolint:gosec // a time
	}
	l = Lift{Scope: text("scope"), By: text("by"), Why: text("why"), Until: moment("until"), At: moment("at")}
	asset := text("asset")
	if err != nil {
		return l, err
	}
	if l.Asset, err = terms.ParseAsset(asset); err != nil {
		return l, fmt.Errorf("read a lifted cap: %w", err)
	}
	l.Limit, err = amountOf(item, limitName)
	return l, err
}
