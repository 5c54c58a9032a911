package windowtable

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/platform/idempotency"
)

// A key is one item, from its first request on:
//
//	ANSWER#<caller>#<key>  ANSWER  fingerprint, holder, leaseUntil, validUntil, expiresAt,
//	                               and once there is an answer: answered, header, body
//
// A caller's name has no #, so that two pairs of caller and key never have the same item.
const answerSort = "ANSWER"

func answerKey(c idempotency.Claim) map[string]types.AttributeValue {
	return dynamo.Key("ANSWER#"+c.Caller+"#"+c.Key, answerSort)
}

// answerItem is a stored key. Times are Unix milliseconds. Answered is the status of the response,
// or zero before the response.
type answerItem struct {
	Fingerprint []byte            `dynamodbav:"fingerprint"`
	Holder      string            `dynamodbav:"holder"`
	LeaseUntil  int64             `dynamodbav:"leaseUntil"`
	ValidUntil  int64             `dynamodbav:"validUntil"`
	Answered    int               `dynamodbav:"answered"`
	Header      map[string]string `dynamodbav:"header"`
	Body        []byte            `dynamodbav:"body"`
}

func (i answerItem) record() idempotency.Record {
	r := idempotency.Record{
		Holder:     i.Holder,
		LeaseUntil: time.UnixMilli(i.LeaseUntil), ValidUntil: time.UnixMilli(i.ValidUntil),
	}
	copy(r.Fingerprint[:], i.Fingerprint)
	if i.Answered != 0 {
		r.Answer = &idempotency.Answer{Status: i.Answered, Header: i.Header, Body: i.Body}
	}
	return r
}

// Answers stores the responses to requests with a key. It implements idempotency.Store. Answers
// needs only the right to update items, which counting requests also needs.
type Answers struct {
	Client *dynamodb.Client
	Table  string
}

// Begin claims a key. The condition of the write is the rule of idempotency.Record.Decide. If the
// condition fails, Decide determines the error for the caller.
func (s Answers) Begin(ctx context.Context, c idempotency.Claim, now time.Time) (*idempotency.Answer, error) {
	until := now.Add(idempotency.Lifetime)
	_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: answerKey(c),
		UpdateExpression: new("SET fingerprint = :fingerprint, holder = :holder, leaseUntil = :lease, validUntil = :until, #expires = :expires" +
			" REMOVE answered, header, body"),
		ConditionExpression: new("attribute_not_exists(pk) OR validUntil <= :now OR" +
			" (fingerprint = :fingerprint AND attribute_not_exists(answered) AND (leaseUntil <= :now OR holder = :holder))"),
		ExpressionAttributeNames: map[string]string{"#expires": schema.ExpiresAt},
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":fingerprint": dynamo.Binary(c.Fingerprint[:]), ":holder": dynamo.Text(c.Holder), ":now": dynamo.Number(now.UnixMilli()),
			":lease": dynamo.Number(now.Add(idempotency.Lease).UnixMilli()), ":until": dynamo.Number(until.UnixMilli()),
			":expires": dynamo.Number(until.Add(time.Second).Unix()),
		},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	if err == nil {
		return nil, nil
	}
	failed, ok := errors.AsType[*types.ConditionalCheckFailedException](err)
	if !ok {
		return nil, dynamo.Unavailable(fmt.Errorf("claim an idempotency key: %w", err))
	}
	var stored answerItem
	if err := attributevalue.UnmarshalMap(failed.Item, &stored); err != nil {
		return nil, fmt.Errorf("decode the answer of an idempotency key: %w", err)
	}
	free, replay, err := stored.record().Decide(c, now)
	if free {
		return nil, fmt.Errorf("claim an idempotency key: refused: %w", failed)
	}
	return replay, err
}

// Keep ends a claim with the response.
func (s Answers) Keep(ctx context.Context, c idempotency.Claim, a idempotency.Answer) error {
	header, err := attributevalue.Marshal(a.Header)
	if err != nil {
		return fmt.Errorf("encode an answer: %w", err)
	}
	return s.end(ctx, c, "SET answered = :status, header = :header, body = :body", map[string]types.AttributeValue{
		":status": dynamo.Number(int64(a.Status)), ":header": header, ":body": dynamo.Binary(append([]byte{}, a.Body...)), // never null
	})
}

// Release ends a claim without a response.
func (s Answers) Release(ctx context.Context, c idempotency.Claim) error {
	return s.end(ctx, c, "SET leaseUntil = :zero", map[string]types.AttributeValue{":zero": dynamo.Number(0)})
}

func (s Answers) end(ctx context.Context, c idempotency.Claim, update string, values map[string]types.AttributeValue) error {
	values[":holder"] = dynamo.Text(c.Holder)
	_, err := s.Client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: answerKey(c), UpdateExpression: &update,
		ConditionExpression:       new("holder = :holder AND attribute_not_exists(answered)"),
		ExpressionAttributeValues: values,
	})
	if err != nil && !dynamo.ConditionFailed(err) {
		return dynamo.Unavailable(fmt.Errorf("end the claim of an idempotency key: %w", err))
	}
	return nil
}
