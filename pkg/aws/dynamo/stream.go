package dynamo

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Change is one write to an item, from a table's stream.
type Change struct {
	// Before and After are the item before and after the write; nil if the item does not exist.
	Before, After map[string]types.AttributeValue
	// At is the time of the write, to the second.
	At time.Time
}

// ReadChange reads a record of a stream in the form that Lambda passes to a function.
func ReadChange(record json.RawMessage) (Change, error) {
	var r struct {
		DynamoDB struct {
			At       float64         `json:"ApproximateCreationDateTime"`
			NewImage json.RawMessage `json:"NewImage"`
			OldImage json.RawMessage `json:"OldImage"`
		} `json:"dynamodb"`
	}
	if err := json.Unmarshal(record, &r); err != nil {
		return Change{}, fmt.Errorf("read a record of a stream: %w", err)
	}
	c := Change{At: time.Unix(int64(r.DynamoDB.At), 0).UTC()}
	for _, image := range []struct {
		raw  json.RawMessage
		into *map[string]types.AttributeValue
	}{{r.DynamoDB.OldImage, &c.Before}, {r.DynamoDB.NewImage, &c.After}} {
		if len(image.raw) == 0 || string(image.raw) == "null" {
			continue
		}
		item, err := attributevalue.UnmarshalMapJSON(image.raw)
		if err != nil {
			return Change{}, fmt.Errorf("read an item of a stream: %w", err)
		}
		if len(item) > 0 {
			*image.into = item
		}
	}
	return c, nil
}

// Decode decodes the item before and after the write.
func (c Change) Decode(before, after any) error {
	if err := attributevalue.UnmarshalMap(c.Before, before); err != nil {
		return fmt.Errorf("decode %v as it was: %w", IDOf(c.Before), err)
	}
	if err := attributevalue.UnmarshalMap(c.After, after); err != nil {
		return fmt.Errorf("decode %v: %w", IDOf(c.After), err)
	}
	return nil
}
