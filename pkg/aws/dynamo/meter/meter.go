// Package meter counts the billed units of DynamoDB calls, for benchmarks, budgets and the
// computation of the service's costs.
package meter

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
)

// Units is the number of calls and billed units.
type Units struct {
	Calls       int
	Read, Write float64
}

func (u Units) plus(o Units) Units {
	return Units{u.Calls + o.Calls, u.Read + o.Read, u.Write + o.Write}
}

// Meter adds up the units of a client's calls. Write units are the units that the store reports.
// Read units are computed from the returned items, because MiniStack reports one unit whatever the
// size of an item. The units of two more kinds of calls are computed because MiniStack does not
// report these units: condition checks within a transaction, and writes whose condition fails,
// which cost as much as successful writes. Meter is safe for concurrent use.
type Meter struct {
	mu  sync.Mutex
	sum Units
}

// Take returns the units since the last call of Take.
func (m *Meter) Take() Units {
	m.mu.Lock()
	defer m.mu.Unlock()
	sum := m.sum
	m.sum = Units{}
	return sum
}

func (m *Meter) add(u Units) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sum = m.sum.plus(u)
}

// Bytes in one unit (DynamoDB Developer Guide, "Capacity unit consumption").
const (
	readUnitBytes  = 4096
	writeUnitBytes = 1024
)

// Middleware counts the calls of a client that has Middleware in APIOptions. A call of an unknown
// kind returns an error.
func (m *Meter) Middleware(stack *middleware.Stack) error {
	return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("meter",
		func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
			ask(in.Parameters)
			out, metadata, err := next.HandleInitialize(ctx, in)
			counted, known := count(in.Parameters, out.Result, err)
			if !known {
				return out, metadata, errors.Join(err, fmt.Errorf("the meter does not know %T", in.Parameters))
			}
			counted.Calls = 1
			m.add(counted)
			return out, metadata, err
		}), middleware.Before)
}

// ask requests the consumed capacity of a write.
func ask(call any) {
	const total = types.ReturnConsumedCapacityTotal
	switch in := call.(type) {
	case *dynamodb.PutItemInput:
		in.ReturnConsumedCapacity = total
	case *dynamodb.UpdateItemInput:
		in.ReturnConsumedCapacity = total
	case *dynamodb.DeleteItemInput:
		in.ReturnConsumedCapacity = total
	case *dynamodb.TransactWriteItemsInput:
		in.ReturnConsumedCapacity = total
	}
}

// count returns the units of one call. known is false for a kind of call that the meter does not
// support.
func count(call, result any, err error) (u Units, known bool) {
	switch in := call.(type) {
	case *dynamodb.GetItemInput:
		if out, ok := result.(*dynamodb.GetItemOutput); ok && err == nil {
			u.Read = rate(in.ConsistentRead) * started(sizeOf(out.Item), readUnitBytes)
		}
	case *dynamodb.BatchGetItemInput:
		if out, ok := result.(*dynamodb.BatchGetItemOutput); ok && err == nil {
			for table, items := range out.Responses {
				for _, item := range items {
					u.Read += rate(in.RequestItems[table].ConsistentRead) * started(sizeOf(item), readUnitBytes)
				}
			}
		}
	case *dynamodb.QueryInput:
		if out, ok := result.(*dynamodb.QueryOutput); ok && err == nil {
			bytes := 0
			for _, item := range out.Items {
				bytes += sizeOf(item)
			}
			u.Read = rate(in.ConsistentRead) * started(bytes, readUnitBytes)
		}
	case *dynamodb.PutItemInput:
		out, _ := result.(*dynamodb.PutItemOutput)
		u.Write = written(out != nil, err, func() *types.ConsumedCapacity { return out.ConsumedCapacity })
	case *dynamodb.UpdateItemInput:
		out, _ := result.(*dynamodb.UpdateItemOutput)
		u.Write = written(out != nil, err, func() *types.ConsumedCapacity { return out.ConsumedCapacity })
	case *dynamodb.DeleteItemInput:
		out, _ := result.(*dynamodb.DeleteItemOutput)
		u.Write = written(out != nil, err, func() *types.ConsumedCapacity { return out.ConsumedCapacity })
	case *dynamodb.TransactWriteItemsInput:
		u.Write = unitsOfTransaction(in, result, err)
	default:
		return u, false
	}
	return u, true
}

// written returns the units of a single write, whether the condition held or not.
func written(answered bool, err error, consumed func() *types.ConsumedCapacity) float64 {
	if failed, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok {
		return started(sizeOf(failed.Item), writeUnitBytes)
	}
	if !answered || err != nil || consumed() == nil || consumed().CapacityUnits == nil {
		return 0
	}
	return *consumed().CapacityUnits
}

// unitsOfTransaction returns the units of a transaction: two units for each started KiB of each
// item. For a rejected transaction, the sum counts every item as 1 KiB, because the sizes are
// unknown.
func unitsOfTransaction(in *dynamodb.TransactWriteItemsInput, result any, err error) (sum float64) {
	const perItem = 2
	if err != nil {
		return perItem * float64(len(in.TransactItems))
	}
	for _, item := range in.TransactItems {
		if item.ConditionCheck != nil {
			sum += perItem
		}
	}
	if out, ok := result.(*dynamodb.TransactWriteItemsOutput); ok {
		for _, consumed := range out.ConsumedCapacity {
			if consumed.CapacityUnits != nil {
				sum += *consumed.CapacityUnits
			}
		}
	}
	return sum
}

// rate returns the price of a read: half a unit for an eventually consistent read.
func rate(consistent *bool) float64 {
	if consistent != nil && *consistent {
		return 1
	}
	return 0.5
}

// started returns the number of started units of the given bytes, at least one.
func started(bytes, unit int) float64 { return float64(max(1, (bytes+unit-1)/unit)) }

// sizeOf returns the billed size of an item (DynamoDB Developer Guide, "DynamoDB item sizes and
// formats").
func sizeOf(item map[string]types.AttributeValue) (bytes int) {
	for name, value := range item {
		bytes += len(name) + valueSize(value)
	}
	return bytes
}

func valueSize(value types.AttributeValue) int {
	const container, perEntry = 3, 1
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return len(v.Value)
	case *types.AttributeValueMemberB:
		return len(v.Value)
	case *types.AttributeValueMemberN:
		return len(v.Value)/2 + 2
	case *types.AttributeValueMemberM:
		return container + sizeOf(v.Value) + perEntry*len(v.Value)
	case *types.AttributeValueMemberL:
		sum := container + perEntry*len(v.Value)
		for _, inner := range v.Value {
			sum += valueSize(inner)
		}
		return sum
	case *types.AttributeValueMemberSS:
		sum := 0
		for _, text := range v.Value {
			sum += len(text)
		}
		return sum
	case *types.AttributeValueMemberNS:
		sum := 0
		for _, number := range v.Value {
			sum += len(number)/2 + 2
		}
		return sum
	default:
		return 1 // a boolean or null
	}
}
