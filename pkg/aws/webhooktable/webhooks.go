// Package webhooktable keeps webhooks and the messages to them.
//
//	OWNER#<wallet>    COUNT                        n: how many webhooks there are
//	OWNER#<wallet>    HOOK#<id>                    a webhook; visit and leaseUntil while it is visited,
//	                                               duePk and dueAt while something waits for it
//	HOOK#<id>         DELIVERY#<delivery id>       a delivery; the ids sort by time
//	HOOK#<id>         SEQUENCE#<mint>              n: the last sequence
//	HOOK#<id>         DUE#<millis>#<delivery id>   one that waits; ASK# of a challenge
//	HOST#<domain>     CALL#<n>                     visit, leaseUntil: one of the calls at a time
package webhooktable

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/distribution/event"
	"tokenlaunch.example/service/pkg/distribution/webhook"
)

const (
	ownerPrefix    = "OWNER#"
	hookPrefix     = "HOOK#"
	deliveryPrefix = "DELIVERY#"
	sequencePrefix = "SEQUENCE#"
	duePrefix      = "DUE#"
	askPrefix      = "ASK#"
	countSort      = "COUNT"
)

// Partitions of the due index.
const (
	healthyDue = "WELL"
	sickDue    = "SICK"
)

// wakeGrace is the time after an arrival at which the sweep visits a webhook that was also queued
// immediately.
const wakeGrace = time.Minute

// Store stores webhooks and deliveries. It implements webhook.Store and webhook.Visits.
type Store struct {
	Client *dynamodb.Client
	Table  string
}

var (
	_ webhook.Store  = Store{}
	_ webhook.Visits = Store{}
)

func hookKey(owner solana.PublicKey, id string) map[string]types.AttributeValue {
	return dynamo.Key(ownerPrefix+owner.String(), hookPrefix+id)
}

func countKey(owner solana.PublicKey) map[string]types.AttributeValue {
	return dynamo.Key(ownerPrefix+owner.String(), countSort)
}

func deliveryKey(hook, id string) map[string]types.AttributeValue {
	return dynamo.Key(hookPrefix+hook, deliveryPrefix+id)
}

func sequenceKey(hook string, mint solana.PublicKey) map[string]types.AttributeValue {
	return dynamo.Key(hookPrefix+hook, sequencePrefix+mint.String())
}

// dueKey returns the key of the due entry of a waiting delivery.
func dueKey(d webhook.Delivery) map[string]types.AttributeValue {
	prefix := duePrefix
	if d.Kind == webhook.Challenge {
		prefix = askPrefix
	}
	return dynamo.Key(hookPrefix+d.Webhook, fmt.Sprintf("%s%015d#%s", prefix, d.NextAt.UnixMilli(), d.ID))
}

// hookItem is a stored webhook. Times are Unix milliseconds.
type hookItem struct {
	ID        string   `dynamodbav:"id"`
	Owner     []byte   `dynamodbav:"owner"`
	URL       string   `dynamodbav:"url"`
	Events    []string `dynamodbav:"events"`
	Mints     [][]byte `dynamodbav:"mints,omitempty"`
	Status    string   `dynamodbav:"status"`
	CreatedAt int64    `dynamodbav:"createdAt"`
	TookAt    int64    `dynamodbav:"tookAt,omitempty"`
	RestUntil int64    `dynamodbav:"restUntil,omitempty"`
	Failures  int      `dynamodbav:"failures"`
	Arrivals  int64    `dynamodbav:"arrivals"`
	DuePk     string   `dynamodbav:"duePk,omitempty"`
	DueAt     int64    `dynamodbav:"dueAt,omitempty"`
	Moves     int64    `dynamodbav:"moves,omitempty"`
	// Secret and Retiring are versions. The secrets are not stored.
	Secret   int64          `dynamodbav:"secret,omitempty"`
	Retiring []retiringItem `dynamodbav:"retiring,omitempty"`
}

type retiringItem struct {
	Version int64 `dynamodbav:"version"`
	Until   int64 `dynamodbav:"until"`
}

func newHookItem(w webhook.Webhook) hookItem {
	item := hookItem{
		ID: w.ID, Owner: w.Owner[:], URL: w.URL, Status: string(w.Status), CreatedAt: w.CreatedAt.UnixMilli(),
		Failures: w.Failures, Arrivals: w.Arrivals, Moves: w.Moves, Secret: w.Secret,
	}
	for _, r := range w.Retiring {
		item.Retiring = append(item.Retiring, retiringItem{r.Version, r.Until.UnixMilli()})
	}
	for _, kind := range w.Events {
		item.Events = append(item.Events, string(kind))
	}
	for _, mint := range w.Mints {
		item.Mints = append(item.Mints, mint[:])
	}
	return item
}

func (i hookItem) webhook() webhook.Webhook {
	w := webhook.Webhook{
		ID: i.ID, Owner: dynamo.PublicKey(i.Owner), URL: i.URL, Status: webhook.Status(i.Status),
		CreatedAt: time.UnixMilli(i.CreatedAt).UTC(), Failures: i.Failures, Arrivals: i.Arrivals,
		Moves: i.Moves, Secret: i.Secret,
	}
	for _, r := range i.Retiring {
		w.Retiring = append(w.Retiring, webhook.Retiring{Version: r.Version, Until: time.UnixMilli(r.Until).UTC()})
	}
	w.TookAt, w.RestUntil = dynamo.Time(i.TookAt), dynamo.Time(i.RestUntil)
	for _, kind := range i.Events {
		w.Events = append(w.Events, event.Kind(kind))
	}
	for _, mint := range i.Mints {
		w.Mints = append(w.Mints, dynamo.PublicKey(mint))
	}
	return w
}

// deliveryItem is a stored delivery. Times are Unix milliseconds.
type deliveryItem struct {
	ID          string `dynamodbav:"id"`
	Webhook     string `dynamodbav:"webhook"`
	EventID     string `dynamodbav:"eventId"`
	Kind        string `dynamodbav:"kind"`
	Mint        []byte `dynamodbav:"mint,omitempty"`
	Sequence    int64  `dynamodbav:"sequence,omitempty"`
	At          int64  `dynamodbav:"at"`
	Data        string `dynamodbav:"data"`
	Moves       int64  `dynamodbav:"moves,omitempty"`
	Status      string `dynamodbav:"status"`
	Attempts    int    `dynamodbav:"attempts"`
	NextAt      int64  `dynamodbav:"nextAt,omitempty"`
	DeliveredAt int64  `dynamodbav:"deliveredAt,omitempty"`
	LastCode    int    `dynamodbav:"lastCode,omitempty"`
	LastError   string `dynamodbav:"lastError,omitempty"`
	ExpiresAt   int64  `dynamodbav:"expiresAt"` // schema.ExpiresAt, in seconds
}

func newDeliveryItem(d webhook.Delivery) deliveryItem {
	item := deliveryItem{
		ID: d.ID, Webhook: d.Webhook, EventID: d.EventID, Kind: string(d.Kind), Sequence: d.Sequence, At: d.At.UnixMilli(),
		Data: string(d.Data), Moves: d.Moves, Status: string(d.Status), Attempts: d.Attempts, NextAt: dynamo.Millis(d.NextAt),
		DeliveredAt: dynamo.Millis(d.DeliveredAt), LastCode: d.LastCode, LastError: d.LastError,
		ExpiresAt: d.At.Add(webhook.KeptFor).Unix(),
	}
	if !d.Mint.IsZero() {
		item.Mint = d.Mint[:]
	}
	return item
}

func (i deliveryItem) delivery() webhook.Delivery {
	return webhook.Delivery{
		ID: i.ID, Webhook: i.Webhook, EventID: i.EventID, Kind: event.Kind(i.Kind), Mint: dynamo.PublicKey(i.Mint), Sequence: i.Sequence,
		At: time.UnixMilli(i.At).UTC(), Data: []byte(i.Data), Moves: i.Moves, Status: webhook.DeliveryStatus(i.Status), Attempts: i.Attempts,
		NextAt: dynamo.Time(i.NextAt), DeliveredAt: dynamo.Time(i.DeliveredAt), LastCode: i.LastCode, LastError: i.LastError,
	}
}

// Create stores a new webhook and the first delivery; see webhook.Store.
func (s Store) Create(ctx context.Context, w webhook.Webhook, first webhook.Delivery) error {
	stored := newHookItem(w)
	stored.Arrivals, stored.DuePk, stored.DueAt = 1, healthyDue, first.NextAt.Add(wakeGrace).UnixMilli()
	item, err := dynamo.NewItem(hookKey(w.Owner, w.ID), stored)
	if err != nil {
		return err
	}
	sent, err := s.putDelivery(first)
	if err != nil {
		return err
	}
	const countAt = 0
	writes := append([]types.TransactWriteItem{
		{Update: &types.Update{
			TableName: &s.Table, Key: countKey(w.Owner), UpdateExpression: new("ADD n :one"),
			ConditionExpression: new("attribute_not_exists(n) OR n < :most"),
			ExpressionAttributeValues: map[string]types.AttributeValue{
				":one": dynamo.Number(1), ":most": dynamo.Number(webhook.Most),
			},
		}},
		{Put: &types.Put{TableName: &s.Table, Item: item, ConditionExpression: new("attribute_not_exists(pk)")}},
	}, sent...)
	err = s.transact(ctx, writes)
	if failed, ok := dynamo.CanceledAt(err); ok && slices.Contains(failed, countAt) {
		return webhook.ErrLimit
	}
	return unavailable(err, "add a webhook of %s", w.Owner)
}

// putDelivery returns the writes that store a waiting delivery.
func (s Store) putDelivery(d webhook.Delivery) ([]types.TransactWriteItem, error) {
	item, err := dynamo.NewItem(deliveryKey(d.Webhook, d.ID), newDeliveryItem(d))
	if err != nil {
		return nil, err
	}
	return []types.TransactWriteItem{
		{Put: &types.Put{TableName: &s.Table, Item: item, ConditionExpression: new("attribute_not_exists(pk)")}},
		s.putDue(d),
	}, nil
}

// putDue returns the write of a waiting delivery's due entry.
func (s Store) putDue(d webhook.Delivery) types.TransactWriteItem {
	item := dueKey(d)
	item["id"], item[schema.ExpiresAt] = dynamo.Text(d.ID), dynamo.Number(d.At.Add(webhook.KeptFor).Unix())
	return types.TransactWriteItem{Put: &types.Put{TableName: &s.Table, Item: item}}
}

func (s Store) deleteDue(d webhook.Delivery) types.TransactWriteItem {
	return types.TransactWriteItem{Delete: &types.Delete{TableName: &s.Table, Key: dueKey(d)}}
}

// Webhook returns a webhook; see webhook.Store.
func (s Store) Webhook(ctx context.Context, owner solana.PublicKey, id string) (webhook.Webhook, error) {
	var stored hookItem
	found, err := dynamo.Get(ctx, s.Client, s.Table, hookKey(owner, id), &stored)
	if err != nil {
		return webhook.Webhook{}, fmt.Errorf("read webhook %s: %w", id, err)
	}
	if !found {
		return webhook.Webhook{}, webhook.ErrNotFound
	}
	return stored.webhook(), nil
}

// Webhooks lists the webhooks of an owner, the oldest first; see webhook.Store.
func (s Store) Webhooks(ctx context.Context, owner solana.PublicKey) ([]webhook.Webhook, error) {
	out, err := s.Client.Query(ctx, dynamo.Beginning(s.Table, ownerPrefix+owner.String(), hookPrefix))
	if err != nil {
		return nil, unavailable(err, "list the webhooks of %s", owner)
	}
	var list []webhook.Webhook
	for _, item := range out.Items {
		var stored hookItem
		if err := attributevalue.UnmarshalMap(item, &stored); err != nil {
			return nil, fmt.Errorf("decode a webhook of %s: %w", owner, err)
		}
		list = append(list, stored.webhook())
	}
	slices.SortFunc(list, func(a, b webhook.Webhook) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.ID, b.ID))
	})
	return list, nil
}

// Change stores the URL, events and mints; see webhook.Store. A change of the URL takes the lease
// from a visit, so that the visit cannot end with a result of the earlier URL.
func (s Store) Change(ctx context.Context, before, after webhook.Webhook, challenge *webhook.Delivery) error {
	stored, err := attributevalue.MarshalMap(newHookItem(after))
	if err != nil {
		return fmt.Errorf("encode webhook %s: %w", after.ID, err)
	}
	set, remove := []string{"events = :events"}, []string(nil)
	values := map[string]types.AttributeValue{":events": stored["events"], ":was": dynamo.Number(before.Moves)}
	if mints, ok := stored["mints"]; ok {
		set, values[":mints"] = append(set, "mints = :mints"), mints
	} else {
		remove = append(remove, "mints")
	}
	write := &types.Update{
		TableName: &s.Table, Key: hookKey(after.Owner, after.ID), ExpressionAttributeValues: values,
		ConditionExpression:                 new(unchanged("moves", before.Moves)),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}
	writes, add := []types.TransactWriteItem{{Update: write}}, ""
	if challenge != nil {
		set = append(set, "#url = :url", "#status = :status", "failures = :none", "moves = :moves", "duePk = :due", "dueAt = :at")
		remove, add = append(remove, "visit", "leaseUntil", "restUntil"), " ADD arrivals :one"
		write.ExpressionAttributeNames = map[string]string{"#url": "url", "#status": "status"}
		values[":url"], values[":status"], values[":none"] = stored["url"], stored["status"], dynamo.Number(0)
		values[":moves"], values[":due"], values[":one"] = dynamo.Number(after.Moves), dynamo.Text(healthyDue), dynamo.Number(1)
		values[":at"] = dynamo.Number(challenge.NextAt.Add(wakeGrace).UnixMilli())
		sent, err := s.putDelivery(*challenge)
		if err != nil {
			return err
		}
		writes = append(writes, sent...)
	}
	update := "SET " + strings.Join(set, ", ")
	if len(remove) > 0 {
		update += " REMOVE " + strings.Join(remove, ", ")
	}
	write.UpdateExpression = new(update + add)
	return s.changed(ctx, after, writes)
}

// Rotate stores the versions of a secret; see webhook.Store.
func (s Store) Rotate(ctx context.Context, before, after webhook.Webhook) error {
	stored, err := attributevalue.MarshalMap(newHookItem(after))
	if err != nil {
		return fmt.Errorf("encode webhook %s: %w", after.ID, err)
	}
	return s.changed(ctx, after, []types.TransactWriteItem{{Update: &types.Update{
		TableName: &s.Table, Key: hookKey(after.Owner, after.ID),
		UpdateExpression: new("SET secret = :secret, retiring = :retiring"), ConditionExpression: new(unchanged("secret", before.Secret)),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":secret": stored["secret"], ":retiring": stored["retiring"], ":was": dynamo.Number(before.Secret),
		},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}}})
}

// unchanged returns the condition that a webhook exists and that the counter is still :was.
func unchanged(counter string, was int64) string {
	if was == 0 {
		return "attribute_exists(pk) AND (attribute_not_exists(" + counter + ") OR " + counter + " = :was)"
	}
	return counter + " = :was"
}

// changed makes the writes. The first write changes a webhook.
func (s Store) changed(ctx context.Context, w webhook.Webhook, writes []types.TransactWriteItem) error {
	err := s.transact(ctx, writes)
	if canceled, ok := errors.AsType[*types.TransactionCanceledException](err); ok {
		if reasons := canceled.CancellationReasons; len(reasons) > 0 && len(reasons[0].Item) == 0 && aws.ToString(reasons[0].Code) == "ConditionalCheckFailed" {
			return webhook.ErrNotFound
		}
		return webhook.ErrConflict
	}
	return unavailable(err, "change webhook %s", w.ID)
}

// Delete deletes a webhook; see webhook.Store. The deliveries expire.
func (s Store) Delete(ctx context.Context, owner solana.PublicKey, id string) error {
	err := s.transact(ctx, []types.TransactWriteItem{
		{Delete: &types.Delete{TableName: &s.Table, Key: hookKey(owner, id), ConditionExpression: new("attribute_exists(pk)")}},
		{Update: &types.Update{
			TableName: &s.Table, Key: countKey(owner), UpdateExpression: new("ADD n :less"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":less": dynamo.Number(-1)},
		}},
	})
	if failed, ok := dynamo.CanceledAt(err); ok && len(failed) > 0 {
		return webhook.ErrNotFound
	}
	return unavailable(err, "delete webhook %s", id)
}

// addTries is the maximum number of tries of Add, which starts again if another message took the
// number.
const addTries = 20

// Add stores a delivery that is due immediately; see webhook.Store.
func (s Store) Add(ctx context.Context, w webhook.Webhook, d webhook.Delivery, now time.Time) error {
	for range addTries {
		var last struct {
			N int64 `dynamodbav:"n"`
		}
		if !d.Mint.IsZero() {
			if _, err := dynamo.Get(ctx, s.Client, s.Table, sequenceKey(w.ID, d.Mint), &last); err != nil {
				return fmt.Errorf("read the sequence of webhook %s: %w", w.ID, err)
			}
			d.Sequence = last.N + 1
		}
		sent, err := s.putDelivery(d)
		if err != nil {
			return err
		}
		const hookAt, deliveryAt = 0, 1
		writes := append([]types.TransactWriteItem{s.arrive(w, d, now)}, sent...)
		if d.Sequence > 0 {
			writes = append(writes, s.count(w.ID, d))
		}
		err = s.transact(ctx, writes)
		if err == nil {
			return nil
		}
		failed, ok := dynamo.CanceledAt(err)
		switch {
		case ok && slices.Contains(failed, deliveryAt): // the delivery was added before
			return nil
		case ok && slices.Contains(failed, hookAt):
			return webhook.ErrNotFound
		case !ok:
			return unavailable(err, "keep a message to webhook %s", w.ID)
		}
	}
	return dynamo.Unavailable(fmt.Errorf("keep a message to webhook %s: it was changed %d times meanwhile", w.ID, addTries))
}

// count returns the write that stores the number of a delivery.
func (s Store) count(hook string, d webhook.Delivery) types.TransactWriteItem {
	update := &types.Update{
		TableName: &s.Table, Key: sequenceKey(hook, d.Mint), UpdateExpression: new("SET n = :n"),
		ConditionExpression:       new("attribute_not_exists(n)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":n": dynamo.Number(d.Sequence)},
	}
	if d.Sequence > 1 {
		update.ConditionExpression = new("n = :last")
		update.ExpressionAttributeValues[":last"] = dynamo.Number(d.Sequence - 1)
	}
	return types.TransactWriteItem{Update: update}
}

// arrive returns the write that makes a webhook due. The sweep visits the webhook if the queued
// visit does not.
func (s Store) arrive(w webhook.Webhook, d webhook.Delivery, now time.Time) types.TransactWriteItem {
	at := now.Add(wakeGrace)
	if w.Failing() { // a sick webhook is not queued
		at = now
	}
	update := "SET duePk = :due, dueAt = :at ADD arrivals :one"
	if d.Mint.IsZero() {
		update += " REMOVE restUntil"
	}
	return types.TransactWriteItem{Update: &types.Update{
		TableName: &s.Table, Key: hookKey(w.Owner, w.ID),
		UpdateExpression:    &update,
		ConditionExpression: new("attribute_exists(pk)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":due": dynamo.Text(dueOf(w)), ":at": dynamo.Number(at.UnixMilli()), ":one": dynamo.Number(1),
		},
	}}
}

func dueOf(w webhook.Webhook) string {
	if w.Failing() {
		return sickDue
	}
	return healthyDue
}

// Deliveries returns a page of deliveries; see webhook.Store.
func (s Store) Deliveries(ctx context.Context, hook, after string, limit int) (page []webhook.Delivery, next string, err error) {
	query := dynamo.Beginning(s.Table, hookPrefix+hook, deliveryPrefix)
	query.ScanIndexForward, query.Limit = new(false), dynamo.PageLimit(limit)
	if after != "" {
		query.ExclusiveStartKey = deliveryKey(hook, after)
	}
	out, err := s.Client.Query(ctx, query)
	if err != nil {
		return nil, "", unavailable(err, "list the deliveries of webhook %s", hook)
	}
	for _, item := range out.Items {
		d, err := readDelivery(item)
		if err != nil {
			return nil, "", err
		}
		page = append(page, d)
	}
	if len(out.LastEvaluatedKey) > 0 {
		next = strings.TrimPrefix(dynamo.IDOf(out.LastEvaluatedKey).Sort, deliveryPrefix)
	}
	return page, next, nil
}

func readDelivery(item map[string]types.AttributeValue) (webhook.Delivery, error) {
	var stored deliveryItem
	if err := attributevalue.UnmarshalMap(item, &stored); err != nil {
		return webhook.Delivery{}, fmt.Errorf("decode delivery %v: %w", dynamo.IDOf(item), err)
	}
	return stored.delivery(), nil
}

// Delivery returns a delivery; see webhook.Store.
func (s Store) Delivery(ctx context.Context, hook, id string) (webhook.Delivery, error) {
	var stored deliveryItem
	found, err := dynamo.Get(ctx, s.Client, s.Table, deliveryKey(hook, id), &stored)
	if err != nil {
		return webhook.Delivery{}, fmt.Errorf("read delivery %s: %w", id, err)
	}
	if !found {
		return webhook.Delivery{}, webhook.ErrNotFound
	}
	return stored.delivery(), nil
}

// Replay makes a delivery due immediately; see webhook.Store.
func (s Store) Replay(ctx context.Context, w webhook.Webhook, d webhook.Delivery, now time.Time) error {
	again := d
	again.Status, again.Attempts, again.NextAt = webhook.Waiting, 0, now
	again.DeliveredAt, again.LastCode, again.LastError = time.Time{}, 0, ""
	writes, err := s.change(d, again)
	if err != nil {
		return err
	}
	const hookAt = 0
	err = s.transact(ctx, append([]types.TransactWriteItem{s.arrive(w, d, now)}, writes...))
	if failed, ok := dynamo.CanceledAt(err); ok {
		if slices.Contains(failed, hookAt) {
			return webhook.ErrNotFound
		}
		return webhook.ErrConflict
	}
	return unavailable(err, "replay delivery %s", d.ID)
}

// change returns the writes that replace a delivery, if the delivery has not changed since the
// read.
func (s Store) change(before, after webhook.Delivery) ([]types.TransactWriteItem, error) {
	item, err := dynamo.NewItem(deliveryKey(after.Webhook, after.ID), newDeliveryItem(after))
	if err != nil {
		return nil, err
	}
	condition := "#status = :status AND attempts = :attempts"
	values := map[string]types.AttributeValue{
		":status": dynamo.Text(string(before.Status)), ":attempts": dynamo.Number(int64(before.Attempts)),
	}
	if before.Status == webhook.Waiting {
		condition += " AND nextAt = :next"
		values[":next"] = dynamo.Number(before.NextAt.UnixMilli())
	}
	writes := []types.TransactWriteItem{{Put: &types.Put{
		TableName: &s.Table, Item: item, ConditionExpression: &condition,
		ExpressionAttributeNames: map[string]string{"#status": "status"}, ExpressionAttributeValues: values,
	}}}
	was, is := before.Status == webhook.Waiting, after.Status == webhook.Waiting
	if was && is && before.NextAt.Equal(after.NextAt) {
		return writes, nil
	}
	if was {
		writes = append(writes, s.deleteDue(before))
	}
	if is {
		writes = append(writes, s.putDue(after))
	}
	return writes, nil
}

func (s Store) transact(ctx context.Context, writes []types.TransactWriteItem) error {
	_, err := s.Client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: writes})
	return err //nolint:wrapcheck // the callers say of what
}

// unavailable wraps the failure of a call.
func unavailable(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return dynamo.Unavailable(fmt.Errorf(format+": %w", append(args, err)...))
}

var errNotRead = errors.New("an item of the index has no owner or id")
