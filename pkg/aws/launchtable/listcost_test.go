package launchtable_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
	"github.com/gagliardetto/solana-go"

	"tokenlaunch.example/service/pkg/aws/dynamo"
	"tokenlaunch.example/service/pkg/aws/dynamo/schema"
	"tokenlaunch.example/service/pkg/aws/launchtable"
	figurestable "tokenlaunch.example/service/pkg/aws/launchtable/figures"
	"tokenlaunch.example/service/pkg/distribution/figures"
	"tokenlaunch.example/service/pkg/testkit/localnet"
	"tokenlaunch.example/service/pkg/testkit/must"
	"tokenlaunch.example/service/pkg/token/terms"
)

// cost is the cost of reads. Reported is the store's report, which here leaves the
// sizes of items out; billed is by DynamoDB's rules, from what the answers hold.
type cost struct {
	calls            int
	items            int
	reported, billed float64 // read capacity units
}

// readMeter adds up what the reads through a client cost.
type readMeter struct {
	cost

	mu sync.Mutex
}

func (m *readMeter) middleware(stack *middleware.Stack) error {
	return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("meter",
		func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
			factor := 0.5
			switch read := in.Parameters.(type) {
			case *dynamodb.GetItemInput:
				read.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
				factor = consistency(read.ConsistentRead)
			case *dynamodb.QueryInput:
				read.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
				factor = consistency(read.ConsistentRead)
			case *dynamodb.BatchGetItemInput:
				read.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
				for _, keys := range read.RequestItems {
					factor = consistency(keys.ConsistentRead)
				}
			}
			out, metadata, err := next.HandleInitialize(ctx, in)
			m.count(out.Result, factor)
			return out, metadata, err
		}), middleware.Before)
}

func (m *readMeter) count(result any, factor float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	switch out := result.(type) {
	case *dynamodb.GetItemOutput:
		m.items++
		m.reported += *out.ConsumedCapacity.CapacityUnits
		m.billed += factor * units(size(&types.AttributeValueMemberM{Value: out.Item}))
	case *dynamodb.QueryOutput:
		sum := 0
		for _, item := range out.Items {
			m.items++
			sum += size(&types.AttributeValueMemberM{Value: item})
		}
		m.reported += *out.ConsumedCapacity.CapacityUnits
		m.billed += factor * units(sum)
	case *dynamodb.BatchGetItemOutput:
		for _, table := range out.Responses {
			for _, item := range table {
				m.items++
				m.billed += factor * units(size(&types.AttributeValueMemberM{Value: item}))
			}
		}
		for _, consumed := range out.ConsumedCapacity {
			m.reported += *consumed.CapacityUnits
		}
	}
}

func consistency(strong *bool) float64 {
	if strong != nil && *strong {
		return 1
	}
	return 0.5
}

// units are the 4 KB that a read of the given bytes is billed for (DynamoDB
// Developer Guide, "Read request units").
func units(bytes int) float64 { return float64(max(1, (bytes+4095)/4096)) }

// size returns the billed size of a value (DynamoDB Developer Guide, "Item sizes and
// formats").
func size(value types.AttributeValue) int {
	sum := 0
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return len(v.Value)
	case *types.AttributeValueMemberB:
		return len(v.Value)
	case *types.AttributeValueMemberN:
		return len(v.Value)/2 + 2
	case *types.AttributeValueMemberBOOL, *types.AttributeValueMemberNULL:
		return 1
	case *types.AttributeValueMemberNS:
		for _, n := range v.Value {
			sum += len(n)/2 + 2
		}
	case *types.AttributeValueMemberM:
		for name, inner := range v.Value {
			sum += len(name) + 1 + size(inner)
		}
	}
	return sum
}

// TestPageCostAtAnyDepth tests that page 500 of a list of 10,000 tokens costs as many calls, items
// and units as page 1, with and without hidden tokens.
func TestPageCostAtAnyDepth(t *testing.T) {
	stack := localnet.AWS(t)
	table := stack.CreateTable(t, schema.Launch)
	m := &readMeter{}
	config := stack.Config(t.Context())
	plain := launchtable.Tokens{Client: dynamo.New(config), Table: table}
	config.APIOptions = append(config.APIOptions, m.middleware)
	metered := launchtable.Tokens{Client: dynamo.New(config), Table: table}

	const tokens, limit = 10_060, 20
	load(t, plain, solana.PublicKey{1}, tokens)
	hiddenCount := 0
	compare := func(name string) {
		var costs []cost
		for _, page := range []int64{1, 500} {
			m.cost = cost{}
			records, total, err := metered.List(t.Context(), page, limit)
			if err != nil || len(records) != limit || total != int64(tokens-hiddenCount) {
				t.Fatalf("%s, page %d: %d tokens of %d, %v", name, page, len(records), total, err)
			}
			costs = append(costs, m.cost)
			t.Logf("%s, page %3d: %+v", name, page, m.cost)
		}
		if costs[0] != costs[1] {
			t.Errorf("%s: page 1 costs %+v, page 500 %+v", name, costs[0], costs[1])
		}
		for _, page := range []int64{2, 77, 250, 333, 499} {
			m.cost = cost{}
			_, _, err := metered.List(t.Context(), page, limit)
			// A page may lie across two blocks, which takes one query and one node more.
			if over := m.billed - costs[0].billed; err != nil || over > 1 {
				t.Errorf("%s: page %d costs %v units more than page 1, %v", name, page, over, err)
			}
		}
	}
	compare("nothing hidden")
	for n := 5; n < tokens; n += 200 {
		must.Do(t, plain.Hide(t.Context(), listed(solana.PublicKey{}, n).Mint))
		hiddenCount++
	}
	compare(fmt.Sprintf("%d hidden", hiddenCount))
}

// TestRefreshCostOfManyTokens holds its bound: docs/costs.md has the figure.
func TestRefreshCostOfManyTokens(t *testing.T) {
	if testing.Short() {
		t.Skip("creates 700 tokens")
	}
	stack := localnet.AWS(t)
	meter := &readMeter{}
	client := dynamodb.New(dynamo.New(stack.Config(t.Context())).Options(), func(o *dynamodb.Options) {
		o.APIOptions = append(slices.Clone(o.APIOptions), meter.middleware)
	})
	plain := launchtable.Tokens{Client: dynamo.New(stack.Config(t.Context())), Table: stack.CreateTable(t, schema.Launch)}
	now := time.Date(2026, 11, 24, 12, 30, 0, 0, time.UTC)
	f := figurestable.Store{Client: client, Table: plain.Table, Now: func() time.Time { return now }}
	filler := f
	filler.Client = plain.Client
	var costs []cost
	added := 0
	for _, many := range []int{350, 700} {
		for ; added < many; added++ {
			record := listed(solana.PublicKey{1}, added)
			_, err := plain.Append(t.Context(), record)
			must.Do(t, err)
			must.Do(t, filler.Count(t.Context(), figures.Settled{
				Run: record.ID, Mint: record.Mint, At: now, Manifest: record.ID, Paid: []figures.Paid{
					{Asset: terms.SOL, Decimals: 9, Amount: uint64(added) + 1}, {Asset: terms.Asset(record.Mint), Decimals: 6, Amount: 3},
				}[:2-added%2],
			}))
			_, err = plain.Client.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
				TransactItems: []types.TransactWriteItem{figurestable.VolumeOf(plain.Table, record.Mint, uint64(added)+1, 0)},
			})
			must.Do(t, err)
		}
		meter.cost = cost{}
		_, err := f.Refresh(t.Context())
		must.Do(t, err)
		t.Logf("of %d tokens a refresh makes %d calls, reads %d items, %.1f units", many, meter.calls, meter.items, meter.billed)
		costs = append(costs, meter.cost)
	}
	if costs[1].billed > costs[0].billed+2 || costs[1].calls > costs[0].calls {
		t.Errorf("of twice the tokens: %+v, before %+v", costs[1], costs[0])
	}
}
