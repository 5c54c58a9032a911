package webhooktable

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/distribution/webhook"
)

// Begin begins a visit; see webhook.Visits.
func (s Store) Begin(ctx context.Context, r webhook.Ref, visit string, now time.Time) (webhook.Webhook, error) {
	until := dynamo.Number(now.Add(webhook.Lease).UnixMilli())
	out, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: hookKey(r.Owner, r.ID),
		UpdateExpression: new("SET visit = :visit, leaseUntil = :until, dueAt = :until, duePk = if_not_exists(duePk, :due)"),
		ConditionExpression: new("attribute_exists(pk) AND (attribute_not_exists(leaseUntil) OR leaseUntil <= :now OR visit = :visit) " +
			"AND (attribute_not_exists(restUntil) OR restUntil <= :now)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":visit": dynamo.Text(visit), ":until": until, ":now": dynamo.Number(now.UnixMilli()), ":due": dynamo.Text(healthyDue),
		},
		ReturnValues: types.ReturnValueAllNew, ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	if failed, refused := errors.AsType[*types.ConditionalCheckFailedException](err); refused {
		if len(failed.Item) == 0 {
			return webhook.Webhook{}, webhook.ErrNotFound
		}
		return webhook.Webhook{}, webhook.ErrBusy
	}
	if err != nil {
		return webhook.Webhook{}, unavailable(err, "begin a visit of webhook %s", r.ID)
	}
	var stored hookItem
	if err := attributevalue.UnmarshalMap(out.Attributes, &stored); err != nil {
		return webhook.Webhook{}, fmt.Errorf("decode webhook %s: %w", r.ID, err)
	}
	return stored.webhook(), nil
}

// End ends a visit; see webhook.Visits. If another visit has taken the lease, End changes nothing.
func (s Store) End(ctx context.Context, w webhook.Webhook, visit string, next, now time.Time) error {
	for _, arrivals := range []bool{false, true} {
		condition, at := "visit = :visit AND arrivals = :arrivals", next
		values := map[string]types.AttributeValue{
			":visit": dynamo.Text(visit), ":status": dynamo.Text(string(w.Status)), ":failures": dynamo.Number(int64(w.Failures)),
			":took": dynamo.Number(dynamo.Millis(w.TookAt)), ":rest": dynamo.Number(dynamo.Millis(w.RestUntil)),
		}
		if arrivals { // a delivery has arrived since Begin
			condition, at = "visit = :visit", now
		} else {
			values[":arrivals"] = dynamo.Number(w.Arrivals)
		}
		update := "SET #status = :status, failures = :failures, tookAt = :took, restUntil = :rest REMOVE visit, leaseUntil"
		if at.IsZero() {
			update += ", duePk, dueAt"
		} else {
			update = strings.Replace(update, " REMOVE", ", duePk = :due, dueAt = :at REMOVE", 1)
			values[":due"], values[":at"] = dynamo.Text(dueOf(w)), dynamo.Number(at.UnixMilli())
		}
		_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: &s.Table, Key: hookKey(w.Owner, w.ID), UpdateExpression: &update, ConditionExpression: &condition,
			ExpressionAttributeNames: map[string]string{"#status": "status"}, ExpressionAttributeValues: values,
		})
		if dynamo.ConditionFailed(err) {
			continue
		}
		return unavailable(err, "end a visit of webhook %s", w.ID)
	}
	return nil
}

func callKey(destination string, n int) map[string]types.AttributeValue {
	return dynamo.Key("HOST#"+destination, fmt.Sprintf("CALL#%d", n))
}

// Hold takes one of a destination's concurrent calls; see webhook.Visits.
func (s Store) Hold(ctx context.Context, destination, visit string, now time.Time) (bool, error) {
	for n := range webhook.Calls {
		until := now.Add(webhook.Lease)
		_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: &s.Table, Key: callKey(destination, n),
			UpdateExpression:         new("SET visit = :visit, leaseUntil = :until, #expires = :expires"),
			ConditionExpression:      new("attribute_not_exists(leaseUntil) OR leaseUntil <= :now OR visit = :visit"),
			ExpressionAttributeNames: map[string]string{"#expires": schema.ExpiresAt},
			ExpressionAttributeValues: map[string]types.AttributeValue{
				":visit": dynamo.Text(visit), ":until": dynamo.Number(until.UnixMilli()), ":now": dynamo.Number(now.UnixMilli()),
				":expires": dynamo.Number(until.Add(time.Hour).Unix()),
			},
		})
		if dynamo.ConditionFailed(err) {
			continue
		}
		return err == nil, unavailable(err, "take a call of %s", destination)
	}
	return false, nil
}

// Free releases a call; see webhook.Visits.
func (s Store) Free(ctx context.Context, destination, visit string) error {
	for n := range webhook.Calls {
		_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: &s.Table, Key: callKey(destination, n),
			UpdateExpression: new("REMOVE visit, leaseUntil"), ConditionExpression: new("visit = :visit"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":visit": dynamo.Text(visit)},
		})
		if dynamo.ConditionFailed(err) {
			continue
		}
		return unavailable(err, "give a call of %s back", destination)
	}
	return nil
}

// prefixes returns the prefixes of the deliveries that a webhook may receive.
func prefixes(w webhook.Webhook) []string {
	if w.Status == webhook.Active {
		return []string{askPrefix, duePrefix}
	}
	return []string{askPrefix}
}

// Due returns the due deliveries; see webhook.Visits.
func (s Store) Due(ctx context.Context, w webhook.Webhook, now time.Time, limit int) ([]webhook.Delivery, error) {
	var due []webhook.Delivery
	for _, prefix := range prefixes(w) {
		query := &dynamodb.QueryInput{
			TableName: &s.Table, ConsistentRead: new(true), Limit: dynamo.PageLimit(limit),
			KeyConditionExpression: new("pk = :pk AND sk BETWEEN :from AND :to"),
			ExpressionAttributeValues: map[string]types.AttributeValue{
				":pk": dynamo.Text(hookPrefix + w.ID), ":from": dynamo.Text(prefix),
				":to": dynamo.Text(fmt.Sprintf("%s%015d#~", prefix, now.UnixMilli())),
			},
		}
		out, err := s.Client.Query(ctx, query)
		if err != nil {
			return nil, unavailable(err, "list what is due for webhook %s", w.ID)
		}
		for _, item := range out.Items {
			id, _ := item["id"].(*types.AttributeValueMemberS)
			if id == nil {
				return nil, errNotRead
			}
			d, err := s.Delivery(ctx, w.ID, id.Value)
			if err != nil && !errors.Is(err, webhook.ErrNotFound) {
				return nil, err
			}
			if err != nil || d.Status != webhook.Waiting { // the delivery expired
				key := dynamo.IDOf(item)
				_, err := s.Client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &s.Table, Key: dynamo.Key(key.Partition, key.Sort)})
				if err != nil {
					return nil, unavailable(err, "forget an expired delivery of webhook %s", w.ID)
				}
				continue
			}
			due = append(due, d)
		}
	}
	return due, nil
}

// Next returns the time at which the next delivery is due; see webhook.Visits.
func (s Store) Next(ctx context.Context, w webhook.Webhook) (time.Time, error) {
	var next time.Time
	for _, prefix := range prefixes(w) {
		query := dynamo.Beginning(s.Table, hookPrefix+w.ID, prefix)
		query.Limit = dynamo.PageLimit(1)
		out, err := s.Client.Query(ctx, query)
		if err != nil {
			return time.Time{}, unavailable(err, "read when webhook %s is due", w.ID)
		}
		for _, item := range out.Items {
			digits, _, _ := strings.Cut(strings.TrimPrefix(dynamo.IDOf(item).Sort, prefix), "#")
			var at int64
			if _, err := fmt.Sscanf(digits, "%d", &at); err != nil {
				return time.Time{}, fmt.Errorf("read when webhook %s is due: %w", w.ID, err)
			}
			if due := time.UnixMilli(at).UTC(); next.IsZero() || due.Before(next) {
				next = due
			}
		}
	}
	return next, nil
}

// Record stores the result of a delivery attempt; see webhook.Visits.
func (s Store) Record(ctx context.Context, before, after webhook.Delivery) error {
	writes, err := s.change(before, after)
	if err != nil {
		return err
	}
	err = s.transact(ctx, writes)
	if _, ok := dynamo.CanceledAt(err); ok {
		return webhook.ErrConflict
	}
	return unavailable(err, "record delivery %s", after.ID)
}

// Overdue lists webhooks that are due; see webhook.Visits. The list may lag by a moment.
func (s Store) Overdue(ctx context.Context, sick bool, now time.Time, limit int) ([]webhook.Ref, error) {
	partition := healthyDue
	if sick {
		partition = sickDue
	}
	query := &dynamodb.QueryInput{
		TableName: &s.Table, IndexName: &schema.DueWebhooks.Name, KeyConditionExpression: new("duePk = :due AND dueAt <= :now"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":due": dynamo.Text(partition), ":now": dynamo.Number(now.UnixMilli()),
		},
	}
	var refs []webhook.Ref
	for len(refs) < limit {
		query.Limit = dynamo.PageLimit(limit - len(refs))
		out, err := s.Client.Query(ctx, query)
		if err != nil {
			return nil, unavailable(err, "list the webhooks that are due")
		}
		for _, item := range out.Items {
			key := dynamo.IDOf(item)
			owner, err := solana.PublicKeyFromBase58(strings.TrimPrefix(key.Partition, ownerPrefix))
			if err != nil {
				return nil, fmt.Errorf("list the webhooks that are due: %w", err)
			}
			refs = append(refs, webhook.Ref{Owner: owner, ID: strings.TrimPrefix(key.Sort, hookPrefix)})
		}
		if query.ExclusiveStartKey = out.LastEvaluatedKey; len(out.LastEvaluatedKey) == 0 {
			break
		}
	}
	return refs, nil
}

// Hand postpones webhooks; see webhook.Visits.
func (s Store) Hand(ctx context.Context, refs []webhook.Ref, now, later time.Time) error {
	for _, r := range refs {
		_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: &s.Table, Key: hookKey(r.Owner, r.ID), UpdateExpression: new("SET dueAt = :later"),
			ConditionExpression: new("attribute_exists(duePk) AND dueAt <= :now"),
			ExpressionAttributeValues: map[string]types.AttributeValue{
				":later": dynamo.Number(later.UnixMilli()), ":now": dynamo.Number(now.UnixMilli()),
			},
		})
		if err != nil && !dynamo.ConditionFailed(err) {
			return unavailable(err, "put webhook %s off", r.ID)
		}
	}
	return nil
}
