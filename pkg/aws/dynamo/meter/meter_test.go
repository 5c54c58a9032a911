package meter

import (
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func TestCount(t *testing.T) {
	text := func(bytes int) map[string]types.AttributeValue {
		return map[string]types.AttributeValue{"a": &types.AttributeValueMemberS{Value: strings.Repeat("x", bytes-1)}}
	}
	capacity := &types.ConsumedCapacity{CapacityUnits: aws.Float64(3)}
	checks := &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{}}, {ConditionCheck: &types.ConditionCheck{}},
	}}
	for name, c := range map[string]struct {
		call, result any
		err          error
		want         Units
	}{
		"a consistent read":  {&dynamodb.GetItemInput{ConsistentRead: aws.Bool(true)}, &dynamodb.GetItemOutput{Item: text(4097)}, nil, Units{Read: 2}},
		"nothing there":      {&dynamodb.GetItemInput{}, &dynamodb.GetItemOutput{}, nil, Units{Read: 0.5}},
		"a query adds sizes": {&dynamodb.QueryInput{}, &dynamodb.QueryOutput{Items: []map[string]types.AttributeValue{text(3000), text(1096)}}, nil, Units{Read: 0.5}},
		"a batch does not": {
			&dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{"t": {}}},
			&dynamodb.BatchGetItemOutput{Responses: map[string][]map[string]types.AttributeValue{"t": {text(10), text(10)}}},
			nil,
			Units{Read: 1},
		},
		"a write":                       {&dynamodb.PutItemInput{}, &dynamodb.PutItemOutput{ConsumedCapacity: capacity}, nil, Units{Write: 3}},
		"a write whose condition fails": {&dynamodb.UpdateItemInput{}, nil, &types.ConditionalCheckFailedException{Item: text(1025)}, Units{Write: 2}},
		"a write that does not arrive":  {&dynamodb.UpdateItemInput{}, nil, errors.New("lost"), Units{}},
		"a transaction":                 {checks, &dynamodb.TransactWriteItemsOutput{ConsumedCapacity: []types.ConsumedCapacity{*capacity}}, nil, Units{Write: 5}},
		"a rejected transaction":        {checks, nil, &types.TransactionCanceledException{}, Units{Write: 4}},
	} {
		if got, known := count(c.call, c.result, c.err); got != c.want || !known {
			t.Errorf("%s: %+v, %t; want %+v", name, got, known, c.want)
		}
	}
	if _, known := count(&dynamodb.ScanInput{}, nil, nil); known {
		t.Error("a scan has no price here")
	}
}
